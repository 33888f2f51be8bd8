# SPDX-License-Identifier: Apache-2.0
"""Reads and checks a hardware map."""

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from fixaccel.data import data_path
from fixaccel.hwmap.hwmap import WORD_BITS, WORD_BYTES, Constant, Field, Hwmap, Memory, Record, Register
from fixaccel.hwmap.keywords import RESERVED

_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_DEPTH = re.compile(r"[a-z0-9_]+( [*/] [a-z0-9_]+)*\Z")
_ACCESS = {"ro", "rw", "wo"}
# Maps beside the core's: of the Ethernet controller's path, of programs that decode a feed, and of the link's frames.
WINDOWS = ("zynq_gem", "gem_port", "feed", "link")
_MEMORY_ACCESS = {"ro", "rw", "wo", "rw_armed", "wo_armed"}


class HwmapError(ValueError):
    """All that is wrong with a hardware map, a line each."""


def load_hwmap(path: Path | None = None) -> Hwmap:
    """Loads ``path`` (default: the shipped map, read once). Raises HwmapError with every fault found."""
    return _load(path) if path else _shipped()


def load_window(name: str) -> Hwmap:
    """The shipped map ``name``, one of ``WINDOWS``."""
    return _load(data_path(f"rtl/hwmap/{name}.yaml"))


@cache
def _shipped() -> Hwmap:
    return _load(data_path("rtl/hwmap/fixaccel.yaml"))


def _load(path: Path) -> Hwmap:
    text = path.read_bytes()
    raw = yaml.load(text, yaml.CSafeLoader)
    errors: list[str] = []
    records = {r: Record(r, raw["records"][r]["doc"], _fields(r, raw["records"][r], errors)) for r in raw["records"]}
    hwmap = Hwmap(
        name=raw["name"],
        summary=raw["summary"],
        digest=hashlib.sha256(text).hexdigest(),
        constants={n: Constant(n, c["value"], c["doc"]) for n, c in raw["constants"].items()},
        registers=_registers(raw["registers"], errors),
        records=records,
        memories={m["name"]: _memory(m, records) for m in raw["memories"]},
    )
    _check(hwmap, errors)
    if errors:
        raise HwmapError("\n".join(errors))
    return hwmap


def _fields(owner: str, raw: dict[str, Any], errors: list[str]) -> tuple[Field, ...]:
    fields: list[Field] = []
    lsb = 0
    for item in raw.get("fields", ()):
        name, bits = item["name"], item["bits"]
        if name in {f.name for f in fields}:
            errors.append(f"{owner}.{name}: declared twice")
        if bits < 1:
            errors.append(f"{owner}.{name}: {bits} bits")
        signed, unit, counts = item.get("signed", False), item.get("unit", ""), item.get("counts", "")
        if item.get("at", lsb) < lsb:
            errors.append(f"{owner}.{name}: bit {item['at']} belongs to the field before it")
        lsb = item.get("at", lsb)
        fields.append(Field(name, bits, lsb, signed, unit, item["doc"], counts))
        lsb += bits
    return tuple(fields)


def _registers(raw: list[dict[str, Any]], errors: list[str]) -> dict[str, Register]:
    """One behind the other, but where ``at`` says otherwise: a map of somebody else's device has holes."""
    registers: dict[str, Register] = {}
    address = -WORD_BYTES
    for item in raw:
        name = item["name"]
        fields = _fields(name, item, errors)
        if name in registers:
            errors.append(f"{name}: declared twice")
        if fields and fields[-1].msb >= WORD_BITS:
            errors.append(f"{name}: fields take more than {WORD_BITS} bits")
        if item.get("at", address + WORD_BYTES) <= address:
            errors.append(f"{name}: address {item['at']:#x} is not beyond the register before it")
        address = item.get("at", address + WORD_BYTES)
        registers[name] = Register(
            name, address, item["access"], item.get("reset", 0), item.get("unit", ""), item["doc"], fields
        )
    return registers


def _memory(raw: dict[str, Any], records: dict[str, Record]) -> Memory:
    return Memory(raw["name"], records[raw["record"]], raw["base"], raw["room"], raw["depth"], raw["access"])


def _check(hwmap: Hwmap, errors: list[str]) -> None:
    """Names usable in every target language, windows apart, aligned and inside the address space."""
    named = [*hwmap.constants, *hwmap.registers, *hwmap.records, *hwmap.memories]
    named += [f.name for register in hwmap.registers.values() for f in register.fields]
    named += [f.name for record in hwmap.records.values() for f in record.fields]
    for name in sorted(set(named)):
        if not _NAME.match(name):
            errors.append(f"{name}: not a lower-case identifier")
        elif name in RESERVED:
            errors.append(f"{name}: a keyword of {RESERVED[name]}")
    errors += [f"{r.name}: access {r.access}" for r in hwmap.registers.values() if r.access not in _ACCESS]
    errors += [f"{m.name}: access {m.access}" for m in hwmap.memories.values() if m.access not in _MEMORY_ACCESS]
    end = max((register.address for register in hwmap.registers.values()), default=-WORD_BYTES) + WORD_BYTES
    bits = hwmap.constant("address_bits")
    for memory in sorted(hwmap.memories.values(), key=lambda m: m.base):
        if memory.base < end:
            errors.append(f"{memory.name}: window at {memory.base:#x} overlaps the one before it, up to {end:#x}")
        if memory.base % memory.record.stride_bytes:
            errors.append(f"{memory.name}: base {memory.base:#x} is not a multiple of its stride")
        if memory.end > 1 << bits:
            errors.append(f"{memory.name}: ends at {memory.end:#x}, beyond the {bits}-bit address space")
        if not _DEPTH.match(memory.depth):
            errors.append(f"{memory.name}: depth {memory.depth!r} is not a product such as `2 * instruments`")
        end = memory.end
