# SPDX-License-Identifier: Apache-2.0
"""Names on the bus: subjects, streams, headers, and which records of the journal are events.

This is the one place for them: `runtime/bus/gen/bus.hpp` is generated from here.
"""

import re

VERSION = 1  # `v` of each message
ROOT = "fx"
NAME = re.compile(r"[a-z0-9-]{1,32}\Z")  # of a site, a board, a reader
NAME_FORM = "1 to 32 of a to z, 0 to 9 and `-`"

QUOTES = "md"
EVENTS = "ev"
STATUS = "st"
HEARTBEAT = "hb"

HEADER_EVENT = "Fx-Event"  # number of the event, from 1
HEADER_JOURNAL = "Fx-Journal"  # which journal it is of
HEADER_RECORD = "Fx-Record"  # number of its record in there
HEADER_EXPECTED = "Nats-Expected-Last-Sequence"  # the server stores it only behind that message

# Kind of an event -> types of the journal's records that it stands for.
EVENT_KINDS: dict[str, tuple[str, ...]] = {
    "fire": ("fire",),
    "execution": ("execution", "reject", "cancel_reject"),
    "armed": ("armed",),
    "disarmed": ("disarmed",),
    "load": ("load", "load_dropped"),
    "session": ("session",),
    "board_lost": ("board_lost",),
    "reconciled": ("reconciled",),
    "command": ("command", "kill"),
    "limit": ("limit_set", "limit_reverted", "limits_reset"),
    "note": ("note",),
}

HEARTBEAT_MS = 1000
SILENT_MS = 3000  # without a heartbeat: what is known is old
REFRESH_MS = 5000  # every instrument is said again within

_PLAIN = frozenset(range(0x21, 0x7F)) - frozenset(b".*>%")


def token(symbol: str) -> str:
    """A symbol as one token of a subject: `BRK.B` is `BRK%2EB`."""
    return "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in symbol.encode("utf-8"))


def symbol_of(text: str) -> str:
    """The symbol of a token."""
    return re.sub(rb"%([0-9A-F]{2})", lambda found: bytes.fromhex(found[1].decode()), text.encode()).decode(
        "utf-8", "replace"
    )


def subject(site: str, board: str, *rest: str) -> str:
    """`fx.SITE.BOARD.REST`."""
    return ".".join((ROOT, site, board, *rest))


def events_stream(board: str) -> str:
    """The stream that mirrors the events of the board's journal."""
    return f"EV-{board}"


def quotes_stream(board: str) -> str:
    """The stream with the newest image of each instrument."""
    return f"QUOTES-{board}"


def status_stream(board: str) -> str:
    """The stream with the newest status and heartbeat."""
    return f"STATUS-{board}"


def inbox(principal: str) -> str:
    """Where answers to a principal go: nobody else may listen there."""
    return f"_INBOX.{principal}"
