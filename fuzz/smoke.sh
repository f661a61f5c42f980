#!/usr/bin/env bash
# Runs each fuzz target for some seconds, two at once, with the installed stable compiler: fuzz/smoke.sh [SECONDS [TARGET…]]
#
# FUZZ_SEED chooses what is tried, so that a short run can be had again; without it each run tries something else.
# Fails when a target finds something, and names the file. cargo-fuzz is not needed: the flags below are what it passes, less
# the address sanitizer, which wants a nightly compiler and has little to find where unsafe code is forbidden.
# `cargo +nightly fuzz run any_chunking` works as well.
set -euo pipefail
cd "$(dirname "$0")"

seconds=${1:-15}
shift || true
targets=("$@")
if [ ${#targets[@]} = 0 ]; then
    for file in fuzz_targets/*.rs; do targets+=("$(basename "$file" .rs)"); done
fi
built=${CARGO_TARGET_DIR:-target}
# With an explicit target the flags reach the crates alone: build scripts run without them.
host=$(rustc -vV | sed -n 's/^host: //p')
flags=(
    --cfg fuzzing
    -Cpasses=sancov-module
    -Cllvm-args=-sanitizer-coverage-level=4
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
    -Cllvm-args=-sanitizer-coverage-pc-table
    -Cllvm-args=-sanitizer-coverage-trace-compares
    -Ccodegen-units=1
)
RUSTFLAGS="${flags[*]}" cargo build --release --target "$host"
# The rows of the corpora as seeds: made here, so that there is one copy of each row.
cargo run --quiet --manifest-path ../crates/testkit/Cargo.toml --example seeds -- "$built/seeds"

fuzz() {
    local name=$1 longest=4096
    local seeds=(seeds "$built/seeds/replies" ../tests/corpus/regressions)
    # The twin and the looks at a view are quadratic; of the wire every beginning is a body.
    case $name in
        twin | live | plain) longest=1024 ;;
        wire) longest=2048 seeds=("$built/seeds/wire") ;;
        stream) longest=2048 seeds=("$built/seeds/streams" ../tests/corpus/regressions_stream) ;;
        tools) longest=1024 seeds=("$built/seeds/tools") ;;
        # Each round reads a reply as often as it is long.
        signals) longest=256 seeds=("$built/seeds/signals") ;;
        monitor) longest=1024 seeds=("$built/seeds/monitor" "$built/seeds/replies") ;;
    esac
    mkdir -p "corpus/$name" "artifacts/$name"
    # What is new goes to the first folder; the others are only read.
    if "$built/$host/release/$name" -seed="${FUZZ_SEED:-0}" -max_total_time="$seconds" -max_len=$longest -timeout=5 -rss_limit_mb=2048 \
        -dict=tokens.dict -artifact_prefix="artifacts/$name/" -print_final_stats=1 -verbosity=1 \
        "corpus/$name" "${seeds[@]}" >"artifacts/$name/log" 2>&1; then
        echo "fuzz: $name: $(grep -P '^#\d+\tDONE' "artifacts/$name/log" | tr -s '\t ' ' ')"
    else
        grep -v '^#' "artifacts/$name/log" | tail -n 60 >&2
        echo "fuzz: $name FOUND SOMETHING: $(sed -n 's/.*Test unit written to /fuzz\//p' "artifacts/$name/log")" >&2
        return 1
    fi
}

found=0
running=()
for name in "${targets[@]}"; do
    echo "fuzz: $name for $seconds s"
    fuzz "$name" &
    running+=($!)
    if [ ${#running[@]} = 2 ]; then
        wait "${running[0]}" || found=1
        running=("${running[1]}")
    fi
done
for job in "${running[@]}"; do wait "$job" || found=1; done
exit $found
