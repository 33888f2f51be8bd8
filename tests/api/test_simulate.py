# SPDX-License-Identifier: Apache-2.0
"""Simulations on tables give what the command gives on files, and say what is wrong with a table."""

import csv
import io
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import fixaccel
from fixaccel.api import simulation
from fixaccel.cli.main import cli
from fixaccel.data import data_path
from fixaccel.events import parquet
from fixaccel.events.row_reader import COLUMNS
from fixaccel.native.library import LIBRARY_VARIABLE

QUICKSTART = data_path("strategies/quickstart.yaml")
ENGINES = ("rules", "image")
FIRED = [("protect-msft", "1180", "1174", 2), ("protect-msft-rest", "1175", "1174", 3)]


def rows(done):
    return [(fire.rule, fire.trigger, fire.observed, fire.qty) for fire in done.fires]


def with_file_columns(table):
    """All columns of an event file, missing ones without a value."""
    return pa.table({name: table[name] if name in table.column_names else pa.nulls(len(table)) for name in COLUMNS[:9]})


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "form",
    [
        lambda table: table,
        lambda table: table.to_reader(max_chunksize=1),
        lambda table: table.combine_chunks().to_batches()[0],
        lambda table: table.to_pandas(),
        lambda table: table.to_pandas().set_index("ts_ns"),
        lambda table: table.to_pandas().astype({"instrument": "category"}),
        lambda table: table.to_pandas().astype({"instrument": object}),
        lambda table: table.to_pandas().assign(kind=float("nan")),  # as it reads a file's empty column
        lambda table: table.to_pandas(types_mapper=pd.ArrowDtype),
        pl.from_arrow,
        lambda table: pl.from_arrow(table).cast({"instrument": pl.Categorical, "last": pl.Decimal(18, 4)}),
        lambda table: table.set_column(3, "last", table["last"].cast(pa.decimal64(18, 8))),
    ],
    ids=[
        "table", "reader", "batch", "frame", "index", "category", "object", "empty",
        "arrow-frame", "polars", "polars-types",
        "decimal64",
    ],
)  # fmt: skip
def test_forms(quickstart, table, form, engine):
    done = quickstart.simulate(form(table), engine=engine)
    assert rows(done) == FIRED
    assert (done.summary.events, done.summary.observations, done.summary.sent) == (3, 4, 2)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize("engine", ENGINES)
def test_files_as_the_command(quickstart, table, tmp_path, suffix, engine):
    events, out, other = (tmp_path / f"{name}.{suffix}" for name in ("day", "out", "other"))
    whole = with_file_columns(table)
    if suffix == "csv":
        text = io.BytesIO()
        pa_csv.write_csv(whole, text, pa_csv.WriteOptions(quoting_style="none", include_header=False))
        events.write_bytes(",".join(COLUMNS[:9]).encode() + b"\n" + text.getvalue())
    else:
        pq.write_table(whole, events)
    done = quickstart.simulate(str(events), engine=engine)
    done.write(out)
    run = CliRunner().invoke(cli, ["simulate", str(QUICKSTART), "-e", str(events), "-o", str(other)])
    assert run.exit_code == 0
    assert out.read_bytes() == other.read_bytes()
    assert rows(done) == FIRED
    with pytest.raises(fixaccel.FixaccelError, match="is an input; write to another file"):
        done.write(events)
    with pytest.raises(fixaccel.FixaccelError, match="is an input"):
        done.write(QUICKSTART)


MOMENTS = ["2026-03-02 14:30:00", "2026-03-02 14:30:01", "2026-03-02 14:30:02"]


@pytest.mark.parametrize("zone", ["UTC", "America/New_York"])
@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_moments(quickstart, table, zone, unit):
    moments = pd.to_datetime(MOMENTS, utc=True).as_unit(unit).tz_convert(zone)
    done = quickstart.simulate(table.to_pandas().assign(ts_ns=moments))
    assert done.fires[0].ts_ns == pd.Timestamp(MOMENTS[2], tz="UTC").value
    assert done.to_pandas()["ts_ns"][0] == pd.Timestamp(MOMENTS[2], tz="UTC")


