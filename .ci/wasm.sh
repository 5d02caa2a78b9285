# shellcheck shell=bash disable=SC2034,SC2054 # what is only set here is for those who source this
# Cargo for wasm32-unknown-unknown: sets the array `wasm` to a command that takes the arguments of cargo, or `lacking`
# to why there is none. To be sourced.
#
# rustup adds its target. Where it cannot, Debian's second toolchain, rustc-web, is unpacked into a cache; it cannot be
# installed, for it conflicts with rustup. No std for the target is packaged for it, so std is built, too.

target=wasm32-unknown-unknown

# find_wasm: whether there is such a cargo.
find_wasm() {
    wasm=()
    # Without a network it does nothing if the target is there, and waits for a minute at most if it is not.
    if command -v rustup >/dev/null && timeout 60 rustup -q target add "$target"; then
        wasm=(cargo)
        return
    fi
    local root=${WASM_TOOLCHAIN:-${XDG_CACHE_HOME:-$HOME/.cache}/rustc-web}
    if [ ! -x "$root/usr/bin/rustc" ]; then
        unpack_wasm "$root" || return 1
    fi
    local linker libraries=("$root"/usr/lib/x86_64-linux-gnu "$root"/usr/lib/llvm-*/lib)
    linker=$(rustc --print sysroot)/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld
    # -Zbuild-std is unstable, and this compiler is stable. As std is built anyway, it is built for size, and a panic ends
    # the module without a message, which nothing could show.
    wasm=(env "LD_LIBRARY_PATH=$(IFS=:; echo "${libraries[*]}")" "RUSTC=$root/usr/bin/rustc" RUSTC_BOOTSTRAP=1
        "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker"
        "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS=-Zunstable-options -Cpanic=immediate-abort"
        "$root/usr/bin/cargo" -Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size)
}

unpack_wasm() {
    command -v apt-get >/dev/null || {
        lacking="rustup cannot add the target $target, and apt-get is not there"
        return 1
    }
    # libstd-rust-web-dev depends on the one library of this version, and that on its LLVM.
    local version packages llvm scratch
    version=$(apt-cache show rustc-web 2>/dev/null | sed -n 's/^Version: \([0-9]*\.[0-9]*\).*/\1/p' | head -1)
    [ -n "$version" ] || {
        lacking='apt knows no package rustc-web'
        return 1
    }
    packages=(rustc-web cargo-web rust-web-src libstd-rust-web-dev "libstd-rust-web-$version")
    llvm=$(apt-cache depends "libstd-rust-web-$version" | sed -n 's/.*Depends: \(libllvm[0-9]*\)$/\1/p' | head -1)
    # Cargo's own, which are not shared with rustup's.
    packages+=("${llvm:-libllvm22}" libgit2-1.5 libcurl4 libssh2-1 libsqlite3-0 libhttp-parser2.9 libmbedcrypto7
        libmbedtls14 libmbedx509-1)
    scratch=$(mktemp -d)
    if ! (cd "$scratch" && apt-get download -qq "${packages[@]}") >"$scratch/log" 2>&1; then
        lacking="the packages of rustc-web cannot be had: $(tail -1 "$scratch/log")"
        rm -rf "$scratch"
        return 1
    fi
    mkdir -p "$1"
    local package
    for package in "$scratch"/*.deb; do dpkg -x "$package" "$1"; done
    rm -rf "$scratch"
}
