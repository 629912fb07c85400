#!/usr/bin/env bash
# Every check: format, lints, layers, unit and integration tests, the real window on a virtual display.
# SINEW_DATA names a folder of real characters, meshes and motions; tests that want it say so
# and pass when it is not there.
set -euo pipefail
cd "$(dirname "$0")"
. .ci/setup.sh

need_toolchain
need_packages "${BUILD_PACKAGES[@]}"
need_packages "${WINDOW_PACKAGES[@]}"
need_packages "${DISPLAY_PACKAGES[@]}"

say "Format"
cargo fmt --check

say "Lints"
cargo clippy --all-targets -- -D warnings

say "Layers: the kernel, the files and the command line know neither egui nor wgpu"
if cargo tree --no-default-features --edges normal --prefix none | grep -E '^(egui|eframe|wgpu|winit)'; then
    echo "the headless build must not depend on these"
    exit 1
fi

say "Tests"
cargo test

say "The headless build"
cargo check --no-default-features