def test_results_as_tables(quickstart, table):
    done = quickstart.simulate(table)
    arrow = done.to_arrow()
    assert tuple(arrow.column_names) == COLUMNS_OF_RESULTS
    assert arrow["trigger"].to_pylist() == [Decimal("1180.000000000"), Decimal("1175.000000000")]
    assert arrow["price"].to_pylist() == [Decimal("1100.000000000"), None]
    frame = done.to_pandas()
    assert frame["observed"].tolist() == [1174.0, 1174.0]
    assert frame["price"].dtype == np.float64
    assert frame["price"].isna().tolist() == [False, True]
    assert list(frame["rule"]) == ["protect-msft", "protect-msft-rest"]
    polars = pl.DataFrame(done)
    assert polars.columns == list(COLUMNS_OF_RESULTS)
    assert polars["qty"].to_list() == [2, 3]
    html = done._repr_html_()
    assert "protect-msft-rest" in html
    assert "3 events, 4 observations, 2 fires" in html


COLUMNS_OF_RESULTS = tuple(fixaccel.Fire.__dataclass_fields__)


def test_floats_of_results_are_the_nearest(quickstart):
    """The float that Python reads from the text, digit for digit."""
    cents = [110_001 + 7 * number for number in range(100)]
    text = QUICKSTART.read_text().split("rules:")[0] + "rules:\n" + "".join(
        f"  - {{id: r{c}, instrument: MSFT, when: last <= {c / 100}, order: {{side: sell, qty: 1, type: market}}}}\n"
        for c in cents
    )  # fmt: skip
    strategy = fixaccel.load(QUICKSTART, text=text)
    done = strategy.simulate(pa.table({"ts_ns": [1, 2], "instrument": ["MSFT"] * 2, "last": ["2000", "1000"]}))
    assert done.to_pandas()["trigger"].tolist() == [float(fire.trigger) for fire in done.fires]
    assert len(done.fires) == 100


def test_no_fires(quickstart, table):
    done = quickstart.simulate(table[:1])
    assert done.fires == ()
    assert done.to_arrow().num_rows == 0
    assert done.to_arrow().schema == quickstart.simulate(table).to_arrow().schema
    assert list(done.to_pandas().columns) == list(COLUMNS_OF_RESULTS)
    assert "0 fires" in done._repr_html_()


@pytest.mark.parametrize("engine", ENGINES)
def test_no_events(quickstart, table, engine):
    for events in (table[:0], table[:0].to_pandas(), table[:0].to_reader(), pl.from_arrow(table[:0])):
        told = []
        done = quickstart.simulate(events, engine=engine, progress=told.append)
        assert (done.summary.events, done.fires, told) == (0, (), [1.0])


@pytest.mark.parametrize("small", [1, 2, 5, 1 << 12])
def test_small_batches_become_larger_ones(quickstart, table, monkeypatch, small):
    """The rows stay in their order, whatever dictionary each batch has."""
    monkeypatch.setattr("fixaccel.api.tables._SMALL_ROWS", small)
    other = table.set_column(1, "instrument", pa.array(["ESZ6", "7203", "MSFT"]))
    parts = [part.set_column(1, "instrument", part["instrument"].combine_chunks().dictionary_encode())
             for whole in (other, table, other) for part in (whole[:1], whole[1:])]  # fmt: skip
    batches = [batch for part in parts for batch in part.to_batches()]
    done = quickstart.simulate(pa.RecordBatchReader.from_batches(batches[0].schema, batches), engine="image")
    whole = quickstart.simulate(pa.concat_tables([other, table, other]))
    assert done.fires == whole.fires
    assert done.summary.events == 9


def test_runs_side_by_side(quickstart, table):
    """Each counts for itself: the library lets go of Python's lock while it runs."""
    odd = pa.concat_tables([table.set_column(3, "last", pa.array([1185.001] * 3))] * 20_000).combine_chunks()
    with ThreadPoolExecutor(4) as pool:
        runs = list(pool.map(lambda events: quickstart.simulate(events, engine="image"), [odd, table] * 8))
    assert [run.summary.invalid_prices for run in runs] == [60_000, 0] * 8
    assert [len(run.fires) for run in runs] == [0, 2] * 8


@pytest.mark.parametrize("engine", ENGINES)
def test_summary_counts_invalid_prices(quickstart, engine):
    table = pa.table({"ts_ns": [1, 2, 3], "instrument": ["MSFT"] * 3, "last": [1185.001, 20000.0, 1e-9]})
    done = quickstart.simulate(table, engine=engine)
    assert done.summary.invalid_prices == 3


