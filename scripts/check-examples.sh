#!/usr/bin/env bash
# Binds the example of every resource as the Pulumi YAML host would, with bin/tools/check-examples, which is built when its
# source has changed. The tool's tests then show that it refuses broken examples.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v go >/dev/null || { echo "check-examples: no go found; install Go 1.26" >&2; exit 1; }
mkdir -p bin/tools
tool=$PWD/bin/tools/check-examples
[ -x "$tool" ] || echo "check-examples: building it from tools/check-examples (a few minutes, once)"
(cd tools/check-examples && CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o "$tool" .)
generator=${CARGO_TARGET_DIR:-target}/debug/pulumi-gen-aws-native
[ -x "$generator" ] || { echo "check-examples: $generator is missing; run make generate" >&2; exit 1; }
schema=$(mktemp)
trap 'rm -f "$schema"' EXIT
"$generator" export schema -o "$schema"
"$tool" --schema "$schema"
(cd tools/check-examples && CGO_ENABLED=0 go test -count=1 .)
