# SPDX-License-Identifier: Apache-2.0
"""Rules with a table mean what the same rules written one by one mean, and say the same of what is wrong."""

from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from fixaccel.diagnostics import Diagnostic
from fixaccel.language.rows.file import SHOWN_ROWS
from fixaccel.language.rules import Strategy
from fixaccel.passes.meaning import table
from fixaccel.pipeline import load_strategy

GRID = "- {id: grid, instrument: MSFT, table: grid.csv, order: {side: sell, qty: 2, type: market}}"
HEAD = "when,side,qty,type,price"


def write(desk, text: str | bytes, name: str = "grid.csv") -> None:
    (desk.folder / name).write_bytes(text.encode() if isinstance(text, str) else text)


def meaning(strategy: Strategy) -> list[tuple[object, ...]]:
    """All that each part means, besides its name."""
    return [
        (
            rule.instrument.symbol, rule.source, rule.condition.direction, rule.condition.threshold, rule.confirm,
            rule.order.side, rule.order.qty, rule.order.type, rule.order.price, rule.order.tif, rule.order.account,
            tuple(rule.order.fields.items()), strategy.groups[rule.group] if rule.group >= 0 else None,
        )
        for rule in strategy.rules
    ]  # fmt: skip


def found(diagnostics: list[Diagnostic]) -> list[str]:
    """What is wrong."""
    return sorted(one.code.slug for one in diagnostics if one.is_error)


PRICES = st.sampled_from(
    ["50", "50.0", "00050.10", "1000.5", "999.9", "0.1", "1000", "10000", "100000", "-5", "-100", "0", "12.345",
     "50.000000000000", "123456789012", "1000.25", "4999.5", "5000", "5001", "100001", "0.000000001", "1" * 41,
     "5,1", "1e3", "", ".5", "abc"]
)  # fmt: skip
CELLS = {
    "when": st.builds(
        lambda source, left, op, right, price: f"{source}{left}{op}{right}{price}",
        st.sampled_from(["last", "bid", "ask", "mid", "Last", ""]),
        st.sampled_from([" ", "", "  "]),
        st.sampled_from([">=", "<=", ">", "<", "=", "=>"]),
        st.sampled_from([" ", ""]),
        PRICES,
    ),
    "side": st.sampled_from(["buy", "sell", "", "SELL"]),
    "qty": st.sampled_from(["100", "200", "100.0", "150", "0", "-100", "", "12345678900", "1e2", "100.000000001"]),
    "type": st.sampled_from(["limit", "limit", "market", "", "stop"]),
    "price": st.one_of(
        PRICES,
        st.sampled_from(
            ["trigger", "trigger + 1 tick", "trigger -3 ticks", "trigger+2 ticks", "trigger + 999999999 ticks"]
        ),
    ),
    "confirm": st.sampled_from(["", "1", "2", "3"]),
    "oco": st.sampled_from(["", "g", "h", "Bad Group"]),
}
ORDERS = st.sampled_from(
    ["{side: sell, qty: 100, type: limit, price: trigger}", "{side: buy, qty: 100, type: market}", "{side: buy}", "{}"]
)
DEFAULTS = st.sampled_from(["{}", "{tif: ioc, account: X}", "{qty: 100, type: limit, price: 50}"])


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.fixed_dictionaries(CELLS), ORDERS, DEFAULTS, st.sampled_from(["MSFT", '"7203"', "CLZ6"]), st.booleans(),
    st.sampled_from(["", "oco: g, ", "confirm: 2, "]),
)  # fmt: skip
def test_a_row_is_a_rule(
    desk, cells: dict[str, str], order: str, defaults: str, instrument: str, as_parquet: bool, more: str
) -> None:
    name = "grid.parquet" if as_parquet else "grid.csv"
    if as_parquet:
        parquet.write_table(pa.table({key: [text] for key, text in cells.items()}), desk.folder / name)
    else:
        write(desk, ",".join(cells) + "\n" + ",".join(f'"{text}"' if "," in text else text for text in cells.values()))
    head = f"defaults: {{order: {defaults}}}\n"
    rows = desk.load(f"- {{id: grid, instrument: {instrument}, {more}table: {name}, order: {order}}}", head)
    hand = desk.load(written(cells, order, instrument, more), head)
    if hand[0] is None or rows[0] is None:
        assert (hand[0] is None) == (rows[0] is None), (found(hand[1]), found(rows[1]))
        # A table's cells are all read before any is judged at its instrument, and an empty condition is an empty cell.
        assert found(rows[1])
        assert set(found(rows[1])) <= set(found(hand[1])) | {"empty-value", "missing-order-key"}
    else:
        assert meaning(rows[0]) == meaning(hand[0])


