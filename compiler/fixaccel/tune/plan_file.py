# SPDX-License-Identifier: Apache-2.0
"""The form of a tuning plan, and the plan as it is written."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fixaccel.diagnostics.codes import language
from fixaccel.diagnostics.codes import tune as codes
from fixaccel.diagnostics.report import Report
from fixaccel.language.documents.kind import VERSION_KEYS, VERSION_KIND, check_version
from fixaccel.language.keys.kinds import Choice, FreeText, ListOf, MapOf, Matching, Whole
from fixaccel.language.keys.schema import JsonSchema, Key, Located, Section, Shape, clip, nearest
from fixaccel.language.text.files import read_source
from fixaccel.language.text.reader import read_tree
from fixaccel.source import Node, ScalarNode, SourceFile, Span
from fixaccel.tune.catalogue import PROFILES, catalogue
from fixaccel.tune.forms import FORMS

KIND = "tune"
AUTO = "auto"
DEFAULT_NAME = "<default plan>"
DEFAULT_TEXT = f"{VERSION_KEYS[KIND]}: 1\n"
MOST_CORES = 8192
_INTERFACE = re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9_.:-]{1,15}\Z")

_CORE = Whole(0, MOST_CORES - 1)
DAEMON = Key("daemon", _CORE, "The daemon's core.", required=True)
BOARD = Key("board", _CORE, "The core of the program that serves the board.")
INTERRUPTS = Key("interrupts", _CORE, "The core on which the card's interrupts are served.")
HOUSEKEEPING = Key("housekeeping", ListOf(_CORE, filled=True), "Cores for all others.")
_CORES_SHAPE = Shape("`cores`", (DAEMON, BOARD, INTERRUPTS, HOUSEKEEPING))


@dataclass(frozen=True)
class CoresOrAuto:
    """Cores by their use, or `auto`."""

    form: str = "`auto`, or cores by their use"
    shape: Shape = _CORES_SHAPE

    def json_schema(self) -> JsonSchema:
        """The word, or an object."""
        return {"anyOf": [{"const": AUTO}, self.shape.json_schema()]}

    def read(self, node: Node, key: str, report: Report) -> Section | str | None:
        """The section, or the word."""
        if isinstance(node, ScalarNode) and node.text == AUTO:
            return AUTO
        return self.shape.read(node, key, report)


VERSION = Key(VERSION_KEYS[KIND], VERSION_KIND, "Version of the plan's language.", required=True)
PROFILE = Key("profile", Choice({name: name for name in PROFILES}), "What is wanted; `low-latency` if left out.")
INTERFACE = Key(
    "interface",
    Matching(_INTERFACE, "the name of an interface", language.BAD_TEXT, "as `ip link` shows it"),
    "The interface to the venue; if left out, the one of the route to it.",
)
CORES = Key("cores", CoresOrAuto(), "Which core is whose; `auto` if left out: on the card's NUMA node, core 0 last.")
SKIP = Key("skip", ListOf(FreeText(64, "the id of a knob")), "Knobs that are left alone.")
SET = Key("set", MapOf(FreeText(64, "a value"), "values by the id of their knob"), "Values in place of the profile's.")
TUNE_SHAPE = Shape("a tuning plan", (VERSION, PROFILE, INTERFACE, CORES, SKIP, SET))


@dataclass(frozen=True)
class WrittenCores:
    """Cores that a plan names, with their places; None for those that are left to the machine."""

    daemon: Located[int]
    board: Located[int] | None = None
    interrupts: Located[int] | None = None
    housekeeping: Located[list[Located[int]]] | None = None


@dataclass(frozen=True)
class Plan:
    """A plan as it is written. ``places`` are those of its keys, ``start`` that of the file."""

    profile: str = "low-latency"
    interface: str | None = None
    cores: WrittenCores | None = None
    skip: frozenset[str] = frozenset()
    set: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, Span] = field(default_factory=dict)
    start: Span = field(default_factory=lambda: Span(DEFAULT_NAME, 1, 1, 1, 1))

    def place(self, *keys: str) -> Span:
        """Where the first of these keys that is there is written, else the start of the file."""
        return next((self.places[key] for key in keys if key in self.places), self.start)


def read_plan(path: Path | None, report: Report, sources: dict[str, SourceFile]) -> Plan | None:
    """The plan at ``path``, or the one that stands for none; None if it has errors, which are reported."""
    given = None if path else DEFAULT_TEXT.encode()
    name = Path(DEFAULT_NAME) if path is None else path
    source = read_source(name, str(name), report, sources, given=given)
    tree = read_tree(source, report) if source else None
    return parse_plan(tree, report) if tree is not None else None


def parse_plan(root: Node, report: Report) -> Plan | None:
    """Reads the whole tree; None if anything in it is wrong."""
    if not check_version(root, KIND, report):
        return None
    section = TUNE_SHAPE.read(root, "plan", report)
    if section is None:
        return None
    profile, interface, cores = section.get(PROFILE), section.get(INTERFACE), section.get(CORES)
    places = section.keys | _values_of(section, PROFILE, INTERFACE)
    skip = _skip(section, report, places)
    values = _values(section, report, places)
    for name in sorted(skip & values.keys()):
        report.add(codes.TUNE_KNOB, f"`{name}` is skipped and set", places[name], help="leave one of the two out")
    written = _cores(cores.value, places) if cores and isinstance(cores.value, Section) else None
    if report.failed:
        return None
    return Plan(
        profile.value if profile else Plan.profile,
        interface.value if interface else None,
        written,
        skip,
        values,
        places,
        section.span,
    )


def known_knob(name: str, span: Span, report: Report) -> bool:
    """Whether there is a knob of this id; reports otherwise."""
    if name in catalogue():
        return True
    close = nearest(name, catalogue(), report)
    hint = f"did you mean `{close}`?" if close else "`fixaccel tune inspect` lists them"
    report.add(codes.TUNE_KNOB, f"there is no knob `{clip(name)}`", span, help=hint, instead=[close] if close else [])
    return False


def _values_of(section: Section, *keys: Key[Any]) -> dict[str, Span]:
    """Where their values stand."""
    return {key.name: located.span for key in keys if (located := section.get(key))}


def _skip(section: Section, report: Report, places: dict[str, Span]) -> frozenset[str]:
    skip = section.get(SKIP)
    found: set[str] = set()
    for entry in skip.value if skip else ():
        if known_knob(entry.value, entry.span, report):
            found.add(entry.value)
            places.setdefault(entry.value, entry.span)
    return frozenset(found)


def _values(section: Section, report: Report, places: dict[str, Span]) -> dict[str, str]:
    written = section.get(SET)
    found: dict[str, str] = {}
    for key, value in written.value if written else ():
        if value is None or not known_knob(key.text, key.span, report):
            continue
        places[key.text] = key.span
        knob = catalogue()[key.text]
        if knob.cls == "told":
            way_out = "change it by hand" if knob.scope == "firmware" else "leave it out"
            report.add(codes.TUNE_VALUE, f"`{knob.id}` is only told, never set", key.span, help=way_out)
        elif not FORMS[knob.form].checks(value.value):
            form = FORMS[knob.form].words
            report.add(codes.TUNE_VALUE, f"`{clip(value.value)}` is not {form}", value.span, help=f"give {form}")
        else:
            found[knob.id] = value.value
    return found


def _cores(section: Section, places: dict[str, Span]) -> WrittenCores | None:
    places |= section.keys | _values_of(section, DAEMON)
    daemon = section.get(DAEMON)
    if daemon is None:
        return None
    return WrittenCores(daemon, section.get(BOARD), section.get(INTERRUPTS), section.get(HOUSEKEEPING))
