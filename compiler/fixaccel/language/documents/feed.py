# SPDX-License-Identifier: Apache-2.0
"""`market_data.feed` of a venue file: prices by UDP multicast in FAST, on channels of one or two lines."""

import ipaddress
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fixaccel.diagnostics.codes import language as codes
from fixaccel.diagnostics.codes import venue as venue_codes
from fixaccel.diagnostics.report import Related, Report
from fixaccel.fast.layout import DATAGRAM_BYTES
from fixaccel.fast.program.interest import EXPORTS, NUMBER, USUAL
from fixaccel.fast.program.words import Kind as TemplateKind
from fixaccel.language.keys.kinds import Choice, FreeText, MapOf, Matching, Whole, pattern_of, scalar_text
from fixaccel.language.keys.schema import JsonSchema, Key, Located, Section, Shape, clip, nearest
from fixaccel.language.terms import Channel, FeedTerms, Group, Sequence
from fixaccel.source import Node, ScalarNode, Span

_GROUP = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,3}){3}):([0-9]{1,5})\Z")
_BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_ADDRESS = re.compile(rf"{_BYTE}(\.{_BYTE}){{3}}\Z")
_TIME = re.compile(r"([0-9]{1,6})(us|ms|s)\Z")
_NANOSECONDS = {"us": 10**3, "ms": 10**6, "s": 10**9}
_WAIT, _SILENCE = 50_000, 3 * 10**9  # what holds where the file says nothing
# What a feed is read for and the venue names here: where the number stands `sequence` says.
_NAMED = tuple(what for what in USUAL if what != NUMBER)


@dataclass(frozen=True)
class GroupKind:
    """A multicast group and a port."""

    form: str = "a multicast group such as `239.195.1.1:16001`"

    def json_schema(self) -> JsonSchema:
        """A text of the pattern."""
        return {"type": "string", "pattern": pattern_of(_GROUP).replace("(?:", "(")}

    def read(self, node: Node, key: str, report: Report) -> Group | None:
        """The group."""
        scalar = scalar_text(node, key, self.form, report)
        match = _GROUP.match(scalar.text) if scalar else None
        if scalar is None:
            return None
        try:
            good = match is not None and ipaddress.IPv4Address(match[1]).is_multicast and 0 < int(match[2]) < 1 << 16
        except ValueError:
            good = False
        if match is None or not good:
            message = f"`{clip(scalar.text)}` is not {self.form}"
            report.add(venue_codes.BAD_ADDRESS, message, scalar.span, help="groups are 224.0.0.0 to 239.255.255.255")
            return None
        return Group(match[1], int(match[2]))


@dataclass(frozen=True)
class ShortTime:
    """A time span in nanoseconds, of microseconds and up."""

    form: str = "a time such as `50us` or `3s`"

    def json_schema(self) -> JsonSchema:
        """A text of the pattern."""
        return {"type": "string", "pattern": pattern_of(_TIME)}

    def read(self, node: Node, key: str, report: Report) -> int | None:
        """Nanoseconds."""
        scalar = scalar_text(node, key, self.form, report)
        match = _TIME.match(scalar.text) if scalar else None
        if scalar and not match:
            report.add(
                codes.BAD_DURATION, f"`{clip(scalar.text)}` is not {self.form}", scalar.span, help="units are us, ms, s"
            )
        return int(match[1]) * _NANOSECONDS[match[2]] if match else None


