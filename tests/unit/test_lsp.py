# SPDX-License-Identifier: Apache-2.0
"""The language server's answers, each asked for at a mark in a text. The protocol around them has its own test."""

from pathlib import Path

import pytest
from lsp_desk import ENTRY, EXIT, HEAD, HERE, VENUE, LspDesk, edited
from lsprotocol import types

from fixaccel.lsp.fixes import fixes
from fixaccel.lsp.layout import NotLaidOutError, layout
from fixaccel.lsp.symbols import symbols


@pytest.fixture
def lsp(tmp_path: Path) -> LspDesk:
    return LspDesk(tmp_path)


def messages(diagnostics: list[types.Diagnostic]) -> list[str]:
    return [one.message.splitlines()[0] for one in diagnostics]


def test_nothing_is_wrong_with_what_is_not_saved(lsp: LspDesk) -> None:
    lsp.write(HEAD + ENTRY + EXIT)
    assert lsp.checked() == []


def test_a_place_is_where_the_editor_counts_it(lsp: LspDesk) -> None:
    lsp.write(
        HEAD
        + '  - {note: "😀😀", id: a, instrument: MSFX, when: last <= 5, order: {side: sell, qty: 1, type: market}}\n'
    )
    (found,) = lsp.checked()
    assert (found.range.start, found.range.end) == (types.Position(4, 38), types.Position(4, 42))
    assert found.message.endswith("help: did you mean `MSFT`?")
    assert found.code == "FX0301"


def test_crlf_and_a_byte_order_mark_move_nothing(lsp: LspDesk) -> None:
    lsp.write("\ufeff" + (HEAD + ENTRY.replace("MSFT", "MSFX")).replace("\n", "\r\n"))
    found = lsp.checked()
    assert [(one.code, one.range.start.line, one.range.start.character) for one in found] == [
        ("FX0105", 0, 1),  # behind the mark
        ("FX0301", 4, 28),
    ]
    lsp.write((HEAD + ENTRY.replace("MSFT", "MSFX")).replace("\n", "\r\n"))
    assert lsp.checked()[0].range.start == types.Position(4, 28)


def test_what_is_wrong_in_the_venue_is_told_there(lsp: LspDesk) -> None:
    lsp.write(HEAD + ENTRY + EXIT)
    lsp.write(VENUE.replace("tick: 0.01, lot: 1,", "tick: 0.01, lott: 1,"), "venue.yaml")
    assert lsp.checked() == []
    assert messages(lsp.told["venue.yaml"]) == ["an instrument has no key `lott`"]
    lsp.checked("venue.yaml")
    assert len(lsp.told["venue.yaml"]) == 1  # both found it
    lsp.write(VENUE, "venue.yaml")
    lsp.checked("venue.yaml")
    assert lsp.session.publishing.depending_on(lsp.folder / "venue.yaml") == [lsp.folder / "s.yaml"]
    lsp.checked()
    assert lsp.told["venue.yaml"] == []


def test_a_test_file_sees_the_strategy_as_it_is_shown(lsp: LspDesk) -> None:
    lsp.write(HEAD + ENTRY.replace("entry", "enter") + EXIT)
    lsp.write(
        "strategy: s.yaml\ntests:\n  - {name: n, events: [MSFT last 50], expect: [{event: 1, rule: entry}]}\n",
        "s.test.yaml",
    )
    assert messages(lsp.checked("s.test.yaml")) == ["the strategy has no rule `entry`"]


def test_files_of_others_are_left_alone(lsp: LspDesk) -> None:
    lsp.write("a: [1\n", "other.yaml")
    assert lsp.checked("other.yaml") == []


def test_a_file_stays_ours_while_it_is_open(lsp: LspDesk) -> None:
    lsp.write(HEAD + ENTRY)
    lsp.checked()
    lsp.write("rules: []\n")
    assert lsp.checked()[0].code == "FX0201"