@pytest.mark.parametrize("engine", ENGINES)
def test_progress(quickstart, table, engine, monkeypatch):
    monkeypatch.setattr("fixaccel.api.tables.BATCH_ROWS", 1)
    told = []
    quickstart.simulate(table, engine=engine, progress=told.append)
    assert told == sorted(set(told))
    assert told[-1] == 1
    assert len(told) == 3
    told.clear()
    quickstart.simulate(table.to_reader(), engine="image", progress=told.append)
    assert told == [1.0]
    monkeypatch.setattr(simulation, "_STEP", 0.5)
    quickstart.simulate(table, engine=engine, progress=told.append)
    assert told == [1.0, pytest.approx(2 / 3), 1.0]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda f: f.assign(instrument="MSTF"), "did you mean `MSFT`"),
        (lambda f: f.assign(kind="trade"), "unknown kind `trade`"),
        (lambda f: f.assign(kind=[float("nan"), 1.0, 2.0]), "column `kind` is of type `double`"),
        (lambda f: f.assign(ts_ns=[-1, 2, 3]), "<DataFrame>:1:1"),
        (lambda f: f.drop(columns="ts_ns"), "there is no column `ts_ns`"),
        (lambda f: f.drop(columns="instrument"), "there is no column `instrument`"),
        (lambda f: f.assign(bids=1.0), "`bids` is no column of events; did you mean `bid`"),
        (lambda f: f.assign(xyz=1.0), "leave it out"),
        (lambda f: f.assign(last=["a", "1", "2"]), "`a` is not a price"),
        (lambda f: f.assign(last=["a", 1.0, 2.0]), "column last"),
        (lambda f: pd.concat([f, f["last"]], axis=1), "Duplicate column names"),
        (lambda f: f.assign(instrument=[1, 2, 3]), "`instrument` is of type `int64`"),
        (lambda f: f.assign(ts_ns=pd.to_datetime(f["ts_ns"])), "timestamps in ns and UTC"),
        (lambda f: f.assign(ts_ns=pd.array(["1900-01-01"] * 3, "datetime64[s, UTC]")), "nanoseconds below 2^63"),
        (lambda f: f.assign(ts_ns=pd.array(["9000-01-01"] * 3, "datetime64[s, UTC]")), "cannot be read"),
        (lambda f: f.assign(last=f["last"].astype("float32")), "`last` is of type `float`"),
        (lambda f: pl.from_pandas(f).with_columns(last=pl.lit(float("nan"))), "`nan` is not a price"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_wrong_with_a_table(quickstart, table, change, said, engine):
    with pytest.raises(fixaccel.FixaccelError) as raised:
        quickstart.simulate(change(table.to_pandas()), engine=engine)
    assert said in str(raised.value)


def test_what_is_wrong_with_a_call(quickstart, table, tmp_path, monkeypatch):
    with pytest.raises(TypeError, match="not list"):
        quickstart.simulate([1])
    with pytest.raises(TypeError, match=r"collect\(\) it first"):
        quickstart.simulate(pl.from_arrow(table).lazy())
    with pytest.raises(ValueError, match='engine is "rules" or "image"'):
        quickstart.simulate(table, engine="rtl")
    with pytest.raises(fixaccel.FixaccelError, match="cannot read"):
        quickstart.simulate(tmp_path / "none.csv")
    monkeypatch.setenv(LIBRARY_VARIABLE, str(tmp_path / "none.so"))
    with pytest.raises(fixaccel.FixaccelError, match=r"the engine image needs none\.so"):
        quickstart.simulate(table, engine="image")


def test_damaged_memory_is_refused(quickstart, table):
    """What another library hands over is looked at before it is used."""
    odd = pa.DictionaryArray.from_arrays(pa.array([0, 7, 0], pa.int32()), ["MSFT"], safe=False)
    with pytest.raises(fixaccel.FixaccelError, match="cannot be read"):
        quickstart.simulate(table.set_column(1, "instrument", odd), engine="image")


def test_without_pandas(quickstart, table, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    done = quickstart.simulate(table)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'fixaccel\[notebook\]'"):
        done.to_pandas()


PRICES = st.none() | st.sampled_from([1100.0, 1174.0, 1180.0, 1180.001, 1185.0, 1e12])
ROW = st.tuples(st.integers(0, 9), st.sampled_from(["MSFT", "ESZ6"]), PRICES, PRICES, PRICES)


@given(st.lists(ROW, max_size=12), st.integers(1, 5))
def test_a_frame_means_what_a_file_means(tmp_path_factory, found, chunk):
    """Both engines, in pieces of any size, against the reader of CSV."""
    names = ["ts_ns", "instrument", "bid", "ask", "last"]
    frame = pd.DataFrame(found, columns=names).astype(
        {"ts_ns": "int64", "instrument": "str"} | dict.fromkeys(names[2:], "float64")
    )
    path = tmp_path_factory.mktemp("events") / "day.csv"
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS[:9])
    for ts_ns, instrument, *prices in found:
        shown = ["" if price is None else format(Decimal(repr(price)), "f") for price in prices]
        writer.writerow([ts_ns, instrument, "", shown[0], "", shown[1], "", shown[2], ""])
    path.write_text(text.getvalue())
    wanted = STRATEGY.simulate(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fixaccel.api.tables.BATCH_ROWS", chunk)
        for engine in ENGINES:
            done = STRATEGY.simulate(frame, engine=engine)
            assert done.fires == wanted.fires
            assert done.summary.observations == wanted.summary.observations
            assert done.summary.invalid_prices == wanted.summary.invalid_prices


STRATEGY = fixaccel.load(QUICKSTART)


def test_batches_are_bounded():
    assert parquet.BATCH_ROWS <= 1 << 18


@pytest.mark.parametrize("engine", ENGINES)
def test_rows_of_own_orders(engine):
    # A limit entry rests; what it filled is what its exit sells.
    strategy = fixaccel.load(data_path("strategies/exits.yaml"))
    table = pa.table(
        {
            "ts_ns": pa.array([10**15 + n for n in range(4)], pa.int64()),
            "instrument": ["MSFT"] * 4,
            "kind": ["update", "update", "fill", "update"],
            "ask": pa.array([1151.0, 1150.0, None, None], pa.float64()),
            "last": pa.array([1152.0, None, 1148.0, 1134.0], pa.float64()),
            "last_size": pa.array([None, None, 30, None], pa.int64()),
            "rule": [None, None, "entry", None],
        }
    )
    run = strategy.simulate(table, engine=engine)
    assert [(fire.rule, fire.qty, fire.outcome) for fire in run.fires] == [("entry", 100, "sent"), ("stop", 30, "sent")]
    assert not run.diagnostics

    late = strategy.simulate(table.slice(2), engine=engine)
    assert [found.code.number for found in late.diagnostics] == ["FX0713"]
    with pytest.raises(fixaccel.FixaccelError, match="row 3"):
        strategy.simulate(table, engine=engine, fills="touch")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_model_of_fills(engine):
    strategy = fixaccel.load(data_path("strategies/exits.yaml"))
    table = pa.table(
        {
            "ts_ns": pa.array([10**15 + n for n in range(4)], pa.int64()),
            "instrument": ["MSFT"] * 4,
            "ask": pa.array([1151.0, 1150.0, 1148.0, None], pa.float64()),
            "last": pa.array([1152.0, None, None, 1134.0], pa.float64()),
        }
    )
    assert [fire.rule for fire in strategy.simulate(table, engine=engine).fires] == ["entry"]
    run = strategy.simulate(table, engine=engine, fills="touch")
    assert [(fire.rule, fire.qty) for fire in run.fires] == [("entry", 100), ("stop", 100)]
    with pytest.raises(ValueError, match='"touch"'):
        strategy.simulate(table, fills="some")


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_filled_behind_its_exit(engine):
    path = data_path("strategies/exits.yaml")
    strategy = fixaccel.load(path, text=path.read_text().replace("    cancels: entry\n", ""))
    table = pa.table(
        {
            "ts_ns": pa.array([10**15 + n for n in range(5)], pa.int64()),
            "instrument": ["MSFT"] * 5,
            "kind": ["update", "update", "fill", "update", "fill"],
            "ask": pa.array([None, 1150.0, None, None, None], pa.float64()),
            "last": pa.array([1152.0, None, 1148.0, 1134.0, 1148.0], pa.float64()),
            "last_size": pa.array([None, None, 30, None, 20], pa.int64()),
            "rule": [None, None, "entry", None, "entry"],
        }
    )
    late = strategy.simulate(table, engine=engine).summary
    assert late.uncovered == {"stop": 20}
    assert "20 filled behind `stop`" in late.text()
    assert strategy.simulate(table.slice(0, 4), engine=engine).summary.uncovered == {}
