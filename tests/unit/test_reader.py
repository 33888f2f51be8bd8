# SPDX-License-Identifier: Apache-2.0
"""YAML to nodes: raw text, places, bounds, and no input that raises."""

import random
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fixaccel.diagnostics import Report
from fixaccel.language.text.files import read_source
from fixaccel.language.text.reader import read_tree
from fixaccel.source import MappingNode, Node, ScalarNode, SequenceNode, SourceFile, Span

QUICKSTART = Path(__file__).parents[2] / "strategies" / "quickstart.yaml"


def read(text: str) -> tuple[Node | None, list[str]]:
    report = Report()
    node = read_tree(SourceFile.of("x.yaml", text), report)
    return node, [diagnostic.code.slug for diagnostic in report]


def mapping(text: str) -> dict[str, ScalarNode]:
    node, slugs = read(text)
    assert slugs == []
    assert isinstance(node, MappingNode)
    return {entry.key.text: entry.value for entry in node.entries if isinstance(entry.value, ScalarNode)}


def test_scalars_keep_their_text() -> None:
    values = mapping("a: ON\nb: NO\nc: 0123\nd: 12:30:00\ne: 100.10\nf: 'it''s'\n7203: null\ng: ~\n")
    assert [value.text for value in values.values()] == ["ON", "NO", "0123", "12:30:00", "100.10", "it's", "null", "~"]


def test_places_count_characters_from_one() -> None:
    values = mapping("é: ü\nzz:   'last <= 5'\n")
    assert values["é"].span == Span("x.yaml", 1, 4, 1, 5)
    assert values["zz"].span == Span("x.yaml", 2, 7, 2, 18)
    assert values["zz"].part(8, 9) == Span("x.yaml", 2, 16, 2, 17)


def test_part_of_a_text_with_escapes_is_the_whole() -> None:
    value = mapping('a: "x\\u0041y"\n')["a"]
    assert value.text == "xAy"
    assert value.part(0, 1) == value.span


def test_aliases_stand_for_their_value() -> None:
    node, slugs = read("a: &x [1, 2]\nb: *x\n")
    assert slugs == []
    assert isinstance(node, MappingNode)
    first, second = (entry.value for entry in node.entries)
    assert isinstance(first, SequenceNode)
    assert first is second


@pytest.mark.parametrize(
    ("text", "slugs"),
    [
        ("a: 1\n---\nb: 2\n", ["several-documents"]),
        ("---\na: 1\n...\n# end\n", []),
        ("", ["empty-file"]),
        ("# only\n", ["empty-file"]),
        ("---\n", ["empty-file"]),
        ("a: {b:1}\n", ["key-without-value"]),
        ("a: {b}\n", ["key-without-value"]),
        ("a: &a {b: *a}\n", ["alias-loop"]),
        ("a: *b\n", ["unknown-alias"]),
        ("a: !x 1\n", ["tag"]),
        ("%TAG ! x\n---\na: 1\n", ["directive"]),
        ("# c\n\n%YAML 1.1\n---\na: 1\n", ["directive"]),
        ("a:\n\tb: 1\n", ["tab"]),
        ("# \t\n#\ta\na: 1\n", []),
        ("a: 'x\n", ["unclosed-quote"]),
        ("a: [1, 2\n", ["unclosed-bracket"]),
        ("a: {b: c\nd: e\n", ["unclosed-bracket"]),
        ("- a\nb: 1\n", ["indentation"]),
        ("a: 1\n  b: 2\n", ["indentation"]),
        ("[a]: 1\n", ["key-not-text"]),
        ("when: > 5\n", ["block-scalar"]),
        ("note: 'it's'\n", ["text-after-quote"]),
        ("note: a: b\nwhen: >= 5\nnote2: @x\n", ["colon-in-text", "block-scalar", "reserved-start"]),
    ],
)
def test_faults_have_names(text: str, slugs: list[str]) -> None:
    assert read(text)[1] == slugs


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "[" * 1_000_000,
        "a: " + "{a: " * 300_000,
        "- " * 500_000,
        "? " * 500_000,
        "[" + "a, " * 1_000_000,
        "a: [&a x, " + "*a, " * 1_000_000,
        "%TAG !a! b\n" * 300_000,
        "a: 1\n...\n" + "%TAG !a! b\n" * 300_000,
        "\r\n" * 1_000_000 + "!",
        "a: 1\n" + "# # # # \r\n" * 300_000 + "!",
        "a: &x " + "&y " * 500_000,
        "'" * 1_000_001,
        'a: "' + "\\" * 1_000_001,
        "a: |\n" + "  x\n" * 500_000,
        "".join(f"k{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9) if n else 'x'}]\n" for n in range(40)),
    ],
    ids=lambda text: text[:12].replace("\n", " "),
)
def test_hostile_text_ends_soon(text: str) -> None:
    node, slugs = read(text)
    assert node is not None or slugs


