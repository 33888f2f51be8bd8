# SPDX-License-Identifier: Apache-2.0
"""Network addresses as people write them."""

import ipaddress

_MOST_PORT = 65535


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches it; a name but `localhost` may mean anything."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def host_and_port(written: str) -> tuple[str, int]:
    """Of `HOST:PORT` or `[ADDRESS]:PORT`; port 0 is the kernel's choice. Raises ValueError."""
    host, colon, port = written.rpartition(":")
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    ambiguous = ":" in host and bare == host
    if not colon or not bare or ambiguous or not port.isascii() or not port.isdigit() or int(port) > _MOST_PORT:
        raise ValueError(f"`{written}` is not HOST:PORT, such as 127.0.0.1:8080")
    return bare, int(port)
