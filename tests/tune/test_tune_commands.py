# SPDX-License-Identifier: Apache-2.0
"""The commands on made-up machines."""

import configparser
import json
import os
import shutil
from pathlib import Path

import pytest
from answering import Answering
from click.shell_completion import ShellComplete
from click.testing import CliRunner
from commands import outcomes, plan, run, told
from trees import AMD, CARD, INTEL, OLD_GROUPS, VETH, VIRTUAL, contents, make

from fixaccel.cli.main import cli
from fixaccel.tune.record import Records

STATE = "var/lib/fixaccel/tune"


def test_the_loop(tmp_path: Path) -> None:
    root = make(INTEL, tmp_path / "m")
    asked = plan(tmp_path, f"interface: {CARD}\nskip: [host.busy-poll]\n")
    at = ("--root", root)
    queue = root / "sys/devices/pci0/nvme0n1/queue"
    queue.mkdir(parents=True)
    (queue / "scheduler").write_text("[none] mq-deadline\n")
    device = root.stat().st_dev
    (root / "sys/dev/block").mkdir(parents=True)
    (root / f"sys/dev/block/{os.major(device)}:{os.minor(device)}").symlink_to("../../devices/pci0/nvme0n1/p1")
    (root / "sys/devices/pci0/nvme0n1/p1").mkdir()
    (root / "sys/block/nvme0n1").mkdir(parents=True)
    (root / "sys/block/nvme0n1/queue").symlink_to("../../devices/pci0/nvme0n1/queue")
    before = contents(root)
    seen = told("inspect", asked, *at)
    assert seen["machine"]["interface"]["driver"] == "sfc"
    assert seen["machine"]["disk"] == {"name": "nvme0n1", "scheduler": "none", "write_cache": None}
    assert seen["machine"]["smt"] == ["0,4", "1,5", "2,6", "3,7"]
    assert outcomes(seen["knobs"])["net.tcp-timestamps"] == "would set"
    assert "host.busy-poll" in seen["left_alone"]
    assert run("verify", *at).exit_code == 1  # nothing is set
    assert run("rollback", *at).exit_code == 1

    done = run("apply", asked, *at)
    assert done.exit_code == 3  # the boot line is left
    assert "run 1" in done.output
    assert (root / "proc/irq/64/smp_affinity_list").read_text() == "1\n"
    assert (root / "sys/kernel/mm/transparent_hugepage/enabled").read_text() == "always madvise [never]\n"
    assert "poll_us = 0  # as it came" in (root / "etc/fixaccel/fixacceld.toml").read_text()
    again = told("apply", asked, *at)
    assert outcomes(again["knobs"])["net.tcp-timestamps"] == "already"
    assert (run("verify", *at).exit_code, told("verify", *at)["run"]["id"]) == (0, "1")
    (root / "proc/sys/net/ipv4/tcp_autocorking").write_text("1\n")
    drifted = run("verify", *at)
    assert drifted.exit_code == 1
    assert "net.tcp-autocorking" in drifted.output
    assert "drifted: 1" in drifted.output

    back = run("rollback", *at)
    assert back.exit_code == 0  # what it is now is what it was before
    assert contents(root) == before
    assert "taken back" in run("report", *at).output
    assert "| `net.tcp-timestamps` |" in run("report", "1", *at, "--format", "markdown").output
    assert json.loads(run("report", *at, "--format", "json").stdout)["state"] == "taken back"
    assert told("report", *at)["entries"][0]["knob"] == "process.poll"


def test_only_and_skip(tmp_path: Path) -> None:
    root = make(AMD, tmp_path / "m")
    done = told("apply", "--root", root, "--only", "net.tcp-timestamps", "--only", "host.swappiness")
    assert outcomes(done["knobs"]) == {"net.tcp-timestamps": "set", "host.swappiness": "set"}
    assert run("plan", "--root", root, "--only", "net.tcp-timestamps").exit_code == 0
    skipped = told("plan", "--root", root, "--skip", "net.tcp-timestamps")
    assert "net.tcp-timestamps" not in outcomes(skipped["knobs"])
    assert run("plan", "--root", root, "--only", "net.nothing").exit_code == 2


def test_runs_come_off_in_their_order(tmp_path: Path) -> None:
    at = ("--root", make(OLD_GROUPS, tmp_path / "m"))
    before = contents(tmp_path / "m")
    for knob in ("net.tcp-timestamps", "host.swappiness"):
        assert run("apply", *at, "--only", knob).exit_code == 0
    early = run("rollback", "1", *at)
    assert (early.exit_code, "run 2 was set after 1" in early.output) == (1, True)
    assert [run("rollback", *at).exit_code for _ in range(3)] == [0, 0, 1]
    assert contents(tmp_path / "m") == before


