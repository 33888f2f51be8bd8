# SPDX-License-Identifier: Apache-2.0
"""Parts of the language server by themselves: positions, trees of broken texts, the thread that analyses."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import Position

from fixaccel.addresses import is_loopback
from fixaccel.lsp.analyst import Analyst
from fixaccel.lsp.documents import path_of
from fixaccel.lsp.names import names_of, rule_ids
from fixaccel.lsp.positions import Positions
from fixaccel.lsp.tolerant import tolerant_tree
from fixaccel.source import SourceFile

TEXTS = st.text(alphabet="ab \n\r\u00e9\u2028\U0001f600:-{}[]'\"#&*%\t", max_size=60)


@given(TEXTS, st.sampled_from(["utf-16", "utf-8", "utf-32"]))
def test_offsets_come_back(text: str, encoding: str) -> None:
    positions = Positions(text, encoding)
    for offset in range(len(text) + 1):
        inside_end = text[max(offset - 1, 0) : offset + 1] == "\r\n"
        if not inside_end:
            assert positions.offset(positions.position(offset)) == offset
        assert positions.offset_of(*positions.place_of(offset)) == offset


@given(TEXTS)
def test_places_are_the_compilers(text: str) -> None:
    source, positions = SourceFile.of("x", text), Positions(text)
    for offset in range(len(text)):
        if text[max(offset - 1, 0) : offset + 1] == "\r\n":
            continue  # no place: it is in the middle of a line end
        span = source.span_at(offset)
        assert positions.offset_of(span.line, span.column) == offset


@pytest.mark.parametrize(
    ("encoding", "column"), [("utf-16", 4), ("utf-8", 6), ("utf-32", 3)], ids=["utf-16", "utf-8", "utf-32"]
)
def test_columns_count_what_was_agreed_on(encoding: str, column: int) -> None:
    positions = Positions("x\r\na😀bc", encoding)
    assert positions.position(6) == Position(1, column)
    assert positions.offset(Position(1, column)) == 6
    assert positions.offset(Position(1, 99)) == 7
    assert positions.offset(Position(9, 0)) == 7


def test_half_a_surrogate_is_the_character() -> None:
    assert Positions("😀x").offset(Position(0, 1)) == 0


@given(TEXTS)
def test_any_text_has_a_tree_or_none(text: str) -> None:
    tolerant_tree(text, "x")


def test_a_tree_goes_on_behind_faults() -> None:
    text = "rules:\n  - id: a\n    when: > 5\n    note: *x y: z\n  - id: b\n    order: {side: [\n  - id: c\n"
    assert rule_ids(names_of("strategy", tolerant_tree(text, "x")))[:2] == ["a", "b"]


def test_paths_of_addresses() -> None:
    assert path_of("file:///a/b%20c.yaml") == Path("/a/b c.yaml")
    assert path_of("untitled:Untitled-1").parent == Path.cwd()


def test_loopback() -> None:
    assert all(map(is_loopback, ["127.0.0.1", "127.9.9.9", "localhost", "::1", "[::1]"]))
    assert not any(map(is_loopback, ["0.0.0.0", "10.0.0.1", "example.com", "", "::"]))


class _Bench:
    """An analyst whose analyses go on until they are told to stop, or are let go."""

    def __init__(self) -> None:
        self.began: list[tuple[str, bool]] = []
        self.stopped: list[str] = []
        self.go = threading.Event()
        self.analyst = Analyst(self._run)
        self.analyst.start()

    def _run(self, path: Path, ask: bool, stop: Callable[[], bool]) -> None:
        self.began.append((path.name, ask))
        while not self.go.is_set():
            if stop():
                self.stopped.append(path.name)
                return
            time.sleep(0.001)


def until(wanted: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not wanted():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_a_newer_text_stops_the_analysis_of_an_older_one() -> None:
    bench = _Bench()
    bench.analyst.want(Path("a"), ask=True)
    until(lambda: bench.began == [("a", True)])
    bench.analyst.want(Path("a"))
    until(lambda: bench.began == [("a", True), ("a", False)])
    bench.analyst.want(Path("b"))  # another file waits for its turn
    assert bench.stopped == ["a"]
    bench.analyst.forget(Path("a"))
    until(lambda: bench.began[-1] == ("b", False))
    bench.analyst.close()
    until(lambda: bench.stopped == ["a", "a", "b"])


def test_keys_in_a_row_are_one_analysis() -> None:
    bench = _Bench()
    bench.go.set()
    for _ in range(50):
        bench.analyst.want(Path("a"), 0.3)
    bench.analyst.want(Path("b"), 0.4)
    until(lambda: ("b", False) in bench.began)
    assert bench.began == [("a", False), ("b", False)]
    bench.analyst.close()
