#!/usr/bin/env bash
# Builds Sinew and starts it; arguments are passed on. Without a display it runs the tour on a
# virtual one and says where the pictures are.
set -euo pipefail
cd "$(dirname "$0")"
. .ci/setup.sh

need_toolchain
need_packages "${BUILD_PACKAGES[@]}"
need_packages "${WINDOW_PACKAGES[@]}" || say "Going on without them; the window may not open."

cargo build --release
sinew=${CARGO_TARGET_DIR:-target}/release/sinew
if [ $# -eq 0 ] && [ -z "${DISPLAY:-}" ] && [ -z "${WAYLAND_DISPLAY:-}" ]; then
    say "There is no display here, so Sinew takes its tour without a window."
    pictures=${CARGO_TARGET_DIR:-target}/tour
    if need_packages "${DISPLAY_PACKAGES[@]}" && command -v xvfb-run >/dev/null; then
        xvfb-run --auto-servernum "$sinew" tour -o "$pictures"
    else
        "$sinew" tour -o "$pictures"
    fi
    say "The pictures are in $PWD/$pictures, and $PWD/$pictures/tour.md shows them in order."
    exit 0
fi
exec "$sinew" "$@"
