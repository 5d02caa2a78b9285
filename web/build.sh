#!/usr/bin/env bash
# Builds the playground into web/site: a folder of static files, to be served by any web server.
#
#   web/build.sh             builds the engine and the page
#   web/build.sh --page      builds the page alone, around the engine that is there
#   web/build.sh --packages  only fetches packages, with which cargo builds the page into the program (`skirmish serve`)
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=.ci/wasm.sh
. .ci/wasm.sh

site=web/site
built=target/wasm/$target/release/skirmish_web.wasm
packages() { [ -d web/node_modules ] || npm ci --prefix web --ignore-scripts --no-audit --no-fund --loglevel=error; }

if [ "${1:-}" = --packages ]; then
    packages
    # Cargo looks at this file, and then for the packages.
    touch web/package.json
    exit
elif [ "${1:-}" = --page ]; then
    [ -f "$built" ] || {
        echo 'there is no engine to build the page around: web/build.sh builds both' >&2
        exit 1
    }
else
    find_wasm || {
        echo "the engine cannot be built: $lacking" >&2
        exit 1
    }
    "${wasm[@]}" build --locked --release --target "$target" --target-dir target/wasm --manifest-path web/engine/Cargo.toml
fi
packages
mkdir -p "$site"
cp "$built" "$site/engine.wasm"
node web/bundle.js "$site"