@pytest.mark.parametrize(
    ("data", "slug"),
    [
        (b"\xff\xfea\x00", "not-utf-8"),
        (b"a: \xff\n", "not-utf-8"),
        (b"a: \xed\xa0\x80\n", "not-utf-8"),
        (b"a: \x00\n", "bad-character"),
        (b"a: \x1b[2J\n", "bad-character"),
        ("a: \u202e\n".encode(), "bad-character"),
        ("a: 1\u2028b: 2\n".encode(), "bad-character"),
        (b"\xef\xbb\xbfa: 1\n", "byte-order-mark"),
        (bytes(range(256)), "not-utf-8"),
        (b"#" * (5 << 20), "too-large"),
    ],
)
def test_bytes_that_are_no_text(tmp_path: Path, data: bytes, slug: str) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(data)
    report = Report()
    source = read_source(path, "x.yaml", report, {})
    assert [diagnostic.code.slug for diagnostic in report] == [slug]
    assert (source is None) == report.failed


def any_bytes_end_in_nodes_or_diagnostics(data: bytes, path: Path) -> None:
    path.write_bytes(data)
    report = Report()
    source = read_source(path, "x.yaml", report, {})
    node = read_tree(source, report) if source else None
    assert node is not None or report.failed
    for diagnostic in report:
        assert diagnostic.span.line >= 1
        assert diagnostic.span.column >= 1


PIECES = [
    "a",
    "b: ",
    "- ",
    "? ",
    ": ",
    "\n",
    "\n  ",
    "\n    ",
    "{",
    "}",
    "[",
    "]",
    ", ",
    "&x ",
    "*x",
    "!t ",
    "'",
    '"',
    ">",
    "#",
    " # c",
    "%Y",
    "---\n",
    "...",
    "\t",
    "@",
    "`",
    "\\",
    "é",
]
YAML_PIECES = st.lists(st.sampled_from([*PIECES, "|"]), max_size=30).map(lambda pieces: "".join(pieces).encode())
ANY_TEXT = st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace"))


@given(st.one_of(st.binary(max_size=60), ANY_TEXT, YAML_PIECES))
@example(b"a: [1, 2]]\n")
@settings(max_examples=400, deadline=None)
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    any_bytes_end_in_nodes_or_diagnostics(data, tmp_path_factory.getbasetemp() / "any.yaml")


def test_mutated_strategies(tmp_path: Path) -> None:
    """The quickstart with bytes changed, dropped, doubled and moved."""
    original = QUICKSTART.read_bytes()
    choose = random.Random(7)
    for _ in range(300):
        data = bytearray(original)
        for _ in range(choose.randint(1, 6)):
            place, length = choose.randrange(len(data)), choose.randint(1, 8)
            piece = bytes(data[place : place + length])
            action = choose.randrange(4)
            if action == 0:
                data[place : place + length] = b""
            elif action == 1:
                data[place:place] = piece * 2
            elif action == 2:
                data[place] = choose.choice(b"\x00\t\n :{}[]&*!|>'\"%@`#-,?<=~\xff")
            else:
                data[choose.randrange(len(data)) : 0] = piece
        any_bytes_end_in_nodes_or_diagnostics(bytes(data), tmp_path / "mutated.yaml")
