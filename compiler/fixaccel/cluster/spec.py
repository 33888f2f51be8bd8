# SPDX-License-Identifier: Apache-2.0
"""What `--cluster` names."""

from dataclasses import dataclass

from fixaccel.addresses import host_and_port

LOCAL, TLS = "local", "tls://"
_MOST = 1024


@dataclass(frozen=True)
class Spec:
    """``workers`` of this machine, None for one a core; or the ``address`` of a scheduler. ``text`` is as written."""

    text: str
    workers: int | None = None
    address: str = ""


def parse(text: str) -> Spec:
    """`local`, `local:N` or `tls://HOST:PORT`. Raises ValueError, whose text is for the user."""
    if text == LOCAL:
        return Spec(text)
    if text.startswith(f"{LOCAL}:"):
        number = text.removeprefix(f"{LOCAL}:")
        if not number.isascii() or not number.isdigit() or not 1 <= int(number) <= _MOST:
            raise ValueError(f"`{number}` is no number of workers from 1 to {_MOST}")
        return Spec(text, workers=int(number))
    if text.startswith(TLS):
        host_and_port(text.removeprefix(TLS))
        return Spec(text, address=text)
    if text.startswith("tcp://"):
        raise ValueError("an open connection runs what anybody sends: the scheduler has to speak tls://")
    raise ValueError(f"`{text}` is neither local, local:N nor tls://HOST:PORT")