_SOURCE = Matching(
    _ADDRESS, "an address such as `10.50.129.200`", venue_codes.BAD_ADDRESS, "write four numbers from 0 to 255"
)
_NAME = Matching(re.compile(r"[A-Za-z0-9_.-]{1,64}\Z"), "a name or an id", codes.BAD_TEXT, "use A-Z a-z 0-9 _ . -")
TEMPLATES = Key("templates", FreeText(1024, "the path of a template file"), "FAST 1.1, XML.", required=True)
OFFSET = Key("offset", Whole(0, DATAGRAM_BYTES), "Bytes in front of the number [0].")
BYTES = Key("bytes", Choice({str(size): size for size in (1, 2, 4, 8)}), "Bytes of a number in front.")
ORDER = Key("order", Choice({"big": True, "little": False}), "Its highest byte first, or its lowest [big].")
FIELD = Key("field", _NAME, "Or the field of each message that holds the number: a name or an id.")
OF = Key("of", Choice({word: word for word in ("datagrams", "messages")}), "What is counted.", required=True)
SEQUENCE = Key(
    "sequence", Shape("`sequence`", (OFFSET, BYTES, ORDER, FIELD, OF)), "Where the number stands.", required=True
)
SKIP = Key("skip", Whole(0, DATAGRAM_BYTES), "Raw bytes in front of the first FAST byte [up to the number's end].")
RESET = Key(
    "reset", Choice({word: word for word in ("datagram", "message")}), "When dictionaries are forgotten.", required=True
)
FIELDS = Key(
    "fields",
    MapOf(_NAME, "fields by what they are"),
    f"Fields that have not the usual tag, by name or id: {', '.join(_NAMED)}.",
)
KINDS = Key(
    "kinds",
    MapOf(Choice({kind.value: kind for kind in TemplateKind}), "kinds by template id"),
    "What messages of a template are that has no constant MsgType(35).",
)
WAIT = Key("wait", ShortTime(), "How long a later datagram waits for a missing one [50us].")
SILENCE = Key("silence", ShortTime(), "Nothing for so long counts as a gap; 0s: never [3s].")
EXPORT = Key(
    "export",
    Choice({word: word for word in EXPORTS}),
    "What the host is told: prices, every field, or the payload undecoded [observations].",
)
A = Key("a", GroupKind(), "Group of line A.", required=True)
B = Key("b", GroupKind(), "Group of line B, which carries the same.")
SOURCE = Key("source", _SOURCE, "Address of the only sender that counts.")
RECOVERY = Key("recovery", Shape("`recovery`", (A, B)), "Groups of the snapshots that close a gap.")
CHANNEL_SHAPE = Shape("a channel", (A, B, SOURCE, RECOVERY))
CHANNELS = Key("channels", MapOf(CHANNEL_SHAPE, "channels by name"), "The groups of each channel.", required=True)
FEED_SHAPE = Shape(
    "`feed`", (TEMPLATES, SEQUENCE, SKIP, RESET, FIELDS, KINDS, WAIT, SILENCE, EXPORT, CHANNELS)
)  # fmt: skip


def build_feed(section: Section, key: Span, report: Report) -> FeedTerms | None:
    """The feed as written, None after reporting what is wrong. ``key`` is where `feed` stands."""
    templates, reset, channels = section.get(TEMPLATES), section.get(RESET), _channels(section, report)
    channels_at = section.keys.get(CHANNELS.name, key)
    written = section.get(SEQUENCE)
    sequence = _sequence(written, report) if written else None
    offset, field = (written.value.get(key) if written else None for key in (OFFSET, FIELD))
    fields, kinds = _fields(section, report), _kinds(section, report)
    skip, wait, silence, export = (section.get(one) for one in (SKIP, WAIT, SILENCE, EXPORT))
    if templates is None or reset is None or sequence is None or channels is None or fields is None or kinds is None:
        return None
    first = sequence.offset + sequence.bytes
    if first > DATAGRAM_BYTES:
        message = f"the number would end at byte {first:,}, and a datagram has {DATAGRAM_BYTES:,}"
        way_out = f"write `offset: {DATAGRAM_BYTES - sequence.bytes}` or less"
        report.add(venue_codes.BAD_FEED, message, offset.span if offset else key, help=way_out)
        return None
    if skip and skip.value < first:
        message = f"the number ends at byte {first}, and the FAST bytes begin at {skip.value}"
        report.add(venue_codes.BAD_FEED, message, skip.span, help=f"write `skip: {first}` or more, or leave it out")
        return None
    return FeedTerms(
        templates=templates.value.strip(),
        templates_at=templates.span,
        sequence=sequence,
        skip=skip.value if skip else first,
        reset=reset.value,
        fields={name: located.value for name, located in fields.items()},
        kinds={number: located.value.value for number, located in kinds.items()},
        wait_ns=wait.value if wait else _WAIT,
        silence_ns=silence.value if silence else _SILENCE,
        export=export.value if export else "observations",
        channels=channels,
        span=key,
        places={CHANNELS.name: channels_at}
        | {f"fields.{name}": one.span for name, one in fields.items()}
        | {f"kinds.{number}": one.span for number, one in kinds.items()}
        | ({f"fields.{NUMBER}": field.span} if field else {}),
    )


