# SPDX-License-Identifier: Apache-2.0
"""Large files in the language server: how much is read for an answer, and what becomes of a text that is superseded."""

import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsp_desk import ENTRY, HEAD, HERE, LspDesk
from lsprotocol import types

from fixaccel.lsp import tolerant
from fixaccel.lsp.analysis import Analysis, SupersededError
from fixaccel.lsp.contents import READ_MOST
from fixaccel.lsp.documents import Document
from fixaccel.lsp.hover import hover
from fixaccel.lsp.names import Name, names_of
from fixaccel.lsp.outline import items_of
from fixaccel.lsp.pieces import cut
from fixaccel.lsp.process import LONG, AnalysisError, _may_take_long, analyse_apart
from fixaccel.lsp.symbols import symbols

ROOT = Path(__file__).resolve().parents[2]
RULE = """\
  - id: rule-NUMBER
    instrument: MSFT
    when: last <= 50
    oco: pair-NUMBER
    order: {side: buy, qty: 2, type: market}
"""
MANY = 3_000


def many(number: int = MANY, changed: str = "", at: int = 3) -> str:
    """A strategy of so many rules, one of them with more to it."""
    rules = [RULE.replace("NUMBER", str(one)) for one in range(number)]
    rules[at] += changed
    return HEAD + "".join(rules)


