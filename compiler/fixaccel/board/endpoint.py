# SPDX-License-Identifier: Apache-2.0
"""Where a daemon answers, and what is shown there of who asks."""

import os
from dataclasses import dataclass
from typing import Self

UNIX = "unix:"
TLS = "tls:"
SSH = "ssh:"
FORMS = "unix:PATH, tls:HOST:PORT or ssh:[USER@]HOST[:PORT][/SOCKET]"
DEFAULT_ENDPOINT = "unix:/run/fixaccel/control.sock"

_MOST_PORT = 65535


@dataclass(frozen=True)
class TlsFiles:
    """Paths of files in PEM; empty where nobody has named one."""

    cert: str = ""
    key: str = ""
    ca: str = ""

    @classmethod
    def of_environment(cls) -> Self:
        """FIXACCEL_CERT, FIXACCEL_KEY, FIXACCEL_CA."""
        return cls(*(os.environ.get(f"FIXACCEL_{name}", "") for name in ("CERT", "KEY", "CA")))


class Endpoint(str):
    """``unix:PATH``, ``tls:HOST:PORT`` with its files, or ``ssh:[USER@]HOST[:PORT][/SOCKET]``, as it was written."""

    __slots__ = ("files",)
    files: TlsFiles

    def __new__(cls, text: str, files: TlsFiles | None = None) -> Self:
        """Without ``files``: those of ``text``, or of the environment."""
        made = super().__new__(cls, text)
        made.files = files or getattr(text, "files", None) or TlsFiles.of_environment()
        return made

    @property
    def is_remote(self) -> bool:
        """The daemon may be on another machine: paths here mean nothing there."""
        return self.startswith((TLS, SSH))

    @property
    def by_ssh(self) -> bool:
        """Its machine is reached by SSH: files can be put there."""
        return self.startswith(SSH)

    def host_and_port(self) -> tuple[str, int]:
        """Of ``tls:HOST:PORT`` or ``tls:[ADDRESS]:PORT``. Raises ValueError."""
        host, colon, port = self.removeprefix(TLS).rpartition(":")
        if host.startswith("[") and host.endswith("]"):
            host = host[1:-1]
        elif ":" in host:
            raise ValueError(self)
        if not (colon and host and port.isascii() and port.isdigit() and 0 < int(port) <= _MOST_PORT):
            raise ValueError(self)
        return host, int(port)
