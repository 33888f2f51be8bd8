# SPDX-License-Identifier: Apache-2.0
"""Ports of the fabric's top module, as its source has them, for a wrapper in plain Verilog."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_PORTS = re.compile(r"^\) \(\n(.*?)^\);", re.MULTILINE | re.DOTALL)
_PORT = re.compile(
    r"(?P<direction>input|output)\s+(?:logic\s*(?:\[(?P<most>[^\]]+):0\])?|(?P<type>\w+_t))\s+(?P<name>\w+),?\Z"
)


@dataclass(frozen=True)
class Port:
    """``direction``: input or output, padded to one width; ``width``: `[31:0]`, empty for one bit."""

    direction: str
    width: str
    name: str


def ports_of(source: Path, sizes: Mapping[str, int]) -> list[Port]:
    """Ports of the module in ``source``, in their order.

    ``sizes`` has the bits of each name that stands in a width, a parameter or a type. Raises ValueError for a line that
    is no port, and KeyError for a name that ``sizes`` has not.
    """
    found = _PORTS.search(source.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{source}: no list of ports")
    lines = (line.partition("//")[0].strip() for line in found[1].splitlines())
    return [_port(line, sizes) for line in lines if line]


def _port(line: str, sizes: Mapping[str, int]) -> Port:
    match = _PORT.match(line)
    if match is None:
        raise ValueError(f"`{line}` is no port of a kind that a wrapper can have")
    if match["type"]:
        most = sizes[match["type"]] - 1
    elif match["most"]:
        most = int(match["most"]) if match["most"].isdigit() else sizes[match["most"].removesuffix("-1")] - 1
    else:
        most = 0
    return Port(f"{match['direction']:6}", f"[{most}:0]" if most else "", match["name"])
