#!/usr/bin/env bash
# Provides the real Pulumi CLI and the reference Pulumi YAML language host in bin/tools: the ones on PATH, else built from
# the Go modules pinned under tools/. Quiet when there is nothing to do.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$PWD/bin/tools
mkdir -p "$out"

# provide NAME MODULE_DIR PACKAGE PINNED_MODULE VERSION_VARIABLE
provide() {
  local name=$1 dir=$2 package=$3 module=$4 variable=$5 version found
  version=$(awk -v m="$module" '$1 == m {print $2} $2 == m {print $3}' "tools/$dir/go.mod" | head -n 1)
  found=$(PATH=$(printf %s "$PATH" | tr ':' '\n' | grep -vxF "$out" | paste -sd: -) command -v "$name" || true)
  if [ -n "$found" ]; then
    ln -sf "$found" "$out/$name"
    return
  fi
  if [ -x "$out/$name" ] && [ "$(cat "$out/.$name.version" 2>/dev/null)" = "$version" ]; then
    return
  fi
  command -v go >/dev/null || { echo "tools: neither $name nor Go found; install one of them" >&2; exit 1; }
  rm -f "$out/$name"
  echo "tools: building $name $version from its Go module (a few minutes, once)"
  (cd "tools/$dir" && CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X $variable=$version" -o "$out/$name" "$package")
  echo "$version" >"$out/.$name.version"
}

provide pulumi pulumi-cli github.com/pulumi/pulumi/pkg/v3/cmd/pulumi github.com/pulumi/pulumi/pkg/v3 \
  github.com/pulumi/pulumi/sdk/v3/go/common/version.Version
provide pulumi-language-yaml yaml-host github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml github.com/pulumi/pulumi-yaml \
  github.com/pulumi/pulumi-yaml/pkg/version.Version