@pytest.mark.parametrize("profile", ["paper", "process"])
def test_profiles(tmp_path: Path, profile: str) -> None:
    root = make(INTEL, tmp_path / "m")
    asked = plan(tmp_path, f"profile: {profile}\ninterface: {CARD}\n")
    found = outcomes(told("apply", asked, "--root", root)["knobs"])
    if profile == "paper":
        assert found["nic.rx-ring"] == found["nic.mtu"] == found["nic.irq-core"] == "set"
        assert found["boot.idle-poll"] == "at next boot"
        assert "net.tcp-timestamps" not in found
    else:
        # A machine's own network, and its card, are not ours alone.
        assert set(found) == {"process.poll", "process.core", "process.lock-memory", "process.busy-poll"}


def test_in_a_namespace_the_profile_process_sets_its_links(tmp_path: Path) -> None:
    root = make(VIRTUAL, tmp_path / "m")
    (root / "proc/sys/net/core/dev_weight").unlink()
    asked = plan(tmp_path, f"profile: process\ninterface: {VETH}\n")
    found = outcomes(told("apply", asked, "--root", root)["knobs"])
    assert found["nic.tso"] == found["net.tcp-timestamps"] == "set"
    assert not any(name.startswith("host.") for name in found)


def test_the_interface_is_the_one_to_the_venue(tmp_path: Path) -> None:
    root = make(AMD, tmp_path / "m")
    venue = tmp_path / "v.yaml"
    text = (Path(__file__).parents[2] / "strategies/venues/simulator.yaml").read_text()
    venue.write_text(text)
    assert "10.77.0.1:" in text
    assert told("inspect", "--root", root, "--venue", venue)["machine"]["interface"]["name"] == CARD
    venue.write_text(text.replace("10.77.0.1:", "192.0.2.7:"))
    found = told("inspect", "--root", root, "--venue", venue)
    gro = next(knob for knob in found["knobs"] if knob["knob"] == "nic.gro")
    assert (gro["says"], "eth0 leads to the venue and carries the default route" in gro["detail"]) == ("not here", True)
    login = CliRunner(env={"SSH_CONNECTION": "10.77.0.9 4000 10.77.0.2 22"})
    asked = plan(tmp_path, f"interface: {CARD}\n")
    warned = login.invoke(cli, ["tune", "plan", str(asked), "--root", str(root)])
    assert "FX1205" in warned.stderr


def test_a_failing_write_takes_all_back(tmp_path: Path) -> None:
    root = make(OLD_GROUPS, tmp_path / "m")
    before = contents(root)
    # A folder cannot be written, by root either, and fails as no right would.
    wanted = root / "proc/sys/vm/stat_interval"
    wanted.unlink()
    wanted.symlink_to("/proc/self/mem")
    outside = run("apply", "--root", root, "--only", "host.stat-interval")
    assert (outside.exit_code, "leads out of" in outside.output) == (3, True)
    wanted.unlink()
    wanted.write_text("1\n")
    assert contents(root) == before


@pytest.mark.parametrize(("phase", "is_refused"), [("armed", True), ("idle", False), (None, True)])
def test_links_are_not_reset_under_a_session(tmp_path: Path, phase: str | None, is_refused: bool) -> None:
    root = make(INTEL, tmp_path / "m")
    daemon = Answering(tmp_path / "s", lambda _: {"ok": True, "phase": phase} if phase else {"ok": False, "error": "x"})
    try:
        at = ("--root", root, "--to", daemon.endpoint)
        asked = plan(tmp_path, f"profile: paper\ninterface: {CARD}\n")
        found = outcomes(told("apply", asked, *at)["knobs"])
        assert found["nic.rx-ring"] == ("refused" if is_refused else "set")
        assert found["nic.tx-queue-length"] == "set"
        if not is_refused:
            daemon.answer = lambda _: {"ok": True, "phase": "ready"}
            back = run("rollback", *at)
            assert (back.exit_code, "fixacceld has a session, it is ready" in back.output) == (3, True)
            assert (root / f"ethtool/{CARD}/rings/rx").read_text() == "4096\n"
            assert run("rollback", "1", *at, "--force").exit_code == 0
            assert (root / f"ethtool/{CARD}/rings/rx").read_text() == "1024\n"
    finally:
        daemon.stop()


