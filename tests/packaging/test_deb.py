# SPDX-License-Identifier: Apache-2.0
"""`make deb`: the package of what is built, and what is in it."""

import gzip
import importlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tomllib
import urllib.request
import zipfile
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import pytest

from lab.desk import BUILD, ROOT

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

pytestmark = pytest.mark.skipif(
    shutil.which("dpkg-shlibdeps") is None, reason="dpkg-shlibdeps is missing: apt-get install dpkg-dev"
)


Deb = Callable[..., subprocess.CompletedProcess[str]]


def say(*command: object, cwd: Path = ROOT) -> str:
    done = subprocess.run([str(one) for one in command], capture_output=True, text=True, check=False, cwd=cwd)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def package(packages: list[Path]) -> Path:
    return packages[0]


@pytest.fixture(scope="module")
def exchange(packages: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exchange") / "all"
    say("dpkg-deb", "--raw-extract", packages[1], folder)
    return folder


@pytest.fixture(scope="module")
def tree(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tree") / "all"
    say("dpkg-deb", "--raw-extract", package, folder)
    return folder


def wheel_in(files: Iterable[str]) -> str:
    """The name of the one wheel among them, which is for this machine: tests of its own look at its tag."""
    (name,) = (Path(file).name for file in files if file.endswith(".whl"))
    assert name.startswith(f"fixaccel-{VERSION}-py3-none-manylinux_")
    return name


def test_its_control_file(package: Path) -> None:
    fields = dict(line.split(": ", 1) for line in say("dpkg-deb", "-f", package).splitlines() if line[0] != " ")
    assert (fields["Package"], fields["Version"]) == ("fixaccel", VERSION)
    assert package.name == f"fixaccel_{VERSION}_{fields['Architecture']}.deb"
    needs = [one.split(" ")[0] for one in fields["Depends"].split(", ")]
    assert {"libc6", "libquickfix17", "systemd"} <= set(needs)
    assert int(fields["Installed-Size"]) > 1000


def test_its_files(package: Path) -> None:
    lines = [line.split() for line in say("dpkg-deb", "-c", package).splitlines()]
    files = {line[5].removeprefix("."): line[0] for line in lines if not line[0].startswith("d")}
    command = wheel_in(files)
    assert files == {
        "/lib/systemd/system/fixacceld.service": "-rw-r--r--",
        "/usr/bin/fixaccel-vboard": "-rwxr-xr-x",
        "/usr/lib/sysusers.d/fixaccel.conf": "-rw-r--r--",
        "/usr/sbin/fixacceld": "-rwxr-xr-x",
        "/usr/share/doc/fixaccel/README.md": "-rw-r--r--",
        "/usr/share/doc/fixaccel/changelog.gz": "-rw-r--r--",
        "/usr/share/doc/fixaccel/copyright": "-rw-r--r--",
        "/usr/share/doc/fixaccel/examples/60-fixaccel.conf": "-rw-r--r--",
        "/usr/share/doc/fixaccel/examples/fixacceld.toml": "-rw-r--r--",
        f"/usr/share/fixaccel/{command}": "-rw-r--r--",
        "/usr/share/lintian/overrides/fixaccel": "-rw-r--r--",
        "/usr/share/man/man1/fixaccel-vboard.1.gz": "-rw-r--r--",
        "/usr/share/man/man8/fixacceld.8.gz": "-rw-r--r--",
    }
    assert {line[1] for line in lines} == {"root/root"}
    assert all(line[0] == "drwxr-xr-x" for line in lines if line[0].startswith("d"))


def test_the_daemon_in_it_runs_and_takes_the_example(tree: Path, tmp_path: Path) -> None:
    daemon = tree / "usr/sbin/fixacceld"
    assert b".debug_info" not in daemon.read_bytes()
    example = (tree / "usr/share/doc/fixaccel/examples/fixacceld.toml").read_text()
    settings = tmp_path / "fixacceld.toml"
    settings.write_text(example)
    assert "in order" in say(daemon, "--config", settings, "--check")
    settings.write_text(example.replace("journal =", "jornal ="))
    done = subprocess.run([daemon, "--config", settings, "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, "jornal" in done.stderr) == (2, True)


def test_the_command_in_it_is_whole(tree: Path, tmp_path: Path) -> None:
    (wheel,) = (tree / "usr/share/fixaccel").iterdir()
    with zipfile.ZipFile(wheel) as content:
        assert f"fixaccel-{VERSION}.dist-info/entry_points.txt" in content.namelist()
        # Where Node is, the page of the dashboard has been built, and goes with it.
        page = "fixaccel/dashboard/static/index.html"
        assert (page in content.namelist()) == (ROOT / "compiler" / page).exists()
        content.extractall(tmp_path / "installed")

    def run(*arguments: object) -> str:
        env = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
        command = [sys.executable, "-m", "fixaccel", *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=env)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert VERSION in run("--version")
    assert "--follow" in run("fires", "--help")
    # With its templates and its RTL.
    run("compile", ROOT / "strategies" / "quickstart.yaml", "-o", "bundle")
    assert (tmp_path / "bundle" / "client" / "fixacceld.toml").exists()


def test_its_scripts_are_shell_and_leave_a_running_daemon_alone(tree: Path) -> None:
    for name in ("postinst", "prerm", "postrm"):
        say("sh", "-n", tree / "DEBIAN" / name)
        # Nothing of systemd runs here, and an upgrade stops nothing anywhere.
        text = (tree / "DEBIAN" / name).read_text()
        assert "restart" not in text.replace("is not restarted", "")
    stop = (tree / "DEBIAN" / "prerm").read_text()
    assert '"$1" = remove ]' in stop
    assert say("sh", tree / "DEBIAN" / "prerm", "upgrade") == ""


def test_the_exchange_has_a_package_of_its_own(packages: list[Path], exchange: Path) -> None:
    text = say("dpkg-deb", "-f", packages[1])
    fields = dict(line.split(": ", 1) for line in text.splitlines() if line[0] != " ")
    assert (fields["Package"], fields["Version"]) == ("fixaccel-exchange", VERSION)
    assert "systemd" not in fields["Depends"]
    assert "tzdata" in fields["Depends"], "time zones of venues"
    files = {str(file.relative_to(exchange)) for file in exchange.rglob("*") if file.is_file()}
    assert files == {
        "DEBIAN/control",
        "usr/bin/fixaccel-exchange",
        "usr/share/doc/fixaccel-exchange/README.md",
        "usr/share/doc/fixaccel-exchange/changelog.gz",
        "usr/share/doc/fixaccel-exchange/copyright",
        "usr/share/doc/fixaccel-exchange/examples/exchange.yaml",
        "usr/share/fixaccel/FIX44.xml",
        f"usr/share/fixaccel-exchange/{wheel_in(files)}",
        "usr/share/lintian/overrides/fixaccel-exchange",
        "usr/share/man/man1/fixaccel-exchange.1.gz",
    }
    licences = (exchange / "usr/share/doc/fixaccel-exchange/copyright").read_text()
    assert "Apache-2.0" in licences
    assert "Redistributions in binary form must reproduce the above copyright" in licences


def test_the_venue_in_it_trades_and_the_page_in_it_shows_it(exchange: Path, tmp_path: Path) -> None:
    (wheel,) = (exchange / "usr/share/fixaccel-exchange").iterdir()
    with zipfile.ZipFile(wheel) as content:
        content.extractall(tmp_path / "installed")
    socket_file, python = tmp_path / "control", {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
    example = exchange / "usr/share/doc/fixaccel-exchange/examples/exchange.yaml"
    options = ["--config", example, "--listen", "127.0.0.1:0", "--control", f"unix:{socket_file}"]
    page = [
        sys.executable,
        "-m",
        "fixaccel",
        "dashboard",
        "--exchange",
        f"unix:{socket_file}",
        "--listen",
        "127.0.0.1:0",
    ]
    with Program([exchange / "usr/bin/fixaccel-exchange", *options]) as venue, Program(page, env=python) as served:
        with socket.create_connection(("127.0.0.1", int(venue.line().rpartition(":")[2])), timeout=10) as client:
            client.sendall(fix("35=A|34=1|98=0|108=30"))
            assert b"\x0135=A\x01" in client.recv(4096)
            # 55 is the dictionary's: without it nobody would mind.
            client.sendall(fix("35=0|34=2|55=MSFT"))
            assert b"\x01371=55\x01" in client.recv(4096)
        with urllib.request.urlopen(served.line().strip() + "healthz", timeout=10) as answer:
            assert json.loads(answer.read()) == {"ok": True}


class Program:
    """One that says something and then runs until it is ended."""

    def __init__(self, command: list[object], env: dict[str, str] | None = None) -> None:
        self._running = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True, env=env)

    def __enter__(self) -> Self:
        return self

    def line(self) -> str:
        assert self._running.stdout is not None
        return self._running.stdout.readline()

    def __exit__(self, *_: object) -> None:
        self._running.terminate()
        self._running.communicate(timeout=30)


def fix(fields: str) -> bytes:
    now = datetime.now(UTC).strftime("%Y%m%d-%H:%M:%S")
    head, _, rest = fields.partition("|")
    body = f"{head}|49=CLIENT1|52={now}|56=SIMULATOR|{rest}|".replace("|", "\x01")
    text = f"8=FIX.4.4\x019={len(body)}\x01{body}"
    return f"{text}10={sum(text.encode()) % 256:03}\x01".encode()


def test_twice_they_are_the_same(deb: Deb, packages: list[Path], tmp_path: Path) -> None:
    when = say("git", "log", "-1", "--format=%ct").strip()
    done = deb("--build", BUILD, "--out", tmp_path, SOURCE_DATE_EPOCH=when)
    for line, before in zip(done.stdout.splitlines(), packages, strict=True):
        assert Path(line).read_bytes() == before.read_bytes()


def test_a_date_that_is_none_is_said(deb: Deb, tmp_path: Path) -> None:
    done = deb("--build", BUILD, "--out", tmp_path, SOURCE_DATE_EPOCH="yesterday")
    assert (done.returncode, done.stderr) == (1, "deb: SOURCE_DATE_EPOCH=yesterday is no whole number of seconds\n")


def test_the_date_that_is_asked_for_is_theirs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    module = importlib.import_module("deb")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert module.source_date() == "86400"
    module.write_texts(module.DAEMON, [], tmp_path)
    changelog = gzip.decompress((tmp_path / "usr/share/doc/fixaccel/changelog.gz").read_bytes()).decode()
    assert changelog.rstrip().endswith("Fri, 02 Jan 1970 00:00:00 +0000")


def test_what_is_not_built_is_said(deb: Deb, tmp_path: Path) -> None:
    done = deb("--build", tmp_path, "--out", tmp_path)
    assert (done.returncode, "libfixaccel_table.so is missing: `make build`" in done.stderr) == (1, True)


@pytest.mark.skipif(shutil.which("lintian") is None, reason="lintian is missing: apt-get install lintian")
def test_lintian_finds_nothing(packages: list[Path]) -> None:
    say("lintian", "--allow-root", "--fail-on", "error,warning", *packages)


def test_whoever_hands_it_on_answers_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    maintainer = importlib.import_module("deb").maintainer
    monkeypatch.delenv("DEBEMAIL", raising=False)
    monkeypatch.delenv("DEBFULLNAME", raising=False)
    assert maintainer() == "the fixaccel authors <fixaccel@localhost>"
    monkeypatch.setenv("DEBFULLNAME", "A Desk")
    monkeypatch.setenv("DEBEMAIL", "packages@desk.example.org")
    assert maintainer() == "A Desk <packages@desk.example.org>"


def test_its_manual_says_what_the_programs_say(tree: Path) -> None:
    page = gzip.decompress((tree / "usr/share/man/man8/fixacceld.8.gz").read_bytes()).decode()
    assert "\\-\\-config" in page
    assert "fixacceld \\- keeps a FIX session" in page
