# SPDX-License-Identifier: Apache-2.0
"""Which interface leads to the venue, what kind it is, and which of them must not be touched unasked."""

import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address

from fixaccel.tune.host import Host

_NET = "sys/class/net"


@dataclass(frozen=True)
class Route:
    """A line of the kernel's table."""

    interface: str
    network: int
    mask: int
    metric: int


def interfaces(host: Host) -> list[str]:
    """All but loopback."""
    return [name for name in host.names(_NET) if host.text(f"{_NET}/{name}/type") and not _is_loopback(host, name)]


def kind_of(host: Host, interface: str) -> str:
    """veth, tap or card. What is neither a card nor a TAP has no hardware, as a veth."""
    if host.text(f"{_NET}/{interface}/tun_flags") is not None:
        return "tap"
    return "card" if host.names(f"{_NET}/{interface}/device") else "veth"


def node_of(host: Host, interface: str) -> int | None:
    """The NUMA node of a card."""
    text = (host.text(f"{_NET}/{interface}/device/numa_node") or "").strip()
    return int(text) if text.isdigit() else None


def interrupts_of(host: Host, interface: str) -> list[str]:
    """Numbers of a card's interrupts."""
    return [name for name in host.names(f"{_NET}/{interface}/device/msi_irqs") if name.isdigit()]


def choose(host: Host, venue: str | None) -> tuple[str | None, str]:
    """The interface that a plan does not name, and in words why none is taken.

    ``venue`` is an IPv4 address. Never the one of the default route or of the login.
    """
    kept = spared(host)
    if venue:
        found = route_to(host, venue)
        if found is None:
            return None, f"no route leads to the venue at {venue}: name an interface in a plan"
        if found in kept:
            return None, f"{found} leads to the venue and {kept[found]}: name it in a plan if you mean it"
        return found, ""
    free = [name for name in interfaces(host) if name not in kept and _is_up(host, name)]
    if len(free) == 1:
        return free[0], ""
    seen = "several interfaces are" if free else "no interface is"
    return None, f"{seen} free to be taken: name one in a plan, or the venue with --venue"


def spared(host: Host) -> dict[str, str]:
    """Interfaces that are not taken unless named, each with what it does."""
    found = {route.interface: "carries the default route" for route in routes(host) if route.mask == 0}
    login = os.environ.get("SSH_CONNECTION", "").split(" ")[0]
    carrier = route_to(host, login) if login else None
    if carrier:
        found[carrier] = "carries your login"
    return found


def route_to(host: Host, address: str) -> str | None:
    """The interface of the narrowest route to an IPv4 address."""
    try:
        wanted = int(IPv4Address(address))
    except ValueError:
        return None
    fitting = [route for route in routes(host) if wanted & route.mask == route.network]
    return min(fitting, key=lambda route: (-route.mask, route.metric)).interface if fitting else None


def routes(host: Host) -> Iterator[Route]:
    """Of the main table, for IPv4."""
    for line in (host.text("proc/net/route") or "").splitlines()[1:]:
        words = line.split()
        if len(words) > 7:
            network, mask = (socket.ntohl(int(words[at], 16)) for at in (1, 7))
            yield Route(words[0], network, mask, int(words[6]))


def _is_loopback(host: Host, interface: str) -> bool:
    return (host.text(f"{_NET}/{interface}/type") or "").strip() == "772"


def _is_up(host: Host, interface: str) -> bool:
    flags = (host.text(f"{_NET}/{interface}/flags") or "0x0").strip()
    return bool(int(flags, 16) & 1)
