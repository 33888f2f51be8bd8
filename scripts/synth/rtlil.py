# SPDX-License-Identifier: Apache-2.0
"""What an elaborated design holds, read from yosys' RTLIL text: ports, memories, cells, and a digest of each module."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

_WIRE = re.compile(
    r"wire (?:width (\d+) )?(?:upto |signed |offset -?\d+ )*(input|output|inout) \d+ (?:signed )?\\(\S+)"
)
_MEMORY = re.compile(r"memory (?:width (\d+) )?(?:size (\d+) )?(?:offset -?\d+ )?\\(\S+)")
_SOURCE = re.compile(r'attribute \\src "([^:"|]*)')
_NUMBERED = re.compile(r"\$(?!\w+_v2\b)[^\s\[\]{}]*\d[^\s\[\]{}]*")


@dataclass(frozen=True)
class Port:
    name: str
    direction: str  # input, output or inout
    width: int


@dataclass(frozen=True)
class Memory:
    name: str
    width: int
    size: int


@dataclass(frozen=True)
class Cell:
    type: str
    name: str
    source: str  # path of the file it was written in
    ports: dict[str, str] = field(default_factory=dict)
    parameters: dict[str, str] = field(default_factory=dict)


@dataclass
class Module:
    """One instance of a module: slang names it ``definition$path``, the top by its bare name."""

    name: str
    source: str
    ports: list[Port] = field(default_factory=list)
    memories: list[Memory] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    children: list[str] = field(default_factory=list)
    initial: list[str] = field(default_factory=list)  # signals with a value at power-up
    digest: str = ""  # of its own text, not of what is below it; the same for equal instances

    @property
    def definition(self) -> str:
        """The name that the source gives it."""
        return self.name.partition("$")[0]

    @property
    def path(self) -> str:
        """Where it stands, from the top's name on."""
        return self.name.partition("$")[2] or self.name


def load(file: Path) -> dict[str, Module]:
    """All modules of an RTLIL file but blackboxes, parents first."""
    modules = {module.name: module for module in _modules(file.read_text(encoding="utf-8").splitlines())}
    for module in modules.values():
        module.children = [cell.type for cell in module.cells if cell.type in modules]
    return modules


def digest(modules: dict[str, Module], name: str) -> str:
    """Of a module with all that is below it: equal for equal hardware, wherever it stands."""
    below = "".join(digest(modules, child) for child in modules[name].children)
    return sha256((modules[name].digest + below).encode()).hexdigest()


def _modules(lines: list[str]) -> Iterator[Module]:
    source = ""
    start = 0
    blackbox = False
    for number, line in enumerate(lines):
        if line.startswith("module "):
            start = number
        elif line.startswith("attribute \\src"):
            source = _path_in(line)
        elif line.startswith("attribute \\blackbox"):
            blackbox = True
        elif line == "end":
            if not blackbox:
                yield _module(lines[start : number + 1], source)
            blackbox = False


def _module(lines: list[str], source: str) -> Module:
    module = Module(lines[0].split()[1].lstrip("\\"), source)
    numbers: dict[str, str] = {}
    text = sha256()
    place = source
    cell: Cell | None = None
    initial = False
    for line in lines:
        word = line.strip()
        if word.startswith("attribute \\src"):
            place = _path_in(word)
            continue  # where a line stands changes no hardware
        # Names that yosys counts up are counted anew, and the instance's path is taken out.
        plain = word.replace(module.name, "@").replace(f"${module.path}.", "$@.")
        text.update((_NUMBERED.sub(lambda m: numbers.setdefault(m[0], f"#{len(numbers)}"), plain) + "\n").encode())
        if word.startswith("attribute \\init "):
            initial = True
        elif word.startswith("wire "):
            if initial:
                module.initial.append(word.split()[-1].removeprefix("\\"))
            initial = False
            found = _WIRE.match(word)
            if found:
                module.ports.append(Port(found[3], found[2], int(found[1] or 1)))
        elif word.startswith("memory "):
            found = _MEMORY.match(word)
            if found:
                module.memories.append(Memory(found[3], int(found[1] or 1), int(found[2] or 1)))
        elif word.startswith("cell "):
            _, kind, name = word.split()
            cell = Cell(kind.removeprefix("\\"), name.removeprefix("\\"), place)
            if kind != "$meminit_v2":
                module.cells.append(cell)
        elif cell and word.startswith("connect "):
            _, port, signal = word.split(maxsplit=2)
            cell.ports[port.removeprefix("\\")] = signal
        elif cell and word.startswith("parameter "):
            _, parameter, value = word.replace("signed ", "").split(maxsplit=2)
            cell.parameters[parameter.removeprefix("\\")] = value
        elif word == "end":
            cell = None
    module.digest = text.hexdigest()
    return module


def _path_in(line: str) -> str:
    found = _SOURCE.search(line)
    return found[1] if found else ""
