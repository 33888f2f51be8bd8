# SPDX-License-Identifier: Apache-2.0
"""The form of a board file, and the board that it describes."""

import re
from dataclasses import dataclass

from fixaccel.diagnostics.codes import language as codes
from fixaccel.diagnostics.codes import venue as venue_codes
from fixaccel.diagnostics.report import Report
from fixaccel.language.documents.kind import VERSION_KEYS, VERSION_KIND, check_version
from fixaccel.language.keys.kinds import Choice, Matching, Whole, pattern_of, scalar_text
from fixaccel.language.keys.schema import JsonSchema, Key, Section, Shape, clip
from fixaccel.language.patterns import HWMAP
from fixaccel.language.terms import Board
from fixaccel.source import Node

_HERTZ = {"kHz": 10**3, "MHz": 10**6, "GHz": 10**9}
_CLOCK = re.compile(r"([1-9][0-9]{0,5})(kHz|MHz|GHz)\Z")
_NAME = Matching(re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}\Z"), "a name", codes.BAD_TEXT, "use A-Z a-z 0-9 _ . -")


@dataclass(frozen=True)
class Clock:
    """A frequency in Hz."""

    form: str = "a frequency such as `125MHz`"

    def json_schema(self) -> JsonSchema:
        """A text of the pattern."""
        return {"type": "string", "pattern": pattern_of(_CLOCK)}

    def read(self, node: Node, key: str, report: Report) -> int | None:
        """Hertz."""
        scalar = scalar_text(node, key, self.form, report)
        if scalar is None:
            return None
        match = _CLOCK.match(scalar.text)
        if match is None:
            report.add(
                venue_codes.BAD_CLOCK,
                f"`{clip(scalar.text)}` is not {self.form}",
                scalar.span,
                help="units are kHz, MHz, GHz",
            )
            return None
        return int(match[1]) * _HERTZ[match[2]]


# The fabric keeps a tree of live bits over at least two words.
_LEAST = {"triggers": 2 * HWMAP.constant("live_word_bits")}
CAPACITIES = tuple(
    Key(name, Whole(_LEAST.get(name, 1), 1 << 24), doc, required=True)
    for name, doc in {
        "instruments": "Instruments that the directory holds.",
        "triggers": "Triggers that the chains hold.",
        "intervals": "Intervals of decisions.",
        "orders": "Different orders.",
        "templates": "Different message layouts.",
        "groups": f"Room for `oco` and `armed_by`: {HWMAP.constant('links_a_group')} ranges of triggers each.",
    }.items()
)
# A RAMB18 is half a BRAM36; a LUT that serves as memory or shift register counts as a LUT.
RESOURCES = tuple(
    Key(name, Whole(0, 1 << 24), doc)
    for name, doc in {
        "lut": "Look-up tables, as logic and as memory.",
        "ff": "Flip-flops.",
        "bram36": "Block RAMs of 36 kbit.",
        "dsp": "DSP slices.",
    }.items()
)
VERSION = Key(VERSION_KEYS["board"], VERSION_KIND, "Language version.", required=True)
NAME = Key("name", _NAME, "The board's name.", required=True)
PART = Key("part", _NAME, "The FPGA's part number.", required=True)
CLOCK = Key("clock", Clock(), "Clock of the fabric.", required=True)
INTERFACE = Key(
    "interface", Choice({"wire": "wire"}, later=("gem-bram",)), "How frames reach the fabric.", required=True
)
BYTES_PER_BEAT = Key("bytes_per_beat", Choice({"1": 1}, later=("4", "8")), "Width of the data path.", required=True)
CAPACITY = Key("capacity", Shape("`capacity`", CAPACITIES), "Sizes of the tables.", required=True)
CHIP = Key("chip", Shape("`chip`", RESOURCES), "What the part has.")
BUDGET = Key("budget", Shape("`budget`", RESOURCES), "What the fabric may take of it; `make synth` fails above it.")
BOARD_SHAPE = Shape("a board", (VERSION, NAME, PART, CLOCK, INTERFACE, BYTES_PER_BEAT, CAPACITY, CHIP, BUDGET))


def parse_board(root: Node, report: Report) -> Board | None:
    """Reads the whole tree; None if anything is missing or wrong."""
    if not check_version(root, "board", report):
        return None
    section = BOARD_SHAPE.read(root, "board", report)
    if section is None:
        return None
    name, part, clock = section.get(NAME), section.get(PART), section.get(CLOCK)
    interface, beat, capacity = section.get(INTERFACE), section.get(BYTES_PER_BEAT), section.get(CAPACITY)
    sizes = _sizes(capacity.value, report) if capacity else None
    chip, budget = _resources(section, report)
    if not (name and part and clock and interface and beat and sizes):
        return None
    return Board(name.value, part.value, clock.value, interface.value, beat.value, sizes, chip, budget)


def _resources(section: Section, report: Report) -> tuple[dict[str, int], dict[str, int]]:
    """What the chip has and what the fabric may take of it; reports a budget that the chip has no room for."""
    chip, budget = ({} if not part else part.value.values for part in (section.get(CHIP), section.get(BUDGET)))
    for name, allowed in budget.items():
        if name in chip and allowed.value > chip[name].value:
            report.add(
                venue_codes.BAD_BUDGET,
                f"{name}: {allowed.value} is more than the chip has ({chip[name].value})",
                allowed.span,
                help="lower this budget",
            )
    return {name: located.value for name, located in chip.items()}, {n: located.value for n, located in budget.items()}


def _sizes(section: Section, report: Report) -> dict[str, int] | None:
    values = {key.name: section.get(key) for key in CAPACITIES}
    sizes = {name: located.value for name, located in values.items() if located}
    if len(sizes) < len(CAPACITIES):
        return None
    sound = True
    for name, located in values.items():
        if located and located.value & (located.value - 1):
            report.add(venue_codes.BAD_CAPACITY, f"{name}: {located.value} is not a power of two", located.span)
            sound = False
    for memory in HWMAP.memories:
        try:
            HWMAP.depth(memory, sizes)
        except ValueError as error:
            owner = next(
                (
                    located
                    for name, located in values.items()
                    if located and name in HWMAP.memories[memory].depth.split()
                ),
                None,
            )
            report.add(
                venue_codes.BAD_CAPACITY, str(error), owner.span if owner else section.span, help="lower this capacity"
            )
            sound = False
    return sizes if sound else None
