# SPDX-License-Identifier: Apache-2.0
"""The loop, on made-up machines with made-up round trips: what is kept, what is taken back, and what is told."""

import json
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from commands import plan, run, told
from made_up import MadeUp
from trees import AMD, INTEL, VETH, VIRTUAL, Made, contents, make, scratch

from fixaccel.cli.main import cli
from fixaccel.cli.tune import measuring
from fixaccel.tune.measured.noise import Noise
from fixaccel.tune.measured.tools import by_tool

QUICK = ("--samples", 60, "--time", "10ms")
STATE = "var/lib/fixaccel/tune"


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "Scene", MadeUp)


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Path]:
    with scratch() as folder:
        yield namespace(VIRTUAL, Path(folder))


def namespace(made: Made, root: Path) -> Path:
    make(made, root)
    (root / "proc/sys/net/core/dev_weight").unlink()  # a namespace of our own
    return root


def asked(folder: Path, more: str = "") -> Path:
    return plan(folder, f"profile: process\ninterface: {VETH}\n{more}")


def tried(found: dict[str, Any]) -> dict[str, tuple[str | None, str]]:
    return {trial["stage"]: (trial["verdict"], trial["fate"]) for trial in found["trials"]["trials"]}


def test_the_loop_keeps_what_helps(machine: Path, tmp_path: Path) -> None:
    before = contents(machine)
    at = ("--root", machine)
    done = told("run", asked(tmp_path), "--yes", "--seed", 3, *QUICK, *at)
    assert tried(done) == {"process": ("helps", "kept"), "network": ("hurts", "taken back")}
    assert (done["run"]["state"], done["failure"], done["trials"]["seed"]) == ("applied", "", 3)
    first = done["trials"]["trials"][0]
    assert sorted(first["orders"]) == ["AB"] * 4 + ["BA"] * 4
    median = first["differences"][0]
    assert (median["point"], median["statistic"], median["effect"]) == ("round trip, 50/s", "p50", "helps")
    assert median["after"] / median["before"] == pytest.approx(0.5, abs=0.1)
    assert median["low"] < median["change"] < median["high"] < 0
    assert median["change"] == median["after"] / median["before"] - 1
    # What sharing the session requires stays, whatever the stage does.
    assert "kept, for it is required" in done["trials"]["trials"][1]["said"][0]
    changed = {place for place, text in contents(machine).items() if text != before[place]}
    assert changed == {
        "etc/fixaccel/fixacceld.toml", "proc/sys/net/ipv4/tcp_timestamps", "ethtool/cl0/features/tx-tcp-segmentation",
        "ethtool/cl0/features/tx-generic-segmentation", "ethtool/cl0/features/tx-checksum-ip-generic",
    }  # fmt: skip
    assert "net.tcp-autocorking" in done["trials"]["skip"]
    assert "net.tcp-timestamps" not in done["trials"]["skip"]
    assert done["trials"]["after"]["figures"][0]["p50"] < done["trials"]["before"]["figures"][0]["p50"]

    assert run("verify", *at).exit_code == 0
    text = run("report", *at).output
    assert re.search(r"process\.poll .* set +helps", text)
    assert re.search(r"network +50/s +p50 .* hurts", text)
    page = run("report", "1", *at, "--format", "markdown").output
    assert "## Verdicts" in page
    assert "| process | 50/s | p50 |" in page
    assert told("report", *at)["trials"]["trials"][1]["verdict"] == "hurts"
    # Nothing of it is tried again.
    again = told(
        "run", asked(tmp_path), "--yes", *QUICK, *at, "--skip", "net.tcp-autocorking", "--only", "process.poll"
    )
    assert again["trials"]["trials"] == []
    assert run("rollback", *at).exit_code == 0
    assert contents(machine) == before


def test_one_knob_at_a_time(machine: Path, tmp_path: Path) -> None:
    knobs = [word for id_ in ("process.poll", "process.core", "net.tcp-autocorking") for word in ("--only", id_)]
    # A change of nothing is taken for one by chance once in twenty times: not with this seed.
    result = run("run", asked(tmp_path), "--yes", "--each", "--seed", 3, *knobs, *QUICK, "--root", machine)
    assert result.exit_code == 0
    assert re.search(r"process\.poll +50/s +p50 .* helps .* kept", result.output)
    assert re.search(r"process\.core +50/s +p50 .* no effect seen .* taken back", result.output)
    assert re.search(r"net\.tcp-autocorking +50/s +p50 .* hurts .* taken back", result.output)
    assert "skip: [process.core, net.tcp-autocorking]" in result.output
    assert (machine / "etc/fixaccel/fixacceld.toml").read_text().count("fixaccel tune") == 0  # no core was left
    assert "poll_us = 0 " in (machine / "etc/fixaccel/fixacceld.toml").read_text()


