#!/usr/bin/env bash
# usage: sdk.sh python|nodejs|go|all [--check-budget]
# Makes SDKs in sdk/ from the package schema, with bin/tools/gen-sdk, which is built when its source has changed.
set -euo pipefail
cd "$(dirname "$0")/.."
language=$1
shift
command -v go >/dev/null || { echo "sdk: no Go found; install Go 1.26, or use \`pulumi package gen-sdk\` (docs/sdks.md)" >&2; exit 1; }
mkdir -p bin/tools
tool=$PWD/bin/tools/gen-sdk
# Go builds nothing when nothing has changed; only the first build deserves a word.
[ -x "$tool" ] || echo "sdk: building gen-sdk from tools/gen-sdk (a few minutes, once)"
(cd tools/gen-sdk && CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o "$tool" .)
generator=${CARGO_TARGET_DIR:-target}/debug/pulumi-gen-aws-native
[ -x "$generator" ] || { echo "sdk: $generator is missing; run make generate" >&2; exit 1; }
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
schema=$(mktemp)
trap 'rm -f "$schema"' EXIT
"$generator" export schema -o "$schema"
"$tool" "$language" --schema "$schema" --out sdk --version "$version" "$@"
