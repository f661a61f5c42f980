#!/usr/bin/env bash
# Runs each fuzz target for some seconds with the installed stable compiler: fuzz/smoke.sh [SECONDS]
#
# cargo-fuzz is not needed: the flags below are what it passes, less the address sanitizer, which wants a nightly
# compiler and has little to find where unsafe code is forbidden. `cargo +nightly fuzz run any_chunking` works as well.
set -euo pipefail
cd "$(dirname "$0")"

seconds=${1:-15}
target_dir=${CARGO_TARGET_DIR:-target}
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
for file in fuzz_targets/*.rs; do
    name=$(basename "$file" .rs)
    mkdir -p "corpus/$name" "artifacts/$name" "seeds/$name"
    echo "fuzz: $name for $seconds s"
    # What is new goes to the first folder; the seeds are only read.
    "$target_dir/$host/release/$name" -max_total_time="$seconds" -max_len=4096 -timeout=5 -rss_limit_mb=2048 \
        -dict=tokens.dict -artifact_prefix="artifacts/$name/" -print_final_stats=1 -verbosity=0 \
        "corpus/$name" "seeds/$name"
done
