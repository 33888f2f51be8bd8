# SPDX-License-Identifier: Apache-2.0
"""Makes the reference of the exchange simulator's messages and fields from the FIX dictionary that it uses."""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

# Application messages by MsgType; those of the session layer are the header's business.
_TAKEN = ("D", "F", "G", "q", "H", "AF", "V")
_SENT = ("8", "9", "r", "W", "X", "Y", "j")
# Of exchange-sim/venue/unfollowed.hpp: its tables, what has the fields of each, and the answer.
_MASS_ANSWER = "`r` 532=99; `8` 103=99"
_REFUSED = {
    "kOrderUnfollowed": ("`D` `G`", "`8` 103=11; `9` 102=99"),
    "kChangeUnfollowed": ("`F` `G`", "`9` 102=99"),
    "kMassUnfollowed": ("`q` `AF`", _MASS_ANSWER),
    "kAllUnfollowed": ("`q` 530=7, `AF` 585=7", _MASS_ANSWER),
    "kMarketDataUnfollowed": ("`V`", "`Y`"),
}
_TABLE = re.compile(r"constexpr std::array (\w+) = \{(.*?)\n\};", re.DOTALL)
_ENTRY = re.compile(r'Unfollowed\{(\d+), "(\w+)"(?:, (?:"(\w+)"|nullptr))?(?:, "(\w+)")?')
_REASON = 281  # MDReqRejReason, which some entries have
_MOST_VALUES = 20  # of an enumeration that is written out
_TAGS = re.compile(r"constexpr int k\w+ = (\d+);")
_HEADERS = ("exchange-sim/session/message.hpp", "exchange-sim/venue/tags.hpp")

_HEAD = """# Messages of the exchange simulator

The application messages of the simulator, made from its FIX 4.4 dictionary and from the tags that its sources name.
*Must* says what FIX requires: a message without it is answered with a Reject (`35=3`, 373=1). *Known* are the fields
that FIX allows in a message and that the venue uses in one message or another. What asks for something that the venue
does not do is refused by name, see below; all others only tell of an order, are checked against the dictionary and have
no effect. [](exchange-sessions.md) tells of the session layer, [](../howto/exchange-sim.md) what
the venue does.
"""


class _Dictionary:
    """QuickFIX's data dictionary in XML."""

    def __init__(self, path: Path) -> None:
        self._root = ET.parse(path).getroot()  # noqa: S314 - setup has checked the file's hash
        self._fields = {each.attrib["name"]: each for each in self._root.iterfind("./fields/field")}
        self._parts = {each.attrib["name"]: each for each in self._root.iterfind("./components/component")}
        self._messages = {each.attrib["msgtype"]: each for each in self._root.iterfind("./messages/message")}

    def name(self, message: str) -> str:
        return self._messages[message].attrib["name"]

    def fields(self, message: str) -> dict[int, tuple[str, bool]]:
        """Name of each field of a message, its groups' included, and whether the message must have it, by tag."""
        return dict(self._walk(self._messages[message], required=True))

    def field(self, tag: int) -> ET.Element:
        return next(each for each in self._fields.values() if each.attrib["number"] == str(tag))

    def _walk(self, part: ET.Element, *, required: bool) -> Iterator[tuple[int, tuple[str, bool]]]:
        for each in part:
            must = required and each.attrib["required"] == "Y"
            name = each.attrib["name"]
            if each.tag == "component":
                yield from self._walk(self._parts[name], required=must)
                continue
            yield int(self._fields[name].attrib["number"]), (name, must)
            yield from self._walk(each, required=must)


def page(root: Path) -> str:
    """The page as MyST Markdown, of the repository at ``root``; OSError where the dictionary is not installed."""
    dictionary = _Dictionary(root / "build" / "dictionary" / "FIX44.xml")
    known = {int(tag) for header in _HEADERS for tag in _TAGS.findall((root / header).read_text(encoding="utf-8"))}
    used: set[int] = set()
    parts = [_HEAD]
    for title, types in (("From clients", _TAKEN), ("From the venue", _SENT)):
        parts += [f"## {title}\n", "| `35` | message | must | known |", "| --- | --- | --- | --- |"]
        for message in types:
            fields = dictionary.fields(message)
            ours = sorted(known & set(fields))
            used |= set(ours)
            must = [f"{name}({tag})" for tag, (name, needed) in sorted(fields.items()) if needed]
            also = [f"{fields[tag][0]}({tag})" for tag in ours]
            parts.append(f"| `{message}` | {dictionary.name(message)} | {', '.join(must)} | {', '.join(also)} |")
        parts.append("")
    source = (root / "exchange-sim/venue/unfollowed.hpp").read_text(encoding="utf-8")
    parts += _refused(source, _values(dictionary.field(_REASON)))
    parts += ["## Fields\n", "| tag | name | type | values |", "| --- | --- | --- | --- |"]
    parts += [_row(dictionary.field(tag)) for tag in sorted(used)]
    return "\n".join(parts) + "\n"


def _refused(source: str, reasons: dict[str, str]) -> Iterator[str]:
    """Lines about the fields that make the venue refuse a message."""
    yield from ("## Refused by name\n", "| in | field | but not | answer |", "| --- | --- | --- | --- |")
    for table, entries in _TABLE.findall(source):
        message, answer = _REFUSED[table]
        for tag, name, nothing, reason in _ENTRY.findall(entries):
            why = f" {_REASON}={reason}: {reasons[reason]}" if reason else ""
            yield f"| {message} | {name}({tag}) | {f'`{nothing}`' if nothing else ''} | {answer}{why} |"
    yield ""


def _values(field: ET.Element) -> dict[str, str]:
    return {each.attrib["enum"]: _words(each.attrib["description"]) for each in field.iter("value")}


def _row(field: ET.Element) -> str:
    values = [f"`{code}` {words}" for code, words in _values(field).items()]
    shown = ", ".join(values) if len(values) <= _MOST_VALUES else f"{len(values)} of them in the dictionary"
    return f"| {field.attrib['number']} | {field.attrib['name']} | {field.attrib['type'].lower()} | {shown} |"


def _words(description: str) -> str:
    return re.sub(r"[_\s]+", " ", description).strip().lower()
