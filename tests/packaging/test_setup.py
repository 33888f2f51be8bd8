# SPDX-License-Identifier: Apache-2.0
"""`make setup` on machines that lack something: one clear line, after as many tries as make sense."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ("debian-packages", "say", "setup", "dictionary.py", "page", "constraints.txt", "hashed.txt")


class Machine:
    """A folder as after a clone, and programs in place of those that install, which note how they are called."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "scripts").mkdir()
        (folder / "bin").mkdir()
        for name in SCRIPTS:
            shutil.copy2(ROOT / "scripts" / name, folder / "scripts" / name)
        for name in ("apt-packages.txt", "apt-packages-demo.txt"):
            (folder / "scripts" / name).write_text("fixaccel-no-such-package  why\n")
        shutil.copy2(ROOT / "pyproject.toml", folder)

    def program(self, place: str, text: str) -> None:
        """``text`` is shell, behind a line that notes the call."""
        path = self.folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'#!/bin/sh\necho "${{0##*/}} $*" >>{self.folder}/calls\n{text}\n')
        path.chmod(0o755)

    def calls(self, word: str) -> int:
        calls = self.folder / "calls"
        return sum(word in line.split() for line in calls.read_text().splitlines()) if calls.exists() else 0

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        settings = {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "SETUP_WAIT": "0"}
        return subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=self.folder, env=os.environ | settings
        )

    def debian(self, *ahead: str) -> subprocess.CompletedProcess[str]:
        return self.run(*ahead, "bash", "scripts/debian-packages", "scripts/apt-packages.txt", "setup")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path)
    made.program("bin/sudo", 'shift; exec "$@"')
    return made


def test_an_index_that_is_out_of_step_is_asked_again(machine: Machine) -> None:
    fails_twice = f'[ $(grep -c " install " {machine.folder}/calls) -ge 3 ] || exit 100'
    machine.program("bin/apt-get", f'case "$*" in *install*) {fails_twice};; esac')
    done = machine.debian()
    assert done.returncode == 0, done.stderr
    assert "try 3 of 3" in done.stdout
    assert (machine.calls("update"), machine.calls("install")) == (3, 3)
    assert machine.debian().returncode == 0
    assert machine.calls("install") == 3, "it is done"


def test_without_an_index_what_is_there_is_taken(machine: Machine) -> None:
    machine.program("bin/apt-get", 'case "$*" in *update*) exit 100;; esac')
    done = machine.debian()
    assert done.returncode == 0, done.stderr
    assert "what is there of it is taken" in done.stdout
    assert machine.calls("install") == 1


def test_without_a_network_one_line_says_so(machine: Machine) -> None:
    machine.program("bin/apt-get", 'echo "E: Temporary failure resolving" >&2; exit 100')
    done = machine.debian()
    assert done.returncode == 1
    said = done.stderr.splitlines()[-1]
    assert said.startswith("setup: Debian packages cannot be had")
    assert "no network" in said
    assert machine.calls("install") == 3


@pytest.mark.skipif(subprocess.run(["unshare", "-U", "true"], check=False).returncode != 0, reason="no user namespaces")
def test_neither_root_nor_sudo_is_said_at_once(machine: Machine) -> None:
    machine.program("bin/sudo", "exit 1")
    machine.program("bin/apt-get", "exit 100")
    done = machine.debian("unshare", "-U")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "setup: neither root nor sudo; missing Debian packages: fixaccel-no-such-package\n"
    assert machine.calls("install") == 0


def test_python_packages_are_asked_for_again_and_then_one_line_says_so(machine: Machine) -> None:
    for name in ("apt-packages.txt", "apt-packages-demo.txt"):
        (machine.folder / "scripts" / name).write_text("# none\n")
    machine.program(".venv/bin/python", 'echo "ERROR: No matching distribution" >&2; exit 1')
    machine.program(".venv/bin/pip", "")
    done = machine.run("bash", "scripts/setup")
    assert done.returncode == 1
    said = done.stderr.splitlines()[-1]
    assert said.startswith("setup: Python packages cannot be had")
    assert "no network" in said
    assert machine.calls("pip") == 3
    assert not (machine.folder / ".venv" / "setup.stamp").exists(), "the next run tries again"


def set_up(machine: Machine, *what: str) -> list[str]:
    """What pip was asked to install by `scripts/setup`; nothing else has to be had."""
    (machine.folder / "calls").unlink(missing_ok=True)
    for name in ("apt-packages.txt", "apt-packages-demo.txt"):
        (machine.folder / "scripts" / name).write_text("# none\n")
    for name in ("dictionary.py", "page"):
        (machine.folder / "scripts" / name).write_text("#!/bin/sh\n")
    machine.program(".venv/bin/python", "")
    machine.program(".venv/bin/pip", "")
    done = machine.run("bash", "scripts/setup", *what)
    assert done.returncode == 0, done.stderr
    calls = machine.folder / "calls"
    lines = calls.read_text().splitlines() if calls.exists() else []
    return [line.split()[-1] for line in lines if " pip install " in line]


def test_the_demo_needs_little_and_all_of_it_is_in_the_whole(machine: Machine) -> None:
    assert set_up(machine, "demo") == [".[build]"]
    assert set_up(machine, "demo") == [], "it is done"
    assert set_up(machine) == ["scripts/hashed.txt", ".[dev,docs]"], "the rest is not"
    assert set_up(machine) == []
    (machine.folder / ".venv" / "demo.stamp").unlink()
    assert set_up(machine, "demo") == [], "the whole has it"


def test_no_package_of_debian_is_listed_twice() -> None:
    lists = [(ROOT / "scripts" / name).read_text() for name in ("apt-packages.txt", "apt-packages-demo.txt")]
    names = [line.split()[0] for text in lists for line in text.splitlines() if not line.startswith("#")]
    assert len(names) == len(set(names)) > 40
