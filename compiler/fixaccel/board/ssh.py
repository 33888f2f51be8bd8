# SPDX-License-Identifier: Apache-2.0
"""A daemon's machine by SSH: its control socket comes here, bundles go there.

OpenSSH's own client does it, with the user's configuration, keys and known hosts. It asks nothing: it may run behind a
screen, and in several at once.
"""

import atexit
import io
import re
import shlex
import shutil
import socket
import subprocess
import tarfile
import tempfile
import time
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import NamedTuple, Self

from fixaccel.board.endpoint import DEFAULT_ENDPOINT, FORMS, SSH, UNIX, Endpoint

_FORM = re.compile(
    r"(?:(?P<user>[A-Za-z_][\w.-]*)@)?(?P<host>[A-Za-z0-9][\w.-]*|\[[0-9A-Fa-f:.]+(?:%\w+)?\])(?::(?P<port>[0-9]{1,5}))?"
    r"(?P<socket>/[^:]+)?",
    re.ASCII,
)
_OPTIONS = {
    "BatchMode": "yes",
    "ConnectTimeout": "10",
    # A connection that is dead is noticed, also by whoever only watches.
    "ServerAliveInterval": "5",
    "ServerAliveCountMax": "3",
    # Not another's connection, which goes on when this one ends.
    "ControlPath": "none",
    "ExitOnForwardFailure": "yes",
    "StreamLocalBindMask": "0177",
}
_STEP_S = 0.01
_LAST_WORDS_S = 1.0
_AS_LONG_AS_WE = "exec cat >/dev/null"  # it ends with this process, however that ends
# Under its name a bundle is whole: it gets that last. A folder that passes its group on has that group read it.
_PLACE = """
set -e
if [ -d "$1" ]; then cat >/dev/null; exit; fi
part=$(mktemp -d "$1.XXXXXX")
trap 'rm -rf "$part"' EXIT
tar -x -o -f - -C "$part"
chmod -R u=rwX,g=rX,o= "$part"
mv -T "$part" "$1"
trap - EXIT
"""
# What ssh says, and what to do about it.
_WAYS_OUT = {
    "Host key verification failed": "connect to it once with `ssh`, and compare its key",
    "Permission denied (": "no password is asked for: set up a key (ssh-copy-id), and ssh-agent for its passphrase",
    "open failed: connect failed": "is fixacceld running there, and is that its socket?",
    "open failed: administratively prohibited": "its sshd forwards nothing: AllowStreamLocalForwarding",
}


class SshError(Exception):
    """No connection, or the bundle is not there; the text names the machine, and what ssh said."""


class Machine(NamedTuple):
    """What ``ssh:[USER@]HOST[:PORT][/SOCKET]`` means."""

    destination: str  # as ssh takes it
    port: str  # empty: as ssh is configured
    socket: str

    @classmethod
    def of(cls, endpoint: Endpoint) -> Self:
        """Raises SshError."""
        found = _FORM.fullmatch(endpoint.removeprefix(SSH))
        if found is None:
            raise SshError(f"{endpoint}: an endpoint is written {FORMS}")
        user = f"{found['user']}@" if found["user"] else ""
        control = found["socket"] or DEFAULT_ENDPOINT.removeprefix(UNIX)
        return cls(user + found["host"].strip("[]"), found["port"] or "", control)

    def command(self, *words: str) -> list[str]:
        """``ssh`` with options and destination; ``words`` stand before the latter. Raises SshError without ssh."""
        options = [word for key, value in _OPTIONS.items() for word in ("-o", f"{key}={value}")]
        port = ["-p", self.port] if self.port else []
        return [_program(), "-T", *options, *port, *words, "--", self.destination]


def _program() -> str:
    found = shutil.which("ssh")
    if found is None:
        raise SshError("there is no `ssh` on this machine: install OpenSSH's client")
    return found


