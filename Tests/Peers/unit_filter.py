"""Runs a command under the filter of system calls of a unit, as systemd would.

unit_filter.py [--without NAME]… UNIT COMMAND…: what SystemCallFilter, SystemCallErrorNumber and NoNewPrivileges say holds for the
command. `systemd-analyze` says what is in a set, libseccomp makes the filter. --without takes a call away that the unit allows.
"""

import argparse
import ctypes
import errno
import os
import subprocess
import sys
from pathlib import Path

PR_SET_NO_NEW_PRIVS = 38
# Of libseccomp: what is answered for a call.
ALLOW, ERRNO = 0x7FFF0000, 0x00050000
UNKNOWN = -1


def values(unit, key):
    lines = (line.partition("=") for line in unit.read_text().splitlines() if line.startswith(key + "="))
    return [value.strip() for _, _, value in lines]


def members(name):
    """The calls of a set, or the call itself."""
    if not name.startswith("@"):
        return {name}
    listed = subprocess.run(["systemd-analyze", "syscall-filter", name], check=True, capture_output=True, text=True).stdout
    found = set()
    for line in listed.splitlines()[1:]:
        word = line.strip()
        if word and not word.startswith("#"):
            found |= members(word)
    return found


def allowed(unit):
    """By its first line it is a list of what is allowed; each further one adds to that or, with a tilde, takes away."""
    # These are always allowed.
    calls = members("@default")
    for line in values(unit, "SystemCallFilter"):
        named = set().union(*map(members, line.lstrip("~").split()))
        calls = calls - named if line.startswith("~") else calls | named
    return calls


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("unit", type=Path)
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("command", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    calls = allowed(given.unit) - set(given.without)
    seccomp = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    seccomp.seccomp_init.restype = ctypes.c_void_p
    answer = getattr(errno, values(given.unit, "SystemCallErrorNumber")[-1])
    context = ctypes.c_void_p(seccomp.seccomp_init(ctypes.c_uint32(ERRNO | answer)))
    for name in sorted(calls):
        number = seccomp.seccomp_syscall_resolve_name(name.encode())
        # Other processors have calls that this one does not.
        if number != UNKNOWN and seccomp.seccomp_rule_add(context, ctypes.c_uint32(ALLOW), number, 0) not in (0, -errno.EDOM):
            sys.exit(f"unit_filter: {name} cannot be allowed")
    if values(given.unit, "NoNewPrivileges")[-1:] == ["yes"]:
        ctypes.CDLL(None).prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if status := seccomp.seccomp_load(context):
        sys.exit(f"unit_filter: the filter cannot be loaded: {os.strerror(-status)}")
    os.execvp(given.command[0], given.command)


if __name__ == "__main__":
    main()
