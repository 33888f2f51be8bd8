# SPDX-License-Identifier: Apache-2.0
"""Two network namespaces of our own with a link between them, without anything of the machine being touched."""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
from pathlib import Path

from fixaccel.tune.measured.pingpong import echo

OURS, THEIRS = "cl0", "ex0"
_ADDRESSES = {OURS: "10.77.255.1", THEIRS: "10.77.255.2"}
_NEW_MOUNTS, _NEW_USERS, _NEW_NETWORK = 0x00020000, 0x10000000, 0x40000000
_RECURSIVE, _PRIVATE = 0x4000, 0x40000
_ENDS_WITH_PARENT = 1  # PR_SET_PDEATHSIG


class CannotError(Exception):
    """There can be none here; the text says why."""


def enter() -> None:
    """This process, which must have one thread, gets network and mounts of its own. Raises CannotError."""
    if shutil.which("ip") is None:
        raise CannotError("`ip` of iproute2 is not installed")
    users, group = os.geteuid(), os.getegid()
    if users or not _unshare(_NEW_NETWORK | _NEW_MOUNTS):
        # Root inside of a user namespace of our own, and nobody outside.
        if not _unshare(_NEW_USERS | _NEW_NETWORK | _NEW_MOUNTS):
            raise CannotError(f"user namespaces are not allowed here: {os.strerror(ctypes.get_errno())}")
        try:
            Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
            Path("/proc/self/uid_map").write_text(f"0 {users} 1", encoding="ascii")
            Path("/proc/self/gid_map").write_text(f"0 {group} 1", encoding="ascii")
        except OSError as error:
            raise CannotError(f"user namespaces are not allowed here: {error.strerror}") from error
    _mount(None, "/", None, _RECURSIVE | _PRIVATE)
    # The one that is there shows the interfaces of the namespace around; without ours those files are out of reach.
    _mount("sysfs", "/sys", "sysfs", 0)


def link() -> tuple[str, int]:
    """Makes the other namespace, with what answers in it; returns where that listens. Raises CannotError."""
    theirs, ours = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _answer(theirs[1], ours[0])
        finally:
            os._exit(1)
    os.close(theirs[1])
    os.close(ours[0])
    if os.read(theirs[0], 1) != b"1":
        raise CannotError("a second network namespace is not allowed here")
    _ip("link", "add", OURS, "type", "veth", "peer", "name", THEIRS, "netns", str(child))
    _ip("addr", "add", f"{_ADDRESSES[OURS]}/24", "dev", OURS)
    _ip("link", "set", OURS, "up")
    _ip("link", "set", "lo", "up")
    os.write(ours[1], b"1")
    port = os.read(theirs[0], 16)
    if not port:
        raise CannotError("the other side of the link could not be set up")
    return _ADDRESSES[THEIRS], int(port)


def _answer(tell: int, told: int) -> None:
    end_with_parent()
    if not _unshare(_NEW_NETWORK):
        return
    os.write(tell, b"1")
    if os.read(told, 1) != b"1":
        return
    _ip("addr", "add", f"{_ADDRESSES[THEIRS]}/24", "dev", THEIRS)
    _ip("link", "set", THEIRS, "up")
    with socket.create_server((_ADDRESSES[THEIRS], 0)) as server:
        os.write(tell, str(server.getsockname()[1]).encode())
        echo(server)


def _ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotError(f"`ip {' '.join(words)}`: {done.stderr.strip()}")


def end_with_parent() -> None:
    """Whoever made this process, a kill of that one ends this too. To be said again after rights were changed."""
    ctypes.CDLL(None, use_errno=True).prctl(_ENDS_WITH_PARENT, signal.SIGKILL)


def _unshare(flags: int) -> bool:
    return bool(ctypes.CDLL(None, use_errno=True).unshare(flags) == 0)


def _mount(source: str | None, target: str, kind: str | None, flags: int) -> bool:
    words = [word.encode() if word is not None else None for word in (source, target, kind)]
    return bool(ctypes.CDLL(None, use_errno=True).mount(*words, flags, None) == 0)
