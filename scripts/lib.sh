# shellcheck shell=bash
# Sourced by the scripts beside it, which set -euo pipefail and cd to the top folder first.
# Everything said here goes to stderr: stdout belongs to the program that is run.

# Exit codes of sysexits.h: a service (here: a tool, a package) is missing; an output cannot be written.
readonly unavailable=69 cannot_write=73

say() { printf '%s\n' "$*" >&2; }

die() {
    local code=$1
    shift
    say "$@"
    exit "$code"
}

# Debian keeps servers in sbin, which is not on every user's PATH.
has_command() { PATH="$PATH:/usr/sbin:/sbin" command -v "$1" >/dev/null; }
has_library() { has_command pkg-config && pkg-config --exists "$1"; }

# The Python that finds a module: the first on PATH, else the system's own, for which Debian's packages are.
python_with() {
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" -c "import $1" 2>/dev/null; then
            printf '%s\n' "$python"
            return 0
        fi
    done
    return 1
}

python_with_numpy() { python_with numpy; }
python_with_pillow() { python_with PIL; }

# Whether the loader finds a library by its soname; where nobody can be asked it is taken to be there.
has_shared_library() {
    ! has_command ldconfig || [[ $(PATH="$PATH:/usr/sbin:/sbin" ldconfig -p 2>/dev/null) == *"$1 "* ]]
}

# missing_packages build|service|images|test|instructions|benchmark|peers|peers-full|lint: the Debian packages of that purpose that are not there, one a line.
missing_packages() {
    case $1 in
    build)
        has_command git || echo git
        has_command pkg-config || echo pkg-config
        has_library libxml-2.0 || echo libxml2-dev
        has_library libzip || echo libzip-dev
        has_library libcurl || echo libcurl4-openssl-dev
        has_library libcrypto || echo libssl-dev
        has_library libisal || echo libisal-dev
        has_library zlib || echo zlib1g-dev
        ;;
    service)
        has_library sqlite3 || echo libsqlite3-dev
        ;;
    images)
        has_shared_library libtiff.so.6 || echo libtiff6
        has_shared_library libwebp.so.7 || echo libwebp7
        ;;
    test)
        has_command nginx || echo nginx-light
        has_command openssl || echo openssl
        has_command jq || echo jq
        has_command python3 || echo python3
        has_command zip || echo zip
        has_command unzip || echo unzip
        has_command xmllint || echo libxml2-utils
        python_with_pillow >/dev/null || echo python3-pil
        ;;
    instructions)
        has_command valgrind || echo valgrind
        has_command strip || echo binutils
        python_with_numpy >/dev/null || echo python3-numpy
        ;;
    benchmark)
        has_command g++ || echo g++
        has_library assimp || echo libassimp-dev
        has_command assimp || echo assimp-utils
        [[ -d /usr/include/opencollada ]] || echo opencollada-dev
        has_library collada-dom-141 || echo libcollada-dom-dev
        # A header of collada-dom wants it, and its package does not say so.
        [[ -e /usr/include/boost/filesystem/convenience.hpp ]] || echo libboost-filesystem-dev
        has_command opencolladavalidator || echo opencollada-tools
        has_command xmllint || echo libxml2-utils
        python3 -c 'import ensurepip' 2>/dev/null || echo python3-venv
        ;;
    peers)
        has_command g++ || echo g++
        has_library assimp || echo libassimp-dev
        python3 -c 'import ensurepip' 2>/dev/null || echo python3-venv
        ;;
    peers-full)
        has_command blender || echo blender
        # Its importer of glTF needs it.
        /usr/bin/python3 -c 'import numpy' 2>/dev/null || echo python3-numpy
        has_command chromium || echo chromium
        ;;
    lint)
        has_command python3 || echo python3
        has_command shellcheck || echo shellcheck
        ;;
    *) die 64 "missing_packages: no such purpose: $1" ;;
    esac
}