def written(cells: dict[str, str], order: str, instrument: str, more: str) -> str:
    """The row as a rule by hand."""
    given_keys = dict(one.split(": ") for one in order.strip("{}").split(", ") if one)
    own = {key: f'"{cells[key]}"' for key in ("side", "qty", "type", "price") if cells[key]}
    over = [f"{key}: {cells[key]}, " for key in ("confirm", "oco") if cells[key]]
    kept = "" if any(more.split(":", maxsplit=1)[0] == one.split(":")[0] for one in over) else more
    keys = ", ".join(f"{key}: {value}" for key, value in (given_keys | own).items())
    return f'- {{id: r, instrument: {instrument}, {kept}{"".join(over)}when: "{cells["when"]}", order: {{{keys}}}}}'


def test_rows_are_parts_by_number_or_by_their_own_id(desk) -> None:
    write(desk, "when,id,oco\nlast <= 50,,\nlast <= 40,floor,g\nlast <= 30,,h\n")
    strategy, diagnostics = desk.load(GRID)
    assert strategy, diagnostics
    assert [rule.id for rule in strategy.rules] == ["grid[1]", "floor", "grid[3]"]
    assert [rule.group >= 0 for rule in strategy.rules] == [False, True, True]
    assert [str(rule.block.place(rule.row)).partition("grid.csv")[2] for rule in strategy.rules] == [
        ":2:1",
        ":3:1",
        ":4:1",
    ]
    assert list(strategy.inputs) == ["test.yaml", "venue.yaml", "grid.csv"]
    both, _ = desk.load(GRID.replace("MSFT", "[MSFT, CLZ6]"))
    assert both
    assert [rule.id for rule in both.rules][:3] == ["grid@MSFT[1]", "floor@MSFT", "grid@MSFT[3]"]


def test_several_tables_are_read_together(desk) -> None:
    write(desk, "qty,when\n3,bid <= 50\n,bid <= 40\n")
    write(desk, f"{HEAD},confirm\nlast > 60,buy,100,limit,trigger - 1 tick,2\n", "other.csv")
    other = "- {id: other, instrument: [MSFT, '7203'], table: other.csv}"
    strategy, diagnostics = desk.load(f"{GRID}\n{other}\n{GRID.replace('id: grid', 'id: again')}")
    assert strategy, diagnostics
    assert [rule.order.qty for rule in strategy.rules] == [3, 2, 100, 100, 3, 2]
    assert [rule.confirm for rule in strategy.rules] == [1, 1, 2, 2, 1, 1]
    assert [rule.condition.threshold for rule in strategy.rules] == [5000, 4000, 6001, 601, 5000, 4000]
    assert [rule.order.price for rule in strategy.rules][2:4] == [6000, 600]


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffwhen\nlast <= 50\n",
        "when\r\nlast <= 50\r\n",
        "when\n\n\nlast <= 50",
        '"when"\n"last <= 50"\n',
        "when , side\n  last <= 50  ,  sell \n",
    ],
)
def test_forms_of_csv(desk, text: str) -> None:
    write(desk, text)
    strategy, diagnostics = desk.load(GRID)
    assert strategy, diagnostics
    assert [rule.condition.threshold for rule in strategy.rules] == [5000]


