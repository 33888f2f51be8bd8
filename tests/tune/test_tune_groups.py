# SPDX-License-Identifier: Apache-2.0
"""A group of cores of our own, made and taken away; and irqbalance, stopped and started."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from answering import Answering
from commands import outcomes, plan, run, told
from hypothesis import given, settings
from hypothesis import strategies as st
from runs import KilledError, Trouble, applied, bound, records
from trees import AMD, CARD, INTEL, OLD_GROUPS, VIRTUAL, Made, contents, make, scratch

from fixaccel.tune import units
from fixaccel.tune.apply import finish
from fixaccel.tune.catalogue import catalogue
from fixaccel.tune.host import Host, Machine, NotHereError, Tree
from fixaccel.tune.record import APPLIED, BEGUN
from fixaccel.tune.survey import Circumstances, Outcome, survey
from fixaccel.tune.take_back import Back, take_back

GROUP = "set: {host.cpuset: made}\n"
ONLY = ("--only", "host.cpuset")
OLD, NEW = "sys/fs/cgroup/cpuset/fixaccel", "sys/fs/cgroup/fixaccel.slice"
REST, ROOT_BALANCE = f"{OLD}-others", "sys/fs/cgroup/cpuset/cpuset.sched_load_balance"
KINDS = pytest.mark.parametrize(("made", "place"), [(AMD, NEW), (OLD_GROUPS, OLD)], ids=["v2", "v1"])


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    return plan(tmp_path, GROUP)


def as_set(root: Path, made: Made) -> dict[str, str]:
    places = {
        2: [f"{NEW}/cpuset.cpus", f"{NEW}/cpuset.cpus.partition"],
        1: [
            *(f"{OLD}/cpuset.{name}" for name in ("cpus", "mems", "cpu_exclusive", "sched_load_balance")),
            f"{REST}/cpuset.cpus", f"{REST}/cpuset.sched_load_balance", ROOT_BALANCE,
        ],
    }  # fmt: skip
    return {place: (root / place).read_text().strip() for place in places[2 if made.nested else 1]}


@KINDS
def test_it_is_made_and_taken_away(tmp_path: Path, asked: Path, made: Made, place: str) -> None:
    root = make(made, tmp_path / "m")
    before, at = contents(root), ("--root", root)
    assert "host.cpuset" in told("inspect", *at)["left_alone"]  # set only by name
    assert set(outcomes(told("plan", asked, *at, *ONLY)["knobs"]).values()) == {"would set"}
    assert contents(root) == before
    done = told("apply", asked, *at, *ONLY)
    assert set(outcomes(done["knobs"]).values()) == {"set"}
    expected = ["2-3", "isolated"] if made.nested else ["2-3", "0", "1", "0", "0-1", "1", "0"]
    assert list(as_set(root, made).values()) == expected
    assert run("verify", *at).exit_code == 0
    again = told("apply", asked, *at, *ONLY)
    assert (set(outcomes(again["knobs"]).values()), again["run"]["id"]) == ({"already"}, "1")
    script = run("plan", asked, "--root", make(made, tmp_path / "n"), "--format", "sh").stdout
    assert f"mkdir /{place}  # was missing\n" in script
    assert run("rollback", *at).exit_code == 0
    assert contents(root) == before


def test_what_keeps_it_from_being_there(tmp_path: Path, asked: Path) -> None:
    def said(root: Path, text: str = GROUP) -> tuple[str, str]:
        (knob,) = told("plan", plan(tmp_path, text), "--root", root, *ONLY)["knobs"]
        return knob["says"], knob["detail"]

    new, old = make(AMD, tmp_path / "new"), make(OLD_GROUPS, tmp_path / "old")
    base = new / "sys/fs/cgroup"
    (base / "cgroup.subtree_control").write_text("cpu\n")
    why = "cpuset is not delegated: systemd does so for fixaccel.slice, which `fixaccel tune install` writes"
    assert said(new) == ("not here", why)
    (base / "cgroup.controllers").write_text("cpu io\n")
    assert said(new) == ("not here", "control groups have no cpuset controller")
    (base / "cgroup.controllers").unlink()
    assert said(new) == ("not here", "there are no control groups below /sys/fs/cgroup")
    (old / "sys/fs/cgroup/cpuset/docker").mkdir()
    (old / "sys/fs/cgroup/cpuset/docker/cpuset.cpus").write_text("0-2\n")
    assert said(old) == ("not here", "the set docker has core 2 too")
    alone = "cores: {daemon: 2, board: 2, housekeeping: [0, 2]}\n" + GROUP
    assert said(old, alone) == ("not here", "neither the daemon nor the board has a core of its own")
    before = contents(old)
    assert run("apply", asked, "--root", old, *ONLY).exit_code == 3
    assert contents(old) == before


@KINDS
def test_without_rights(made: Made, place: str) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can become an ordinary user")
    with scratch() as folder:
        Path(folder).chmod(0o755)
        root = make(made, Path(folder) / "m")
        child = os.fork()
        if child == 0:
            os.setuid(65534)
            steps = survey(bound(Tree(root), GROUP), Circumstances(), frozenset({"host.cpuset"}))
            is_right = {step.says for step in steps} == {"needs root"} and steps[0].place == place
            os._exit(0 if is_right else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@KINDS
def test_it_stays_while_somebody_is_in_it(tmp_path: Path, asked: Path, made: Made, place: str) -> None:
    root = make(made, tmp_path / "m")
    before, at = contents(root), ("--root", root)
    assert run("apply", asked, *at, *ONLY).exit_code == 0

    def inside() -> dict[str, bytes]:
        skip = f"{place}/cgroup.procs"
        return {name: text for name, text in contents(root).items() if name.startswith(f"{place}/") and name != skip}

    kept = inside()
    (root / place / "cgroup.procs").write_text("77\n78\n")
    back = run("rollback", *at)
    assert (back.exit_code, "process 77 and 1 others in it: end it, or move it" in back.output) == (3, True)
    assert inside() == kept
    (root / place / "cgroup.procs").write_text("")
    (root / place / "fixacceld.service").mkdir()
    (root / place / "fixacceld.service/cgroup.procs").write_text("77\n")
    assert "the group fixacceld.service is in it" in run("rollback", "1", *at).output
    assert run("rollback", "1", *at, "--force").exit_code != 0  # nor by force: the kernel refuses
    (root / place / "fixacceld.service/cgroup.procs").unlink()
    (root / place / "fixacceld.service").rmdir()
    assert run("rollback", "1", *at).exit_code == 0
    assert contents(root) == before


@KINDS
def test_one_that_is_gone_is_back(tmp_path: Path, asked: Path, made: Made, place: str) -> None:
    root = make(made, tmp_path / "m")
    before, at = contents(root), ("--root", root)
    assert run("apply", asked, *at, *ONLY).exit_code == 0
    shutil.rmtree(root / place)
    assert run("verify", *at).exit_code == 1
    back = told("rollback", *at)
    assert {one["outcome"] for one in back["knobs"]} == {"taken back"}
    assert contents(root) == before


@KINDS
def test_one_that_others_have_made_stays_theirs(tmp_path: Path, asked: Path, made: Made, place: str) -> None:
    root = make(made, tmp_path / "m")
    Tree(root).write(place, "folder", "made")
    (root / place / "cpuset.cpus").write_text("2-3\n")  # as systemd does for its slice
    before, at = contents(root), ("--root", root)
    found = outcomes(told("apply", asked, *at, *ONLY)["knobs"])
    assert found["host.cpuset"] == found["host.cpuset-cores"] == "already"
    (root / place / "cgroup.procs").write_text("77\n")
    assert run("rollback", *at).exit_code == 0
    (root / place / "cgroup.procs").write_text("")
    assert contents(root) == before


def test_one_that_others_make_in_between_is_theirs(tmp_path: Path) -> None:
    class Racing(Tree):
        def write(self, place: str, form: str, value: str | None) -> None:
            if form == "folder" and value == "made":
                super().write(place, form, value)
            super().write(place, form, value)

        def _make_group(self, path: Path) -> None:
            if path.exists():
                path.mkdir()
            super()._make_group(path)

    root = make(AMD, tmp_path / "m")
    record = applied(Racing(root), GROUP).record
    assert record is not None
    assert (root / NEW / "cpuset.cpus.partition").read_text() == "isolated\n"
    take_back(record, Tree(root))
    assert (root / NEW / "cpuset.cpus.partition").read_text() == "member\n"


def test_a_kernel_that_cannot_says_why(tmp_path: Path) -> None:
    class Refusing(Tree):
        def write(self, place: str, form: str, value: str | None) -> None:
            super().write(place, form, "isolated invalid (Cpu list not exclusive)" if value == "isolated" else value)

    root = make(AMD, tmp_path / "m")
    before = contents(root)
    done = applied(Refusing(root), GROUP)
    (step,) = [step for step in done.steps if step.knob.id == "host.cpuset-partition"]
    said = "the kernel made isolated invalid (Cpu list not exclusive) of isolated"
    assert (step.outcome, step.detail) == (Outcome.CLAMPED, said)
    assert done.record is not None
    take_back(done.record, Tree(root))
    assert contents(root) == before


def test_cores_are_not_taken_under_a_session(tmp_path: Path, asked: Path) -> None:
    root = make(AMD, tmp_path / "m")
    daemon = Answering(tmp_path / "s", lambda _: {"ok": True, "phase": "armed"})
    try:
        found = outcomes(told("apply", asked, "--root", root, "--to", daemon.endpoint, *ONLY)["knobs"])
    finally:
        daemon.stop()
    assert found == {"host.cpuset": "set", "host.cpuset-cores": "set", "host.cpuset-partition": "refused"}


@settings(max_examples=40)
@given(
    st.sampled_from([AMD, OLD_GROUPS, VIRTUAL]), st.integers(0, 12), st.booleans(), st.booleans(), st.data()
)  # fmt: skip
def test_killed_and_meddled_with(made: Made, number: int, behind: bool, by_rollback: bool, data: st.DataObject) -> None:
    with scratch() as folder:
        root = make(made, Path(folder))
        before = contents(root)
        host = Trouble(root)
        host.before, host.behind = (None, number) if behind else (number, None)
        with suppress(KilledError):
            applied(host, f"profile: process\nskip: [process.poll, process.core, process.lock-memory]\n{GROUP}")
        inside = sorted(place for place in contents(root).keys() - before.keys() if not place.endswith("/"))
        known = [place for place in inside if _is_known(root, place)]
        theirs = data.draw(st.sampled_from(known)) if known and data.draw(st.booleans()) else None
        if theirs:
            (root / theirs).write_text("77\n")
        record = records(host).last(APPLIED, BEGUN)
        outcomes: dict[str, Back] = {}
        if record and (by_rollback or record.state == APPLIED):
            outcomes = {one.entry.place: one.outcome for one in take_back(record, Tree(root))}
        elif record:
            outcomes = {one.entry.place: one.outcome for one in finish(records(host), Tree(root))[1]}
        after = contents(root)
        if theirs:
            group = theirs.rpartition("/")[0]
            is_process = theirs.endswith("cgroup.procs")
            assert outcomes[group] is (Back.REFUSED if is_process else Back.CHANGED)
            assert after[theirs] == b"77\n"
            after = {place: text for place, text in after.items() if not place.startswith(f"{group}/")}
        assert after == before


def _is_known(root: Path, place: str) -> bool:
    """Whether the record knows what was there before: of a group that was just made it does not yet."""
    record = records(Tree(root)).last(APPLIED, BEGUN)
    assert record is not None
    known = {entry.place for entry in record.entries if entry.former is not None}
    return place.endswith("cgroup.procs") or place in known


def test_the_daemon_is_in_it_once_installed(tmp_path: Path, asked: Path) -> None:
    root = make(AMD, tmp_path / "m")
    (root / "sys/fs/cgroup/cgroup.subtree_control").write_text("cpu\n")  # systemd delegates it with the slice
    assert run("install", asked, "--root", root, "--skip-boot").exit_code == 0
    folder = root / "etc/systemd/system"
    assert "\nAllowedCPUs=2-3\n" in (folder / "fixaccel.slice").read_text()
    assert "\nSlice=fixaccel.slice\n" in (folder / "fixacceld.service.d/60-fixaccel-tune.conf").read_text()
    unit = (folder / "fixaccel-tune.service").read_text()
    assert "\nWants=network-online.target fixaccel.slice\n" in unit
    assert "\nAfter=network-online.target irqbalance.service fixaccel.slice\n" in unit
    judged = subprocess.run(
        ["systemd-analyze", "verify", folder / "fixaccel.slice"], capture_output=True, text=True, check=False
    )
    assert "fixaccel.slice" not in judged.stderr
    assert run("install", "--root", root, "--skip-boot").exit_code == 0  # of a plan that does not ask for it
    assert not (folder / "fixaccel.slice").exists()
    old = make(OLD_GROUPS, tmp_path / "old")
    assert run("install", asked, "--root", old, "--skip-boot").exit_code == 0
    assert not (old / "etc/systemd/system/fixaccel.slice").exists()  # with version 1 systemd gives no cores to groups


# Inside, a group of the test's own stands for the root of all groups.
PREPARE = """
set -e
mount --make-rprivate /
mount --bind "$1" /sys/fs/cgroup/cpuset
shift
exec "$@"
"""
MOUNT = Path("/sys/fs/cgroup/cpuset")
Inside = Callable[[list[list[str]]], list[tuple[int, str]]]


@pytest.fixture
def inside() -> Iterator[Inside]:
    """Runs commands where all groups are below one of the test's own. The machine's are as before, whatever ends it."""
    if os.geteuid() != 0 or not os.access(MOUNT / "cpuset.cpus", os.W_OK):
        pytest.skip("needs root and cgroup v1 with a cpuset that can be written")
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("needs two cores")
    group = MOUNT / f"fixaccel-test-{os.getpid()}"
    group.mkdir()
    try:
        try:
            for name in ("cpus", "mems"):
                (group / f"cpuset.{name}").write_text((MOUNT / f"cpuset.{name}").read_text())
            (group / "cpuset.cpu_exclusive").write_text("1")
        except OSError as error:
            pytest.skip(f"no exclusive set may be made here: {error}")

        def inner(steps: list[list[str]]) -> list[tuple[int, str]]:
            program = [sys.executable, str(Path(__file__).parent / "inside.py"), json.dumps(steps)]
            words = ["unshare", "-m", "sh", "-c", PREPARE, "sh", str(group), *program]
            done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
            assert done.returncode == 0, done.stderr
            return [(code, text) for code, text in json.loads(done.stdout)]

        yield inner
    finally:
        for folder in sorted((path for path in (group, *group.rglob("*")) if path.is_dir()), reverse=True):
            _removed(folder)


def _removed(group: Path) -> None:
    """With what a test that failed has left in it."""
    for process in (group / "cgroup.procs").read_text().split():
        os.kill(int(process), signal.SIGKILL)
    end = time.monotonic() + 10
    while (group / "cgroup.procs").read_text() and time.monotonic() < end:
        time.sleep(0.05)
    group.rmdir()


LOOK = """
cd /sys/fs/cgroup/cpuset; echo fixaccel*
for one in . fixaccel fixaccel-others; do
  test -d $one || continue
  echo $(cd $one; cat cpuset.cpus cpuset.mems cpuset.cpu_exclusive cpuset.sched_load_balance cgroup.procs)
