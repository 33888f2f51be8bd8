# SPDX-License-Identifier: Apache-2.0
"""Settings of the session that contradict the bundle, or what the session promises, are refused by name and place."""

from pathlib import Path

import pytest

from fixaccel.board.control import ControlClient, ControlRefusedError
from fixaccel.lab.desk import fixaccel
from fixaccel.lab.processes import wait_until
from lab.desk import Desk
from lab.venue import start

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

# What is said of all is not what holds where the session says another.
_SETTINGS = """\
[DEFAULT]
ConnectionType=initiator
StartTime=00:00:00
EndTime=00:00:00
HeartBtInt=30
UseDataDictionary=N
SenderCompID=CLIENT1
[SESSION]
BeginString=FIX.4.4
SenderCompID=CLIENT1
TargetCompID=SIMULATOR
SocketConnectHost=10.77.0.1
SocketConnectPort=9878
PersistMessages=Y
ResetOnLogon=N
ResetOnLogout=N
ResetOnDisconnect=N
"""
_OTHERS = {"BeginString": "FIX.4.2", "SenderCompID": "CLIENT2", "TargetCompID": "OTHER",
           "SocketConnectHost": "10.77.0.9", "SocketConnectPort": "9879"}  # fmt: skip
_PROMISES = {"PersistMessages": "N", "ResetOnLogon": "Y", "ResetOnLogout": "Y", "ResetOnDisconnect": "Y"}


def changed(key: str, value: str) -> tuple[str, int, str]:
    """The settings with another value of ``key``; the line that has it, and what it was."""
    lines = _SETTINGS.splitlines(keepends=True)
    number = max(n for n, line in enumerate(lines) if line.startswith(f"{key}="))
    before = lines[number].partition("=")[2].strip()
    lines[number] = f"{key}={value}\n"
    return "".join(lines), number + 1, before


def refusal(desk: Desk, bundle: Path) -> str:
    with ControlClient(desk.control) as client, pytest.raises(ControlRefusedError) as refused:
        client.ask("deploy", bundle=str(bundle))
    return str(refused.value)


def test_each_setting_that_contradicts_is_named_with_its_place(desk: Desk, bundle: Path, tmp_path: Path) -> None:
    desk.remove_board()
    own, config = tmp_path / "quickfix.cfg", tmp_path / "fixacceld.toml"
    own.write_text(_SETTINGS, encoding="utf-8")
    config.write_text('[session]\nquickfix = "quickfix.cfg"\nresend_orders = "resend"\n', encoding="utf-8")
    daemon = desk.start_daemon(bundle, config=config)
    for key, value in _OTHERS.items():
        text, line, before = changed(key, value)
        own.write_text(text, encoding="utf-8")
        said = refusal(desk, bundle)
        assert f"{own}:{line}: {key} is {value}, and the bundle has {before}" in said
        assert said.count(" and the bundle has ") == 1, said
    for key, value in _PROMISES.items():
        text, line, before = changed(key, value)
        own.write_text(text, encoding="utf-8")
        assert f"{own}:{line}: {key} is {value}, and must be {before}" in refusal(desk, bundle)
    done = fixaccel("deploy", str(bundle), "--to", desk.control, check=False)
    assert (done.returncode, f"{own}:{line}: {key} is {value}" in done.stderr) == (1, True), done.stderr
    assert desk.status()["phase"] == "idle", "nothing has been changed"

    # One that is right is taken; once it is logged on, the session that stands is what counts.
    own.write_text(_SETTINGS, encoding="utf-8")
    start(desk)
    fixaccel("deploy", str(bundle), "--to", desk.control)
    wait_until("the logon", lambda: desk.status()["phase"] in ("ready", "armed"), 60, daemon.check_alive)
    assert daemon.stop() == 0, daemon.text()


def test_a_daemon_that_would_forget_orders_does_not_start(desk: Desk, tmp_path: Path) -> None:
    own, config = tmp_path / "quickfix.cfg", tmp_path / "fixacceld.toml"
    text, line, _ = changed("PersistMessages", "N")
    own.write_text(text, encoding="utf-8")
    config.write_text('[session]\nquickfix = "quickfix.cfg"\n', encoding="utf-8")
    for options in ([], ["--check"]):
        daemon = desk.start_program(
            "runtime/daemon/fixacceld", "--config", str(config), "--no-board", "--control", desk.control,
            "--journal", str(desk.journal), *options,
        )  # fmt: skip
        assert daemon.wait_exit(20) == 2
        assert f"quickfix: {own}:{line}: PersistMessages is N, and must be Y" in daemon.text()
    assert not desk.journal.exists()
