# SPDX-License-Identifier: Apache-2.0
"""What the messages of the bus hold: the one description, for readers, tests and the reference page."""

from dataclasses import dataclass
from typing import Any

from fixaccel.bus import names

JsonSchema = dict[str, Any]

_COUNT: JsonSchema = {"type": "integer", "minimum": 0}
_TEXT: JsonSchema = {"type": "string"}
_FLAG: JsonSchema = {"type": "boolean"}
_DECIMAL: JsonSchema = {"type": ["string", "null"], "pattern": r"^-?[0-9]+(\.[0-9]+)?$"}
_SIDES = ("bid", "ask", "last")
_PRICES: JsonSchema = {side + rest: _DECIMAL for side in _SIDES for rest in ("", "_size")}


@dataclass(frozen=True)
class Field:
    """One key of a message. ``optional``: it may be missing."""

    name: str
    schema: JsonSchema
    says: str
    optional: bool = False


@dataclass(frozen=True)
class Kind:
    """One kind of message: the end of its subject behind the board, and its keys."""

    name: str
    subject: str
    says: str
    fields: tuple[Field, ...]

    def schema(self) -> JsonSchema:
        """As a JSON Schema. Readers ignore keys that they do not know; what is sent has these and no others."""
        return {
            "type": "object",
            "properties": {field.name: field.schema for field in self.fields},
            "required": [field.name for field in self.fields if not field.optional],
            "additionalProperties": False,
        }


_VERSION = Field("v", {"const": names.VERSION}, "version of the messages")
_RUN = Field("run", _COUNT, "of the relay: milliseconds of UTC when it began; a later one is higher")

QUOTE = Kind(
    "quote",
    f"{names.QUOTES}.SYMBOL",
    "a message with market data, what is known of its instrument after it, or that something is missing",
    (
        _VERSION,
        _RUN,
        Field("n", _COUNT, "messages about this instrument in this run, from 1: a number that is missing was missed"),
        Field(
            "gaps", _COUNT, "how often the relay itself has missed something of the instrument; more than before: a gap"
        ),
        Field("ts_ns", _COUNT, "when the daemon had it, nanoseconds of UTC"),
        Field("symbol", _TEXT, "as the venue writes it"),
        Field("kind", {"enum": ["update", "snapshot", "gap"]}, "as in event files; behind a `gap` comes a snapshot"),
        Field(
            "msg",
            {"type": "object", "properties": _PRICES, "additionalProperties": False},
            "what it carried; null: the venue took it out",
        ),
        Field(
            "top",
            {
                "type": "object",
                "properties": {**_PRICES, "state": {"enum": ["open", "unknown"]}},
                "required": [*_PRICES, "state"],
                "additionalProperties": False,
            },
            "all that is known after it; null: unknown. `state` is `unknown` behind a gap, until something comes",
        ),
        Field("again", {"const": True}, "the last one said once more, with its number", optional=True),
    ),
)
EVENT = Kind(
    "event",
    f"{names.EVENTS}.KIND",
    "a record of the journal",
    (
        _VERSION,
        Field("n", {"type": "integer", "minimum": 1}, "number of the event, and its sequence in the stream"),
        Field("record", {"type": "integer", "minimum": 1}, "number of the record in the journal"),
        Field("kind", {"enum": list(names.EVENT_KINDS)}, "as in the subject"),
        Field("type", {"enum": [one for types in names.EVENT_KINDS.values() for one in types]}, "of the record"),
        Field("time_ns", _COUNT, "of the record"),
        Field("data", {"type": "object"}, "the record's other fields, without raw FIX"),
    ),
)
STATUS = Kind(
    "status",
    names.STATUS,
    "what the daemon is at, once a second",
    (
        _VERSION,
        _RUN,
        Field("ts_ns", _COUNT, "when the daemon was last seen"),
        Field("daemon", _FLAG, "it was seen lately"),
        Field("phase", _TEXT, "of its session"),
        *(Field(flag, _FLAG, f"whether it is {flag}") for flag in ("armed", "dry", "killed", "connected")),
        Field("fires", _COUNT, "recorded since its start"),
        Field("reports", _COUNT, "execution reports, likewise"),
        Field("quotes", _COUNT, "messages with market data, likewise"),
    ),
)
HEARTBEAT = Kind(
    "heartbeat",
    names.HEARTBEAT,
    "what the relay is at, once a second",
    (
        _VERSION,
        _RUN,
        Field("ts_ns", _COUNT, "when it was sent"),
        Field("daemon", _FLAG, "the daemon was seen lately"),
        Field("instruments", _COUNT, "that are known"),
        Field("published", _COUNT, "quotes and gaps"),
        Field("repeated", _COUNT, "images that were said again"),
        Field("connects", _COUNT, "connections to a server"),
        Field("ring_records", _COUNT, "that the daemon has written"),
        Field("ring_lost", _COUNT, "of them that were overwritten unread"),
        Field("events", _COUNT, "in the stream"),
        Field("record", _COUNT, "of the journal, up to which they go"),
        Field("durable", _COUNT, "record of the journal up to which it survives a loss of power, by the daemon's word"),
        Field("lag", _COUNT, "records between the two"),
    ),
)
KINDS = (QUOTE, EVENT, STATUS, HEARTBEAT)


def kind_of(subject: str) -> Kind:
    """The kind of message at a subject. Raises KeyError for one that has none."""
    word = subject.split(".")[3]
    return {kind.subject.partition(".")[0]: kind for kind in KINDS}[word]
