# SPDX-License-Identifier: Apache-2.0
"""FX13: sites of the message bus."""

from fixaccel.diagnostics.report import Code, Example, Severity

E = Severity.ERROR

_KEYS = [f"U{letter * 55}" for letter in "ABCD"]
_BOARDS = f"boards: {{b1: {{key: {_KEYS[1]}}}}}\n"


def _site(
    text: str, boards: str = _BOARDS, server: str = "nats://127.0.0.1:4222", insecure: str = "loopback"
) -> Example:
    plain = f"insecure: {insecure}\n" if insecure else ""
    head = f"fixaccel-bus: 1\nsite: tokyo\nservers: ['{server}']\n{plain}admin: {{key: {_KEYS[0]}}}\n"
    return Example("bus", head + boards + text)


BUS_NAME = Code(
    "FX1301", "bus-name", E, "A site, a board or a reader with a name that no subject can have",
    "Names are 1 to 32 of a to z, 0 to 9 and `-`; those of relays, `relay-BOARD`, are no reader's, and neither are "
    "`admin` and `server`.",
    _site("", boards=f"boards: {{B1: {{key: {_KEYS[1]}}}}}\n"),
)  # fmt: skip
BUS_KEY = Code(
    "FX1302", "bus-key", E, "A key that is none, or that two have",
    "A key is the public part of an NKEY of a user: `U` and 55 further characters. `fixaccel bus init` makes them. "
    "Each board, each reader and the administrator has one of its own: who asks is known by it alone.",
    _site(f"readers:\n  desk: {{role: view, key: {_KEYS[1]}, boards: all, quotes: live}}\n"),
)  # fmt: skip
BUS_PLAIN = Code(
    "FX1303", "bus-plain", E, "A server that is asked without TLS",
    "Without TLS anybody on the way reads and changes what passes. Only servers on this machine may be asked so, and "
    "only where the file says `insecure: loopback`.",
    _site("", server="nats://10.0.0.5:4222"),
)  # fmt: skip
BUS_BOARD = Code(
    "FX1304", "bus-board", E, "A reader of a board that there is not",
    "`boards` of a reader has names of the site's `boards`, or is `all`.",
    _site(f"readers:\n  desk: {{role: view, key: {_KEYS[2]}, boards: [b2], quotes: live}}\n"),
)  # fmt: skip
BUS_NOTHING = Code(
    "FX1305", "bus-nothing", E, "A reader that reads nothing",
    "A reader has `quotes`, `events` or both; without them it may see nothing.",
    _site(f"readers:\n  desk: {{role: view, key: {_KEYS[2]}, boards: all}}\n"),
)  # fmt: skip
