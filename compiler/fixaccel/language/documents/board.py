# SPDX-License-Identifier: Apache-2.0
"""The form of a board file, and the board that it describes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from fixaccel.diagnostics.codes import language as codes
from fixaccel.diagnostics.codes import venue as venue_codes
from fixaccel.diagnostics.report import Report
from fixaccel.fast.layout import FEED as FEED_MAP
from fixaccel.hwmap import load_window
from fixaccel.language.documents.kind import VERSION_KEYS, VERSION_KIND, check_version
from fixaccel.language.keys.kinds import Choice, Matching, Whole, pattern_of, scalar_text
from fixaccel.language.keys.schema import JsonSchema, Key, Located, Section, Shape, clip
from fixaccel.language.patterns import HWMAP
from fixaccel.language.terms import Board, FeedBoard
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
GEM_BRAM = "gem-bram"
_PORT = load_window("gem_port")
INTERFACE = Key(
    "interface", Choice({word: word for word in ("wire", GEM_BRAM)}), "How frames reach the fabric.", required=True
)
BYTES_PER_BEAT = Key("bytes_per_beat", Choice({"1": 1}, later=("4", "8")), "Width of the data path.", required=True)
CAPACITY = Key("capacity", Shape("`capacity`", CAPACITIES), "Sizes of the tables.", required=True)
GEM_SLOTS = tuple(
    Key(name, Whole(2, 1 << 16), doc, required=True)
    for name, doc in {
        "receive_slots": "Receive buffers and their descriptors.",
        "transmit_slots": "Transmit buffers and their descriptors.",
        "to_cpu_slots": "Mailboxes with frames to the CPU.",
        "from_cpu_slots": "Mailboxes with frames from the CPU.",
    }.items()
)
GEM = Key("gem", Shape("`gem`", GEM_SLOTS), f"Sizes of the memories behind `interface: {GEM_BRAM}`, which needs them.")
_FEED_PORTS = tuple(
    Key(name, Choice({port: port for port in ("net", f"feed_{name}")}), f"Port of all lines {name}.", required=True)
    for name in ("a", "b")
)
_LINES = Key("lines", Whole(1, 8), "Lines that are received at once.", required=True)
_FEED_SIZES = tuple(
    Key(name, Whole(1, FEED_MAP.constant(name)), doc, required=True)
    for name, doc in {
        "instructions": "Words of a program.",
        "numbers": "Slots for previous and initial values that are numbers.",
        "strings": f"The same for strings, of {FEED_MAP.constant('kept_bytes')} bytes each.",
    }.items()
)
FEED = Key(
    "feed",
    Shape("`feed`", (*_FEED_PORTS, _LINES, *_FEED_SIZES)),
    "Decoding of a feed in FAST: ports and sizes. Without it the fabric decodes none.",
)
CHIP = Key("chip", Shape("`chip`", RESOURCES), "What the part has.")
BUDGET = Key("budget", Shape("`budget`", RESOURCES), "What the fabric may take of it; `make synth` fails above it.")
BOARD_SHAPE = Shape(
    "a board", (VERSION, NAME, PART, CLOCK, INTERFACE, BYTES_PER_BEAT, CAPACITY, GEM, FEED, CHIP, BUDGET)
)


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
    gem = _gem(section, report)
    chip, budget = _resources(section, report)
    feed = _feed(section)
    if not (name and part and clock and interface and beat and sizes) or gem is None:
        return None
    if feed is None and FEED.name in section.keys:
        return None
    return Board(name.value, part.value, clock.value, interface.value, beat.value, sizes, chip, budget, gem, feed)


def _feed(section: Section) -> FeedBoard | None:
    """None where the file has no `feed`, or one with a fault, which was reported."""
    written = section.get(FEED)
    if written is None:
        return None
    port_a, port_b = (written.value.get(key) for key in _FEED_PORTS)
    sizes = [size.value for key in (_LINES, *_FEED_SIZES) if (size := written.value.get(key))]
    if port_a is None or port_b is None or len(sizes) < 1 + len(_FEED_SIZES):
        return None
    return FeedBoard(port_a.value, port_b.value, *sizes)


def _gem(section: Section, report: Report) -> dict[str, int] | None:
    """Slots of gem_port's memories, none for another interface; reports what the window has no room for."""
    interface, gem = section.get(INTERFACE), section.get(GEM)
    if interface and (interface.value == GEM_BRAM) != (GEM.name in section.keys):
        wants = interface.value == GEM_BRAM
        report.add(
            codes.MISSING_KEY,
            f"`interface: {GEM_BRAM}` {'needs `gem`' if wants else 'is what `gem` belongs to'}",
            interface.span if wants else section.keys[GEM.name],
            help=f"add `gem:` with {', '.join(key.name for key in GEM_SLOTS)}" if wants else "leave `gem` out",
        )
        return None
    if gem is None:
        return {} if GEM.name not in section.keys else None
    values = {key.name: located for key in GEM_SLOTS if (located := gem.value.get(key))}
    if len(values) < len(GEM_SLOTS):
        return None
    sizes = {name: located.value for name, located in values.items()}
    sound = _powers_of_two(values, report)
    for memory, window in _PORT.memories.items():
        try:
            _PORT.depth(memory, sizes)
        except ValueError as error:
            owner = next(located for name, located in values.items() if name in window.depth.split())
            report.add(venue_codes.BAD_CAPACITY, str(error), owner.span, help="lower this number of slots")
            sound = False
    return sizes if sound else None


def _powers_of_two(values: Mapping[str, Located[int]], report: Report) -> bool:
    """Whether all of them are; reports those that are not."""
    wrong = {name: located for name, located in values.items() if located.value & (located.value - 1)}
    for name, located in wrong.items():
        report.add(venue_codes.BAD_CAPACITY, f"{name}: {located.value} is not a power of two", located.span)
    return not wrong


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
    sound = _powers_of_two({name: located for name, located in values.items() if located}, report)
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
