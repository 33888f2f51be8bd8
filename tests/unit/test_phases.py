# SPDX-License-Identifier: Apache-2.0
"""`make test` and `make soak`: what runs beside what, what fails, and that an interrupt ends everything."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

import jobs
import phases
import soak
from phases import Phase

FAILS = ("false",)


@pytest.fixture(autouse=True)
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(phases, "LOGS", tmp_path)
    monkeypatch.setattr(soak, "LOGS", tmp_path)
    return tmp_path


def says(*words: str) -> tuple[str, ...]:
    return ("echo", *words)


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def main_of(monkeypatch: pytest.MonkeyPatch, *of: Phase) -> int:
    monkeypatch.setattr(phases, "PHASES", of)
    monkeypatch.setattr(sys, "argv", ["phases.py"])
    monkeypatch.setattr(phases, "heed_signals", lambda: None)  # this process keeps its own
    return phases.main()


def test_a_phase_that_needs_a_failed_one_is_not_run(monkeypatch, capfd) -> None:
    first, second = Phase("first", FAILS), Phase("second", says("never"), needs=("first",))
    assert main_of(monkeypatch, first, second, Phase("third", says("later"), after=("first",))) == 1
    printed = capfd.readouterr().out
    assert "never" not in printed
    assert "not run" in printed
    assert "later" in printed


def test_the_failure_is_told_last(monkeypatch, capfd) -> None:
    bad = Phase("bad", ("sh", "-c", "echo broken; exit 3"))
    assert main_of(monkeypatch, bad, Phase("good", ("sh", "-c", "sleep 0.3; echo fine"))) == 1
    printed = capfd.readouterr().out
    assert printed.index("fine") < printed.index("broken") < printed.index("CPU")
    assert main_of(monkeypatch, Phase("good", says("fine"))) == 0


def test_phases_run_beside_each_other_and_behind_each_other(monkeypatch, logs) -> None:
    # Each of the pair waits for the other's file: alone, neither would end.
    pair = [
        Phase(me, ("sh", "-c", f"touch {logs}/{me}; until [ -e {logs}/{other} ]; do sleep 0.05; done"))
        for me, other in (("left", "right"), ("right", "left"))
    ]
    last = Phase("last", ("sh", "-c", f"touch {logs}/last; cat {logs}/left.log {logs}/right.log"), after=("left",))
    assert main_of(monkeypatch, *pair, last) == 0


def test_a_phase_aside_leaves_the_cores_to_others(monkeypatch, logs) -> None:
    tell = ("sh", "-c", "nice; cat /proc/self/autogroup || true")
    assert (
        main_of(monkeypatch, Phase("first", tell), Phase("aside", ("sh", "-c", f"sleep 0.5; {tell[2]}"), aside=True))
        == 0
    )
    first, aside = ((logs / f"{name}.log").read_text().splitlines() for name in ("first", "aside"))
    assert int(aside[0]) == min(int(first[0]) + 10, 19)
    assert [line.split()[-1] for line in aside[1:]] == ["10"] * len(aside[1:]), "the session's share, where it has one"


def test_termination_ends_what_the_phases_have_started(logs) -> None:
    child = logs / "child"
    # The shell's own child takes no notice of an interrupt.
    phase = f"""Phase("long", ("sh", "-c", "sleep 60 & echo $! > {child}.new; mv {child}.new {child}; wait"))"""
    program = f"import phases, pathlib; phases.LOGS = pathlib.Path({str(logs)!r}); "
    program += f"phases.PHASES = (phases.{phase},); raise SystemExit(phases.main())"
    running = subprocess.Popen([sys.executable, "-c", program], cwd=Path(phases.__file__).parent)
    wait_until(child.exists)
    running.terminate()
    assert running.wait(30) == 130
    status = Path("/proc", child.read_text().strip(), "status")
    wait_until(lambda: not status.exists() or "State:\tZ" in status.read_text())


def test_what_is_beyond_its_budget_is_told_and_fails_nothing(monkeypatch, capfd) -> None:
    work = ("sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done")
    assert main_of(monkeypatch, Phase("dear", work, budget=0), Phase("cheap", says("fine"), budget=9)) == 0
    (warning,) = (line for line in capfd.readouterr().out.splitlines() if line.startswith("WARNING"))
    assert "dear" in warning


def test_the_dearest_test_files_are_told_over_all_phases(monkeypatch, logs, capfd) -> None:
    (logs / "old.cpu").write_text('{"tests/old.py": 99}')  # an earlier run's
    write = [
        Phase(name, ("sh", "-c", f"""echo '{{"tests/a.py": {a}, "tests/b.py": {b}}}' > {logs}/{name}.cpu"""))
        for name, a, b in (("one", 1, 5), ("old", 7, 0.5))
    ]
    assert main_of(monkeypatch, *write) == 0
    printed = capfd.readouterr().out
    assert "99" not in printed
    assert printed.index("8.0  tests/a.py") < printed.index("5.5  tests/b.py")


def test_every_end_to_end_test_belongs_to_a_phase() -> None:
    marks = [phase.command[phase.command.index("-m", 3) + 1] for phase in phases.PHASES if "pytest" in phase.command]
    assert sorted(marks) == ["e2e and not waits", "e2e and waits", "not e2e"]


def test_every_phase_names_phases_that_exist() -> None:
    names = [phase.name for phase in phases.PHASES]
    assert {name for phase in phases.PHASES for name in phase.needs + phase.after} <= set(names)
    assert len(names) == len(set(names))


def test_soak_takes_the_next_seed_and_tells_a_failure(monkeypatch, logs, capfd) -> None:
    campaign = logs / "campaign.py"
    campaign.write_text("import sys; print('seed', sys.argv[-1]); sys.exit(int(sys.argv[-1]) == 8)")
    monkeypatch.setattr(soak, "CAMPAIGNS", {"one": (sys.executable, str(campaign), "--seed", "{seed}")})
    clock = iter(range(100))
    monkeypatch.setattr(soak, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    failed = soak.run(["one"], seed=7, seconds=3.5, width=1)
    assert [job.name for job in failed] == ["one seed 8"]
    printed = capfd.readouterr().out
    assert "one seed 7" in printed
    assert "--seed 8" in printed.split("again:")[1]


def test_durations() -> None:
    assert (jobs.minutes(4.4), jobs.minutes(59.6), jobs.minutes(200)) == ("4 s", "1 min 0 s", "3 min 20 s")


def test_the_budgets_come_to_what_is_promised() -> None:
    promised = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"{sum(phase.budget or 0 for phase in phases.PHASES):g} minutes of CPU time" in promised