def test_an_interface_that_is_gone_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    root = make(AMD, tmp_path / "m")
    before = contents(root)
    asked = plan(tmp_path, f"interface: {CARD}\n")
    run("apply", asked, "--root", root)
    shutil.rmtree(root / "ethtool" / CARD)
    assert "gone: " in run("verify", "--root", root).output
    back = told("rollback", "--root", root)
    left = {one["knob"] for one in back["knobs"] if one["outcome"] == "gone"}
    assert left >= {"nic.gro", "nic.rx-usecs"}
    assert {one["outcome"] for one in back["knobs"]} == {"gone", "taken back"}
    after = contents(root)
    assert after == {place: text for place, text in before.items() if place in after}


def test_what_was_set_in_another_namespace_is_left_there(tmp_path: Path) -> None:
    root = make(AMD, tmp_path / "m")
    asked = plan(tmp_path, f"interface: {CARD}\n")
    run("apply", asked, "--root", root, "--only", "nic.gro", "--only", "host.swappiness")
    other = tmp_path / "other"
    shutil.copytree(root, other)
    found = run("verify", "--root", other)
    assert (found.exit_code, "ok: 1, in another network namespace: 1" in found.output) == (3, True)
    assert run("rollback", "--root", other).exit_code == 3
    assert (other / f"ethtool/{CARD}/features/rx-gro").read_text() == "off\n"
    assert (other / "proc/sys/vm/swappiness").read_text() == "60\n"


def test_tuned_owns_the_machine(tmp_path: Path) -> None:
    root = make(INTEL, tmp_path / "m")
    (root / "run/tuned").mkdir(parents=True)
    (root / "run/tuned/tuned.pid").write_text("77\n")
    asked = plan(tmp_path, f"interface: {CARD}\n")
    assert outcomes(told("plan", asked, "--root", root)["knobs"])["host.swappiness"] == "would set"  # it is gone
    (root / "proc/77").mkdir()
    (root / "proc/77/status").write_text("Name:\ttuned\n")
    found = outcomes(told("plan", asked, "--root", root)["knobs"])
    assert found["host.swappiness"] == found["boot.nohz-full"] == "owned by TuneD"
    assert found["nic.gro"] == "would set"
    profile = configparser.ConfigParser(delimiters="=", interpolation=None)
    profile.read_string(run("plan", asked, "--root", root, "--format", "tuned").stdout)
    assert profile["main"]["include"] == "network-latency"
    assert profile["sysctl"]["vm.swappiness"] == "1"
    assert profile["sysfs"]["/sys/kernel/mm/transparent_hugepage/enabled"] == "never"


def test_a_script_to_read(tmp_path: Path) -> None:
    root = make(INTEL, tmp_path / "m")
    asked = plan(tmp_path, f"interface: {CARD}\nset: {{nic.tx-usecs: 0}}\n")
    text = run("plan", asked, "--root", root, "--format", "sh").stdout
    assert "echo 0 > /proc/sys/net/ipv4/tcp_timestamps  # was 1\n" in text
    assert f"ethtool -K {CARD} gro off  # was on\n" in text
    assert f"ethtool -C {CARD} adaptive-rx off  # was 1\n" in text
    assert "# boot.isolcpus: at next boot" in text


def test_after_a_boot_only_the_settings_are_left(tmp_path: Path) -> None:
    root = make(AMD, tmp_path / "m")
    before = contents(root)
    at = ("--root", root)
    run("apply", *at, "--only", "process.poll", "--only", "host.swappiness")
    boot = root / "proc/sys/kernel/random/boot_id"
    (root / "proc/sys/vm/swappiness").write_text("60\n")
    boot.write_text("another\n")
    found = run("verify", *at)
    assert (found.exit_code, "ok: 1, lost at boot: 1" in found.output) == (1, True)
    back = run("rollback", *at)
    assert (back.exit_code, "run 1: lost at boot" in back.output) == (0, True)
    boot.write_bytes(before["proc/sys/kernel/random/boot_id"])
    assert contents(root) == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"proc/sys/vm/swappiness"', '"etc/shadow"'),
        ('"proc/sys/vm/swappiness"', '"proc/sys/vm/../../../etc/shadow"'),
        ('"host.swappiness"', '"host.nothing"'),
        ('"state": "applied"', '"state": "gone"'),
        ('"former": "60"', '"former": 60'),
        ("}", ""),
    ],
)
def test_a_damaged_record_is_refused(tmp_path: Path, old: str, new: str) -> None:
    at = ("--root", make(AMD, tmp_path / "m"))
    assert run("apply", *at, "--only", "host.swappiness").exit_code == 0
    record = tmp_path / "m" / STATE / "1.json"
    assert old in record.read_text()
    record.write_text(record.read_text().replace(old, new, 1))
    before = contents(tmp_path / "m")
    for words in (["rollback"], ["verify"], ["apply"], ["report"], ["confirm"]):
        found = run(*words, *at)
        assert (found.exit_code, "1.json is damaged" in found.output) == (1, True), found.output
    assert contents(tmp_path / "m") == before


