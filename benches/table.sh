#!/usr/bin/env bash
# The whole table of ratios, one command: benches/table.sh
#
#   benches/table.sh             all rows; kept as benches/results/DATE.txt, with what made them
#   benches/table.sh WORD…       the rows whose name holds one of the words; nothing is kept
#   benches/table.sh --readme    puts the figures of the newest results into the tables of README.md
#
# Needs cargo; node with npm and python3 with venv for the rows of their libraries, which are left out otherwise.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1-}" = --readme ]; then
    exec python3 benches/readme.py
fi

# In this order the rows stand in the file. They are built before anything is timed.
benches=(peers wire live monitor counts)
names=()
for bench in "${benches[@]}" others; do names+=(--bench "$bench"); done
cargo bench --quiet --no-run "${names[@]}"

table() {
    printf 'date     %s\n' "$(date -u +%F)"
    printf 'commit   %s%s\n' "$(git rev-parse --short HEAD)" "$([ -z "$(git status --porcelain --untracked-files=no)" ] || echo ', changed')"
    cpu() { sed -n "s/^$1[^:]*: //p" /proc/cpuinfo 2>/dev/null | head -n 1; }
    printf 'cpu      %s (family %s, model %s), %s cores\n' "$(cpu 'model name')" "$(cpu 'cpu family')" "$(cpu 'model[[:space:]]')" "$(getconf _NPROCESSORS_ONLN)"
    rustc -vV | sed '/^$/d; s/^/rustc    /'
    printf 'command  benches/table.sh%s\n' "${*:+ $*}"
    for bench in "${benches[@]}"; do
        printf '\n== %s\n' "$bench"
        cargo bench --quiet --bench "$bench" -- "$@"
    done
    printf '\n== others\n'
    benches/others.sh "$@"
}

if [ $# -gt 0 ]; then
    table "$@"
    exit
fi
mkdir -p target benches/results
table | tee target/table.txt
mv target/table.txt "benches/results/$(date -u +%F).txt"
echo "took $SECONDS s"
