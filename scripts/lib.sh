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
            command -v "$python"
            return 0
        fi
    done
    return 1
}

python_with_numpy() { python_with numpy; }
python_with_numpy_and_pillow() { PATH="$PWD/.build/peers/venv/bin:$PATH" python_with "numpy, PIL"; }
python_with_pillow() { python_with PIL; }

# Whether the loader finds a library by its soname; where nobody can be asked it is taken to be there.
has_shared_library() {
    ! has_command ldconfig || [[ $(PATH="$PATH:/usr/sbin:/sbin" ldconfig -p 2>/dev/null) == *"$1 "* ]]
}

# need_packages PURPOSE…: has scripts/bootstrap install the system packages of these purposes that are missing, or ends.
need_packages() { scripts/bootstrap "$@" || exit; }

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
build_dae() { build_program dae "three to five" build; }

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
    # Loaded when a JPEG's pixels are needed or a TIFF or a WebP comes: without them all else is done.
    (need_packages images) || say "$name is built without them; JPEG images cannot be drawn, TIFF and WebP images cannot be converted."
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
