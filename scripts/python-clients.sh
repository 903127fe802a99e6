#!/usr/bin/env bash
# Runs the documented examples of boto3 and the AWS CLI against the emulator in target/debug; both clients are pinned.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=target/python-clients
if [ ! -x "$venv/bin/aws" ]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet boto3==1.44.8 awscli==1.46.3
fi
ready=$(mktemp)
target/debug/cloudcontrol-emulator --port 0 --profile test --json >"$ready" &
emulator=$!
trap 'kill "$emulator"; rm -f "$ready"' EXIT
until [ -s "$ready" ]; do kill -0 "$emulator"; sleep 0.1; done
EMULATOR_URL=$(python3 -c 'import json, sys; print(json.loads(open(sys.argv[1]).readline())["url"])' "$ready")
export EMULATOR_URL
"$venv/bin/python" docs/emulator/examples/test_stack.py
PATH="$PWD/$venv/bin:$PATH" docs/emulator/examples/stack.sh | grep -q '"QueueName":"orders"'
echo "boto3 and the AWS CLI work"
