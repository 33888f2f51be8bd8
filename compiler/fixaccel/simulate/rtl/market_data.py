# SPDX-License-Identifier: Apache-2.0
"""FIX messages of a venue: snapshots made from events, and what else may stand in the same stream."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from fixaccel.image.message import utc_text
from fixaccel.image.template import SOH, fix_sum
from fixaccel.language.model import Session, Source
from fixaccel.semantics.messages import CARRIED, UNKNOWN, Message

# MDEntryType(269). The others are decoys: opening, closing and highest price, and a volume.
_ENTRY_TYPE = {Source.BID: "0", Source.ASK: "1", Source.LAST: "2"}
_OTHER_TYPES = ("4", "5", "7", "B")

Field = tuple[int, str]


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
        entries = self._entries(message)
        body: list[Field] = [*self._symbol_fields(message.instrument or ""), (268, str(len(entries)))]
        return self._message("W", message.ts_ns, [*body, *(field for entry in entries for field in entry)])

    def noise(self, message: Message) -> Noise | None:
        """Sometimes a message that no rule may fire on."""
        if self._shape is None or self._shape.random() < 0.7:
            return None
        trade = [(268, "1"), (269, "2"), (270, self._price())]
        named: Field = (55, message.instrument or "")
        match self._shape.randrange(5):
            case 0:
                return Noise(self._message("0", message.ts_ns, []))
            case 1:
                report = [(37, "X1"), (17, "E1"), (150, "0"), (39, "0"), named, (54, "1"), *trade]
                return Noise(self._message("8", message.ts_ns, report))
            case 2:
                repeated = [(43, "Y"), (122, utc_text(message.ts_ns)), named, *trade]
                return Noise(self._message("W", message.ts_ns, repeated))
            case 3:
                return Noise(self._message("W", message.ts_ns, [(55, "^unlisted^"), *trade]))
            case _:
                good = self._message("W", message.ts_ns, [named, *trade])
                wrong = f"{(int(good[-4:-1]) + 1) % 256:03d}".encode("ascii")
                return Noise(good[:-4] + wrong + SOH, counted=False)

    def _entries(self, message: Message) -> list[list[Field]]:
        carried = [(source, text) for source in CARRIED if (text := message.prices.get(source, UNKNOWN)) != UNKNOWN]
        size = {source: message.sizes.get(source, "1") for source, _ in carried}
        entries = []
        for source, text in carried:
            best: list[Field] = [(269, _ENTRY_TYPE[source]), (270, text), (271, size[source])]
            if self._shape is None:
                entries.append([[*best, *([] if source is Source.LAST else [(290, "1")])]])
            else:
                entries.append(self._levels(source, best, self._shape))
            self._seen = [*self._seen[-15:], text]
        if self._shape is not None:
            others = [[[(269, kind), (270, self._price())]] for kind in _OTHER_TYPES if self._shape.random() < 0.1]
            return _interleaved([*entries, *others], self._shape)
        return [entry for group in entries for entry in group]

    def _levels(self, source: Source, best: list[Field], shape: random.Random) -> list[list[Field]]:
        """Entries of one side among which ``best`` is the one that counts."""
        more = shape.choice((0, 0, 0, 1, 2, 5))
        kind = _ENTRY_TYPE[source]
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
        more: list[Field] = [(15, "USD"), (346, "3"), (278, "Q7"), (1, "270=5"), (273, "12:00:00"), (2700, "9")]
        rest = entry[1:] + [field for field in more if self._shape.random() < 0.1]
        self._shape.shuffle(rest)
        return [entry[0], *rest]

    def _price(self) -> str:
        assert self._shape is not None
        return self._shape.choice(self._seen)

    def _symbol_fields(self, symbol: str) -> list[Field]:
        fields: list[Field] = [(262, "MD1"), (55, symbol)]
        if self._shape is None:
            return fields
        more: list[Field] = [(48, "US5949181045"), (22, "4"), (1021, "1"), (58, "55=AAPL 270=1"), (5, symbol[::-1])]
        fields += [field for field in more if self._shape.random() < 0.1]
        self._shape.shuffle(fields)
        if self._shape.random() < 0.1:
            # Raw data is skipped by its length: separators inside are no fields.
            raw = f"\x01269=2\x01270={self._price()}\x0110=000\x01"
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


def _interleaved(groups: list[list[list[Field]]], shape: random.Random) -> list[list[Field]]:
    """Entries of all groups mixed, each group in its own order."""
    pending = [list(group) for group in groups if group]
    mixed: list[list[Field]] = []
    while pending:
        group = shape.choice(pending)
        mixed.append(group.pop(0))
        pending = [group for group in pending if group]
    return mixed