def test_lines_count_empty_ones(desk) -> None:
    write(desk, "when\n\nlast <= 50\n\n\nlast <= 12.345\n")
    _, diagnostics = desk.load(GRID)
    assert [(one.code.slug, one.span.line, one.span.column) for one in diagnostics] == [("off-grid", 6, 9)]


@pytest.mark.parametrize(
    ("text", "slug", "line", "column"),
    [
        ("", "table-header", 1, 1),
        ("\n\nwhen\n", "table-header", 1, 1),
        ("when\n", "table-header", 4, 41),  # in the strategy: the file says nothing
        ("side,qty\nsell,2\n", "table-header", 1, 1),
        ("when,when\nlast <= 50,\n", "table-header", 1, 6),
        ("wen\nlast <= 50\n", "table-header", 1, 1),
        ("when,side\nlast <= 50\n", "table-row", 2, 1),
        ("when,side\nlast <= 50,sell,2\n", "table-row", 2, 1),
        ('when,side\n"last <= 50,sell\n', "table-row", 2, 1),
        ('when,side\nlast <= 50,"sell"s\n', "table-row", 2, 18),
        ('when,side\nla"st <= 50,sell\n', "table-row", 2, 3),
        ("when\n" + "x" * 5000 + "\n", "table-row", 2, 1),
        ("when\nlast <= 50\x00\n", "bad-character", 2, 11),
        ("when\nlast <= 50\rlast <= 40\n", "bad-character", 2, 11),
        ("when\nlast <= 50\u2028\n", "bad-character", 2, 11),
        (b"when\nlast <= \xff50\n", "not-utf-8", 2, 9),
        ("when\nlast <= 50\n".encode("utf-16"), "not-utf-8", 1, 1),
        (bytes(range(256)), "not-utf-8", 3, 115),
        ("when,side\n,sell\n", "empty-value", 2, 1),
        ("when,side\nlast <= 50, Sell\n", "bad-choice", 2, 13),
        ("when,qty\nlast <= 50,1e3\n", "bad-number", 2, 12),
        ("when,confirm\nlast <= 50,3\n", "bad-choice", 2, 12),
        ("when,id\nlast <= 50,Grid 1\n", "bad-id", 2, 12),
        ('when,price,type\nlast <= 50,"trigger, 2",limit\n', "bad-order-price", 2, 12),
        ("when,type\nlast <= 50,limit\n", "order-price", 2, 12),
        ("when,qty\nlast <= 50,0\n", "not-a-lot", 2, 12),
        ("when\nlast <= 20000\n", "outside-range", 2, 9),
        ("when\nlast < 0.01\n", "outside-range", 2, 8),
    ],
)  # fmt: skip
def test_faults_have_a_place(desk, text: str | bytes, slug: str, line: int, column: int) -> None:
    write(desk, text)
    _, diagnostics = desk.load(GRID)
    assert [(one.code.slug, one.span.line, one.span.column) for one in diagnostics] == [(slug, line, column)]


def test_a_quoted_line_end_is_refused(desk) -> None:
    write(desk, 'when,side\n"last\n <= 50",sell\nlast <= 12.345,sell\n')
    assert [(one.span.line, one.code.slug) for one in desk.load(GRID)[1]] == [(2, "table-row"), (3, "table-row")]


def test_faults_are_bounded(desk) -> None:
    write(desk, "when,qty\n" + "".join(f"last <= 50,x{number}\n" for number in range(3000)) + "last <= 50.001,2\n" * 50)
    _, diagnostics = desk.load(GRID)
    assert len(diagnostics) == SHOWN_ROWS + 1
    assert (
        sum(int(one.message.split()[0].replace(",", "")) for one in diagnostics if one.code.slug == "table-more")
        == 2980
    )
    write(desk, "when\n" + "last <= 50.001\n" * 50)
    _, diagnostics = desk.load(GRID)
    assert [one.code.slug for one in diagnostics] == ["table-more"] + ["off-grid"] * SHOWN_ROWS


