#!/usr/bin/env bash
# Builds the playground into web/site: a folder of static files, to be served by any web server.
#
#   web/build.sh            builds the engine and the page
#   web/build.sh --page     builds the page alone: around the engine that is there, or for `skirmish serve`
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=.ci/wasm.sh
. .ci/wasm.sh

site=web/site
built=target/wasm/$target/release/skirmish_web.wasm
if [ "${1:-}" != --page ]; then
    find_wasm || {
        echo "the engine cannot be built: $lacking" >&2
        exit 1
    }
    "${wasm[@]}" build --locked --release --target "$target" --target-dir target/wasm --manifest-path web/engine/Cargo.toml
fi
[ -d web/node_modules ] || npm ci --prefix web --ignore-scripts --no-audit --no-fund --loglevel=error
mkdir -p "$site"
[ ! -f "$built" ] || cp "$built" "$site/engine.wasm"
node web/bundle.js "$site"
