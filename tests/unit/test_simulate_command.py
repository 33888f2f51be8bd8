# SPDX-License-Identifier: Apache-2.0
"""`fixaccel simulate` as a command: outputs, exit codes, refusals."""

import csv
import json

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from fixaccel.cli.main import cli
from fixaccel.data import data_path
from fixaccel.events.file import COLUMNS
from fixaccel.events.write import Event, write_events
from fixaccel.simulate.results import COLUMNS as RESULT_COLUMNS
from fixaccel.simulate.rtl.run import BINARY_VARIABLE

STRATEGY = str(data_path("strategies/quickstart.yaml"))
HEADER = ",".join(COLUMNS)


@pytest.fixture
def events(tmp_path):
    path = tmp_path / "events.csv"
    path.write_text(f"{HEADER}\n1,MSFT,snapshot,,,,,1181,1\n2,MSFT,snapshot,,,,,1174,1\n", encoding="ascii")
    return path


def run(*arguments):
    return CliRunner().invoke(cli, ["simulate", *map(str, arguments)])


@pytest.mark.parametrize("engine", ["rules", "image"])
def test_rows(events, engine):
    result = run(STRATEGY, "--events", events, "--engine", engine)
    assert result.exit_code == 0
    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert [(row["event"], row["rule"], row["observed"], row["outcome"]) for row in rows] == [
        ("2", "protect-msft", "1174", "sent"),
        ("2", "protect-msft-rest", "1174", "sent"),
    ]


def test_output_file(events, tmp_path):
    out = tmp_path / "fires.csv"
    result = run(STRATEGY, "-e", events, "-o", out)
    assert result.exit_code == 0
    assert result.stdout == ""
    assert "2 events, 2 observations, 2 fires" in result.stderr
    assert out.read_bytes() == run(STRATEGY, "-e", events).stdout_bytes


def test_wrong_events_give_no_results(events, tmp_path):
    events.write_text(events.read_text() + "x,MSTF,,,,,,1,\n")
    out = tmp_path / "fires.csv"
    result = run(STRATEGY, "-e", events, "-o", out)
    assert result.exit_code == 1
    assert "FX0703" in result.stderr
    assert "did you mean `MSFT`?" in result.stderr
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["none.yaml", "-e", "EVENTS"], 2, "FX0101"),
        ([STRATEGY, "-e", "none.csv"], 2, "FX0101"),
        ([STRATEGY], 2, "--events"),
        ([STRATEGY, "-e", "EVENTS", "--engine", "fpga"], 2, "fpga"),
        ([STRATEGY, "-e", "EVENTS", "--rtl-shape", "1"], 2, "go with --engine rtl"),
        ([STRATEGY, "-e", "EVENTS", "--engine", "image", "--board", "none.yaml"], 2, "FX0101"),
        ([STRATEGY, "-e", "EVENTS", "-o", "/nonexistent/dir/fires.csv"], None, "nonexistent"),
    ],
)
def test_what_cannot_be_asked(events, arguments, code, text):
    result = run(*[str(events) if argument == "EVENTS" else argument for argument in arguments])
    if code is None:
        # The command's entry point turns it into a message; see main().
        assert isinstance(result.exception, FileNotFoundError)
        return
    assert result.exit_code == code
    assert text in result.stderr


def test_rtl_plays_snapshots_and_updates_only(events, monkeypatch, tmp_path):
    program = tmp_path / "fixaccel-rtlsim"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv(BINARY_VARIABLE, str(program))
    events.write_text(f"{HEADER}\n1,MSFT,,,,,,1181,1\n2,MSFT,halt,,,,,,\n")
    result = run(STRATEGY, "-e", events, "--engine", "rtl")
    assert result.exit_code == 2
    assert "event 2 is of kind `halt`" in result.stderr


def test_a_simulator_that_fails_is_reported(events, monkeypatch, tmp_path):
    program = tmp_path / "fixaccel-rtlsim"
    program.write_text('#!/bin/sh\necho \'{"error": "no fabric"}\'\nexit 1\n')
    program.chmod(0o755)
    monkeypatch.setenv(BINARY_VARIABLE, str(program))
    result = run(STRATEGY, "-e", events, "--engine", "rtl")
    assert result.exit_code == 2
    assert "no fabric" in result.stderr


@pytest.fixture
def parquet(events):
    """The same events as `events`."""
    path = events.with_suffix(".parquet")
    write_events(path, [Event(1, "MSFT", "snapshot", last="1181"), Event(2, "MSFT", "snapshot", last="1174")])
    return path


def test_parquet_in_and_out(events, parquet, tmp_path):
    out = tmp_path / "fires.parquet"
    result = run(STRATEGY, "-e", parquet, "-o", out)
    assert result.exit_code == 0
    rows = csv.DictReader(run(STRATEGY, "-e", events).stdout.splitlines())
    assert [{k: str(v) for k, v in row.items()} for row in pq.read_table(out).to_pylist()] == list(rows)


def test_no_fires_still_make_a_file(parquet, tmp_path):
    write_events(parquet, [Event(1, "MSFT", "snapshot", last="5000")])
    out = tmp_path / "fires.parquet"
    assert run(STRATEGY, "-e", parquet, "-o", out).exit_code == 0
    assert pq.read_table(out).column_names == list(RESULT_COLUMNS)


def test_damaged_parquet(parquet, tmp_path):
    parquet.write_bytes(b"PAR1")
    out = tmp_path / "fires.csv"
    result = run(STRATEGY, "-e", parquet, "-o", out)
    assert result.exit_code == 1
    assert "FX0708" in result.stderr
    assert not out.exists()


def test_summary(events):
    with events.open("a") as file:
        file.write("3,MSFT,update,,,,,1.001,\n")
    text = run(STRATEGY, "-e", events).stderr.splitlines()[-1]
    assert text.startswith("3 events, 3 observations, 2 fires, invalid prices: 1 in")
    assert "observations/s" in text
    said = json.loads(run(STRATEGY, "-e", events, "--format", "json").stderr)
    assert said["summary"]["fires"] == said["summary"]["sent"] == 2
    assert said["summary"]["rejected"] == {}
    assert said["summary"]["events"] == 3
    assert "diagnostics" in said
    assert "events," not in run(STRATEGY, "-e", events, "--format", "concise").stderr
