# SPDX-License-Identifier: Apache-2.0
"""Python's packed records and C++'s typed records are the same words, and read back as the same values.

The C++ side is the program ``hwmap-pack``, compiled from the generated header.
"""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fixaccel.hwmap import Record, load_hwmap

HWMAP = load_hwmap()
ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("FIXACCEL_BUILD", ROOT / "build" / "release"))
WIDE = 64  # fields of more bits are byte arrays in C++

Values = dict[str, int]
Packer = subprocess.Popen[str]


@pytest.fixture(scope="module")
def packer() -> Iterator[Packer]:
    program = BUILD / "runtime" / "board" / "tests" / "hwmap-pack"
    assert program.exists(), f"{program} is missing: run `cmake --preset release && cmake --build --preset release`"
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


def _pack_in_cpp(packer: Packer, record: Record, values: Values) -> tuple[bytes, Values]:
    """Bytes of the record as C++ packs it, and the values that its accessors give back."""
    assert packer.stdin is not None
    assert packer.stdout is not None
    mask = (1 << WIDE) - 1
    fields = [
        f"{field.name}={values[field.name] & mask if field.bits <= WIDE else values[field.name]:#x}"
        for field in record.fields
    ]
    packer.stdin.write(" ".join([record.name, *fields]) + "\n")
    packer.stdin.flush()
    answer = packer.stdout.readline().split()
    words = [int(word, 16) for word in answer if "=" not in word]
    back = dict(item.split("=") for item in answer if "=" in item)
    return b"".join(word.to_bytes(4, "little") for word in words), {name: int(v, 0) for name, v in back.items()}


@st.composite
def _records(draw: st.DrawFn) -> tuple[Record, Values]:
    record = draw(st.sampled_from(list(HWMAP.records.values())))
    return record, {field.name: draw(st.integers(field.low, field.high)) for field in record.fields}


@settings(max_examples=500, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(case=_records())
def test_python_and_cpp_agree_on_random_records(packer: Packer, case: tuple[Record, Values]) -> None:
    record, values = case
    packed, back = _pack_in_cpp(packer, record, values)
    assert packed == record.pack(values)
    assert back == values


@pytest.mark.parametrize("record", HWMAP.records.values(), ids=lambda record: record.name)
def test_extremes_of_every_field(packer: Packer, record: Record) -> None:
    for field in record.fields:
        for value in (field.low, field.high):
            values = {other.name: 0 for other in record.fields} | {field.name: value}
            packed, back = _pack_in_cpp(packer, record, values)
            assert packed == record.pack(values), field.name
            assert back == values, field.name