def test_one_at_a_time(tmp_path: Path) -> None:
    root = make(AMD, tmp_path / "m")
    before = contents(root)
    with Records(root / STATE).locked():
        found = run("apply", "--root", root)
        assert (found.exit_code, f"is at work, process {os.getpid()}" in found.output) == (1, True)
        assert run("rollback", "--root", root).exit_code == 1
    assert contents(root) == before


def test_what_nobody_confirms_is_taken_back(tmp_path: Path) -> None:
    root = make(AMD, tmp_path / "m")
    at = ("--root", root)
    only = ("--only", "host.swappiness")
    swappiness = root / "proc/sys/vm/swappiness"
    assert run("apply", *at, *only, "--confirm", "1s").exit_code == 0
    os.wait()  # how long it takes is not judged
    assert swappiness.read_text() == "60\n"
    assert "no run waits to be confirmed: 1 is taken back" in run("confirm", *at).output
    assert run("apply", *at, *only, "--confirm", "10m").exit_code == 0
    assert "run 2 waits to be confirmed" in run("apply", *at).output
    assert run("confirm", *at).exit_code == 0
    os.wait()  # the watch sees it, and ends
    assert swappiness.read_text() == "1\n"
    assert run("verify", *at).exit_code == 0


def test_a_place_for_records_that_there_is_not(tmp_path: Path) -> None:
    root = make(AMD, tmp_path / "m")
    before = contents(root)
    (tmp_path / "file").write_text("")
    found = run("apply", "--root", root, "--state", tmp_path / "file" / "deep")
    assert (found.exit_code, "name another folder with --state" in found.output) == (1, True)
    assert contents(root) == before


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("interfac: a", "FX0203"), ("interface: a/b", "FX0211"), ("set: {told.smt: off}", "FX1202"),
        ("set: {nic.gro: maybe}", "FX1202"), ("set: {nic.gro: on}\nskip: [nic.gro]", "FX1201"),
        ("cores: {daemon: 99}", "FX1203"), ("cores: none", "FX0205"), ("profile: fast", "FX0209"),
    ],
)  # fmt: skip
def test_plans_with_errors(tmp_path: Path, text: str, code: str) -> None:
    root = make(AMD, tmp_path / "m")
    before = contents(root)
    found = run("apply", plan(tmp_path, text + "\n"), "--root", root)
    assert found.exit_code == 2
    assert "desk.tune.yaml:2:" in found.stderr, found.stderr
    assert code in found.stderr, found.stderr
    assert contents(root) == before


def test_check_and_the_shell_know_them(tmp_path: Path) -> None:
    asked = plan(tmp_path, "skip: [nic.gr]\n")
    checked = CliRunner().invoke(cli, ["check", str(asked), "--format", "concise"])
    assert (checked.exit_code, "FX1201" in checked.output) == (1, True)
    shell = ShellComplete(cli, {}, "fixaccel", "_FIXACCEL_COMPLETE")
    assert [one.value for one in shell.get_completions(["tune", "apply", "--skip"], "host.huge")] == [
        "host.huge-pages-transparent"
    ]
    root = make(AMD, tmp_path / "m")
    run("apply", "--root", root, "--only", "host.swappiness")
    assert [one.value for one in shell.get_completions(["tune", "rollback", "--root", str(root)], "")] == ["1"]


def test_irqbalance_is_told_which_interrupts_to_leave(tmp_path: Path) -> None:
    root = make(OLD_GROUPS, tmp_path / "m")
    asked = plan(tmp_path, f"interface: {CARD}\n")
    assert "FX1212" not in run("inspect", asked, "--root", root).stderr
    (root / "run/irqbalance").mkdir(parents=True)
    (root / "run/irqbalance/irqbalance77.sock").touch()
    said = run("inspect", asked, "--root", root).stderr
    assert 'or write IRQBALANCE_ARGS="--banirq=64 --banirq=65" into /etc/default/irqbalance' in said
    assert "FX1212" not in run("plan", asked, "--root", root, "--skip", "nic.irq-core").stderr
