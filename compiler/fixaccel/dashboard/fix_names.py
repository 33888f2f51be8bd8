# SPDX-License-Identifier: Apache-2.0
"""Names of FIX fields and meanings of their values, from a QuickFIX data dictionary in XML."""

import re
import shutil
from pathlib import Path
from typing import TypeAlias
from xml.etree import ElementTree as ET

Decoded: TypeAlias = list[str]  # tag, name, value, meaning; name and meaning empty where the dictionary has none

_MOST_BYTES = 16 << 20
_MESSAGE_TYPE = "35"
_FIX44 = "FIX44.xml"
_INSTALLED = (Path("/usr/share/fixaccel"), Path("/usr/local/share/fixaccel"), Path("/usr/share/quickfix"))
_CHECKOUT = Path(__file__).resolve().parents[3]


class FixNames:
    """Without a dictionary fields have numbers alone."""

    def __init__(self, fields: dict[str, tuple[str, dict[str, str]]] | None = None) -> None:
        self._fields = fields or {}

    @classmethod
    def read(cls, path: Path) -> "FixNames":
        """Of the dictionary at ``path``. Raises OSError, ValueError with what is wrong."""
        with path.open("rb") as file:
            text = file.read(_MOST_BYTES + 1)
        if len(text) > _MOST_BYTES or b"<!ENTITY" in text:
            raise ValueError(f"{path} is no data dictionary")
        try:
            root = ET.fromstring(text)  # noqa: S314 - entities are refused above, and it is the user's own file
        except ET.ParseError as error:
            raise ValueError(f"{path}: {error}") from error
        fields = {
            field.get("number", ""): (
                field.get("name", ""),
                {value.get("enum", ""): _words(value.get("description", "")) for value in field.iter("value")},
            )
            for field in root.iterfind("./fields/field")
        }
        # MsgType's values are better known by the messages' own names.
        names = {each.get("msgtype", ""): each.get("name", "") for each in root.iterfind("./messages/message")}
        if _MESSAGE_TYPE in fields:
            fields[_MESSAGE_TYPE] = (fields[_MESSAGE_TYPE][0], fields[_MESSAGE_TYPE][1] | names)
        return cls(fields)

    def decode(self, raw: str) -> list[Decoded]:
        """The fields of a message with `|` for SOH, in its order; what is no field has an empty tag."""
        return [self._field(part) for part in raw.split("|") if part]

    def _field(self, part: str) -> Decoded:
        tag, equals, value = part.partition("=")
        if not equals or not tag.isdigit():
            return ["", "", part, ""]
        name, meanings = self._fields.get(tag, ("", {}))
        return [tag, name, value, meanings.get(value, "")]


def _words(description: str) -> str:
    """`IMMEDIATE_OR_CANCEL` and `IMMEDIATE OR CANCEL` as people write them."""
    return re.sub(r"[_\s]+", " ", description).strip().capitalize()


def installed() -> FixNames:
    """Of the dictionary that the simulator uses; numbers alone where there is none that can be read."""
    for folder in folders():
        try:
            return FixNames.read(folder / _FIX44)
        except (OSError, ValueError):
            continue
    return FixNames()


def folders() -> list[Path]:
    """Where the simulator looks for it: beside its program, in the checkout's build, where packages put it."""
    program = shutil.which("fixaccel-exchange")
    beside = [] if program is None else [Path(program).parent, Path(program).parent.parent / "share" / "fixaccel"]
    return [*beside, _CHECKOUT / "build" / "dictionary", *_INSTALLED]
