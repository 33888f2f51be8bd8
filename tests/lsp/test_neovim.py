# SPDX-License-Identifier: Apache-2.0
"""Neovim's own client, with the configuration that the docs give, has a session with the server."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from editor import HEAD, VENUE

ROOT = Path(__file__).resolve().parents[2]
CONFIGURATION = re.compile(r"^```\{code-block\} lua\n(?::[^\n]*\n)*\n(.*?)^```", re.MULTILINE | re.DOTALL)
ENTRY = "  - {id: entry, instrument: MSFT, when: last <= 50, order: {side: buy, qty: 2, type: market}}\n"
EXIT = (
    "  - {note: 😀, id: exit, armed_by: entry, instrument: MSFT, when: last >= 60, "
    "order: {side: sell, qty: 2, type: market}}\n"
)


def test_a_session_in_neovim(tmp_path: Path) -> None:
    (tmp_path / "venue.yaml").write_text(VENUE)
    (tmp_path / "s.yaml").write_text(HEAD + ENTRY + EXIT.replace("MSFT", "MSFX"))
    found = CONFIGURATION.search((ROOT / "docs" / "howto" / "editors.md").read_text(encoding="utf-8"))
    assert found
    plugins = tmp_path / "xdg" / "config" / "nvim" / "plugin"
    plugins.mkdir(parents=True)
    (plugins / "fixaccel.lua").write_text(found[1])
    command = tmp_path / "bin" / "fixaccel"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m fixaccel "$@"\n')
    command.chmod(0o755)
    out = tmp_path / "out.json"
    own = {f"XDG_{kind}_HOME": str(tmp_path / "xdg" / kind.lower()) for kind in ("CONFIG", "DATA", "STATE")}
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | own | {"PATH": path, "SESSION_OUT": str(out), "LC_ALL": "C.UTF-8"}
    script = ROOT / "tests" / "lsp" / "session.lua"
    line = ["nvim", "--headless", "-n", "-c", f"luafile {script}", "s.yaml"]
    done = subprocess.run(line, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False)
    seen = json.loads(out.read_text(encoding="utf-8"))
    assert "problem" not in seen, seen["problem"] + done.stderr
    # The client counts bytes: the emoji is four of them, two units of UTF-16, one character.
    start = EXIT.encode().index(b"MSFT")
    assert seen["diagnostic"][:4] == [5, start, start + 4, "FX0301"]
    assert seen["diagnostic"][5] == "fixaccel"
    assert seen["fix"] == "Write `MSFT`"
    assert "When the last price of MSFT is at or below 50, buy 2" in seen["hover"]
    assert seen["definition"] == [5, ENTRY.index("entry")]
    assert seen["completion"] == ["MSFT"]
    assert seen["formatted"][2] == "limits: {collar: 5%}"
    assert any("instrument: MSFT" in text for text in seen["formatted"][5:])
    assert seen["symbols"] == 4
