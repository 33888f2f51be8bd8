# SPDX-License-Identifier: Apache-2.0
"""A deploy that is refused changes nothing: what runs goes on, and what was spent stays so."""

import json
import shutil
from pathlib import Path

import pytest

from fixaccel.lab.desk import fixaccel
from fixaccel.lab.processes import wait_until
from lab.desk import ROOT, Desk
from lab.scenario import end, play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def other_board(folder: Path) -> Path:
    """The quickstart for a board that has room for half as many instruments."""
    shipped = (ROOT / "strategies" / "boards" / "pynq-z1.yaml").read_text(encoding="utf-8")
    smaller = shipped.replace("instruments: 1024", "instruments: 512")
    assert smaller != shipped
    board = folder / "smaller.yaml"
    board.write_text(smaller, encoding="utf-8")
    bundle = folder / "smaller"
    fixaccel("compile", str(ROOT / "strategies" / "quickstart.yaml"), "--board", str(board), "-o", str(bundle))
    return bundle


def damaged(bundle: Path, folder: Path, name: str) -> Path:
    """That bundle under another name, with a byte of the file ``name`` changed."""
    copy = folder / f"damaged-{Path(name).stem}"
    shutil.copytree(bundle, copy)
    manifest = json.loads((copy / "manifest.json").read_bytes())
    (copy / "manifest.json").write_text(json.dumps({**manifest, "strategy": copy.name}), encoding="ascii")
    content = bytearray((copy / name).read_bytes())
    content[-1] ^= 1
    (copy / name).write_bytes(content)
    return copy


def test_a_refused_deploy_changes_nothing(desk: Desk, bundle: Path, tmp_path: Path) -> None:
    smaller = other_board(tmp_path)
    desk.start_board()
    play(
        desk,
        "- trade: {instrument: MSFT, price: 1179, size: 1}\n- wait_for: {orders: 1, timeout: 30s}\n"
        "- wait_for: {file: again, timeout: 120s}\n"
        "- trade: {instrument: MSFT, price: 1178, size: 1}\n- trade: {instrument: MSFT, price: 1175, size: 1}\n"
        "- wait_for: {orders: 2, timeout: 30s}\n- wait: 300ms\n- logout: CLIENT1\n",
    )
    daemon = desk.start_armed(bundle)
    desk.tell("armed")
    desk.wait_for_fires(1)
    desk.wait_for_orders(1)
    desk.wait_reported(daemon)  # a fill changes what is said of a rule, too
    before, lines = desk.status(), len(desk.journal_lines())
    for options in ([], ["--rearm"], ["--reconciled"]):
        done = fixaccel("deploy", str(smaller), *options, "--to", desk.control, check=False)
        assert (done.returncode, "this board has 1024" in done.stdout + done.stderr) == (1, True)
    # What the rules are made of is looked at first, if only a byte of it is known to be another.
    unsound = damaged(bundle, tmp_path, "image/trigger.bin")
    manifest = json.loads((unsound / "manifest.json").read_bytes())
    manifest["files"]["image/trigger.bin"]["sha256"] = "0" * 64
    (unsound / "manifest.json").write_text(json.dumps(manifest), encoding="ascii")
    done = fixaccel("deploy", str(unsound), "--to", desk.control, check=False)
    assert (done.returncode, "image/trigger.bin differs" in done.stdout + done.stderr) == (1, True)
    after = desk.status()
    assert after["armed"]
    assert after["rules"] == before["rules"], "what has fired stays spent"
    assert (after["load"], after["epoch"]) == (before["load"], before["epoch"])
    changes = {"disarmed", "rearmed", "reconciled", "load"}
    assert changes.isdisjoint(line["type"] for line in desk.journal_lines()[lines:])
    # What only people read is looked at behind, and then it is said.
    fixaccel("deploy", str(damaged(bundle, tmp_path, "report.md")), "--to", desk.control)
    wait_until("the damage", lambda: "report.md differs" in desk.status()["problem"], 120)
    assert any("report.md differs" in line.get("text", "") for line in desk.journal_lines())
    assert (desk.status()["armed"], desk.status()["load"]["how"]) == (True, "hot")
    desk.tell("again")
    end(desk, daemon)
    assert [fire["rule"] for fire in desk.fires()] == ["protect-msft", "protect-msft-rest"]