def test_functions_are_asked_when_the_file_is_saved(lsp: LspDesk) -> None:
    (lsp.folder / "f.py").write_text("def decide(price, instrument):\n    return Ordr(side='buy')\n")
    rule = "  - {id: a, instrument: MSFT, decide: {source: last, over: 1..2, python: f.py:decide}}\n"
    lsp.write(HEAD + rule)
    (hint,) = lsp.checked()
    assert hint.severity == types.DiagnosticSeverity.Information
    assert "has not been asked yet" in hint.message
    assert lsp.checked(ask=True) == []
    assert messages(lsp.told["f.py"])[0].startswith("`decide` at the price 1:")
    (lsp.folder / "f.py").write_text("def decide(price, instrument):\n    return None\n")
    assert [one.code for one in lsp.checked(ask=True)] == ["FX0411"]
    assert [one.code for one in lsp.checked()] == ["FX0411"]  # the answer is kept


def test_hover_tells_what_explain_tells(lsp: LspDesk) -> None:
    told = lsp.hovered(HEAD + ENTRY.replace("id: entry", f"id: en{HERE}try") + EXIT)
    assert "When the last price of MSFT is at or below 50, buy 2" in told
    assert "The rule's name in every report" in told


def test_hover_of_an_instrument_has_its_ticks(lsp: LspDesk) -> None:
    rule = f'  - {{id: a, instrument: "72{HERE}03", when: last <= 50, order: {{side: buy, qty: 100, type: market}}}}\n'
    told = lsp.hovered(HEAD + rule)
    assert "| 1000 | 0.5 |" in told
    assert "lot 100, prices 0.1 to 100000" in told


def test_hover_of_a_key_and_of_a_fault(lsp: LspDesk) -> None:
    told = lsp.hovered(HEAD + ENTRY.replace("qty: 2", f"qty: 2.{HERE}5"))
    assert "A positive multiple of the instrument's lot, or `filled`" in told
    assert "**FX0304**" in told
    assert "`oco` group **pair**: of `entry`, `exit`" in lsp.hovered(HEAD + ENTRY + EXIT.replace("pair", f"pa{HERE}ir"))


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (
            HERE,
            [
                "fixaccel: 1",
                "fixaccel-venue: 1",
                "fixaccel-board: 1",
                "fixaccel-tune: 1",
                "fixaccel-bus: 1",
                "strategy:",
            ],
        ),
        (f"fixaccel: 1\n{HERE}\n", ["venue", "rules"]),
        (f"{HEAD}  - {HERE}", ["id", "instrument"]),
        (f"{HEAD}  - id: a\n    instrument: MSFT\n    {HERE}\n", ["when", "ladder", "trail"]),
        (f"{HEAD}  - id: a\n    instrument: {HERE}\n", ["MSFT", "7203"]),
        (f"{HEAD}  - id: a\n    instrument: [MSFT, {HERE}\n", ["MSFT", "7203"]),
        (f"{HEAD}  - id: a\n    instrument:\n      - {HERE}\n", ["MSFT", "7203"]),
        (f"{HEAD}{ENTRY}  - id: a\n    armed_by: {HERE}\n", ["entry"]),
        (f"{HEAD}{ENTRY}  - id: a\n    oco: {HERE}\n", ["pair"]),
        (f"{HEAD}  - id: a\n    when: {HERE}\n", ["bid", "ask", "last", "mid"]),
        (f"{HEAD}  - id: a\n    when: last {HERE}\n", ["<=", ">="]),
        (f"{HEAD}  - id: a\n    order: {{side: sell, {HERE}", ["qty", "type"]),
        (f"{HEAD}  - id: a\n    order: {{side: {HERE}}}\n", ["buy", "sell"]),
        (f"{HEAD}  - id: a\n    order:\n      side: s{HERE}\n      qty: 1\n", ["buy", "sell"]),
        (f"{HEAD}  - id: a\n    rearm: {HERE}\n", ["never"]),
        (f"{HEAD}  - id: a\n    trail: {{source: last, by: 5, act{HERE}}}\n", ["activate"]),
        (f"fixaccel: 1\nlimits:\n  per_instrument:\n    {HERE}\n", []),  # no venue yet
        (f"fixaccel: 1\nvenue: venue.yaml\nlimits:\n  per_instrument:\n    {HERE}\n", ["MSFT"]),
        ("fixaccel: 1\nvenue: " + HERE, ["venue.yaml"]),
        (f"{HEAD}  - id: a\n    when: > 5\n  - id: b\n    instrument: {HERE}\n", ["MSFT"]),  # a fault above
        (f"{HEAD}  # {HERE}\n", []),
        (f"{HEAD}  - id: a\n    enabled: {HERE}\n", ["true", "false"]),
    ],
    ids=range(22),
)
def test_completion(text: str, first: list[str], lsp: LspDesk) -> None:
    assert lsp.labels(text)[: len(first)] == first
    assert first or lsp.labels(text) == []