done
"""
# A program of ours in the group, which may then run there alone.
ENTER = """
(echo $(sh -c 'echo $PPID') > /sys/fs/cgroup/cpuset/fixaccel/cgroup.procs; exec sleep 60) >/dev/null 2>&1 &
echo $! > $0; sleep 0.2; grep Cpus_allowed_list /proc/$!/status
"""


def test_the_kernel_takes_it_and_gives_it_back(inside: Inside, tmp_path: Path) -> None:
    asked = str(plan(tmp_path, f"profile: process\ncores: {{daemon: 1}}\n{GROUP}"))
    state = ["--state", str(tmp_path / "state"), "--json"]
    enter = ENTER.replace("$0", str(tmp_path / "pid"))
    leave = f"kill $(cat {tmp_path}/pid); sleep 0.2; true"
    cores = (MOUNT / "cpuset.cpus").read_text().strip()
    found = inside(
        [["sh", LOOK], ["apply", asked, *ONLY, *state], ["sh", LOOK], ["verify", *state],
         ["apply", asked, *ONLY, *state], ["sh", enter], ["rollback", *state], ["sh", leave],
         ["rollback", "1", *state], ["sh", LOOK],
         ["sh", "mount -o remount,bind,ro /sys/fs/cgroup/cpuset"], ["apply", asked, *ONLY, *state]]
    )  # fmt: skip
    before, done, made, good, again, entered, kept, _, back, after, _, closed = found
    assert done[0] == 0, done
    assert set(outcomes(json.loads(done[1])["knobs"]).values()) == {"set"}
    rest = cores.replace("0-1", "0") if cores == "0-1" else None
    lines = made[1].splitlines()
    assert lines[0] == "fixaccel fixaccel-others"
    assert lines[1].split()[3] == "0"
    assert lines[2] == "1 0 1 0"
    assert rest is None or lines[3] == "0 0 1"
    assert (good[0], set(outcomes(json.loads(again[1])["knobs"]).values())) == (0, {"already"})
    assert entered[1].split() == ["Cpus_allowed_list:", "1"]
    assert kept[0] == 3
    assert "in it: end it, or move it" in kept[1]
    assert back[0] == 0, back
    assert after == before
    assert set(outcomes(json.loads(closed[1])["knobs"]).values()) == {"needs a writable /sys"}


def test_irqbalance_is_stopped_and_started_again(tmp_path: Path) -> None:
    root = make(INTEL, tmp_path / "m")
    at, unit = ("--root", root), root / "systemd/irqbalance.service"
    asked = plan(tmp_path, f"interface: {CARD}\n")
    # Started first, it would have moved what is to come back.
    order = list(catalogue())
    assert order.index("host.irqbalance") < order.index("nic.irq-core")
    (root / "run/irqbalance").mkdir(parents=True)
    (root / "run/irqbalance/irqbalance77.sock").touch()
    # What the plan stops it need not be warned of.
    assert "FX1212" not in run("plan", asked, *at).stderr
    assert "FX1212" in run("plan", asked, *at, "--skip", "host.irqbalance").stderr
    assert "systemctl stop irqbalance.service  # was active\n" in run("plan", asked, *at, "--format", "sh").stdout
    only = ("--only", "host.irqbalance")
    assert outcomes(told("apply", asked, *at, *only)["knobs"]) == {"host.irqbalance": "set"}
    assert unit.read_text() == "inactive\n"
    assert outcomes(told("apply", asked, *at, *only)["knobs"]) == {"host.irqbalance": "already"}
    unit.write_text("active\n")
    drifted = run("verify", *at)
    assert (drifted.exit_code, "drifted: 1" in drifted.output) == (1, True)
    unit.write_text("inactive\n")
    assert run("rollback", *at).exit_code == 0
    assert unit.read_text() == "active\n"
    unit.unlink()
    (knob,) = told("plan", asked, *at, *only)["knobs"]
    assert (knob["says"], knob["detail"]) == ("not here", "there is no irqbalance.service")
    (root / "run/systemd/system/made").unlink()
    (root / "run/systemd/system").rmdir()
    (knob,) = told("plan", asked, *at, *only)["knobs"]
    assert (knob["says"], knob["detail"]) == ("not here", "systemd does not run this machine")
    assert "FX1212" in run("plan", asked, *at).stderr


_SYSTEMCTL = """#!/bin/sh
echo "$*" >> {0}/said
case "$1" in
  show) test -f {0}/state && echo LoadState=loaded || echo LoadState=not-found; echo ActiveState=$(cat {0}/state) ;;
  *) test -f {0}/refuses && {{ echo "Access denied" >&2; exit 4; }}
     test "$2" = stop && echo inactive > {0}/state || echo active > {0}/state ;;
esac
"""


def test_systemd_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "systemctl"
    program.write_text(_SYSTEMCTL.format(tmp_path))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    host: Host = Machine()
    place = "systemd/irqbalance.service"
    monkeypatch.setattr(units, "RUNS", "nowhere/at/all")
    with pytest.raises(NotHereError, match="systemd does not run"):
        host.read(place, "text")
    monkeypatch.setattr(units, "RUNS", str(tmp_path).lstrip("/"))
    with pytest.raises(NotHereError, match=r"there is no irqbalance\.service"):
        host.read(place, "text")
    for said, state in (("failed", "inactive"), ("activating", "active"), ("active", "active")):
        (tmp_path / "state").write_text(f"{said}\n")
        assert host.read(place, "text") == state
    host.write(place, "text", "inactive")
    assert host.read(place, "text") == "inactive"
    host.write(place, "text", "active")
    assert host.read(place, "text") == "active"
    asked = [line for line in (tmp_path / "said").read_text().splitlines() if not line.startswith("show")]
    assert asked == [f"--no-ask-password {verb} irqbalance.service" for verb in ("stop", "start")]
    (tmp_path / "refuses").touch()
    with pytest.raises(OSError, match="Access denied"):
        host.write(place, "text", "inactive")
