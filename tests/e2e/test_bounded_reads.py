# SPDX-License-Identifier: Apache-2.0
"""No file that somebody names holds the daemon up, whatever it is; what is wrong with one is said at once."""

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fixaccel.lab.desk import fixaccel
from lab.desk import Desk

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_SOON_S = 10.0
_HUGE = 1 << 40


def fifo(path: Path) -> str:
    os.mkfifo(path)
    return "is a named pipe, not a file"


def device(path: Path) -> str:
    path.symlink_to("/dev/zero")
    return "is a device, not a file"


def folder(path: Path) -> str:
    path.mkdir()
    return "is a folder, not a file"


def endless(path: Path) -> str:
    path.touch()
    os.truncate(path, _HUGE)
    return f"has {_HUGE} bytes, more than"


_KINDS = [fifo, device, folder, endless]
_FILES = ["manifest.json", "image/rules.safetensors", "client/fixacceld.toml", "client/quickfix.cfg"]


def deploy(desk: Desk, bundle: Path) -> tuple[str, float]:
    """What a deploy that is refused says, and how long it took."""
    begin = time.monotonic()
    done = fixaccel("deploy", str(bundle), "--to", desk.control, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout + done.stderr, time.monotonic() - begin


def test_a_bundle_with_anything_in_a_files_place(desk: Desk, bundle: Path, tmp_path: Path) -> None:
    desk.start_board()
    (desk.folder / "own.toml").touch()
    daemon = desk.start_daemon(bundle, config=desk.folder / "own.toml")
    for file in _FILES:
        for make in _KINDS:
            broken = tmp_path / "broken"
            shutil.copytree(bundle, broken)
            (broken / file).unlink()
            reason = make(broken / file)
            said, took_s = deploy(desk, broken)
            assert reason in said
            assert Path(file).name in said
            assert took_s < _SOON_S
            shutil.rmtree(broken)
    assert desk.status()["phase"] == "idle"
    assert daemon.stop() == 0, daemon.text()


def end(desk: Desk, config: Path, *options: str) -> tuple[int, str]:
    """Exit code and words of a daemon that ends by itself."""
    daemon = desk.start_program(
        "runtime/daemon/fixacceld",
        *("--config", str(config), "--board", f"unix:{desk.board_socket}", "--control", desk.control),
        *("--journal", str(desk.journal), *options),
    )
    return daemon.wait_exit(_SOON_S), daemon.text()


@pytest.mark.parametrize("make", _KINDS, ids=lambda make: make.__name__)
def test_a_configuration_of_any_kind(desk: Desk, tmp_path: Path, make: Callable[[Path], str]) -> None:
    config = tmp_path / "fixacceld.toml"
    reason = make(config)
    code, said = end(desk, config)
    assert (code, reason in said) == (2, True), said
    config.unlink() if not config.is_dir() else config.rmdir()
    config.write_text('[session]\nquickfix = "quickfix.cfg"\n', encoding="utf-8")
    reason = make(tmp_path / "quickfix.cfg")
    code, said = end(desk, config)
    assert (code, reason in said, "quickfix.cfg" in said) == (2, True, True), said
    assert not desk.journal.exists(), "nothing has been started"


_WRONG = """\
bord = "unix:b"
kill_file = 3

[session]
resend_orders = "perhaps"
quickfix = "missing.cfg"
day_roll = "25:00"

[limits]
watchdog_ms = 100
lease_ms = 400
poll_us = 90000
hold_ms = "long"

[limit]
"""


def test_all_that_is_wrong_is_said_at_once(desk: Desk, tmp_path: Path) -> None:
    config = tmp_path / "fixacceld.toml"
    config.write_text(_WRONG, encoding="utf-8")
    for options in ([], ["--check"]):
        code, said = end(desk, config, *options)
        assert code == 2
        for problem in (
            "fixacceld.toml:1:1: unknown key 'bord'; did you mean 'board'?",
            "fixacceld.toml:2:13: 'kill_file' must be a path in quotes",
            "fixacceld.toml:5:17: 'resend_orders' must be",
            "missing.cfg",
            "fixacceld.toml:7:12: 'day_roll' must be a time of day",
            "lease_ms = 400 leaves nothing of watchdog_ms = 100",
            "poll_us = 90000 is too long for watchdog_ms = 100",
            "fixacceld.toml:13:11: 'hold_ms' must be",
            "unknown key 'limit'; did you mean 'limits'?",
        ):
            assert problem in said, said
    assert not desk.journal.exists()


def test_what_is_right_is_said_too(desk: Desk, bundle: Path) -> None:
    code, said = end(desk, bundle / "client" / "fixacceld.toml", "--check")
    assert (code, "the configuration is in order" in said) == (0, True), said
    assert not desk.journal.exists()
