# SPDX-License-Identifier: Apache-2.0
"""FIX messages of a venue: snapshots and updates made from events, and what else may stand in the same stream."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from fixaccel.image.templates.message import utc_text
from fixaccel.image.templates.template import SOH, fix_sum
from fixaccel.language.terms import Session, Source
from fixaccel.semantics.messages import CARRIED, UNKNOWN, Kind, Message
from fixaccel.simulate.rtl.entries import ENTRY_TYPE, OTHER_TYPES, UNLISTED, Entry, Field, interleaved, mixed_fields
from fixaccel.simulate.rtl.update_entries import UpdateEntries


@dataclass(frozen=True)
class Noise:
    """A message of the stream that stands for no event; the fabric counts those with a right CheckSum."""

    data: bytes
    counted: bool = True


class Venue:
    """Numbers and frames messages of one session, from the venue's side.

    With ``shape`` the messages vary within what FIX allows: further levels, other entries and fields, any order. The
    same shape gives the same bytes.
    """

    def __init__(self, session: Session, shape: random.Random | None) -> None:
        self._session = session
        self._shape = shape
        self._seq_num = 0
        # Prices sent so far: good decoys, as they are near what the rules wait for.
        self._seen = ["1"]

    def snapshot(self, message: Message) -> bytes:
        """MarketDataSnapshotFullRefresh for a `snapshot` event."""
        symbol = message.instrument or ""
        return self._market_data("W", message, [(55, symbol)], self._entries(message))

    def update(self, messages: Sequence[Message]) -> bytes:
        """MarketDataIncrementalRefresh for `update` events of different instruments, in their order."""
        entries = UpdateEntries(self._shape, self._seen).of(messages)
        self._seen = [*self._seen, *(text for one in messages for text in one.prices.values() if text != UNKNOWN)][-16:]
        return self._market_data("X", messages[-1], [], entries)

    def noise(self, message: Message) -> Noise | None:
        """Sometimes a message that no rule may fire on."""
        if self._shape is None or self._shape.random() < 0.7:
            return None
        trade = [(268, "1"), (269, "2"), (270, self._price())]
        named: Field = (55, message.instrument or "")
        kind = "X" if message.kind is Kind.UPDATE else "W"

        def quoting(symbol: Field) -> list[Field]:
            return [trade[0], (279, "0"), trade[1], symbol, trade[2]] if kind == "X" else [symbol, *trade]

        match self._shape.randrange(5):
            case 0:
                return Noise(self._message("0", message.ts_ns, []))
            case 1:
                report = [(37, "X1"), (17, "E1"), (150, "0"), (39, "0"), named, (54, "1"), *trade]
                return Noise(self._message("8", message.ts_ns, report))
            case 2:
                repeated = [(43, "Y"), (122, utc_text(message.ts_ns))]
                return Noise(self._message(kind, message.ts_ns, repeated + quoting(named)))
            case 3:
                return Noise(self._message(kind, message.ts_ns, quoting((55, UNLISTED))))
            case _:
                good = self._message(kind, message.ts_ns, quoting(named))
                wrong = f"{(int(good[-4:-1]) + 1) % 256:03d}".encode("ascii")
                self._seq_num -= 1  # nobody takes it, so its number comes again
                return Noise(good[:-4] + wrong + SOH, counted=False)

    def _entries(self, message: Message) -> list[Entry]:
        carried = [(source, text) for source in CARRIED if (text := message.prices.get(source, UNKNOWN)) != UNKNOWN]
        size = {source: message.sizes.get(source, "1") for source, _ in carried}
        entries = []
        for source, text in carried:
            best: list[Field] = [(269, ENTRY_TYPE[source]), (270, text), (271, size[source])]
            if self._shape is None:
                entries.append([[*best, *([] if source is Source.LAST else [(290, "1")])]])
            else:
                entries.append(self._levels(source, best, self._shape))
            self._seen = [*self._seen[-15:], text]
        if self._shape is not None:
            others = [[[(269, kind), (270, self._price())]] for kind in OTHER_TYPES if self._shape.random() < 0.1]
            return interleaved([*entries, *others], self._shape)
        return [entry for group in entries for entry in group]

    def _levels(self, source: Source, best: list[Field], shape: random.Random) -> list[Entry]:
        """Entries of one side among which ``best`` is the one that counts."""
        more = shape.choice((0, 0, 0, 1, 2, 5))
        kind = ENTRY_TYPE[source]
        if source is Source.LAST:
            # The final trade counts.
            return [self._dressed([(269, kind), (270, self._price())]) for _ in range(more)] + [self._dressed(best)]
        if shape.random() < 0.5:
            # Without positions the first of its side counts.
            return [self._dressed(best)] + [self._dressed([(269, kind), (270, self._price())]) for _ in range(more)]
        levels = [
            self._dressed(
                [(269, kind), (270, self._price()), *([(290, str(position))] if shape.random() < 0.8 else [])]
            )
            for position in range(2, 2 + more)
        ]
        levels.insert(shape.randrange(len(levels) + 1), self._dressed([*best, (290, "1")]))
        return levels

    def _dressed(self, entry: list[Field]) -> list[Field]:
        """The entry with further fields, in any order behind MDEntryType."""
        assert self._shape is not None
        return [entry[0], *mixed_fields(entry[1:], self._shape)]

    def _price(self) -> str:
        assert self._shape is not None
        return self._shape.choice(self._seen)

    def _market_data(self, kind: str, message: Message, named: list[Field], entries: list[Entry]) -> bytes:
        """``named`` is what stands before the entries besides MDReqID."""
        body = [*self._head([(262, "MD1"), *named], message.instrument or ""), (268, str(len(entries)))]
        return self._message(kind, message.ts_ns, [*body, *(field for entry in entries for field in entry)])

    def _head(self, fields: list[Field], symbol: str) -> list[Field]:
        """The fields among others that say nothing."""
        if self._shape is None:
            return fields
        more: list[Field] = [(48, "US5949181045"), (22, "4"), (1021, "1"), (58, "55=AAPL 270=1"), (5, symbol[::-1])]
        fields += [field for field in more if self._shape.random() < 0.1]
        self._shape.shuffle(fields)
        if self._shape.random() < 0.1:
            # Text that looks like fields. No SOH: the FIX engine has no dictionary, so it would end the field.
            raw = f"269=2 270={self._price()} 10=000"
            fields[0:0] = [(354, str(len(raw))), (355, raw)]
        return fields

    def _message(self, kind: str, time_ns: int, body: Sequence[Field]) -> bytes:
        self._seq_num += 1
        header: list[Field] = [
            (34, str(self._seq_num)),
            (49, self._session.target_comp_id),
            (52, utc_text(time_ns)),
            (56, self._session.sender_comp_id),
        ]
        if self._shape is not None:
            header += [field for field in ((43, "N"), (97, "N"), (369, "7")) if self._shape.random() < 0.05]
            if any(tag == 43 for tag, _ in body):
                header = [field for field in header if field[0] != 43]
            self._shape.shuffle(header)
        return framed(self._session.begin_string, [(35, kind), *header, *body])


def framed(begin_string: str, fields: Sequence[Field]) -> bytes:
    """A whole message from MsgType(35) on: BeginString, BodyLength and CheckSum added."""
    body = b"".join(f"{tag}={value}".encode("ascii") + SOH for tag, value in fields)
    message = f"8={begin_string}\x019={len(body)}\x01".encode("ascii") + body
    return message + f"10={fix_sum(message):03d}\x01".encode("ascii")
