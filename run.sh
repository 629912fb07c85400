#!/usr/bin/env bash
# Builds Sinew and starts it; arguments are passed on.
set -euo pipefail
cd "$(dirname "$0")"
. .ci/setup.sh

need_toolchain
need_packages "${BUILD_PACKAGES[@]}"
need_packages "${WINDOW_PACKAGES[@]}" || say "Going on without them; the window may not open."

cargo build --release
sinew=${CARGO_TARGET_DIR:-target}/release/sinew
if [ $# -eq 0 ] && [ -z "${DISPLAY:-}" ] && [ -z "${WAYLAND_DISPLAY:-}" ]; then
    say "There is no display here, so the window cannot open. The command line works; for instance:"
    echo "\$ sinew inspect @hero"
    exec "$sinew" inspect @hero
fi
exec "$sinew" "$@"
