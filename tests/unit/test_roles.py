# SPDX-License-Identifier: Apache-2.0
"""The commands that ask for a part of the status, and the page that says who may; with a daemon in tests/e2e."""

import re
from pathlib import Path

import control_page
import pytest
from answering import Answering
from click.testing import CliRunner

from fixaccel.board.control import ControlClient, ControlError
from fixaccel.cli.journal import describe
from fixaccel.cli.main import cli

ROOT = Path(__file__).resolve().parents[2]
RULE = {
    "id": "fall[2]",
    "state": "armed",
    "instrument": "MSFT",
    "source": "last",
    "direction": "<=",
    "threshold": "1180",
    "order": {"side": "sell", "qty": "5", "type": "limit", "price": "1179"},
}
LIMITS = [
    {"limit": "collar", "value": "5%"},
    {"limit": "total_orders", "value": "20", "used": "3"},
    {"limit": "total_qty", "instrument": "MSFT", "value": "40", "bought": "0", "sold": "5"},
]


@pytest.fixture
def daemon(tmp_path):
    servers = []

    def start(answer):
        servers.append(Answering(tmp_path / "s", lambda _: answer))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, words)
    return result.exit_code, result.output


def test_rules(daemon):
    server = daemon({"ok": True, "rules": [RULE, {**RULE, "id": "rise", "state": "fired"}]})
    to = ("--to", server.endpoint)
    line = "armed     fall[2]: MSFT last <= 1180, sell 5 limit at 1179\n"
    assert run("rules", *to) == (0, line + line.replace("armed ", "fired ").replace("fall[2]", "rise"))
    assert run("rules", "fall", "--state", "armed", *to) == (0, line)
    assert server.asked == [{"cmd": "rules", "rules": []}, {"cmd": "rules", "rules": ["fall"]}]
    assert '"id": "rise"' in run("rules", "--state", "fired", "--json", *to)[1]


def test_limits(daemon):
    server = daemon({"ok": True, "strategy": "x", "limits": LIMITS})
    code, text = run("limits", "--to", server.endpoint)
    assert (code, text.splitlines()) == (
        0,
        [
            "collar                    5%",
            "total_orders              20, 3 used",
            "total_qty MSFT            40, 0 bought, 5 sold",
        ],
    )
    server.answer = lambda _: {"ok": True, "strategy": "", "limits": []}
    assert run("limits", "--to", server.endpoint) == (0, "nothing is loaded\n")
    server.answer = lambda _: {"ok": True, "strategy": "x", "limits": []}
    assert run("limits", "--to", server.endpoint) == (0, "no limits\n")


def test_a_socket_that_is_not_for_us(tmp_path, monkeypatch):
    monkeypatch.setattr(ControlClient, "_connect", lambda *_: (_ for _ in ()).throw(PermissionError(13, "denied")))
    with pytest.raises(ControlError, match="you may not ask at unix:x; is there a socket for your role"):
        ControlClient("unix:x")


def test_the_journal_says_in_which_role():
    record = {
        "type": "command",
        "by": "user 7 (anna), process 9",
        "role": "view",
        "request": {"cmd": "arm"},
        "ok": False,
        "error": "no",
        "refused_before": 3,
    }
    assert describe(record).endswith(
        "arm, by user 7 (anna), process 9, role view: refused: no (3 more were refused before it)"
    )


def test_the_page_has_every_command():
    page = control_page.page(ROOT)
    assert re.search(r"\| `deploy` \| `bundle`, .* \|  \| yes \|  \| yes \|", page)
    assert "| *status* | `short` | yes | yes | yes | yes |" in page
    assert "| `unkill` |  |  |  | yes | yes |" in page
    handled = (ROOT / "runtime/daemon/commands.cpp").read_text() + (ROOT / "runtime/daemon/kill_guard.cpp").read_text()
    for name in re.findall(r'command == "(\w+)"', handled):
        assert re.search(rf"^\| [*`]{name}[*`] \|", page, re.MULTILINE), name
    # And none that the daemon does not know.
    for name in re.findall(r"^\| [*`](\w+)[*`] \|", page, re.MULTILINE):
        assert f'command == "{name}"' in handled, name
