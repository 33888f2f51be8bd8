# SPDX-License-Identifier: Apache-2.0
"""Ways out that can be followed: what a trader meant, for slips that are made again and again."""

import pytest

from fixaccel.diagnostics import Diagnostic
from fixaccel.pipeline import check_file
from fixaccel.testing.load import Strategies, load_suite

HEAD = "fixaccel: 1\nvenue: venue.yaml\n"
STOP = "  - id: a\n    instrument: MSFT\n    when: last <= 1180\n"
ORDER = "    order: {side: sell, qty: 1, type: limit, price: 1100}\n"


def said(desk, text: str) -> list[Diagnostic]:
    path = desk.folder / "a.yaml"
    path.write_text(HEAD + text)
    return check_file(path).diagnostics


def helps(desk, text: str) -> list[tuple[str, str | None]]:
    return [(d.code.number, d.help) for d in said(desk, text)]


@pytest.mark.parametrize(
    ("rules", "place", "way_out"),
    [
        ("  - id: a\n  instrument: MSFT\n", (5, 3),
         "begin it 2 columns further right if it belongs to that item, or begin it with a dash: `- instrument: MSFT`"),
        (f"{STOP}{ORDER}  id: b\n    instrument: MSFT\n", (8, 3),
         "begin it 2 columns further right if it belongs to that item, or begin it with a dash: `- id: b`"),
        ("  - id: a\n    instrument: MSFT\n   when: last <= 1\n", (6, 4), "begin it a column further right"),
    ],
)  # fmt: skip
def test_a_line_out_of_place(desk, rules: str, place: tuple[int, int], way_out: str) -> None:
    (found, *_) = said(desk, f"rules:\n{rules}")
    assert (found.code.number, found.span.line, found.span.column) == ("FX0107", *place)
    assert found.help == way_out


def test_the_last_item_is_named(desk) -> None:
    second = STOP.replace("id: a", "id: b")
    (found, *_) = said(desk, f"rules:\n{STOP}{ORDER}{second}  order: x\n")
    assert [(related.span.line, related.span.column) for related in found.related] == [(8, 5)]


def test_rules_without_dashes(desk) -> None:
    assert helps(desk, "rules:\n  id: a\n  instrument: MSFT\n") == [
        ("FX0205", "begin each entry with a dash: `- id: ...`")
    ]


def test_a_list_without_brackets(desk) -> None:
    assert helps(desk, f"rules:\n{STOP}    during: 08:30-15:00\n{ORDER}") == [
        ("FX0205", "write a list: `during: [08:30-15:00]`")
    ]


def test_a_mapping_with_dashes(desk) -> None:
    assert helps(desk, f"limits:\n  - order_qty: 5\nrules:\n{STOP}{ORDER}") == [
        ("FX0205", "leave the dashes or brackets out")
    ]


def test_an_order_whose_keys_are_not_indented(desk) -> None:
    found = helps(desk, f"rules:\n{STOP}    order:\n    side: sell\n    qty: 1\n    type: market\n")
    assert found[:2] == [
        ("FX0206", "indent `side` and what else belongs to it"),
        ("FX0203", "it is a key of `order`: indent it below that"),
    ]


@pytest.mark.parametrize(
    ("price", "way_out"),
    [
        ("trigger - 0.05", "distances are counted in ticks: write `trigger - N ticks`, N being 0.05 / the tick"),
        ("trigger + 0.05", "distances are counted in ticks: write `trigger + N ticks`, N being 0.05 / the tick"),
        ("trigger - 1%", "distances are counted in ticks, not in percent: write `trigger - N ticks`"),
        ("trigger - 0.5%", "distances are counted in ticks, not in percent: write `trigger - N ticks`"),
        ("trigger + 5", "distances are counted in ticks: write `trigger + 5 ticks`"),
        ("trigger-5", "distances are counted in ticks: write `trigger - 5 ticks`"),
        ("triggers", "write `trigger`, or `trigger - 2 ticks`"),
    ],
)
def test_a_distance_from_the_trigger(desk, price: str, way_out: str) -> None:
    order = ORDER.replace("1100", price)
    assert helps(desk, f"rules:\n{STOP}{order}") == [("FX0213", way_out)]


@pytest.mark.parametrize("value", ["true", "always", "5"])
def test_rearm_has_more_forms_than_a_word(desk, value: str) -> None:
    (found,) = helps(desk, f"rules:\n{STOP}    rearm: {value}\n{ORDER}")
    assert found == ("FX0209", "it is `never`, `{after: 30s, times: 3}` or `{reset: last >= 1200, times: 3}`")


def test_a_comma_in_a_price_in_brackets(desk) -> None:
    (found, *_) = helps(desk, f"rules:\n{STOP}{ORDER.replace('1100', '1,599')}")
    assert found == ("FX0115", "a comma ends a value in brackets: write `price: 1599`")


