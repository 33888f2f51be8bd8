# SPDX-License-Identifier: Apache-2.0
"""A program as text and as a file: both ways give the same, and what is wrong is told at its place."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from fast_support import one, templates
from hypothesis import given, settings
from hypothesis import strategies as st
from program_support import program_of
from strategies import files

from fixaccel.cli.main import cli
from fixaccel.diagnostics.report import Report
from fixaccel.fast.program.assembler import assemble
from fixaccel.fast.program.check import check_program
from fixaccel.fast.program.compiler import compile_program
from fixaccel.fast.program.image import ImageError, from_bytes, to_bytes
from fixaccel.fast.program.interest import Interest, everything, nothing
from fixaccel.fast.program.listing import listing
from fixaccel.fast.program.program import Limits, Program
from fixaccel.fast.program.words import pack, unpack
from fixaccel.source import SourceFile

TEMPLATES = Path(__file__).resolve().parents[2] / "strategies" / "venues" / "templates" / "simulator.xml"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["fast", *map(str, arguments)])


def assembled(text: str) -> tuple[Program | None, list[str]]:
    report = Report()
    program = assemble(SourceFile.of("program.txt", text), report)
    return program, [f"{fault.span.line}:{fault.span.column} {fault.message}" for fault in report]


@given(files(), st.booleans())
@settings(max_examples=60)
def test_text_and_file_hold_all_of_a_program(text: str, all_of_it: bool) -> None:
    program = program_of(templates(text), everything if all_of_it else nothing)
    assert list(check_program(program, Limits())) == []
    shown = listing(program)
    read, faults = assembled(shown)
    assert faults == []
    assert read == program
    assert listing(read) == shown
    image = to_bytes(program)
    assert from_bytes(image) == program
    assert to_bytes(from_bytes(image)) == image
    assert listing(from_bytes(image)) == shown


@given(st.integers(0, (1 << 36) - 1))
def test_bits_are_one_word_or_none(bits: int) -> None:
    try:
        word = unpack(bits, None)
    except ValueError:
        return
    assert pack(word) == bits


@given(st.data())
@settings(max_examples=100)
def test_damaged_files_are_refused_or_sound(data: st.DataObject) -> None:
    image = bytearray(to_bytes(program_of(one('<sequence name="S"><int32 name="A"><delta/></int32></sequence>'))))
    for _ in range(data.draw(st.integers(1, 3))):
        image[data.draw(st.integers(0, len(image) - 1))] = data.draw(st.integers(0, 255))
    try:
        program = from_bytes(bytes(image))
    except ImageError:
        return
    assert list(check_program(program, Limits())) == []


HEAD = "fixaccel-program: 1\nmultiplier 1\nnumbers 1\nstrings 0\n"


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("0 end\n1 field uInt32 copi slot=0\n2 end", "6:16 `copi` is not an operator"),
        ("0 end\n1 field uInt33 copy\n2 end", "6:9 `uInt33` is not a type"),
        ("0 end\n2 end", "6:1 this is word 1, not 2"),
        ("end", "5:1 `end` begins no line"),
        ("0 end extra", "5:7 `extra` does not belong here"),
        ("0 end\n1 group optional\n2 end", "6:17 `to=` is missing"),
        ("0 end\n1 group to=9999 optional\n2 end", "6:12 `9999` is no number from 0 to 2,047"),
        ("0 end\n1 field int32 none tag=1 role=prize\n2 end", "6:31 `prize` is not a role"),
        ("0 end\n1 field int32 copy slot=1\n2 end", "6:1 slot 1 is beyond the 1 that the program has"),
        ("0 end\n1 field int32 constant slot=0\n2 end", "6:1 `constant` needs an initial value"),
        ("0 end\n1 field int32 copy initial slot=0\n2 end", "6:1 slot 0 has no initial value"),
        ("number 0 1\n0 end", "5:1 nothing uses the initial value of number 0"),
        ("number 0 1e64\n0 end", "5:10 `1e64` is no number of 64 bits"),
        ('string 0 "X"\n0 end', "5:1 string 0 is beyond the 0 slots"),
        ("0 end\n1 next to=1 map\n2 end", "6:1 `next` ends no block"),
        ("0 end\n1 group to=9 optional\n2 end", "6:1 `group` goes on at 9, which is not behind it in the same block"),
        ("0 end\n1 group to=3 map\n2 end", "6:1 `group` does not end in its routine"),
        ("0 end\n1 loop to=3 map\n2 next to=2 map\n3 end", "6:1 `loop` stands behind the `length` of its sequence"),
        (
            "0 end\n1 field length none\n2 loop to=4\n3 next to=3\n4 end",
            "7:1 an element takes no byte, so any number of them would fit anywhere",
        ),
        ("0 end\n1 field length none\n2 loop to=3 map\n3 next to=3 map\n4 end", "7:1 `loop` goes on at 3"),
        ("0 end\n1 field exponent none\n2 end", "6:1 behind `exponent` stands its `mantissa`"),
        ("0 end\n1 field decimal increment slot=0\n2 end", "6:1 `increment` is for integers"),
        ("0 end\n1 field string copy apart initial\n2 end", "6:1 behind a field that is `apart`"),
        ("0 end\n1 raw bytes=4\n2 end", "6:1 `raw` stands in front of the first `end`"),
        ("0 raw bytes=9 tag=1\n1 end", "5:1 `raw` has 1 to 8 bytes"),
        ("0 end\n1 skip 1 bits=1 taken=0x2\n2 end", "6:1 `twice` must be of `taken`"),
        ("template 1 at=2 kind=none\n0 end\n1 end\n2 skip 1", "8:1 a program ends with `end`"),
        ("template 1 at=0 kind=none\n0 end", "5:1 template 1 begins at 0, where no routine begins"),
        (
            "template 1 at=1 kind=none\ntemplate 1 at=1 kind=none\n0 end\n1 end",
            "6:1 two templates",
        ),
        (
            "0 end\n1 group to=3 optional\n2 field length none\n3 loop to=6\n4 field int32 none\n5 next to=4\n6 end",
            "6:1 `group` goes on at 3, in the middle of a field",
        ),
        (
            "0 end\n1 group to=3 optional\n2 field exponent none\n3 field mantissa none\n4 end",
            "6:1 `group` goes on at 3, in the middle of a field",
        ),
        (
            "number 0 5\n0 end\n1 group to=3 optional\n2 field int32 copy initial apart\n3 initial slot=0\n4 end",
            "7:1 `group` goes on at 3, in the middle of a field",
        ),
        (
            "0 end\n" + "".join(f"{at} group to=7 optional\n" for at in range(1, 6)) + "6 skip 1\n7 end",
            "10:1 blocks stand in each other more than 4 deep",
        ),
        ('string 0 "caf\u00e9"\n0 end', "5:14 `\u00e9` is not printable ASCII"),
        ('string 0 "\u20ac"\n0 end', "5:11 `\u20ac` is not printable ASCII"),
        ("0 end \x00", "5:7 `\x00` does not belong here"),
        ('0 end "', "5:7 this begins no text and no word"),
    ],
)
def test_what_is_wrong_is_told_at_its_place(body: str, fault: str) -> None:
    _, faults = assembled(HEAD + body + "\n")
    assert any(one.startswith(fault) for one in faults), faults


@pytest.mark.parametrize("text", ["", "\n", "fixaccel-program: 2\n", "multiplier 1\n"])
def test_a_text_without_its_version_is_no_program(text: str) -> None:
    program, faults = assembled(text)
    assert program is None
    assert "a program begins with its version" in faults[0]


def test_a_board_with_less_room_is_told(tmp_path: Path) -> None:
    found = one('<int32 name="A" id="1"><copy/></int32><string name="B" id="2"><copy/></string>')
    for limits, said in (
        (Limits(instructions=2), "more than the 2 words"),
        (Limits(numbers=0), "than the 0 that there are"),
        (Limits(strings=0), "slot for strings"),
    ):
        report = Report()
        compile_program(found, Interest(tagged=everything), limits, report)
        assert [said in fault.message for fault in report] == [True], list(report)
        assert all(fault.span.line == 1 for fault in report)


def test_many_fields_and_templates_are_too_many() -> None:
    fields = "".join(f'<int32 name="F{at}"/>' for at in range(240))
    report = Report()
    compile_program(one(fields), Interest(tagged=everything), Limits(), report)
    assert ["239" in fault.message for fault in report] == [True]
    report = Report()
    many = "".join(f'<template name="T{at}" id="{at}"/>' for at in range(65))
    compile_program(templates(f"<templates>{many}</templates>"), Interest(), Limits(), report)
    assert ["65 templates" in fault.message for fault in report] == [True]


def test_as_many_templates_as_there_may_be_have_rows() -> None:
    many = "".join(f'<template name="T{at}" id="{at << 24 if at < 32 else at}"/>' for at in range(64))
    program = program_of(templates(f"<templates>{many}</templates>"))
    assert list(check_program(program, Limits())) == []


def test_the_commands_go_there_and_back(tmp_path: Path) -> None:
    first, text, second = tmp_path / "one.program", tmp_path / "program.txt", tmp_path / "two.program"
    shown = run("list", TEMPLATES, "--export", "all", "-o", first)
    assert shown.exit_code == 0
    text.write_text(shown.stdout)
    made = run("assemble", text, "-o", second)
    assert made.exit_code == 0
    assert "27 of 2,048 words" in made.stdout
    assert first.read_bytes() == second.read_bytes()
    assert run("list", second).stdout == shown.stdout
    data = json.loads(run("list", second, "--json").stdout)
    assert data["used"] == {"instructions": 27, "numbers": 7, "strings": 3}
    assert [one["name"] for one in data["templates"]] == ["Incremental", "Snapshot"]
    assert run("list", TEMPLATES, "-o", first).exit_code == 2
    assert run("assemble", text, "-o", text, "--overwrite").exit_code == 2


def test_faults_of_the_commands_have_their_codes(tmp_path: Path) -> None:
    path = tmp_path / "program.txt"
    path.write_text("fixaccel-program: 1\n")
    wrong = run("assemble", path)
    assert wrong.exit_code == 1
    assert "FX1111" in wrong.stderr
    assert run("assemble", tmp_path / "none.txt").exit_code == 2
    path.write_text('<templates><template name="T" id="1"><uInt32/></template></templates>')
    assert run("list", path).exit_code == 1
    assert run("list", tmp_path / "none.xml").exit_code == 2
    path.write_bytes(b"FXFP")
    damaged = run("list", path)
    assert damaged.exit_code == 2
    assert "is no program" in damaged.stderr
