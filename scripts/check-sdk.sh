#!/usr/bin/env bash
# Makes all SDKs and shows that they work: within budget, every Python file compiles and a program runs against the engine's
# library, the whole Node SDK and a program type-check, the Go SDK declares nothing twice and a program builds. The tests
# of gen-sdk then show that each of these checks fails on an SDK that is broken. Downloads stay in target/check-sdk.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
work=${CARGO_TARGET_DIR:-target}/check-sdk
mkdir -p "$work/nodejs"
work=$(cd "$work" && pwd)

# need PROGRAM WHAT_TO_INSTALL
need() {
  command -v "$1" >/dev/null || { echo "check-sdk: no $1 found; install $2" >&2; exit 1; }
}
need go "Go 1.26"
need python3 "Python 3.11 with pip and venv"
need npm "Node 20 with npm"

# step NAME COMMAND...: runs a part of the check and says how long it took.
step() {
  local name=$1 start=$SECONDS
  shift
  "$@" || { echo "check-sdk: failed: $name" >&2; exit 1; }
  echo "check-sdk: $name ($((SECONDS - start)) s)"
}

# stamp FILE...: what a folder was filled from.
stamp() { cat "$@" | cksum; }

prepare_python() {
  local requirements=$root/tools/check-sdk/python/requirements.txt
  [ "$(cat "$work/python/.stamp" 2>/dev/null)" = "$(stamp "$requirements")" ] && return
  rm -rf "$work/python"
  python3 -m venv "$work/python"
  "$work/python/bin/pip" install --quiet --disable-pip-version-check --requirement "$requirements" || return
  stamp "$requirements" >"$work/python/.stamp"
}

prepare_nodejs() {
  local source=$root/tools/check-sdk/nodejs
  cp "$source"/* "$work/nodejs/"
  ln -sfn "$root/sdk/nodejs" "$work/nodejs/sdk"
  [ "$(cat "$work/nodejs/.stamp" 2>/dev/null)" = "$(stamp "$source/package-lock.json")" ] && return
  # The library asks for a newer Node than type-checking it needs, and its install scripts are for running it.
  (cd "$work/nodejs" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null) || return
  stamp "$source/package-lock.json" >"$work/nodejs/.stamp"
}

# The SDK is installed as people install it, since it reads its version from the installed package.
run_python() {
  local build=$work/python-build python=$work/python/bin/python
  rm -rf "$build"
  cp -R "$root/sdk/python" "$build"
  "$python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-compile --force-reinstall "$build" &&
    rm -rf "$build" && "$python" "$root/tools/check-sdk/python/program.py"
}

type_check() { (cd "$work/nodejs" && node_modules/.bin/tsc --project .); }
build_go() { (cd "$root/tools/check-sdk/go" && go build -o /dev/null .); }
prove() {
  (cd "$root/tools/gen-sdk" && CHECK_PYTHON=$work/python/bin/python CHECK_TSC=$work/nodejs/node_modules/.bin/tsc \
    CHECK_NODE_MODULES=$work/nodejs/node_modules go test -count=1 ./...)
}

step "Python's packages" prepare_python
step "Node's packages" prepare_nodejs
step "all SDKs made, no finding, within budget" scripts/sdk.sh all --check-budget
step "every Python file compiles" "$work/python/bin/python" tools/check-sdk/python/check.py sdk/python
step "a Python program runs" run_python
step "the Node SDK and a TypeScript program type-check" type_check
step "a Go program builds" build_go
step "the checks fail on broken SDKs" prove