@pytest.mark.parametrize(
    "note",
    [
        "note: |\n      hello # not a comment\n    # a comment\n",
        "note: >\n      hello\n # a comment\n",
        "note: |-\n      hello\n\n    # a comment\n",
    ],
)
def test_a_comment_below_a_note_of_several_lines_is_a_comment(desk, note: str) -> None:
    assert helps(desk, f"rules:\n{STOP}    {note}{ORDER}") == []


def test_a_note_that_a_comment_cuts_short(desk) -> None:
    assert [number for number, _ in helps(desk, f"rules:\n{STOP}    note: desk # 4\n{ORDER}")] == ["FX0128"]
    folded = "note: desk\n      and more # 4\n"
    assert [number for number, _ in helps(desk, f"rules:\n{STOP}    {folded}{ORDER}")] == ["FX0128"]


@pytest.mark.parametrize(
    ("tick", "high", "way_out"),
    [
        ("0.01", "10000000000", "write a price between -10,000,000,000 and 10,000,000,000, both not included"),
        ("0.00000001", "9999999999", "the fabric holds fewer than"),
    ],
)
def test_the_bound_of_a_price_range(desk, tick: str, high: str, way_out: str) -> None:
    (desk.folder / "venue.yaml").write_text(f"{desk.venue}  FINE: {{tick: {tick}, lot: 1, price_range: 1..{high}}}\n")
    (found,) = check_file(desk.folder / "venue.yaml").diagnostics
    assert found.code.number == "FX0503"
    assert found.help is not None
    assert found.help.startswith(way_out)


def test_the_bound_that_is_told_is_one_that_goes(desk) -> None:
    fine = "  FINE: {tick: 0.00000001, lot: 1, price_range: 1..HIGH}\n"
    path = desk.folder / "venue.yaml"
    path.write_text(desk.venue + fine.replace("HIGH", "9999999999"))
    (found,) = check_file(path).diagnostics
    assert found.help is not None
    most = found.help.rpartition("at most ")[2]
    path.write_text(desk.venue + fine.replace("HIGH", most))
    assert check_file(path).diagnostics == []


def test_events_with_faults_are_events(desk) -> None:
    desk.load(f"{STOP}{ORDER}".replace("\n  ", "\n")[2:])
    path = desk.folder / "a.test.yaml"
    path.write_text(
        "strategy: test.yaml\ntests:\n  - name: a\n    events: [MSFT last 5, MSFT lst 6, MSFT last 7]\n"
        "    expect: [{event: 3, rule: a}]\n"
    )
    assert [d.code.number for d in load_suite(path, Strategies()).diagnostics if d.span.file == str(path)] == ["FX0801"]


def test_rules_that_are_not_indented(desk) -> None:
    assert helps(desk, "rules:\nid: a\ninstrument: MSFT\n") == [
        ("FX0206", "indent its entries, and begin each with a dash: `  - id: ...`"),
        ("FX0203", "it is a key of an entry of `rules`: indent it there, below a dash"),
        ("FX0203", "it is a key of an entry of `rules`: indent it there, below a dash"),
    ]


@pytest.mark.parametrize(
    ("price", "way_out"),
    [
        ("last - 2 ticks", "distances are counted in ticks: write `trigger - 2 ticks`"),
        ("bid + 0.05", "distances are counted in ticks: write `trigger + N ticks`, N being 0.05 / the tick"),
        ("last", "write `trigger`, or `trigger - 2 ticks`"),
    ],
)
def test_a_price_source_as_a_price(desk, price: str, way_out: str) -> None:
    order = ORDER.replace("1100", price)
    assert helps(desk, f"rules:\n{STOP}{order}") == [("FX0213", f"the price that fires is called `trigger`; {way_out}")]


@pytest.mark.parametrize(
    ("rule", "way_out"),
    [
        ("{id: a, when: last <= 1,599}", "write `when: last <= 1599`"),
        ("{id: a, when: last <= 1,599.50}", "write `when: last <= 1599.50`"),
        ("{id: a, when: last <= 1.599,50}", "write `when: last <= 1599.50`"),
        ("{id: a, order: {price: 1,5}}", "write `price: 1.5`"),
        ("{id: a, order: {price: trigger, 5}}", "write `5: VALUE`"),
    ],
)
def test_a_comma_in_a_number_in_brackets(desk, rule: str, way_out: str) -> None:
    found = [way_out or "" for number, way_out in helps(desk, f"rules:\n  - {rule}\n") if number == "FX0115"]
    assert [one.endswith(way_out) for one in found] == [True], found


def test_instruments_without_brackets(desk) -> None:
    several = STOP.replace("MSFT", "MSFT, MSFT")
    assert helps(desk, f"rules:\n{several}{ORDER}") == [("FX0301", "write a list: `[MSFT, MSFT]`")]