def test_a_loud_machine_gets_no_word(machine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(machine)
    monkeypatch.setattr("fixaccel.tune.trial.quiet", lambda host, say: 40.0)
    result = run("run", asked(tmp_path), "--yes", "--only", "process.poll", *QUICK, "--root", machine)
    assert result.exit_code == 3
    assert re.search(r"process +50/s .* noisy +40\.0 %.* taken back", result.output)
    assert "skip: [" not in result.output  # nobody knows
    assert contents(machine) == before


def test_the_pressure_is_that_of_the_two_seconds_before(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from fixaccel.tune.host import Tree  # noqa: PLC0415 - names of the module are in the way
    from fixaccel.tune.measured import noise  # noqa: PLC0415

    place = machine / "proc/pressure/cpu"
    place.parent.mkdir()
    clock = [0.0]

    def rest(seconds: float) -> None:
        clock[0] += seconds
        # A quarter of the first two looks, then nothing.
        waited = min(clock[0], 4.0) * 0.25 * 1e6
        place.write_text(f"some avg10=0.00 avg60=0.00 avg300=0.00 total={waited:.0f}\nfull total=9\n")

    rest(0)
    monkeypatch.setattr(noise.time, "sleep", rest)
    monkeypatch.setattr(noise.time, "monotonic", lambda: clock[0])
    said: list[str] = []
    assert noise.quiet(Tree(machine), said.append) == 0
    assert clock[0] == 6.0
    assert [text.partition("25 % of the time; ")[2] for text in said] == [
        "waits for quiet (1 of 5)", "waits for quiet (2 of 5)"
    ]  # fmt: skip
    (machine / "proc/stat").write_text("cpu  100 0 0 100 0 0 0 10 0 0\ncpu1 10 0 0 10 0 0 0 0\nctxt 1000\n")
    (machine / "proc/interrupts").write_text("      CPU0  CPU1\n 24:   5   100  PCI eth0\nLOC: 7 10 timer\n")
    listening = noise.Listening(Tree(machine), 1, 0.0)
    clock[0] += 2
    (machine / "proc/stat").write_text("cpu  1 0 0 1 0 0 0 1\ncpu1 60 0 0 58 0 0 0 2\nctxt 1500\n")
    (machine / "proc/interrupts").write_text("      CPU0  CPU1\n 24:   5   140  PCI eth0\nLOC: 7 20 timer\n")
    assert listening.heard() == Noise(0.0, 2.0, 25.0, 250.0, None)


def test_it_asks_before_each_stage(machine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["tune", "run", str(asked(tmp_path)), "--root", str(machine), *map(str, QUICK)]
    alone = CliRunner().invoke(cli, words)
    assert alone.exit_code == 2
    assert "--yes tries all of the plan unasked" in alone.output
    monkeypatch.setattr("fixaccel.cli.tune.run._is_asked", lambda: True)
    result = CliRunner().invoke(cli, words, input="n\ny\n")
    assert result.exit_code == 3
    assert "process.poll" in result.stderr
    assert "Try it? about" in result.stderr
    assert re.search(r"process +- .* skipped", result.stdout)
    assert re.search(r"network +50/s .* hurts", result.stdout)
    assert "poll_us = 500" in (machine / "etc/fixaccel/fixacceld.toml").read_text()
    before = contents(machine)
    ended = CliRunner().invoke(cli, words, input="")  # the terminal is gone
    assert ended.exit_code == 1
    assert contents(machine) == before


def test_what_is_not_measured_is_left_but_for_what_is_required(tmp_path: Path) -> None:
    root = make(INTEL, tmp_path / "m")
    text = plan(tmp_path, "interface: enp65s0f0\nskip: [net.tcp-rmem, net.tcp-wmem]\n")
    done = told("run", text, "--yes", "--only", "process.poll", "--only", "host.swappiness", "--only", "nic.rx-usecs",
                "--root", root, *QUICK)  # fmt: skip
    assert tried(done) == {"process": ("helps", "kept")}
    assert done["trials"]["unreached"] == ["nic.rx-usecs", "host.swappiness"]
    assert (root / "proc/sys/vm/swappiness").read_text() == "60\n"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("4096 262144 16777216", "Input/output error; `--skip net.tcp-wmem` leaves it alone"),
        ("4096\t16384\t4194304", "it cannot be set back: [Errno 5] Input/output error"),
    ],
)
def test_a_write_that_fails_takes_all_back(
    machine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, said: str
) -> None:
    from fixaccel.tune.host import Tree  # noqa: PLC0415 - as above

    before, real, count, wanted = contents(machine), Tree.write, [0], value

    def write(self: Tree, place: str, form: str, value: str | None) -> None:
        is_meant = "tcp_wmem" in place and value == wanted
        count[0] += is_meant
        if is_meant and count[0] == 3:
            raise OSError(5, "Input/output error")
        real(self, place, form, value)

    monkeypatch.setattr(Tree, "write", write)
    result = run("run", asked(tmp_path), "--yes", *QUICK, "--root", machine)
    assert result.exit_code == 1
    assert f"net.tcp-wmem: proc/sys/net/ipv4/tcp_wmem: {said}" in result.stderr
    assert "all of this run was taken back" in result.stderr
    assert contents(machine) == before
    assert told("report", "--root", machine)["state"] == "taken back"


@pytest.mark.parametrize("at", ["0\n", "1\n"])  # as it is when others come: set, or as before
def test_others_who_tune_meanwhile_are_seen(
    machine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    place = machine / "proc/sys/net/ipv4/tcp_autocorking"

    class Meddled(MadeUp):
        def block(self, paces):
            made = super().block(paces)
            # Behind the first block of a pair: what comes next has it the other way.
            if self.count > 6 and self.count % 2 and place.read_text() == at:
                place.write_text("7\n")
            return made

    monkeypatch.setattr(measuring, "Scene", Meddled)
    result = run("run", asked(tmp_path), "--yes", "--only", "net.tcp-autocorking", *QUICK, "--root", machine)
    assert result.exit_code == 1
    assert "net.tcp-autocorking: changed by others, it is 7: is something else tuning" in result.stderr
    assert place.read_text() == "7\n"


def test_measurements_are_kept_and_compared(machine: Path, tmp_path: Path) -> None:
    at = (*QUICK, "--root", machine, "--journal", tmp_path)
    first = told("baseline", *at)
    assert (first["id"], first["kind"], first["kernel"]) == ("1", "baseline", "6.1.0-18-amd64")
    assert [one["name"] for one in first["figures"]][:2] == ["round trip, 50/s", "round trip, as fast as it goes"]
    assert {one["name"] for one in first["figures"]} >= {"wake-up", "fdatasync"}
    assert len(first["figures"][0]["blocks"]) == 6
    same = told("measure", *at)
    assert (same["id"], same["against"]) == ("2", "1")
    assert {one["effect"] for one in same["differences"]} == {"no effect seen"}
    (machine / "etc/fixaccel/fixacceld.toml").write_text("[limits]\npoll_us = 0\n")
    faster = run("measure", *at)
    assert faster.exit_code == 0
    assert "against baseline 1, " in faster.output
    assert "helps" in faster.output
    assert "a hint and no verdict" in faster.output
    assert run("apply", "--root", machine, "--only", "net.tcp-autocorking").exit_code == 0
    checked = run("verify", "--measure", *at)
    assert checked.exit_code == 0
    assert "hurts" in checked.output  # against the last measurement, and no part of the exit code
    assert told("verify", "--measure", *at)["measured"]["kind"] == "measure"
    damaged = machine / STATE / "measured/1.json"
    damaged.write_text("{}")
    said = run("measure", *at)
    assert said.exit_code == 1
    assert "measured/1.json is damaged: move it away" in said.output


def test_after_a_run_it_is_compared_with_what_stayed(machine: Path, tmp_path: Path) -> None:
    at = (*QUICK, "--root", machine, "--journal", tmp_path)
    run("run", asked(tmp_path), "--yes", "--only", "process.poll", *at)
    checked = told("verify", "--measure", *at)
    assert {one["effect"] for one in checked["differences"]} == {"no effect seen"}
    text = run("verify", "--measure", *at).output
    assert "against run, " in text


def test_misuse_is_told(tmp_path: Path) -> None:
    root = make(AMD, tmp_path / "m")
    for words, said in (
        (["run", "--pairs", 5], "5 is not in the range"),
        (["run", "--samples", 59], "59 is not in the range"),
        (["measure", "--peer", "nowhere"], "`nowhere` is no peer: ADDRESS:PORT"),
        (["measure", "--peer", "a:99999"], "is no peer"),
        (["measure", "--journal", tmp_path / "none"], "is no folder"),
        (["echo", "here"], "`here` has no port"),
        (["run", "--only", "none"], "there is no knob `none`"),
    ):
        at = () if words[0] == "echo" else ("--root", root)
        result = run(*words, *at)
        assert (result.exit_code, said in result.output) == (2, True), result.output
    full = run("baseline", "--root", root, *QUICK, "--state", "/proc/none")
    assert full.exit_code == 1
    assert "name another folder with --state" in full.output


def tool(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\nfor word; do case $word in --json=*) out=${{word#--json=}};; esac; done\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_tools_are_asked_where_they_are_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    thread = {"cycles": 1000, "min": 3, "max": 90, "avg": 5.5, "histogram": {"3": 500, "6": 490, "90": 10}}
    tool(tmp_path, "cyclictest", f"echo '{json.dumps({'thread': {'0': thread}})}' > $out")
    figure, why = by_tool("cyclictest", 1, 0.1)
    assert why == ""
    assert figure is not None
    assert (figure.min, figure.mean, figure.p50, figure.p99, figure.max) == (3, 5.5, 3, 6, 90)
    assert figure.said == "core 1"
    tool(tmp_path, "oslat", "echo 'it has no right' >&2; exit 1")
    assert by_tool("oslat", 1, 0.1) == (None, "oslat failed: it has no right")
    tool(tmp_path, "oslat", "echo '{\"thread\": {}}' > $out")
    assert by_tool("oslat", 1, 0.1)[1] == "oslat has answered in a form that is not known here"
    monkeypatch.setenv("PATH", str(tmp_path / "none"))
    assert by_tool("oslat", 1, 0.1) == (None, "oslat is not installed: Debian's rt-tests")
