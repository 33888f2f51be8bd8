# SPDX-License-Identifier: Apache-2.0
"""`fixaccel exchange`: the program run, its records replayed, compared, exported, and fed to it again."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from fixaccel.cli.main import cli
from fixaccel.exchange.program import find_program

STRATEGIES = Path(__file__).parents[2] / "strategies"
VENUE = STRATEGIES / "venues" / "simulator.yaml"
QUICKSTART = STRATEGIES / "quickstart.yaml"
LINE = [sys.executable, "-m", "fixaccel", "exchange"]


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(cli, ["exchange", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def play(folder: Path, scenario: str, name: str = "day.jsonl") -> Path:
    """The record of a venue that has played a scenario."""
    (folder / "scenario.yaml").write_text(f"fixaccel-scenario: 1\nsteps:\n{scenario}")
    record = folder / name
    options = ["--listen", "127.0.0.1:0", "--scenario", folder / "scenario.yaml", "--record", record]
    line = [*LINE, "--config", VENUE, *options, "--exit-after-scenario"]
    done = subprocess.run([*map(str, line)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "scenario completed"
    return record


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("exchange")


@pytest.fixture(scope="module")
def moved(folder: Path) -> Path:
    return play(
        folder,
        "  - quote: {instrument: MSFT, bid: 1185.00, bid_size: 100, ask: 1185.10, ask_size: 100}\n"
        "  - trade: {instrument: MSFT, price: 1185.05, size: 5}\n"
        "  - batch:\n"
        "      - trade: {instrument: MSFT, price: 1174.00, size: 5}\n"
        "      - quote: {instrument: MSFT, bid: 1173.90, bid_size: 7, ask: 1174.10, ask_size: 100}\n",
    )


def fires(events: Path) -> list[list[str]]:
    result = CliRunner().invoke(cli, ["simulate", str(QUICKSTART), "--events", str(events)])
    assert result.exit_code == 0
    return [line.split(",")[1:6] for line in result.stdout.splitlines()[1:]]


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_day_at_the_simulator_is_a_test_of_a_strategy(moved: Path, tmp_path: Path, suffix: str) -> None:
    events = tmp_path / f"day.{suffix}"
    assert run("export", moved, "-o", events).exit_code == 0
    assert fires(events) == [
        ["3", "protect-msft", "last", "1180", "1174"],
        ["3", "protect-msft-rest", "last", "1175", "1174"],
    ]
    # What is published together is one message: there is no book of the moment in between.
    assert pq.read_table(events).num_rows == 3 if suffix == "parquet" else len(events.read_text().splitlines()) == 4


def test_a_record_replays_the_same(moved: Path) -> None:
    result = run("replay", moved)
    assert (result.exit_code, result.output) == (0, "4 calls, 0 executions, 0 trades, 0 orders: the same\n")
    found = json.loads(run("replay", moved, "--json").output)
    assert (found["same"], found["whole"], found["calls"]) == (True, True, 4)
    assert run("diff", moved, moved).output == "the same\n"


def test_a_venue_may_stand_in_for_the_records(moved: Path, tmp_path: Path) -> None:
    coarse = tmp_path / "coarse.yaml"
    coarse.write_text(VENUE.read_text().replace("MSFT: {tick: 0.01", "MSFT: {tick: 1"))
    result = run("replay", moved, "--venue", coarse)
    assert result.exit_code == 2
    assert f"{moved}:" in result.output
    assert "price 1185.10 is not on the tick grid of 1" in result.output


def test_the_same_scenario_gives_the_same_record(moved: Path, folder: Path) -> None:
    scenario = "  - flow: {seed: 5, rate: 1000/s, for: 500ms, instruments: {MSFT: 1180, ESZ6: 6800}, pace: PACE}\n"
    one, two = (play(folder, scenario.replace("PACE", pace), f"{pace}.jsonl") for pace in ("max", "real"))
    # As fast as it goes, turns are published together: what is sent is the same all the same.
    assert sent(one) == sent(two)
    assert len(sent(one)) > 300
    other = run("diff", moved, one)
    assert other.exit_code == 1
    assert f"- {moved}:" in other.output


def sent(record: Path) -> list[Any]:
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    return [
        [value for name, value in line.items() if name not in {"time_ns", "step"}]
        for line in lines
        if line["event"] == "call"
    ]


def test_differences_have_their_lines(moved: Path, tmp_path: Path) -> None:
    lines = moved.read_text().splitlines(keepends=True)
    number = next(n for n, line in enumerate(lines, 1) if '"call":"trade"' in line)
    lines[number - 1] = lines[number - 1].replace('"size":5', '"size":6')
    changed = tmp_path / "changed.jsonl"
    changed.write_text("".join(lines))
    result = run("diff", moved, changed)
    assert result.exit_code == 1
    assert f"- {moved}:{number}: " in result.output
    assert f"+ {changed}:{number}: " in result.output
    (stream,) = json.loads(run("diff", moved, changed, "--json").output)["streams"]
    assert (stream["event"], stream["same"], stream["added"][0]["line"]) == ("call", 3, number)


RULE = "0001" + "00000001" + "00000001"  # the second rule of a bundle


@pytest.fixture(scope="module")
def traded(moved: Path, folder: Path) -> Path:
    """A record with clients' orders, as far as what the exchange was told goes."""
    lines = moved.read_text().splitlines()[:-1]
    step = 100

    def enter(cl_ord_id: str, **terms: str) -> str:
        nonlocal step
        step += 1
        order = {"client": "CLIENT1", "cl_ord_id": cl_ord_id, "symbol": "MSFT", "side": "1", "ord_type": "2", **terms}
        return json.dumps({"time_ns": step, "event": "call", "step": step, "call": "enter", **order})

    lines += [
        enter(RULE, qty="10", price="1174.10"),
        enter("by-hand", qty="5", price="1174.10"),
        enter(RULE[:-1] + "2", qty="x", price="1"),
        enter(RULE[:-1] + "3", qty="200", price="1174.10", tif="3"),
    ]
    record = folder / "traded.jsonl"
    record.write_text("\n".join(lines).replace('"event": "', '"event":"') + "\n")
    return record


