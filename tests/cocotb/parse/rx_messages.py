# SPDX-License-Identifier: Apache-2.0
"""Messages of the session: made for tests, and read as the specification words it, on whole texts."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from frames import fix
from rx_tables import ASK, BID, LAST

Fields = list[tuple[bytes, bytes]]

# Sorted as QuickFIX sorts them; everything else is of the body.
HEADER = {*b"8 9 34 35 43 49 50 52 56 57 90 97 115 116 122 128 129 142 143 144 145".split(),
          *b"212 213 347 369 370 627 1128 1129".split()}  # fmt: skip
TRAILER = set(b"10 89 93".split())
ONCE = set(b"34 35 43 49 52 56".split())
MOST_INSTRUMENTS = 16


def split(message: bytes) -> Fields:
    """Fields of a message as texts. Raises ValueError where one is no `tag=value`."""
    fields = []
    for part in message[:-1].split(b"\x01"):
        tag, equals, value = part.partition(b"=")
        if not equals or not re.fullmatch(rb"[0-9]+", tag):
            raise ValueError(part)
        fields.append((tag.lstrip(b"0"), value))
    return fields


def in_order(fields: Fields) -> bool:
    """Whether header, body and trailer follow each other, and MsgType comes third."""
    zones = [0 if tag in HEADER else 2 if tag in TRAILER else 1 for tag, _ in fields]
    return zones == sorted(zones) and fields[2][0] == b"35"


@dataclass
class Entry:
    """One entry of a market-data message; ``symbol`` as the reference says: its own or the one before."""

    symbol: str
    texts: dict[bytes, str]

    @property
    def deleted(self) -> bool:
        return self.texts.get(b"279") == "2"

    @property
    def first(self) -> bool:
        return bool(re.fullmatch("0*1", self.texts.get(b"290", "")))


def entries_of(fields: Fields) -> tuple[list[Entry], str]:
    """Entries of a W or X, and the last symbol. An entry begins with 269 in the one, with 279 in the other."""
    begin = b"279" if fields[2][1] == b"X" else b"269"
    entries: list[Entry] = []
    symbol = ""
    for tag, value in fields[3:]:
        text = value.decode("latin-1")
        if tag == begin:
            entries.append(Entry(symbol, {}))
        if entries:
            entries[-1].texts[tag] = text
        if tag == b"55":
            symbol = text
            if entries:
                entries[-1].symbol = text
    return entries, symbol


def prices(entries: list[Entry], *, update: bool) -> dict[int, str | None]:
    """Best bid, best ask and last trade of one instrument's entries, as text; None: unknown from here on."""
    found: dict[int, str | None] = {} if update else dict.fromkeys((BID, ASK, LAST))
    for source, kind in ((BID, "0"), (ASK, "1"), (LAST, "2")):
        side = [entry for entry in entries if entry.texts.get(b"269") == kind]
        if source == LAST:
            chosen = [entry for entry in side if not entry.deleted][-1:]
        else:
            chosen = [entry for entry in side if entry.first]
            chosen += [entry for entry in side if not (update and b"290" in entry.texts)]
        if chosen:
            found[source] = None if chosen[0].deleted else chosen[0].texts.get(b"270")
    return found


EXCHANGE, CLIENT = "EXCH", "CPU"


def message(kind: str, fields: Iterable[tuple[int, str]], number: int = 1) -> bytes:
    """A message of the session, from the exchange."""
    return fix([(35, kind), (49, EXCHANGE), (56, CLIENT), (34, str(number)), (52, "20250314-12:00:00.000"), *fields])


def snapshot(
    symbol: str,
    entries: list[tuple[str, str]],
    positions: bool = False,
    extra: tuple[tuple[int, str], ...] = (),
    number: int = 1,
) -> bytes:
    """A 35=W. ``entries``: (269, 270); ``positions`` adds a 290 that counts each type from 1."""
    fields = [*extra, (55, symbol), (268, str(len(entries)))]
    count: dict[str, int] = {}
    for kind, price in entries:
        count[kind] = count.get(kind, 0) + 1
        fields += [(269, kind), (270, price), (271, "10")]
        if positions:
            fields.append((290, str(count[kind])))
    return message("W", fields, number)


def update(entries: Iterable[Iterable[tuple[int, str]]], number: int = 1) -> bytes:
    """A 35=X of ``entries``, each with its fields behind MDUpdateAction(279) as they are."""
    listed = list(entries)
    return message("X", [(268, str(len(listed))), *(field for entry in listed for field in entry)], number)


def numbered(messages: Iterable[bytes], first: int = 1) -> list[bytes]:
    """The messages with MsgSeqNum counted from ``first``, BodyLength and CheckSum made anew."""
    return [_with_number(message, number) for number, message in enumerate(messages, first)]


def _with_number(message: bytes, number: int) -> bytes:
    body = message[message.index(b"\x0135=") + 1 : -7]
    body, replaced = re.subn(rb"\x0134=[0-9]+\x01", b"\x0134=%d\x01" % number, body, count=1)
    assert replaced == 1
    return framed(body)


def framed(body: bytes, begin: bytes = b"FIX.4.4", length: bytes | None = None) -> bytes:
    """A message around ``body`` as it is, with a right CheckSum."""
    text = b"8=%s\x019=%s\x01%s" % (begin, b"%d" % len(body) if length is None else length, body)
    return text + b"10=%03d\x01" % (sum(text) % 256)
