# SPDX-License-Identifier: Apache-2.0
"""Plans that are set at each boot: what is written, by whom it is understood, and that only ours is taken away."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from commands import outcomes, plan, run, told
from trees import CARD, INTEL, TWO_SOCKETS, VETH, VIRTUAL, contents, make

from fixaccel.tune import installed
from fixaccel.tune.host import Host

UNIT = "etc/systemd/system/fixaccel-tune.service"
GRUB = "etc/default/grub.d/60-fixaccel-tune.cfg"
VERDICT = "run/fixaccel-tune.json"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make(INTEL, tmp_path / "m")
    (root / "etc/default").mkdir()
    (root / "etc/default/grub").write_text('GRUB_CMDLINE_LINUX_DEFAULT="quiet"\n')
    return root


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    return plan(tmp_path, f"interface: {CARD}\nset: {{process.policy: 'fifo:50'}}\n")


def boot(root: Path, line: str) -> None:
    (root / "proc/cmdline").write_text(f"BOOT_IMAGE=/vmlinuz {line}\n")
    (root / "proc/sys/kernel/random/boot_id").write_text("5b1c1b0c-0000-4000-8000-000000000002\n")


def tree(root: Path) -> dict[str, bytes]:
    kept = contents(root)
    return {name: text for name, text in kept.items() if not name.startswith(("var/", "run/"))}


def test_installed_it_is_there_and_uninstalled_it_is_as_before(root: Path, asked: Path) -> None:
    before, folders = tree(root), sorted(path for path in root.rglob("*") if path.is_dir())
    done = run("install", asked, "--root", root)
    assert (done.exit_code, "next, as root: systemctl daemon-reload; update-grub" in done.output) == (0, True)
    assert (root / "etc/systemd/system/multi-user.target.wants/fixaccel-tune.service").resolve() == root / UNIT
    assert "LimitRTPRIO=50" in (root / "etc/systemd/system/fixacceld.service.d/60-fixaccel-tune.conf").read_text()
    again = told("install", asked, "--root", root)
    assert {file["outcome"] for file in again["files"]} == {"already"}
    gone = run("uninstall", "--root", root)
    assert (gone.exit_code, "removed" in gone.output) == (0, True)
    assert tree(root) == before
    made = {path for path in root.rglob("*") if path.is_dir()} - set(folders)
    assert made <= {root / "var", *(root / "var").rglob("*")}
    assert run("uninstall", "--root", root).exit_code == 1


def test_the_boot_line_is_what_a_shell_makes_of_it(root: Path, asked: Path) -> None:
    assert run("install", asked, "--root", root).exit_code == 0
    script = f'. {root}/etc/default/grub; . {root}/{GRUB}; printf %s "$GRUB_CMDLINE_LINUX_DEFAULT"'
    line = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout
    options = line.split()
    assert options[0] == "quiet"
    assert {"isolcpus", "nohz_full", "rcu_nocbs", "skew_tick", "irqaffinity"} == {o.split("=")[0] for o in options[1:]}
    # In this boot it is not there yet; a boot later it is, or it has been lost.
    assert "is installed: it takes `update-grub` and a boot" in run("plan", asked, "--root", root).output
    waiting = run("verify", "--root", root)
    assert (waiting.exit_code, "at next boot: 5" in waiting.output) == (3, True)
    boot(root, line)
    assert run("verify", "--root", root).exit_code == 0
    boot(root, line.replace("skew_tick=1", "skew_tick=0"))
    lost = run("verify", "--root", root)
    assert (lost.exit_code, "drifted: 1" in lost.output) == (1, True)
    # What is there already stays there when it is installed once more.
    boot(root, line)
    assert {file["outcome"] for file in told("install", asked, "--root", root)["files"]} == {"already"}


def test_systemd_takes_the_units(root: Path, asked: Path) -> None:
    assert run("install", asked, "--root", root).exit_code == 0
    units = [
        root / "etc/systemd/system" / f"fixaccel-tune{name}"
        for name in (".service", "-verify.service", "-verify.timer")
    ]
    judged = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False)
    ours = [line for line in judged.stderr.splitlines() if "fixaccel-tune" in line]
    assert ours == []
    text = (root / UNIT).read_text()
    (command,) = [line for line in text.splitlines() if line.startswith("ExecStart=")]
    assert command.endswith(" tune apply /etc/fixaccel/tune.yaml")


def test_what_the_unit_does_at_boot(root: Path, asked: Path) -> None:
    assert run("install", asked, "--root", root).exit_code == 0
    found = outcomes(told("apply", root / "etc/fixaccel/tune.yaml", "--root", root)["knobs"])
    assert found["net.tcp-timestamps"] == found["process.core"] == found["process.policy"] == "set"
    assert 'policy = "fifo:50"' in (root / "etc/fixaccel/fixacceld.toml").read_text()


def test_an_interface_that_was_chosen_is_kept(tmp_path: Path) -> None:
    root = make(VIRTUAL, tmp_path / "m")
    asked = plan(tmp_path, "")
    assert told("inspect", asked, "--root", root)["machine"]["interface"]["name"] == VETH
    assert run("install", asked, "--root", root, "--skip-boot").exit_code == 0
    kept = root / "etc/fixaccel/tune.yaml"
    assert f"interface: {VETH}\n" in kept.read_text()
    assert run("plan", kept, "--root", root).exit_code == 3  # the boot line is left
    flow = tmp_path / "flow.yaml"
    flow.write_text("{fixaccel-tune: 1}\n")
    assert "name the interface" in run("install", flow, "--root", root, "--skip-boot").output


def test_what_is_not_ours_is_never_touched(root: Path, asked: Path) -> None:
    (root / UNIT).parent.mkdir(parents=True)
    (root / UNIT).write_text("[Service]\nExecStart=/bin/true\n")
    before = tree(root)
    taken = run("install", asked, "--root", root)
    assert (taken.exit_code, f"/{UNIT} is there already" in taken.output) == (1, True)
    assert tree(root) == before
    (root / UNIT).unlink()
    assert run("install", asked, "--root", root).exit_code == 0
    (root / GRUB).write_text("# by hand\n")
    left = run("uninstall", "--root", root)
    assert (left.exit_code, "changed by others, left" in left.output) == (3, True)
    assert (root / GRUB).read_text() == "# by hand\n"
    assert not (root / UNIT).exists()
    # And so it stays known until it is gone.
    (root / GRUB).unlink()
    assert run("uninstall", "--root", root).exit_code == 0


def test_nothing_is_written_outside_of_a_tree(tmp_path: Path, root: Path, asked: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "etc/systemd").symlink_to(outside)
    refused = run("install", asked, "--root", root)
    assert (refused.exit_code, "leads out of" in refused.output) == (1, True)
    assert list(outside.iterdir()) == []
    assert not (root / GRUB).exists()


def test_a_plan_that_asks_for_less_takes_the_rest_away(tmp_path: Path, root: Path, asked: Path) -> None:
    assert run("install", asked, "--root", root).exit_code == 0
    assert run("install", asked, "--root", root, "--skip-boot", "--skip", "process.policy").exit_code == 0
    assert not (root / GRUB).exists()
    drop_in = root / "etc/systemd/system/fixacceld.service.d/60-fixaccel-tune.conf"
    assert "LimitRTPRIO" not in drop_in.read_text()
    assert run("verify", "--root", root).exit_code == 0  # nothing is asked of the boot line any more


def test_the_unit_allows_what_keeps_cores_awake(tmp_path: Path, root: Path) -> None:
    before = tree(root)
    awake = plan(tmp_path, f"interface: {CARD}\nset: {{process.wake: 2}}\n")
    done = run("install", awake, "--root", root, "--skip-boot")
    assert done.exit_code == 0
    assert "udevadm trigger --sysname-match=cpu_dma_latency" in done.output
    assert 'GROUP="fixaccel"' in (root / "etc/udev/rules.d/60-fixaccel-tune.rules").read_text()
    drop_in = (root / "etc/systemd/system/fixacceld.service.d/60-fixaccel-tune.conf").read_text()
    assert "DeviceAllow=/dev/cpu_dma_latency w" in drop_in
    assert "NUMA" not in drop_in  # there is one node
    assert run("uninstall", "--root", root).exit_code == 0
    assert tree(root) == before


def test_memory_is_of_the_daemons_node(tmp_path: Path) -> None:
    root = make(TWO_SOCKETS, tmp_path / "m")
    asked = plan(tmp_path, f"interface: {CARD}\ncores: {{daemon: 8}}\n")
    assert run("install", asked, "--root", root, "--skip-boot").exit_code == 0
    drop_in = (root / "etc/systemd/system/fixacceld.service.d/60-fixaccel-tune.conf").read_text()
    assert "NUMAPolicy=preferred\nNUMAMask=1\n" in drop_in


@pytest.mark.parametrize("number", range(8))
def test_killed_in_the_middle_all_of_it_can_be_taken_away(
    root: Path, asked: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, real = tree(root), installed._write
    written: list[installed.File] = []

    def write(host: Host, file: installed.File) -> None:
        if len(written) == number:
            raise KeyboardInterrupt
        written.append(file)
        real(host, file)

    monkeypatch.setattr(installed, "_write", write)
    assert run("install", asked, "--root", root).exit_code != 0
    monkeypatch.undo()
    assert len(written) == number
    assert run("uninstall", "--root", root).exit_code == 0
    assert tree(root) == before


def test_without_a_boot_loader_that_is_known(tmp_path: Path) -> None:
    root = make(VIRTUAL, tmp_path / "m")
    asked = plan(tmp_path, "profile: paper\n")
    refused = run("install", asked, "--root", root)
    assert (refused.exit_code, "--skip-boot" in refused.output) == (1, True)
    assert run("install", asked, "--root", root, "--skip-boot").exit_code == 0


_ODD_OPTION = '{"format": 1, "files": [], "folders": [], "options": ["evil"], "boot": ""}'


@pytest.mark.parametrize("text", ["{", "[]", '{"format": 2}', '{"format": 1, "files": [{}]}', _ODD_OPTION])
def test_a_damaged_record_changes_nothing(root: Path, asked: Path, text: str) -> None:
    folder = root / "var/lib/fixaccel/tune"
    folder.mkdir(parents=True)
    (folder / "installed.json").write_text(text)
    before = tree(root)
    for command in (("install", asked), ("uninstall",), ("verify",), ("apply", asked)):
        done = run(*command, "--root", root)
        assert (done.exit_code, "installed.json is damaged" in done.output) == (1, True), command
    assert tree(root) == before


def test_the_verdict_is_told_to_the_daemon(root: Path, asked: Path) -> None:
    def verdict() -> tuple[str, int]:
        said = json.loads((root / VERDICT).read_text())
        return said["run"], said["drifted"]

    assert run("verify", "--root", root).exit_code == 1
    assert verdict() == ("", 0)
    run("apply", asked, "--root", root)
    assert verdict() == ("1", 0)
    (root / "proc/sys/vm/swappiness").write_text("60\n")
    assert verdict() == ("1", 0)  # nobody has looked
    run("verify", "--root", root)
    assert verdict() == ("1", 1)
    run("rollback", "--root", root)
    assert verdict() == ("", 0)


@pytest.fixture(scope="session")
def tuned_packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """TuneD as Debian has it, unpacked: installed it would take the machine over."""
    folder = tmp_path_factory.mktemp("tuned")
    got = subprocess.run(["apt-get", "download", "tuned"], cwd=folder, capture_output=True, text=True, check=False)
    found = list(folder.glob("tuned_*.deb"))
    if got.returncode or not found:
        pytest.skip(f"Debian's package `tuned` is not to be had: {got.stderr.strip()[-200:]}")
    subprocess.run(["dpkg", "-x", found[0], folder / "unpacked"], check=True)
    return folder / "unpacked"


_LOADER = """
import sys, json
sys.path.insert(0, sys.argv[1] + "/usr/lib/python3/dist-packages")
import tuned.profiles as profiles
from tuned.profiles.variables import Variables
locator = profiles.Locator([sys.argv[1] + "/usr/lib/tuned", sys.argv[2]])
loader = profiles.Loader(locator, profiles.Factory(), profiles.Merger(), None, Variables())
units = loader.load(["fixaccel"]).units
print("UNITS", json.dumps({name: dict(unit.options) for name, unit in units.items()}))
"""


def test_tuned_reads_the_profile(root: Path, asked: Path, tuned_packages: Path) -> None:
    done = run("install", asked, "--root", root, "--tuned")
    assert (done.exit_code, "tuned-adm profile fixaccel" in done.output) == (0, True)
    assert not (root / GRUB).exists()
    loaded = subprocess.run(
        [sys.executable, "-c", _LOADER, tuned_packages, root / "etc/tuned"], capture_output=True, text=True, check=False
    )
    lines = [line for line in loaded.stdout.splitlines() if line.startswith("UNITS ")]
    assert len(lines) == 1, loaded.stderr
    units = json.loads(lines[0].removeprefix("UNITS "))
    assert units["sysctl"]["vm.swappiness"] == "1"
    assert units["sysctl"]["net.core.busy_read"] == "50"  # of network-latency, on which it builds
    assert "isolcpus=" in units["bootloader"]["cmdline"]
    assert units["sysfs"]["/sys/kernel/mm/transparent_hugepage/enabled"] == "never"
