#!/bin/sh
# Installs tollproof {{ version }} on Linux or macOS:
#
#   curl -fsSL {{ download }}/install.sh | sh
#
# The program goes to ~/.local/bin, or to the folder that TOLLPROOF_BIN names. It comes from the release, or from the address
# that TOLLPROOF_DOWNLOAD names, and must have the SHA-256 that this script contains.
set -eu

main() {
    bin=${TOLLPROOF_BIN:-$HOME/.local/bin}
    download=${TOLLPROOF_DOWNLOAD:-{{ download }}}
    system=$(uname -s)-$(uname -m)
    case $system in
        Linux-x86_64 | Linux-amd64) targets=$(linux x86_64) ;;
        Linux-aarch64 | Linux-arm64) targets=$(linux aarch64) ;;
        Darwin-arm64) targets=aarch64-apple-darwin ;;
        Darwin-x86_64) targets=x86_64-apple-darwin ;;
        *) fail "tollproof has no program for $system; build it from source" ;;
    esac
    target='' sum=''
    for target in $targets; do
        case $target in
{% for target, archive in archives.items() if "windows" not in target %}
            {{ target }}) sum={{ archive.sha256 }} ;;
{% endfor %}
        esac
        if [ -n "$sum" ]; then break; fi
    done
    if [ -z "$sum" ]; then fail "this release has no program for $system"; fi

    folder=tollproof-{{ version }}-$target
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    fetch "$download/$folder.tar.gz" "$scratch/archive"
    found=$(sha256 "$scratch/archive")
    if [ "$found" != "$sum" ]; then fail "$folder.tar.gz has the SHA-256 $found instead of $sum"; fi
    tar -xzf "$scratch/archive" -C "$scratch"
    mkdir -p "$bin"
    # Under its name at once, also while an older one runs.
    cp "$scratch/$folder/tollproof" "$bin/.tollproof.$$"
    chmod 755 "$bin/.tollproof.$$"
    mv -f "$bin/.tollproof.$$" "$bin/tollproof"
    echo "$("$bin/tollproof" --version) is installed: $bin/tollproof"
    case :$PATH: in
        *:"$bin":*) echo "Try it: tollproof new draft.yaml" ;;
        *) printf 'Add it to your PATH: export PATH="%s:$PATH"\n' "$bin" ;;
    esac
}

# The targets for Linux, the best one first: static programs need no C library.
linux() {
    case $(getconf GNU_LIBC_VERSION 2>/dev/null || true) in
        'glibc 2.'*) echo "$1-unknown-linux-gnu $1-unknown-linux-musl" ;;
        *) echo "$1-unknown-linux-musl" ;;
    esac
}

fetch() {
    if command -v curl >/dev/null; then
        curl --fail --silent --show-error --location --output "$2" "$1" || fail "cannot download $1"
    elif command -v wget >/dev/null; then
        wget --quiet --output-document "$2" "$1" || fail "cannot download $1"
    else
        fail "curl or wget is needed"
    fi
}

sha256() {
    if command -v sha256sum >/dev/null; then
        sha256sum "$1"
    elif command -v shasum >/dev/null; then
        shasum -a 256 "$1"
    else
        fail "sha256sum or shasum is needed"
    fi | cut -d ' ' -f 1
}

fail() {
    echo "tollproof was not installed: $1" >&2
    exit 1
}

main
