#!/usr/bin/env bash
# Fails when the schemas, corrections and rules of this checkout change what users have in a breaking way, compared with
# the inventory of the commit where this branch left BASE. The committed inventory is no base for that: the branch itself
# may have replaced it.
set -euo pipefail
cd "$(dirname "$0")/.."

base=${1:?check-changes: give the revision to compare with, for example origin/main}
cargo=${CARGO:-cargo}

commit=$(git merge-base HEAD "$base") || {
  echo "check-changes: HEAD and $base have no commit in common; fetch more of the history, or name another revision" >&2
  exit 1
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git archive "$commit" cf-schemas/inventory cf-schemas/names.lock | tar -x -C "$folder"
"$cargo" run --quiet -p codegen --bin pulumi-gen-aws-native -- \
  report --against "$folder/cf-schemas/inventory" --fail-on breaking
