#!/usr/bin/env bash
# Runs boto3, the AWS CLI and the documented Python and shell examples against an emulator (its path is the argument,
# target/debug/cloudcontrol-emulator without it). The clients are pinned in tests/python/requirements.txt and kept under target/.
# Without Python 3.10 or a package index it says so and ends well, unless PYTHON_CLIENTS=required.
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
    if [ "${PYTHON_CLIENTS:-}" = required ]; then
        echo "python-clients: $1" >&2
        exit 1
    fi
    echo "python-clients: skipped: $1"
    exit 0
}

emulator=$(realpath "${1:-${CARGO_TARGET_DIR:-target}/debug/cloudcontrol-emulator}")
[ -x "$emulator" ] || { echo "python-clients: $emulator is not there; run cargo build -p emulator" >&2; exit 1; }
python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null \
    || skip "there is no python3 with version 3.10 or later, venv and pip"

requirements=tests/python/requirements.txt
venv=${CARGO_TARGET_DIR:-target}/python-clients
# What is installed is what the file says; it is written last, so a run that was cut off starts over.
if ! cmp -s "$requirements" "$venv/installed.txt"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    if ! "$venv/bin/python" -m pip --disable-pip-version-check --retries 1 --timeout 60 --quiet install \
        --no-compile --require-hashes --requirement "$requirements" 2>"$venv/pip.log"; then
        cat "$venv/pip.log" >&2
        # Files that are not what was pinned are no missing network.
        if grep -qi 'hash' "$venv/pip.log"; then exit 1; fi
        skip "the clients could not be installed: $(tail -n 1 "$venv/pip.log")"
    fi
    cp "$requirements" "$venv/installed.txt"
fi

venv=$(realpath "$venv")
# The examples find the emulator and the CLI as a user's would; nothing of the caller's own AWS configuration is in force.
commands=$(mktemp -d)
trap 'rm -rf "$commands"' EXIT
ln -s "$emulator" "$commands/cloudcontrol-emulator"
ln -s "$venv/bin/aws" "$commands/aws"
unset "${!AWS_@}"
export PATH="$commands:$PATH" EMULATOR="$emulator" PYTHONPYCACHEPREFIX="$venv/bytecode" \
    AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null AWS_EC2_METADATA_DISABLED=true

# At once, since much of it waits for processes.
examples=docs/emulator/examples
names=()
processes=()
begin() {
    local name=$1
    shift
    "$@" >"$commands/$name.out" 2>&1 &
    names+=("$name")
    processes+=("$!")
}
begin boto3 "$venv/bin/python" -m unittest discover --start-directory tests/python --pattern test_boto3.py
begin aws "$venv/bin/python" -m unittest discover --start-directory tests/python --pattern test_aws_cli.py
begin faults "$venv/bin/python" -m unittest discover --start-directory tests/python --pattern test_misbehavior.py
begin python "$venv/bin/python" "$examples/test_stack.py"
begin shell "$examples/stack.sh"
failed=
for index in "${!names[@]}"; do
    wait "${processes[$index]}" || failed=1
    sed "s/^/${names[$index]}: /" "$commands/${names[$index]}.out"
done
if [ -n "$failed" ]; then exit 1; fi
# The last line but one of the shell example is what it read.
grep -q '"VisibilityTimeout":60' "$commands/shell.out"
echo "python-clients: boto3, the AWS CLI and the examples work"
