# SPDX-License-Identifier: Apache-2.0
"""`make deb`: the package of what is built, and what is in it."""

import gzip
import importlib
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from lab.desk import BUILD

ROOT = Path(__file__).resolve().parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

pytestmark = pytest.mark.skipif(
    shutil.which("dpkg-shlibdeps") is None, reason="dpkg-shlibdeps is missing: apt-get install dpkg-dev"
)


def say(*command: object, cwd: Path = ROOT) -> str:
    done = subprocess.run([str(one) for one in command], capture_output=True, text=True, check=False, cwd=cwd)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def deb(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "scripts/deb.py", *arguments]
    return subprocess.run([str(one) for one in command], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    done = deb("--build", BUILD, "--out", tmp_path_factory.mktemp("deb"))
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


@pytest.fixture(scope="module")
def tree(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tree") / "all"
    say("dpkg-deb", "--raw-extract", package, folder)
    return folder


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
        f"/usr/share/fixaccel/fixaccel-{VERSION}-py3-none-any.whl": "-rw-r--r--",
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


def test_twice_it_is_the_same(package: Path, tmp_path: Path) -> None:
    done = deb("--build", BUILD, "--out", tmp_path)
    assert Path(done.stdout.strip()).read_bytes() == package.read_bytes()


def test_what_is_not_built_is_said(tmp_path: Path) -> None:
    done = deb("--build", tmp_path, "--out", tmp_path)
    assert (done.returncode, "fixacceld is missing: `make build`" in done.stderr) == (1, True)


@pytest.mark.skipif(shutil.which("lintian") is None, reason="lintian is missing: apt-get install lintian")
def test_lintian_finds_nothing(package: Path) -> None:
    say("lintian", "--allow-root", "--fail-on", "error,warning", package)


def test_whoever_hands_it_on_answers_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    maintainer = importlib.import_module("deb").maintainer
    monkeypatch.delenv("DEBEMAIL", raising=False)
    assert maintainer() == "the fixaccel authors <fixaccel@localhost>"
    monkeypatch.setenv("DEBFULLNAME", "A Desk")
    monkeypatch.setenv("DEBEMAIL", "packages@desk.example.org")
    assert maintainer() == "A Desk <packages@desk.example.org>"


def test_its_manual_says_what_the_programs_say(tree: Path) -> None:
    page = gzip.decompress((tree / "usr/share/man/man8/fixacceld.8.gz").read_bytes()).decode()
    assert "\\-\\-config" in page
    assert "fixacceld \\- keeps a FIX session" in page
