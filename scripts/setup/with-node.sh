#!/bin/sh
# `sh scripts/setup/with-node.sh [--node MAJOR] SCRIPT ARGUMENTS…`: runs a script with a supported Node
# (find-node.mjs says which). That Node comes first on the PATH, so that npm, builds and child processes use it too.
cd "$(dirname "$0")/../.." || exit 1
node=$(node scripts/setup/find-node.mjs "$@") || exit
[ "$1" = --node ] && shift 2
PATH="$(dirname "$node"):$PATH"
export PATH
exec "$node" "$@"
