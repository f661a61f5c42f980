#!/usr/bin/env bash
# Compares thusfar with other readers of model output on the public corpora: compare/run.sh
#
# Installs the peers below target/compare, in the versions that are pinned here, and writes compare/results/DATE.md.
# Needs cargo, python3 with venv, node with npm, and their registries.
set -euo pipefail
cd "$(dirname "$0")/.."

for tool in cargo git node npm python3; do
    command -v "$tool" >/dev/null || { echo "$tool is missing" >&2; exit 1; }
done
[ -f tests/corpus/captures.jsonl ] || { echo "tests/corpus/captures.jsonl is missing" >&2; exit 1; }

built=$PWD/target/compare
mkdir -p "$built/npm"
export CARGO_TARGET_DIR=$built/cargo PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1

[ -x "$built/venv/bin/python" ] || python3 -m venv "$built/venv"
"$built/venv/bin/pip" install --quiet --no-deps --requirement compare/requirements.txt

# No lock file: it would hold the names of registry hosts, and the packages have no dependencies that it could pin.
cp compare/package.json "$built/npm/"
npm install --prefix "$built/npm" --no-package-lock --ignore-scripts --no-audit --no-fund --silent

cargo build --release --package thusfar-cli
cargo build --release --locked --manifest-path compare/llm_json/Cargo.toml

"$built/venv/bin/python" compare/judge_test.py --quiet
"$built/venv/bin/python" compare/report.py
