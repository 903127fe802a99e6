#!/usr/bin/env bash
# usage: pack.sh BINARY VERSION OUT_DIR
# Makes the plugin archive OUT_DIR/pulumi-resource-aws-native-vVERSION-OS-ARCH.tar.gz and prints its path. It has the layout that
# `pulumi plugin install --file` reads: the binary under its contract name and nothing else. A PulumiPlugin.yaml would only
# be for plugins that a language host runs: the CLI refuses one without `runtime` and would start that host otherwise.
set -euo pipefail
binary=$1 version=$2 out=$3
case "$(uname -m)" in x86_64) arch=amd64 ;; aarch64 | arm64) arch=arm64 ;; *) arch=$(uname -m) ;; esac
os=$(uname -s | tr '[:upper:]' '[:lower:]')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$binary" "$work/pulumi-resource-aws-native"
archive=$out/pulumi-resource-aws-native-v$version-$os-$arch.tar.gz
tar -C "$work" -czf "$archive" pulumi-resource-aws-native
echo "$archive"
