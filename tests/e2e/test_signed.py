# SPDX-License-Identifier: Apache-2.0
"""A daemon that knows the desk's keys loads what the desk has signed, and nothing else, at its start neither."""

import shutil
from pathlib import Path

import pytest

from fixaccel.lab.desk import fixaccel
from fixaccel.lab.processes import wait_until
from lab.desk import ROOT, Desk
from lab.venue import start

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def deployed(desk: Desk, bundle: Path) -> str:
    """What the command says of it, failed or not."""
    done = fixaccel("deploy", str(bundle), "--to", desk.control, check=False)
    return done.stdout + done.stderr


def test_only_what_the_desk_has_signed(desk: Desk, bundle: Path) -> None:
    mine = desk.folder / "mine"
    shutil.copytree(bundle, mine)
    keys = desk.folder / "keys"
    keys.mkdir()
    for name in ("anna", "bert", "mallory"):
        fixaccel("keygen", str(keys / name))
    config = desk.folder / "desk.toml"
    both = 'bundles = {keys = ["keys/anna.pub", "keys/bert.pub"], signatures = 2}'
    config.write_text(f'bundle = "{mine}"\n{both}\n', encoding="utf-8")
    desk.start_board()
    start(desk)
    # The bundle's own settings have no say in it.
    daemon = desk.start_daemon(mine, config=config)
    status = desk.status()
    assert "it is not signed; `fixaccel sign BUNDLE --key FILE` signs it" in status["problem"]
    assert "bundle" not in status
    fixaccel("sign", str(mine), "--key", str(keys / "mallory"))
    assert "none of its 1 signatures is of a key of this desk" in deployed(desk, mine)
    fixaccel("sign", str(mine), "--key", str(keys / "anna"))
    assert "it is signed by anna alone, and 2 of the desk have to" in deployed(desk, mine)
    fixaccel("sign", str(mine), "--key", str(keys / "bert"))
    deployed(desk, mine)
    desk.wait_armed(daemon)
    assert desk.status()["bundle"]["signed_by"] == ["anna", "bert"]
    assert "signed    anna, bert" in fixaccel("status", "--to", desk.control).stdout

    # What comes into its place later is looked at as the first was.
    report = (mine / "report.md").read_bytes()
    (mine / "report.md").write_text("all is well", encoding="utf-8")
    assert "report.md has 11 bytes, the manifest says" in deployed(desk, mine)
    (mine / "report.md").write_bytes(report)
    fixaccel("compile", str(ROOT / "strategies" / "grid.yaml"), "-o", str(mine))
    assert "it is not signed" in deployed(desk, mine)
    assert desk.status()["armed"], "what runs goes on"
    daemon.kill()

    daemon = desk.start_daemon(mine, config=config)
    wait_until("the refusal", lambda: "it is not signed" in desk.status()["problem"], 30, daemon.check_alive)
    assert daemon.stop() == 0
    loads = [line for line in desk.journal_lines() if line["type"] == "load"]
    assert [load["signed_by"] for load in loads] == [["anna", "bert"]]
    refused = [line["error"] for line in desk.journal_lines() if line["type"] == "command" and not line["ok"]]
    assert len(refused) == 4
    assert "signed by anna, bert" in fixaccel("journal", str(desk.journal)).stdout
