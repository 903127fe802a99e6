#!/usr/bin/env bash
# Packs the release plugin and installs it into the Pulumi home with the real CLI.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
pulumi=$(command -v pulumi || echo "$PWD/bin/tools/pulumi")
[ -x "$pulumi" ] || { echo "install: no pulumi on PATH and none in bin/tools; run make tools" >&2; exit 1; }
archive=$(scripts/pack.sh bin/pulumi-resource-aws-native "$version" bin)
"$pulumi" plugin install resource aws-native "$version" --file "$archive" --reinstall
# The CLI caches the schema of an installed plugin by version; the same version with other contents needs a fresh one.
rm -f "${PULUMI_HOME:-$HOME/.pulumi}"/schemas/aws-native-"$version"*.json
echo "installed aws-native $version into ${PULUMI_HOME:-$HOME/.pulumi}"
