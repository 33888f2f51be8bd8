# SPDX-License-Identifier: Apache-2.0
"""Runs a command with no more rights than a systemd unit leaves it: capabilities, system calls and kinds of sockets.

Where no systemd runs, this stands in for what it would set up. As a script: confined.py UNIT COMMAND...
"""

import ctypes
import errno
import os
import socket
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

_ALLOW = 0x7FFF0000
_ERRNO = 0x00050000
_EQUAL = 4
# systemd leaves these to every unit that has a list, beside @default.
_ALWAYS = ("@default", "execve", "exit", "exit_group", "getrlimit", "rt_sigreturn", "sigreturn")


def settings(unit: Path) -> dict[str, list[str]]:
    """Values by key, a list each: a key may come more than once."""
    found: dict[str, list[str]] = {}
    for line in unit.read_text(encoding="utf-8").splitlines():
        key, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            found.setdefault(key.strip(), []).append(value.strip())
    return found


def system_calls(filters: Iterable[str]) -> set[str]:
    """Names of those that the values of SystemCallFilter allow, one behind the other."""
    allowed = _expanded(_ALWAYS)
    for value in filters:
        names = _expanded(value.removeprefix("~").split())
        allowed = allowed - names if value.startswith("~") else allowed | names
    return allowed


def _expanded(names: Iterable[str]) -> set[str]:
    """Groups are taken apart, those in them too."""
    found: set[str] = set()
    for name in names:
        if not name.startswith("@"):
            found.add(name)
            continue
        said = subprocess.run(["systemd-analyze", "syscall-filter", name], capture_output=True, text=True, check=True)
        lines = [line.strip() for line in said.stdout.splitlines()[1:]]
        found |= _expanded(line for line in lines if line and not line.startswith("#"))
    return found


class _Compare(ctypes.Structure):
    _fields_ = (("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64))


def confine(calls: Iterable[str], families: Iterable[str]) -> None:
    """From now on this process may make these system calls only, and sockets of these families."""
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(_ERRNO | errno.EPERM))
    for name in calls:
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number < 0:
            continue  # of another architecture
        tests = [_Compare(0, _EQUAL, getattr(socket, family), 0) for family in families] if name == "socket" else [None]
        for test in tests:
            arguments = (0, None) if test is None else (1, ctypes.byref(test))
            if library.seccomp_rule_add_array(context, _ALLOW, number, *arguments) != 0:
                raise OSError(f"no filter for {name}")
    if library.seccomp_load(context) != 0:
        raise OSError("the kernel does not take the filter")


def prefix(unit: Path) -> list[str]:
    """What goes before a command that is to run so; for root."""
    capabilities = [name.removeprefix("CAP_").lower() for name in settings(unit)["CapabilityBoundingSet"][0].split()]
    bounding = ",".join(["-all", *(f"+{name}" for name in capabilities)])
    return ["setpriv", "--bounding-set", bounding, "--no-new-privs", sys.executable, __file__, str(unit)]


def main() -> None:
    """Becomes the command, confined."""
    found = settings(Path(sys.argv[1]))
    calls = system_calls(found["SystemCallFilter"])
    confine(calls, found["RestrictAddressFamilies"][0].split())
    os.execvp(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
