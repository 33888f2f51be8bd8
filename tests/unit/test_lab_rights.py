# SPDX-License-Identifier: Apache-2.0
"""What a laboratory says where a machine does not let it be: one line, with a way out."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from fixaccel.cli.main import cli
from fixaccel.lab import rights
from fixaccel.lab.namespaces import LabError


def tools(folder: Path, *names: str, unshare: str = "exit 0") -> Path:
    """A folder with such tools alone."""
    folder.mkdir()
    for name in (*names, "unshare"):
        (folder / name).write_text(f"#!/bin/sh\n{unshare if name == 'unshare' else 'exit 0'}\n")
        (folder / name).chmod(0o755)
    return folder


@pytest.mark.parametrize(
    ("user", "flags", "way_out"),
    [
        (1000, "-Urnm", "run it as root, or allow user namespaces"),
        (0, "-nm", "a container needs CAP_SYS_ADMIN"),
    ],
)
def test_namespaces_that_are_not_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, user: int, flags: str, way_out: str
) -> None:
    refusing = "echo 'unshare: unshare failed: Operation not permitted' >&2; exit 1"
    monkeypatch.setenv("PATH", str(tools(tmp_path / "bin", unshare=refusing)))
    monkeypatch.setattr(os, "geteuid", lambda: user)
    with pytest.raises(LabError) as refused:
        rights.prefix()
    assert str(refused.value) == (
        f"network namespaces are not allowed here (`unshare {flags} true`: unshare failed: Operation not permitted): "
        f"{way_out}"
    )


def test_an_ordinary_user_gets_them_in_a_user_namespace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tools(tmp_path / "bin")))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert rights.prefix()[:2] == ["unshare", "-Urnm"]
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert rights.prefix() == []


def test_tools_that_are_missing_are_named_with_their_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tools(tmp_path / "bin", "ip", "ethtool", "setpriv", "sysctl")))
    monkeypatch.setattr(rights, "_SYSTEM_FOLDERS", ())
    done = CliRunner().invoke(cli, ["demo"])
    assert done.exit_code == 2
    assert done.stderr == "Error: dumpcap, tshark missing: `apt-get install wireshark-common tshark` as root\n"


def test_tools_that_only_root_has_on_its_path_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tools(tmp_path / "bin", "ip", "setpriv", "dumpcap", "tshark")))
    monkeypatch.setattr(rights, "_SYSTEM_FOLDERS", (str(tools(tmp_path / "sbin", "ethtool", "sysctl")),))
    rights.check_tools()
    assert shutil.which("ethtool") == str(tmp_path / "sbin" / "ethtool")


def test_a_command_that_is_none_is_said() -> None:
    command = [sys.executable, "-m", "fixaccel.lab.rights", "no-such-command"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert "no-such-command" in done.stderr


def test_programs_that_are_not_there_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FIXACCEL_BUILD", str(tmp_path))
    monkeypatch.setattr(rights, "check_tools", lambda: None)
    done = CliRunner().invoke(cli, ["demo"])
    assert done.exit_code == 2
    assert done.stderr == (
        f"Error: fixacceld is not at {tmp_path}/runtime/daemon/fixacceld: a Debian package of `make deb` has it, and "
        "`make build` builds it in a checkout\n"
    )


def test_a_folder_with_something_in_it_is_not_taken_for_what_is_kept(tmp_path: Path) -> None:
    (tmp_path / "journal").mkdir()
    done = CliRunner().invoke(cli, ["demo", "--keep", str(tmp_path)])
    assert (done.exit_code, "is not empty" in done.stderr) == (2, True)