def test_blanks_around_a_name(desk) -> None:
    (found,) = said(desk, f'rules:\n{STOP}    oco: "pair "\n{ORDER}')
    assert (found.message, found.help) == ("`pair` with blanks around it is not a group name", "write `pair`")


@pytest.mark.parametrize("written", ["1-10", "1 - 10", "1...10", "1 to 10"])
def test_a_price_range_in_other_words(desk, written: str) -> None:
    (desk.folder / "venue.yaml").write_text(f"{desk.venue}  FINE: {{tick: 1, lot: 1, price_range: {written}}}\n")
    (found,) = check_file(desk.folder / "venue.yaml").diagnostics
    assert (found.code.number, found.help) == ("FX0503", "write 1..10")


@pytest.mark.parametrize("first", ["", "    from fixaccel import Order\n"])
def test_a_function_that_does_not_import_what_it_answers_with(desk, first: str) -> None:
    (desk.folder / "f.py").write_text(f"def decide(price, instrument):\n{first}    return Order(side='buy')\n")
    rule = "  - {id: a, instrument: MSFT, decide: {source: last, over: 1..2, python: 'f.py:decide'}}\n"
    assert helps(desk, f"rules:\n{rule}") == [
        ("FX0351", "write `from fixaccel.decide import Order` at the top of the file")
    ]


def test_every_event_that_is_not_there_is_told(desk) -> None:
    desk.load(f"{STOP}{ORDER}".replace("\n  ", "\n")[2:])
    path = desk.folder / "a.test.yaml"
    path.write_text(
        "strategy: test.yaml\ntests:\n"
        "  - {name: a, events: [MSFT last 5], expect: [{event: 2, rule: a}, {event: 1, rule: a}]}\n"
        "  - {name: b, events: [], expect: [{event: 1, rule: a}]}\n"
    )
    found = [d.message for d in load_suite(path, Strategies()).diagnostics if d.span.file == str(path)]
    assert found == ["there is no event 2: the test has 1", "there is no event 1: the test has 0"]


@pytest.mark.parametrize("parent", ["a", "a[1]"])
def test_a_parent_with_a_fault_is_not_called_disabled(desk, parent: str) -> None:
    child = STOP.replace("id: a", "id: b").replace("1180", "1170") + f"    armed_by: {parent}\n" + ORDER
    found = helps(desk, f"rules:\n{STOP.replace('MSFT', 'MSFX')}{ORDER}{child}")
    assert found == [("FX0301", "did you mean `MSFT`?")]


def test_a_dash_that_is_missing_before_the_next_item(desk) -> None:
    again = [way_out for code, way_out in helps(desk, f"rules:\n{STOP}{ORDER}    id: b\n") if code == "FX0117"]
    assert again == ["begin it with a dash if it is another item: `- id: ...`; else delete one of the two"]
    within = [way_out for code, way_out in helps(desk, f"rules:\n{STOP}    when: last <= 2\n") if code == "FX0117"]
    assert within == ["delete one of the two"], "no item begins with it"


def test_a_list_is_shown_as_its_entry_should_be(desk) -> None:
    found = dict(helps(desk, f"rules:\n{STOP}    during: 8:30 - 15:00\n{ORDER}"))
    assert found["FX0205"] == "write a list: `during: [08:30-15:00]`"


@pytest.mark.parametrize(
    ("written", "way_out"),
    [
        ("1,000", "write 1000"),
        ("1_000", "write 1000"),
        ("+5", "write 5"),
        ("1,5", None),  # no whole number
        ("many", None),
    ],
)
def test_a_whole_number_in_other_words(desk, written: str, way_out: str | None) -> None:
    assert helps(desk, f"limits:\n  total_orders: {written}\nrules:\n{STOP}{ORDER}") == [("FX0208", way_out)]


@pytest.mark.parametrize("written", ["fill", "fills", "Filled", "filed"])
def test_filled_in_other_words(desk, written: str) -> None:
    order = ORDER.replace("qty: 1", f"qty: {written}")
    assert helps(desk, f"rules:\n{STOP}{order}") == [("FX0208", "did you mean `filled`?")]


@pytest.mark.parametrize(
    ("written", "way_out"),
    [
        ("stop", "the price of a stop stands in the rule's `when`, and its order is `type: market`"),
        ("STOP_LIMIT", "the price of a stop stands in the rule's `when`, and its order is `type: limit`"),
        ("trailing stop", "write `trail` in the rule in place of `when`"),
    ],
)
def test_a_stop_as_an_order_type(desk, written: str, way_out: str) -> None:
    order = ORDER.replace("type: limit", f"type: {written}")
    assert helps(desk, f"rules:\n{STOP}{order}") == [("FX0209", f"{way_out}; it is one of `limit`, `market`")]