def test_completion_leaves_out_what_is_there(lsp: LspDesk) -> None:
    labels = lsp.labels(f"{HEAD}  - id: a\n    {HERE}\n    instrument: MSFT\n")
    assert "when" in labels
    assert not {"id", "instrument"} & set(labels)


def test_completion_in_tests(lsp: LspDesk) -> None:
    (lsp.folder / "s.yaml").write_text(HEAD + ENTRY + EXIT)
    head = "strategy: s.yaml\ntests:\n  - name: n\n"
    assert lsp.labels(f"{head}    expect: [{{event: 1, rule: {HERE}", "s.test.yaml") == ["entry", "exit"]
    assert lsp.labels(f"{head}    events:\n      - {HERE}\n", "s.test.yaml")[:2] == ["MSFT", "7203"]
    assert {"snapshot", "bid"} <= set(lsp.labels(f"{head}    events:\n      - MSFT {HERE}\n", "s.test.yaml"))


def test_completion_of_own_executions_in_tests(lsp: LspDesk) -> None:
    (lsp.folder / "s.yaml").write_text(HEAD + ENTRY + EXIT)

    def offered(event: str) -> list[str]:
        text = f"strategy: s.yaml\ntests:\n  - name: n\n    events:\n      - {event}{HERE}\n"
        return lsp.labels(text, "s.test.yaml")

    assert offered("")[-3:] == ["fill", "done", "reject"]
    assert offered("fill ") == offered("done ") == ["entry", "exit"]
    assert offered("fill entry ") == offered("done entry ") == []
    assert offered("fill entry 3 ") == ["at"]
    assert not {"fill", "done", "reject"} & set(offered("MSFT "))


def test_what_is_chosen_fits_into_the_text(lsp: LspDesk) -> None:
    head = f"{HEAD}  - id: a\n    "
    assert lsp.completed(f"{head}inst{HERE}\n", "instrument") == f"{head}instrument: \n"
    assert lsp.completed(f"{head}inst{HERE}: MSFT\n", "instrument") == f"{head}instrument: MSFT\n"
    assert lsp.completed(f"{head}instrument: {HERE}\n", "7203") == f'{head}instrument: "7203"\n'
    assert lsp.completed(f'{head}instrument: "7{HERE}"\n', "7203") == f'{head}instrument: "7203"\n'
    assert lsp.completed(f"{head}note: 😀\n    when: la{HERE}\n", "last") == f"{head}note: 😀\n    when: last\n"


def test_definitions(lsp: LspDesk) -> None:
    child = (
        "  - {id: c, instrument: MS‸FT, when: last >= 60, armed_by: entry, order: {side: sell, qty: 2, type: market}}\n"
    )
    assert lsp.defined(HEAD + ENTRY + child) == ["venue.yaml:7:MSFT"]
    assert lsp.defined(HEAD + ENTRY + child.replace(HERE, "").replace(": entry", f": entry{HERE}")) == [
        "s.yaml:5:entry"
    ]
    assert lsp.defined(HEAD + ENTRY.replace("pair", f"pair{HERE}") + EXIT) == ["s.yaml:5:pair", "s.yaml:6:pair"]
    assert lsp.defined(HEAD.replace("venue.yaml", f"ve{HERE}nue.yaml")) == ["venue.yaml:1:"]
    (lsp.folder / "f.py").write_text("# a function\ndef decide(price, instrument): ...\n")
    rule = f"  - {{id: a, decide: {{source: last, python: f.py:dec{HERE}ide}}}}\n"
    assert lsp.defined(HEAD + rule) == ["f.py:2:decide"]