class _Tunnel:
    """The daemon's socket, as a socket of this machine in a folder that is ours alone."""

    def __init__(self, endpoint: Endpoint, timeout_s: float) -> None:
        machine = Machine.of(endpoint)
        _program()
        self._endpoint = endpoint
        self._heard = 0  # bytes of the log
        self._folder = tempfile.TemporaryDirectory(prefix="fixaccel-")
        folder = Path(self._folder.name)
        self.path = folder / "control"
        self._log = folder / "ssh"
        command = [*machine.command("-L", f"{self.path}:{machine.socket}"), _AS_LONG_AS_WE]
        with self._log.open("wb") as log:
            # In a session of its own: what interrupts us, so that we say farewell, is not to take the connection first.
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True
            )
        end = time.monotonic() + timeout_s
        while not self.path.exists():
            if not self.stands:
                raise SshError(self.close() or f"no connection to {endpoint}")
            if time.monotonic() > end:
                self.close()
                raise SshError(f"{endpoint}: no connection within {timeout_s:g} s")
            time.sleep(_STEP_S)

    @property
    def stands(self) -> bool:
        return self._process.poll() is None

    def said(self) -> str:
        """What ssh said last, with a way out where there is one; empty if nothing since `listen`."""
        try:
            words = self._log.read_bytes()[self._heard :]
        except FileNotFoundError:  # closed meanwhile
            words = b""
        return _explained(self._endpoint, words.decode("utf-8", "replace"))

    def last_words(self) -> str:
        """What it says of a connection that has ended: it closes that first, and says why a moment later."""
        end = time.monotonic() + _LAST_WORDS_S
        while not (words := self.said()) and self.stands and time.monotonic() < end:
            time.sleep(_STEP_S)
        return words or self.said()

    def listen(self) -> None:
        """What was said up to now is of others."""
        self._heard = self._log.stat().st_size

    def close(self) -> str:
        """What it said last."""
        self._process.terminate()
        self._process.communicate()
        said = self.said()
        self._folder.cleanup()
        return said


_tunnels: dict[str, _Tunnel] = {}  # by endpoint: who asks often connects once
_lock = Lock()


@atexit.register
def _close_all() -> None:
    with _lock:
        while _tunnels:
            _tunnels.popitem()[1].close()


def connect(endpoint: Endpoint, timeout_s: float) -> socket.socket:
    """A connection to the daemon's socket there. Raises SshError, OSError."""
    with _lock:
        tunnel = _tunnels.get(endpoint)
        if tunnel is None or not tunnel.stands:
            if tunnel is not None:
                del _tunnels[endpoint]
                tunnel.close()
            tunnel = _tunnels[endpoint] = _Tunnel(endpoint, timeout_s)
        tunnel.listen()
    end = time.monotonic() + timeout_s
    while True:
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            made.settimeout(timeout_s)
            made.connect(str(tunnel.path))
        except ConnectionRefusedError:
            made.close()
            # The socket is there a moment before ssh listens on it.
            if not tunnel.stands or time.monotonic() > end:
                raise
            time.sleep(_STEP_S)
        except OSError:
            made.close()
            raise
        else:
            return made


def said(endpoint: Endpoint) -> str:
    """What ssh says of a connection that has ended, if anything: why it did, or why there is no socket there."""
    with _lock:
        tunnel = _tunnels.get(endpoint)
    return tunnel.last_words() if tunnel else ""


def place(endpoint: Endpoint, bundle: Path, folder: str, timeout_s: float) -> str:
    """Copies ``bundle`` into ``folder`` of that machine, if it is not there yet; its path there.

    It is named for what is in it, so one that is loaded is never written to. Raises SshError, OSError of ``bundle``.
    """
    machine = Machine.of(endpoint)
    packed = _packed(bundle)
    name = re.sub(r"[^\w.-]", "_", bundle.resolve().name, flags=re.ASCII).lstrip(".-")[:64]
    path = f"{folder.rstrip('/')}/{name}-{sha256(packed).hexdigest()[:16]}"
    words = [*machine.command(), shlex.join(["sh", "-c", _PLACE, "sh", path])]
    try:
        done = subprocess.run(words, input=packed, capture_output=True, timeout=timeout_s, check=False)
    except subprocess.TimeoutExpired:
        raise SshError(f"{bundle} is not at {endpoint} within {timeout_s:g} s") from None
    if done.returncode:
        reason = _explained(endpoint, done.stderr.decode("utf-8", "replace"))
        raise SshError(f"{bundle} cannot be copied to {path}: {reason or 'ssh says no more'}")
    return path


def _packed(bundle: Path) -> bytes:
    """All of its files as tar, the same each time for the same files."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for file in sorted(file for file in bundle.rglob("*") if file.is_file()):
            entry = tarfile.TarInfo(file.relative_to(bundle).as_posix())
            content = file.read_bytes()
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def _explained(endpoint: Endpoint, words: str) -> str:
    lines = [
        line.strip() for line in words.splitlines() if line.strip() and not line.startswith("Warning: Permanently")
    ]
    if not lines:
        return ""
    way_out = next((f"; {way}" for sign, way in _WAYS_OUT.items() if sign in lines[-1]), "")
    return f"{endpoint}: {lines[-1]}{way_out}"
