#!/usr/bin/env bash
# Counts the prefixes for which a library shows what the document does not hold: compare/prefixes.sh
#
# After compare/run.sh, which installs the others. Adds the AI SDK, which brings packages of its own.
set -euo pipefail
cd "$(dirname "$0")/.."

built=$PWD/target/compare
[ -x "$built/venv/bin/python" ] || { echo "run compare/run.sh first" >&2; exit 1; }
mkdir -p "$built/npm-ai"
[ -f "$built/npm-ai/package.json" ] || echo '{"private": true}' >"$built/npm-ai/package.json"
npm install --prefix "$built/npm-ai" --no-package-lock --ignore-scripts --no-audit --no-fund --silent ai@7.0.173 zod@4.6.7
PYTHONDONTWRITEBYTECODE=1 "$built/venv/bin/python" compare/prefixes.py
