#!/usr/bin/env bash
# Libraries of JavaScript and Python beside a view, on the same bytes: benches/others.sh [WORD…]
#
# Installs them below target/others, in the versions that are pinned here and in compare/. What is not there is said and left out.
set -euo pipefail
cd "$(dirname "$0")/.."

built=$PWD/target/others
mkdir -p "$built"

if command -v node >/dev/null && command -v npm >/dev/null; then
    mkdir -p "$built/npm"
    [ -f "$built/npm/package.json" ] || echo '{"private": true}' >"$built/npm/package.json"
    # No lock file: it would hold the names of registry hosts.
    if npm install --prefix "$built/npm" --no-package-lock --ignore-scripts --no-audit --no-fund --silent \
        ai@7.0.173 zod@4.6.7 partial-json@0.1.7 jsonrepair@3.15.0; then
        export OTHERS_NODE=$built/npm
        printf '%-8s %s, ai 7.0.173, partial-json 0.1.7, jsonrepair 3.15.0\n' node "$(node --version)"
    else
        echo "npm cannot install: its rows are left out"
    fi
else
    echo "node or npm is missing: its rows are left out"
fi

if python3 -c 'import ensurepip, venv' 2>/dev/null; then
    [ -x "$built/venv/bin/python" ] || python3 -m venv "$built/venv"
    if PIP_DISABLE_PIP_VERSION_CHECK=1 "$built/venv/bin/pip" install --quiet --no-deps \
        json_repair==0.64.6 partial-json-parser==0.2.1.1.post7; then
        export OTHERS_PYTHON=$built/venv/bin/python
        printf '%-8s %s, json_repair 0.64.6, partial-json-parser 0.2.1.1.post7\n' python "$(python3 --version)"
    else
        echo "pip cannot install: its rows are left out"
    fi
else
    echo "python3 or its venv is missing: its rows are left out"
fi

cargo bench --quiet --bench others -- "$@"
