# Sourced by run.sh and test.sh: finds the toolchain and installs the system packages that are
# missing, where that is possible; elsewhere it says what is missing.

say() { printf '\033[1m%s\033[0m\n' "$*"; }

need_toolchain() {
    [ -f "$HOME/.cargo/env" ] && . "$HOME/.cargo/env"
    if ! command -v cargo >/dev/null; then
        say "Rust is missing: install the toolchain (https://rustup.rs), then try again."
        exit 1
    fi
}

# need_packages NAME…: installs the Debian packages that are not there.
need_packages() {
    local missing=()
    if ! command -v dpkg-query >/dev/null; then
        say "This is not a Debian system; these packages (or your system's equals) must be there: $*"
        return 0
    fi
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q "ok installed" || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null; then
            as_root=(sudo)
        else
            say "These packages are missing, and without root or sudo they cannot be installed: ${missing[*]}"
            return 1
        fi
    fi
    say "Installing ${missing[*]}"
    "${as_root[@]}" apt-get update -qq || true
    if ! DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null; then
        say "These packages could not be installed: ${missing[*]}"
        return 1
    fi
}

BUILD_PACKAGES=(gcc libc6-dev)
WINDOW_PACKAGES=(libxcursor1 libxi6 libxrandr2 libxkbcommon-x11-0 libvulkan1 mesa-vulkan-drivers)
# A virtual display, and hands to use it with.
DISPLAY_PACKAGES=(xvfb xauth openbox xdotool imagemagick)