def _sequence(located: Located[Section], report: Report) -> Sequence | None:
    section = located.value
    offset, size, order, field, of = (section.get(key) for key in (OFFSET, BYTES, ORDER, FIELD, OF))
    if of is None:
        return None
    if (size is None) == (field is None):
        message = "the number stands in front, with `bytes`, or in a `field` of each message"
        report.add(venue_codes.BAD_FEED, message, located.span, help="write `bytes` or `field`, not both")
        return None
    if field and (of.value != "messages" or offset or order):
        message = "a `field` counts messages, and has neither offset nor order"
        report.add(venue_codes.BAD_FEED, message, field.span, help="write `sequence: {field: 34, of: messages}`")
        return None
    return Sequence(
        offset.value if offset else 0, size.value if size else 0, order.value if order else True,
        field.value if field else None, of.value,
    )  # fmt: skip


def _channels(section: Section, report: Report) -> Mapping[str, Channel] | None:
    written = section.get(CHANNELS)
    if written is None:
        return None
    found: dict[str, Channel] = {}
    lines: dict[Group, Span] = {}  # of all channels
    for name, located in written.value:
        values = located.value if located else None
        a, b, source, recovery = (values.get(key) for key in (A, B, SOURCE, RECOVERY)) if values else (None,) * 4
        if a is None:
            return None
        snapshots = [one for key in (A, B) if (one := recovery.value.get(key))] if recovery else []
        _once([a, *([b] if b else [])], lines, report)
        _once(snapshots, {one.value: one.span for one in (a, b) if one}, report)
        found[name.text] = Channel(
            a.value, b.value if b else None, source.value if source else None,
            tuple(one.value for one in snapshots),
        )  # fmt: skip
    if not found:
        report.add(venue_codes.BAD_FEED, "the feed has no channels", written.span, help="add one with its group `a`")
        return None
    return found


def _once(groups: Iterable[Located[Group]], seen: dict[Group, Span], report: Report) -> None:
    """Reports a group that is in ``seen`` already, and enters the others."""
    for group in groups:
        first = seen.setdefault(group.value, group.span)
        if first is not group.span:
            message = f"{group.value} is written twice"
            way_out = "each line has a group or a port of its own; a channel with one line has no `b`"
            related = [Related("the first", first)]
            report.add(venue_codes.BAD_FEED, message, group.span, related=related, help=way_out)


def _fields(section: Section, report: Report) -> dict[str, Located[str]] | None:
    written = section.get(FIELDS)
    found: dict[str, Located[str]] = {}
    for name, located in written.value if written else ():
        if name.text == NUMBER:
            way_out = "write `sequence: {field: NAME, of: messages}`, or leave it out"
            report.add(venue_codes.BAD_FEED, f"`{NUMBER}` is not named here", name.span, help=way_out)
            return None
        if name.text not in _NAMED:
            close = nearest(name.text, _NAMED, report)
            way_out = f"did you mean `{close}`?" if close else f"they are: {', '.join(_NAMED)}"
            message = f"`{clip(name.text)}` is nothing that a feed is read for"
            report.add(venue_codes.BAD_FEED, message, name.span, help=way_out, instead=[close] if close else [])
            return None
        if located is None:
            return None
        found[name.text] = located
    return found


def _kinds(section: Section, report: Report) -> dict[int, Located[TemplateKind]] | None:
    written = section.get(KINDS)
    found: dict[int, Located[TemplateKind]] = {}
    names: dict[int, ScalarNode] = {}
    for name, located in written.value if written else ():
        if not (name.text.isascii() and name.text.isdigit() and len(name.text) <= 10):
            report.add(venue_codes.BAD_FEED, f"`{clip(name.text)}` is no template's identifier", name.span)
            return None
        first = names.setdefault(int(name.text), name)
        if first is not name:
            message = f"`{name.text}` is the template of `{first.text}` again"
            related = [Related("the first", first.span)]
            report.add(venue_codes.BAD_FEED, message, name.span, related=related, help="leave one of them out")
            return None
        if located is None:
            return None
        found[int(name.text)] = located
    return found