def test_definition_and_references_of_rules_in_tests(lsp: LspDesk) -> None:
    lsp.write(HEAD + ENTRY)
    case = f"{{name: n, events: [MSFT last 50], expect: [{{event: 1, rule: ent{HERE}ry}}]}}"
    tests = f"strategy: s.yaml\ntests:\n  - {case}\n"
    assert lsp.defined(tests, "s.test.yaml") == ["s.yaml:5:entry"]
    (lsp.folder / "s.test.yaml").write_text(tests.replace(HERE, ""))
    child = "  - {id: c, armed_by: entry}\n  - {id: d, cancels: [entry, c]}\n"
    used = lsp.used(HEAD + ENTRY.replace("entry", f"en{HERE}try") + child)
    assert used == ["s.yaml:6:entry", "s.yaml:7:entry", "s.test.yaml:3:entry"]


def test_references_of_an_instrument(lsp: LspDesk) -> None:
    (lsp.folder / "s.yaml").write_text(HEAD + ENTRY)
    (lsp.folder / "other.yaml").write_text((HEAD + ENTRY).replace("venue.yaml", "another.yaml"))
    assert lsp.used(VENUE.replace("MSFT", f"MS{HERE}FT"), "venue.yaml") == ["s.yaml:5:MSFT"]


def test_fixes(lsp: LspDesk) -> None:
    right = HEAD + ENTRY + EXIT
    assert lsp.fixed(right.replace("MSFT", f"MSF{HERE}X", 1)) == [right]
    assert lsp.fixed(right.replace("side: buy", f"sid{HERE}: buy")) == [right]
    quoted = right.replace("MSFT", '"MSFT"', 1)
    assert lsp.fixed(quoted.replace("MSFT", f"MSF{HERE}X", 1)) == [quoted]
    assert lsp.fixed(right.replace("last <= 50", f"last <= 50.00{HERE}5")) == [
        right.replace("last <= 50", "last <= 50"),
        right.replace("last <= 50", "last <= 50.01"),
    ]
    assert (
        lsp.fixed(HEAD + f"  - id: a\n    note: 😀 stop: x{HERE}\n")[0] == HEAD + '  - id: a\n    note: "😀 stop: x"\n'
    )


def test_no_fix_for_a_text_that_has_changed(lsp: LspDesk) -> None:
    text = (HEAD + ENTRY).replace("MSFT", "MSFX")
    lsp.write(text)
    lsp.checked()
    lsp.write("# new\n" + text)
    assert lsp.session.publishing.found_at(lsp.folder / "s.yaml") != []
    document, _ = lsp.write("# new\n" + text)
    whole = types.Range(types.Position(0, 0), types.Position(99, 0))
    assert fixes(lsp.session, document, whole) == []


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_layout_is_that_of_fmt(end: str, lsp: LspDesk) -> None:
    untidy = (HEAD + "  - instrument:   MSFT # 😀\n    id: a\n").replace("\n", end)
    document, _ = lsp.write(untidy)
    wanted = HEAD + "  - id: a\n    instrument: MSFT  # 😀\n"
    assert edited(document, layout(document)) == wanted.replace("\n", end)
    tidy, _ = lsp.write(wanted.replace("\n", end))
    assert layout(tidy) == []


def test_layout_of_what_cannot_be_read_is_refused(lsp: LspDesk) -> None:
    document, _ = lsp.write(HEAD + "  - {id: a\n")
    with pytest.raises(NotLaidOutError, match="is left alone"):
        layout(document)


def test_the_outline_lists_rules_also_beside_a_fault(lsp: LspDesk) -> None:
    document, _ = lsp.write(HEAD + "  - id: a\n    when: > 5\n    instrument: MSFT\n" + ENTRY)
    inside = {symbol.name: [child.name for child in symbol.children or ()] for symbol in symbols(document)}
    assert inside == {"fixaccel": [], "venue": [], "limits": [], "rules": ["a", "entry"]}