# need_packages PURPOSE…: installs what is missing, or says exactly what a person must type, and stops.
need_packages() {
    local purpose missing=()
    for purpose in "$@"; do
        mapfile -t -O "${#missing[@]}" missing < <(missing_packages "$purpose")
    done
    [[ ${#missing[@]} -gt 0 ]] || return 0

    local as_root=()
    if ! has_command apt-get; then
        say "These system packages are missing (Debian's names): ${missing[*]}"
        say "This system has no apt-get; please install them with its own package manager, under its own names."
        exit "$unavailable"
    fi
    if [[ $EUID -ne 0 ]]; then
        if has_command sudo && sudo -n true 2>/dev/null; then
            as_root=(sudo -n)
        else
            say "These system packages are missing: ${missing[*]}"
            say "Only root may install them; please run:"
            say "    sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}"
            exit "$unavailable"
        fi
    fi

    say "installing ${missing[*]}"
    local log
    log=$(mktemp)
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300)
    if ! { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; } \
        >"$log" 2>&1 </dev/null; then
        cat "$log" >&2
        rm -f "$log"
        die "$unavailable" "apt-get could not install: ${missing[*]}"
    fi
    rm -f "$log"
    for purpose in "$@"; do
        missing=()
        mapfile -t missing < <(missing_packages "$purpose")
        [[ ${#missing[@]} -eq 0 ]] || die "$unavailable" "installed, but still not found: ${missing[*]}"
    done
}

# The oldest compiler that reads the manifest.
readonly swift_major=6 swift_minor=2

need_swift() {
    has_command swift || die "$unavailable" \
        "swift was not found on PATH: Daedalus needs the Swift toolchain $swift_major.$swift_minor or later" \
        "(https://www.swift.org/install/linux/)."
    local said
    said=$(swift --version 2>/dev/null) || die "$unavailable" "swift is on PATH but 'swift --version' failed."
    [[ $said =~ Swift\ version\ ([0-9]+)\.([0-9]+) ]] ||
        die "$unavailable" "cannot tell the version of swift from what it says: ${said%%$'\n'*}"
    local major=${BASH_REMATCH[1]} minor=${BASH_REMATCH[2]}
    if ((major < swift_major || (major == swift_major && minor < swift_minor))); then
        die "$unavailable" "swift $major.$minor is too old: Daedalus needs $swift_major.$swift_minor or later."
    fi
}

# A binary is its own stamp: it bears the time at which its build began, so that a source saved meanwhile is newer.
# It is a copy, so that a build going on never takes it from under a start.
readonly dae_folder=.build/daedalus
# shellcheck disable=SC2034 # for the scripts that source this
readonly dae_binary=$dae_folder/dae daed_binary=$dae_folder/daed

# is_stale BINARY. Folders are looked at too: their time tells of files removed or renamed.
is_stale() {
    [[ ! -x $1 ]] || [[ -n $(find Package.swift Sources -newer "$1" -print -quit) ]]
}

# Both are built in one folder, so that daed takes what dae is made of from there.
build_dae() { build_program dae "two to three" build; }

# Without the setting the packages that only the service needs are not even fetched.
build_daed() { DAE_SERVICE=1 build_program daed "five to eight" build service; }

# build_program NAME MINUTES PURPOSE…: builds a program in release if a source is newer than it. Of several starts at
# once the first builds, the others wait.
build_program() {
    local name=$1 minutes=$2 binary=$dae_folder/$1
    shift 2
    is_stale "$binary" || return 0
    need_swift
    need_packages "$@"
    # Loaded when a TIFF or a WebP comes: without them all else is done.
    (need_packages images) || say "$name is built without them; TIFF and WebP images cannot be converted."
    if ! mkdir -p "$dae_folder" 2>/dev/null || [[ ! -w $dae_folder ]]; then
        die "$cannot_write" "cannot write to $PWD/$dae_folder: $name must be built by someone who may."
    fi
    (
        flock 9
        if is_stale "$binary"; then
            local hint=" (first run takes $minutes minutes)"
            [[ ! -x $binary ]] || hint=
            say "building $name$hint"
            build_program_now "$name" 9>&-
        fi
    ) 9>"$dae_folder/lock"
}

# May be called in a condition, where set -e sleeps: so every step that can fail says so itself.
build_program_now() {
    local name=$1 log=$dae_folder/build.log began=$dae_folder/began at=.build-dae
    # A fiftieth quicker without frame pointers; built sooner and less than half as large without what debuggers want,
    # and smaller yet without a table of names for whoever would load it: nobody does.
    local options=(--disable-default-traits --omit-frame-pointers -debug-info-format none -Xlinker -s -Xlinker --no-export-dynamic)
    # libxml2 is loaded when it is first needed; its headers are all that a build of ours takes from it.
    local headers=$PWD/$dae_folder/pkgconfig
    mkdir -p "$headers"
    printf 'Name: libxml2\nDescription: headers\nVersion: %s\nCflags: %s\n' \
        "$(pkg-config --modversion libxml-2.0)" "$(pkg-config --cflags libxml-2.0)" >"$headers/libxml-2.0.pc"
    export PKG_CONFIG_PATH=$headers${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
    touch "$began"
    if ! swift build -c release --product "$name" --static-swift-stdlib --scratch-path "$at" \
        "${options[@]}" >"$log" 2>&1 </dev/null; then
        cat "$log" >&2
        die 1 "building $name failed"
    fi
    if ! { cp "$at/release/$name" "$dae_folder/$name.new" && touch -r "$began" "$dae_folder/$name.new" &&
        mv -f "$dae_folder/$name.new" "$dae_folder/$name"; }; then
        die "$cannot_write" "cannot write $PWD/$dae_folder/$name"
    fi
}
