#!/usr/bin/env bash
# Runs the AWS SDK for Go against an emulator of profile test; the SDK is pinned in tools/check-clients/go.sum.
set -euo pipefail
cd "$(dirname "$0")/.."
target=$(realpath "${CARGO_TARGET_DIR:-target}")
(cd tools/check-clients && go vet ./... && go build -o "$target/check-clients" .)
folder=$(mktemp -d)
"$target/debug/cloudcontrol-emulator" --port 0 --profile test --ready-file "$folder/ready.json" >/dev/null &
emulator=$!
trap 'kill "$emulator" && wait "$emulator"; rm -rf "$folder"' EXIT
until [ -f "$folder/ready.json" ]; do
    kill -0 "$emulator" || exit 1
    sleep 0.05
done
"$target/check-clients" "$(sed 's/.*"url":"\([^"]*\)".*/\1/' "$folder/ready.json")"