@pytest.mark.parametrize(("rules", "count"), [("id: grid, instrument: MSFT", 1), ("id: x, instrument: MSFT", 1)])
def test_ids_clash(desk, rules: str, count: int) -> None:
    write(desk, "when,id\nlast <= 50,a\nlast <= 40,b\nlast <= 30,a\n")
    assert (
        desk.slugs(f"- {{{rules}, table: grid.csv, order: {{side: sell, qty: 2, type: market}}}}")
        == ["id-clash"] * count
    )


def test_parquet_columns_of_numbers(desk) -> None:
    columns = pa.table(
        {
            "when": pa.array(["last <= 50", "bid >= 0.3"]).dictionary_encode(),
            "side": pa.array(["sell", "buy"], pa.large_string()),
            "qty": pa.array([3, None], pa.int32()),
            "type": ["limit", "limit"],
            "price": pa.array([0.1 + 0.2 - 4e-17, 1234.5]),
        }
    )
    parquet.write_table(columns, desk.folder / "grid.parquet")
    strategy, diagnostics = desk.load(GRID.replace("grid.csv", "grid.parquet"))
    assert strategy, diagnostics
    assert [(rule.order.qty, rule.order.price) for rule in strategy.rules] == [(3, 30), (2, 123450)]
    decimals = columns.set_column(4, "price", pa.array([Decimal("1E+2"), Decimal("0.50")], pa.decimal128(10, 4)))
    parquet.write_table(decimals, desk.folder / "grid.parquet")
    strategy, diagnostics = desk.load(GRID.replace("grid.csv", "grid.parquet"))
    assert strategy, diagnostics
    assert [rule.order.price for rule in strategy.rules] == [10000, 50]


def test_parquet_faults(desk) -> None:
    rule = GRID.replace("grid.csv", "grid.parquet")
    parquet.write_table(
        pa.table({"when": ["last <= 50", "last <= 0.30000000000000004"], "qty": [2.5, 2]}), desk.folder / "grid.parquet"
    )
    _, diagnostics = desk.load(rule)
    assert [(one.code.slug, one.span.line, one.span.column) for one in diagnostics] == [
        ("not-a-lot", 1, 2),
        ("off-grid", 2, 1),
    ]
    parquet.write_table(pa.table({"when": [True]}), desk.folder / "grid.parquet")
    assert desk.slugs(rule) == ["table-column"]
    data = (desk.folder / "grid.parquet").read_bytes()
    write(desk, data[:-20], "grid.parquet")
    assert desk.slugs(rule) == ["table-column"]
    write(desk, data[:20] + bytes(len(data) - 40) + data[-20:], "grid.parquet")
    assert desk.slugs(rule) == ["table-column"]


def test_the_same_file_is_read_once(desk, monkeypatch: pytest.MonkeyPatch) -> None:
    write(desk, "when\nlast <= 50\n")
    names = []
    original = table.read_table
    monkeypatch.setattr(
        table, "read_table", lambda path, *more, **keys: names.append(path) or original(path, *more, **keys)
    )
    strategy, _ = desk.load(GRID.replace("MSFT", "[MSFT, CLZ6]") + "\n" + GRID.replace("id: grid", "id: b"))
    assert strategy
    assert len(names) == 1


def test_missing_files_and_keys(desk) -> None:
    assert desk.slugs(GRID) == ["cannot-read"]
    write(desk, "when\nlast <= 50\n")
    assert (
        desk.slugs("- {id: grid, instrument: MSFT, table: grid.csv, order: {type: market}}")
        == ["missing-order-key"] * 2
    )
    write(desk, "when,side,qty\nlast <= 50,sell,2\nlast <= 40,,2\n")
    assert desk.slugs("- {id: grid, instrument: MSFT, table: grid.csv, order: {type: market}}") == ["missing-order-key"]
    assert load_strategy(desk.folder / "test.yaml").dropped == 0
