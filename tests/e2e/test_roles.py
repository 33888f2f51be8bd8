# SPDX-License-Identifier: Apache-2.0
"""A socket for each role: who may do what with a daemon that trades, and what the journal says of who tried."""

import json
import os
import stat

import pytest

from fixaccel.lab.desk import VENUE, fixaccel
from lab.desk import ROOT, Desk
from lab.hostile_venue import snapshot
from lab.venue import say, start

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def asked(desk: Desk, role: str, *words: str) -> tuple[int, str]:
    """Exit code and text of a `fixaccel` command at the socket of ``role``."""
    done = fixaccel(*words, "--to", f"unix:{desk.folder / role}.sock", check=False)
    return done.returncode, done.stdout + done.stderr


def test_each_role_may_do_what_is_its_own(desk: Desk) -> None:
    bundle, strategy = desk.folder / "bundle", desk.folder / "strategy.yaml"
    text = (ROOT / "strategies" / "quickstart.yaml").read_text(encoding="utf-8")
    limited = text.replace("venue: venues/simulator.yaml", f"venue: {VENUE}\nlimits: {{total_orders: 20}}")
    strategy.write_text(limited, encoding="utf-8")
    fixaccel("compile", str(strategy), "-o", str(bundle))
    config = desk.folder / "roles.toml"
    sockets = "".join(f'{role} = "unix:{desk.folder / role}.sock"\n' for role in ("trade", "risk"))
    view = f'view = {{socket = "unix:{desk.folder / "view"}.sock", mode = "0666"}}\n'
    config.write_text(f'bundle = "{bundle}"\n[control]\n{sockets}{view}', encoding="utf-8")
    desk.start_board()
    venue = start(desk)
    daemon = desk.start_armed(bundle, config=config)
    modes = {role: stat.S_IMODE((desk.folder / f"{role}.sock").stat().st_mode) for role in ("view", "trade", "control")}
    assert modes == {"view": 0o666, "trade": 0o660, "control": 0o660}
    say(desk, venue, [f"good W {snapshot('MSFT', '1179')}"])
    fired = desk.wait_for_fires(1)[0]["rule"]

    # Whoever sees asks for all, and changes nothing.
    rules = [json.loads(line) for line in asked(desk, "view", "rules", "--json")[1].splitlines()]
    assert rules == desk.status()["rules"]
    assert asked(desk, "view", "rules", fired)[1].startswith("fired")
    assert asked(desk, "view", "rules", "flal") == (1, "refused: no rule flal is loaded\n")
    fires = [json.loads(line) for line in asked(desk, "view", "fires", "--json", "--rule", fired)[1].splitlines()]
    assert [fire["rule"] for fire in fires] == [fired]
    assert asked(desk, "view", "limits") == (0, "total_orders              20, 1 used\n")
    refused = "refused: {} is for role {}, and this socket has role {}: ask at the socket of such a role\n"
    assert asked(desk, "view", "disarm") == (1, refused.format("disarm", "trade or risk or admin", "view"))
    assert asked(desk, "view", "kill") == (1, refused.format("kill", "trade or risk or admin", "view"))
    assert desk.status()["armed"]

    # Who trades may stop, who watches the risk lets go on; who watches the risk arms nothing.
    assert asked(desk, "trade", "kill")[0] == 0
    assert asked(desk, "trade", "kill", "--undo") == (1, refused.format("unkill", "risk or admin", "trade"))
    assert desk.status()["kill"]["on"]
    assert asked(desk, "risk", "kill", "--undo")[0] == 0
    assert asked(desk, "risk", "arm") == (1, refused.format("arm", "trade or admin", "risk"))
    assert asked(desk, "trade", "arm")[0] == 0
    assert asked(desk, "risk", "disarm")[0] == 0
    assert daemon.stop() == 0, daemon.text()

    commands = [line for line in desk.journal_lines() if line["type"] == "command"]
    assert [(line["request"]["cmd"], line["role"], line["ok"]) for line in commands] == [
        ("disarm", "view", False),
        ("kill", "view", False),
        ("unkill", "trade", False),
        ("unkill", "risk", True),
        ("arm", "risk", False),
        ("arm", "trade", True),
        ("disarm", "risk", True),
    ]
    assert all(line["by"].startswith(f"user {os.getuid()}") for line in commands)
    text = fixaccel("journal", str(desk.journal)).stdout
    assert "command  kill, by user" in text
    assert ", role view: refused: kill is for role trade or risk or admin" in text
