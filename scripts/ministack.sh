#!/usr/bin/env bash
# Installs PyPI ministack, an independent double of AWS with a Cloud Control of its own, pinned with hashes in scripts/ministack.txt
# and kept under target/, and prints the path of its command. Without Python 3.11 or a package index it prints nothing, says
# why on standard error and ends well, unless MINISTACK=required.
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
    echo "ministack: skipped: $1" >&2
    if [ "${MINISTACK:-}" = required ]; then exit 1; fi
    exit 0
}

python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
    || skip "there is no python3 with version 3.11 or later, venv and pip"

requirements=scripts/ministack.txt
venv=${CARGO_TARGET_DIR:-target}/ministack
# What is installed is what the file says; it is written last, so a run that was cut off starts over.
if ! cmp -s "$requirements" "$venv/installed.txt"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    if ! "$venv/bin/python" -m pip --disable-pip-version-check --retries 1 --timeout 60 --quiet install \
        --no-compile --only-binary=:all: --require-hashes --requirement "$requirements" 2>"$venv/pip.log"; then
        cat "$venv/pip.log" >&2
        # Files that are not what was pinned are no missing network.
        if grep -qi 'hash' "$venv/pip.log"; then exit 1; fi
        skip "it could not be installed: $(tail -n 1 "$venv/pip.log")"
    fi
    cp "$requirements" "$venv/installed.txt"
fi
echo "$(realpath "$venv")/bin/ministack"