def test_fills_of_a_bundles_rules_are_rows(traded: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    assert CliRunner().invoke(cli, ["compile", str(QUICKSTART), "-o", str(bundle)]).exit_code == 0
    assert run("export", traded, "-o", tmp_path / "day.csv", "--bundle", bundle).exit_code == 0
    rows = [line.split(",", 1)[1] for line in (tmp_path / "day.csv").read_text().splitlines()]
    assert [row for row in rows if row.startswith(",")] == [
        ",fill,,,,,1174.10,10,protect-msft-rest",
        ",reject,,,,,,,protect-msft-rest",
        ",fill,,,,,1174.10,85,protect-msft-rest",
        ",done,,,,,,,protect-msft-rest",
    ]
    # A scenario makes the market: it has no use for them.
    assert run("export", traded, "-o", tmp_path / "day.parquet", "--bundle", bundle).exit_code == 0
    assert run("ticks", tmp_path / "day.parquet", "-o", tmp_path / "ticks.csv").exit_code == 0
    market = [row.removesuffix(",") for row in rows[1:] if not row.startswith(",")]
    assert [line.split(",", 1)[1] for line in (tmp_path / "ticks.csv").read_text().splitlines()[1:]] == market
    assert run("export", traded, "-o", tmp_path / "all.csv", "--instrument", "ESZ6").exit_code == 0
    assert len((tmp_path / "all.csv").read_text().splitlines()) == 1


def test_a_recorded_execution_that_is_another_is_a_difference(traded: Path, tmp_path: Path) -> None:
    wrong = {"event": "execution", "client": "CLIENT1", "exec_id": "E1", "msg_seq_num": 2}
    record = tmp_path / "wrong.jsonl"
    record.write_text(traded.read_text() + json.dumps(wrong).replace(": ", ":") + "\n")
    result = run("replay", record)
    assert result.exit_code == 1
    assert f"{record}:{len(record.read_text().splitlines())}: execution" in result.output
    assert result.output.endswith("1 differences; the record ends in the middle\n")


def test_an_exported_day_is_played_again(moved: Path, folder: Path) -> None:
    for name in ("first", "again"):
        if name == "again":
            assert run("ticks", folder / "first.parquet", "-o", folder / "first.csv").exit_code == 0
            moved = play(folder, "  - ticks: {file: first.csv, speed: max}\n", "again.jsonl")
        assert run("export", moved, "-o", folder / f"{name}.parquet").exit_code == 0
    first, again = (pq.read_table(folder / f"{name}.parquet").drop(["ts_ns"]) for name in ("first", "again"))
    assert first.equals(again)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["replay", "nowhere"], "cannot read this record: No such file or directory"),
        (["replay", str(VENUE)], "the record does not say what it was told"),
        (["diff", str(VENUE), str(VENUE)], "this is no line of a record"),
        (["export", "nowhere", "-o", "x.csv"], "cannot read this record"),
        (["export", str(VENUE), "-o", "x.csv", "--bundle", "nowhere"], "nowhere is no bundle"),
        (["export", str(VENUE), "-o", str(VENUE)], "is an input"),
        (["ticks", str(VENUE), "-o", "x.csv"], "is no Parquet file, or damaged"),
        (["run"], "Missing option '--config'"),
        (["--listen", "127.0.0.1:0"], "Missing option '--config'"),
    ],
)
def test_what_is_wrong_is_said(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert (result.exit_code, said in result.output) == (2, True), result.output
    assert not (tmp_path / "x.csv").exists()


def test_without_its_program_the_command_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, moved: Path) -> None:
    monkeypatch.setenv("FIXACCEL_EXCHANGE", "/nowhere/fixaccel-exchange")
    for line in (["replay", moved], ["run", "--config", VENUE]):
        result = run(*line)
        assert (result.exit_code, "build it with" in result.output) == (2, True)


def test_the_program_has_the_options_of_the_command(tmp_path: Path) -> None:
    for option in ("--colour", "--listen=here"):
        done = subprocess.run([*LINE, "--config", VENUE, option], capture_output=True, text=True, check=False)
        assert done.returncode == 2, "the program refuses it by itself"
    done = subprocess.run([find_program(), "--help"], capture_output=True, text=True, check=True)
    shown = run("run", "--help").output
    for option in ("--scenario", "--listen", "--listen-market", "--client", "--record", "--record-wire", "--store"):
        assert option in done.stdout
        assert option in shown


@pytest.mark.parametrize("command", ["run", "replay", "diff", "export", "ticks"])
def test_each_has_examples(command: str) -> None:
    assert f"fixaccel exchange {command}" in run(command, "--help").output.partition("Example")[2]