@pytest.fixture
def lsp(tmp_path: Path) -> LspDesk:
    return LspDesk(tmp_path)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Characters of each text that the parser is given."""
    lengths: list[int] = []
    original = tolerant._Builder.read

    def counted(builder: tolerant._Builder, text: str) -> int | None:
        lengths.append(len(text))
        return original(builder, text)

    monkeypatch.setattr(tolerant._Builder, "read", counted)
    return lengths


def ask(lsp: LspDesk, text: str) -> None:
    """Completion, hover and definition at the mark, as an editor asks for them while a line is being written."""
    assert lsp.labels(text)
    assert lsp.defined(text)
    document, position = lsp.write(text)
    assert hover(lsp.session, document, position)


def test_an_answer_reads_no_more_of_a_large_file_than_of_a_small_one(lsp: LspDesk, read: list[int]) -> None:
    amounts = []
    for number, parent in ((100, 7), (MANY, 8)):
        line = f"    armed_by: rule-{parent}{HERE}\n"
        lsp.write(many(number, at=50))
        known = lsp.session.documents.opened(lsp.folder / "s.yaml")
        assert known
        assert known.contents
        list(known.contents.items(0))  # what an analysis leaves behind
        read.clear()
        ask(lsp, many(number, line, 50))
        amounts.append(sum(read))
    assert amounts[1] == amounts[0] < 10 * len(RULE)


def test_before_the_first_analysis_a_bounded_share_is_read(lsp: LspDesk, read: list[int]) -> None:
    labels = lsp.labels(many(changed=f"    armed_by: rule-7{HERE}\n"))
    assert "rule-7" in labels
    assert sum(read) < 2 * READ_MOST


def test_of_many_names_those_are_told_that_go_with_what_is_typed(lsp: LspDesk) -> None:
    document, _ = lsp.write(many())
    assert document.contents
    list(document.contents.items(0))
    labels = lsp.labels(many(changed=f"    armed_by: rule-29{HERE}\n"))
    assert labels[0] == "rule-29"
    assert len(labels) == 111  # with 290 to 299 and 2900 to 2999
    assert len(lsp.labels(many(changed=f"    armed_by: {HERE}\n"))) == 200


def trees() -> Iterator[Path]:
    yield from sorted((ROOT / "strategies").rglob("*.yaml"))
    yield from sorted((ROOT / "tests" / "meaning").glob("*.yaml"))


def in_order(names: Iterable[Name]) -> list[Name]:
    return sorted(names, key=lambda one: (one.span, one.text))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_pieces_hold_what_the_whole_holds(end: str) -> None:
    pieced = 0
    for path in trees():
        text = path.read_text(encoding="utf-8").replace("\n", end)
        document = Document(path.as_uri(), path, text, None, "utf-16")
        if not document.kind or document.contents is None:
            continue
        pieced += 1
        whole = list(names_of(document.kind, document.tree))
        assert in_order(document.names_at_places(lambda _: True)) == in_order(whole), path
        assert len(list(document.names())) == len(whole), path
        named = [(one.below, one.name, one.detail, one.named) for one in document.contents.items(0)]
        assert named == [(one.below, one.name, one.detail, one.named) for one in items_of(document.tree)], path
    assert pieced > 40


@given(
    st.lists(
        st.sampled_from(
            ["rules:", "  - id: a", "- id: b", "    note: |", "      - id: c", "", "# x", "    when: last <= 5",
             "---", "...", "  - {id: d,", "     oco: g}", "\ufeff", "venue: v.yaml", "  A: {tick: 1}", "instruments:"]
        ),
        max_size=14,
    ),
    st.sampled_from(["\n", "\r\n", "\r"]),
)  # fmt: skip
def test_pieces_cover_the_text_and_places_are_in_it(lines: list[str], end: str) -> None:
    text = end.join(lines)
    pieces = cut(text)
    if pieces is None:
        return
    assert all(one.end == other.start for one, other in zip(pieces.pieces, pieces.pieces[1:], strict=False))
    document = Document("file:///x", Path("/x.test.yaml"), text, None, "utf-16")
    most = text.count("\n") + text.count("\r") + 2
    for offset in range(len(text) + 1):
        document.tree_at(offset)
    assert document.contents
    assert all(one.span.end_line <= most for one in document.names_at_places(lambda _: True))


def test_the_outline_of_pieces_holds_each_rule(lsp: LspDesk) -> None:
    document, _ = lsp.write(many(5) + "limits: {collar: 5%}\n")
    rules = next(one for one in symbols(document) if one.name == "rules")
    assert [one.name for one in rules.children or ()] == [f"rule-{one}" for one in range(5)]
    assert rules.range.start.line == 3
    assert rules.range.end.line == 3 + 5 * 5


def shown(folder: Path, text: str, **others: str) -> Document:
    for name, content in others.items():
        (folder / name).write_text(content)
    path = folder / "s.yaml"
    return Document(path.as_uri(), path, text, 1, "utf-16")


def never() -> bool:
    return False


def closed(analysis: Analysis) -> None:
    if analysis.rules:
        analysis.rules.close()


def test_a_process_finds_what_is_found_here(lsp: LspDesk) -> None:
    document = shown(lsp.folder, HEAD + ENTRY.replace("MSFT", "MSFX"))
    lsp.write(document.text)
    here = [one.message for one in lsp.checked()]
    there = analyse_apart(document, {}, never, ask=False)
    assert [f"{one.message}\nhelp: {one.help}" for one in there.diagnostics] == here
    assert there.rules is None
    sound = analyse_apart(shown(lsp.folder, HEAD + ENTRY), {}, never, ask=False)
    assert sound.rules
    assert "buy 2" in (sound.rules.text(document.path, "entry") or "")
    assert sound.rules.text(document.path, "exit") is None
    closed(sound)
    assert sound.rules.text(document.path, "entry") is None


def test_what_a_process_reads_is_known_afterwards(lsp: LspDesk, read: list[int]) -> None:
    document, _ = lsp.write(many())
    analysis = analyse_apart(document, {}, never, ask=False)
    assert analysis.then
    analysis.then(never)
    assert document.contents
    assert document.contents.unread == 0
    assert len(list(document.names())) > 3 * MANY
    assert not read
    closed(analysis)


@pytest.mark.parametrize("asking", [False, True], ids=["a long text", "a function"])
def test_what_is_superseded_ends_at_once(asking: bool, lsp: LspDesk, tmp_path: Path) -> None:
    """Its process ends before its work is done, with a function that never would."""
    slow = "import os, pathlib\ndef decide(price, instrument):\n    pathlib.Path('PID').write_text(str(os.getpid()))\n"
    pid = tmp_path / "pid"
    (tmp_path / "slow.py").write_text(slow.replace("PID", str(pid)) + "    while True: pass\n")
    rule = "  - {id: b, instrument: MSFT, decide: {source: last, over: 1..2, python: slow.py:decide}}\n"
    document = shown(tmp_path, HEAD + rule if asking else many())
    began = threading.Event()

    def stop() -> bool:
        began.set()
        return pid.exists() if asking else True

    with pytest.raises(SupersededError):
        analyse_apart(document, {}, stop, ask=True)
    assert began.is_set()
    if asking:
        end = time.monotonic() + 60
        while Path(f"/proc/{pid.read_text()}").exists():
            assert time.monotonic() < end
            time.sleep(0.01)


def test_a_fault_of_ours_there_is_told_with_its_trace(lsp: LspDesk) -> None:
    document = shown(lsp.folder, HEAD + ENTRY)
    with pytest.raises(AnalysisError, match="Traceback"):
        analyse_apart(document, {str(lsp.folder / "venue.yaml"): 5}, never, ask=False)  # type: ignore[dict-item]


def test_a_rule_is_told_of_while_its_text_is_wrong(lsp: LspDesk) -> None:
    lsp.write(HEAD + ENTRY)
    lsp.checked()
    told = lsp.hovered((HEAD + ENTRY).replace("entry", f"en{HERE}try") + "  - {id: wrong}\n")
    assert "buy 2" in told
    assert types.DiagnosticSeverity.Error in {one.severity for one in lsp.told["s.yaml"]}


def test_what_may_take_long_is_analysed_apart(tmp_path: Path) -> None:
    short, long = HEAD + ENTRY, HEAD + ENTRY + "#" * LONG
    assert not _may_take_long(shown(tmp_path, short), {})
    assert _may_take_long(shown(tmp_path, long), {})
    assert _may_take_long(shown(tmp_path, HEAD + "  - {id: a, instrument: MSFT, table: grid.csv}\n"), {})
    tests = tmp_path / "s.test.yaml"
    document = Document(tests.as_uri(), tests, "strategy: s.yaml\ntests: []\n", 1, "utf-16")
    assert not _may_take_long(document, {})
    (tmp_path / "s.yaml").write_text(long)
    assert _may_take_long(document, {})
    assert not _may_take_long(document, {str(tmp_path / "s.yaml"): short.encode()})  # as the editor shows it
