# SPDX-License-Identifier: Apache-2.0
"""How fast the program interpreter decodes a feed, beside foreign decoders on the same data; cycles of the fabric."""

import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from fixaccel.fast.encoder import Encoder
from fixaccel.fast.messages import Fields, Message
from fixaccel.fast.model import Item, Scaled, Templates
from fixaccel.fast.program.image import to_bytes
from fixaccel.fast.program.interest import Interest, everything, nothing
from fixaccel.fast.program.load import LoadedProgram, load_program
from fixaccel.fast.program.native import Fabric, find_interpreter
from fixaccel.fast.program.program import Limits
from report import Figure, figure

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "fast"))

from oracles import ORACLES, NotHereError  # type: ignore[import-not-found]  # noqa: E402

NOTE = (
    "Nanoseconds a message, one core, templates/simulator.xml, increments of three entries, three messages a datagram; "
    "previous values are forgotten at each datagram. Each adds up all values that it is told. The ratio is to the "
    "interpreter that tells every field. A foreign decoder that cannot be built here has no row. Rows of the fabric: "
    "cycles of 8 ns of the Verilated decoder, from a datagram's first byte to the last field that it tells, beyond one "
    "a byte; of a message of 85 bytes in which each field has one, and of these datagrams."
)
_TEMPLATES = ROOT / "strategies" / "venues" / "templates" / "simulator.xml"
_DATAGRAMS, _MESSAGES, _ENTRIES = 4_000, 3, 3
_ROUNDS = 15
_SIMULATED = 200  # datagrams
_SEED = 1


def measure() -> list[Figure]:
    """A row for each decoder."""
    with tempfile.TemporaryDirectory(prefix="fixaccel-bench-") as name:
        folder = Path(name)
        data = folder / "datagrams"
        commands: dict[str, list[str]] = {}
        templates = load_program(_TEMPLATES, Interest(), Limits()).templates
        assert templates
        data.write_bytes(_corpus(templates))
        for what, tagged in (("interpreter, every field", everything), ("interpreter, prices alone", nothing)):
            loaded = load_program(_TEMPLATES, Interest(tagged=tagged), Limits())
            assert loaded.program
            program = folder / f"program-{len(commands)}"
            program.write_bytes(to_bytes(loaded.program))
            commands[what] = [str(find_interpreter()), "bench", str(program), str(data), str(_ROUNDS)]
        try:
            fastlib = ORACLES["fastlib"].made(build=True)
            # It takes the first node of a file for its root.
            plain = folder / "templates.xml"
            plain.write_text(re.sub(r"<!--.*?-->|<\?.*?\?>", "", _TEMPLATES.read_text(), flags=re.DOTALL).strip())
            commands["fastlib 0.3.8"] = [*fastlib, "bench", str(plain), str(data), str(_ROUNDS)]
        except NotHereError as error:
            print(f"fastlib: not run, {error}")
        figures: list[Figure] = []
        for what, command in commands.items():
            samples = _samples(command)
            figures.append(figure(what, "ns/message", samples, figures[0] if figures else None))
        return [*figures, *_fabric(folder, data.read_bytes())]


def _samples(command: list[str]) -> list[float]:
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    rounds = [[int(word) for word in line.split()] for line in lines]
    assert {messages for _, messages, _ in rounds} == {_DATAGRAMS * _MESSAGES}
    return [took / messages for took, messages, _ in rounds]


def _fabric(folder: Path, data: bytes) -> list[Figure]:
    """Cycles beyond a byte a cycle."""
    fields = "".join(f'<uInt32 name="F{at}"/>' for at in range(83))
    one_byte_each = folder / "one-byte-each.xml"
    one_byte_each.write_text(f'<templates><template name="T" id="1">{fields}</template></templates>')
    plain = _load(one_byte_each)
    assert plain.templates
    message = Encoder().datagram([Message(plain.templates.by_id[1], {f"F{at}": 1 for at in range(83)})])
    every, prices = (_load(_TEMPLATES, tagged).program for tagged in (everything, nothing))
    found = []
    with Fabric() as fabric:
        for what, program, datagrams in (
            ("fabric, 85 bytes", plain.program, [message] * 2),
            ("fabric, every field", every, [*_datagrams(data)][:_SIMULATED]),
            ("fabric, prices alone", prices, [*_datagrams(data)][:_SIMULATED]),
        ):
            assert program
            samples = []
            for datagram in datagrams:
                assert fabric.datagram(program, datagram).stopped is None
                samples.append(fabric.cycles - len(datagram))
            # The first one of a template looks it up.
            found.append(figure(what, "cycles beyond bytes", samples[1:]))
    return found


def _load(file: Path, tagged: Callable[[Item], bool] = everything) -> LoadedProgram:
    return load_program(file, Interest(tagged=tagged), Limits())


def _datagrams(data: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        size = int.from_bytes(data[at : at + 2], "big")
        yield data[at + 2 : at + 2 + size]
        at += 2 + size


def _corpus(templates: Templates) -> bytes:
    """Datagrams, each behind its length."""
    chance = random.Random(_SEED)
    template = templates.by_id[1]
    number, time, price = 0, 34_200_000_000, 118_000
    datagrams = []
    for _ in range(_DATAGRAMS):
        messages = []
        for _ in range(_MESSAGES):
            number, time = number + 1, time + chance.randrange(1, 400)
            entries: list[Fields] = []
            for _ in range(_ENTRIES):
                price += chance.randrange(-5, 6)
                entry: Fields = {
                    "MDUpdateAction": chance.choice([0, 1, 1, 1]), "MDEntryType": chance.choice([b"0", b"1", b"2"]),
                    "SecurityID": chance.choice([4711, 4712, 67_242_566]), "MDEntryPx": Scaled(-2, price),
                    "MDEntrySize": chance.randrange(1, 5_000),
                }  # fmt: skip
                entries.append(entry)
            fields: Fields = {"MsgType": b"X", "MsgSeqNum": number, "SendingTime": time, "Entries": entries}
            messages.append(Message(template, fields))
        datagrams.append(Encoder().datagram(messages))
    return b"".join(len(one).to_bytes(2, "big") + one for one in datagrams)
