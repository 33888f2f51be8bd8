# SPDX-License-Identifier: Apache-2.0
"""Neovim's own client, with the configuration that the docs give, has a session with the server."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from editor import HEAD, VENUE

ROOT = Path(__file__).resolve().parents[2]
CONFIGURATION = re.compile(r"^```\{code-block\} lua\n(?::[^\n]*\n)*\n(.*?)^```", re.MULTILINE | re.DOTALL)
ENTRY = "  - {id: entry, instrument: MSFT, when: last <= 50, order: {side: buy, qty: 2, type: market}}\n"
EXIT = (
    "  - {note: 😀, id: exit, armed_by: entry, instrument: MSFT, when: last >= 60, "
    "order: {side: sell, qty: 2, type: market}}\n"
)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A desk's folder with a strategy, and Neovim's configuration as the page gives it."""
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
    own = {f"XDG_{kind}_HOME": str(tmp_path / "xdg" / kind.lower()) for kind in ("CONFIG", "DATA", "STATE")}
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    return os.environ | own | {"PATH": path, "LC_ALL": "C.UTF-8"}


def test_a_session_in_neovim(tmp_path: Path, environment: dict[str, str]) -> None:
    out = tmp_path / "out.json"
    script = ROOT / "tests" / "lsp" / "session.lua"
    line = ["nvim", "--headless", "-n", "-c", f"luafile {script}", "s.yaml"]
    own = environment | {"SESSION_OUT": str(out)}
    done = subprocess.run(line, cwd=tmp_path, env=own, capture_output=True, text=True, timeout=300, check=False)
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


class Keyboard:
    """An editor without a screen that another process types into and asks."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._call = ["nvim", "--server", str(folder / "nvim.socket")]
        self._environment = environment
        line = ["nvim", "--headless", "-n", "--listen", self._call[-1], "s.yaml"]
        self.editor = subprocess.Popen(line, cwd=folder, env=environment, stderr=subprocess.DEVNULL)

    def type(self, keys: str) -> None:
        self._run("--remote-send", keys)

    def ask(self, lua: str) -> object:
        """What an expression of Lua says; None while the editor is not there."""
        done = self._run("--remote-expr", f"json_encode(luaeval('{lua}'))")
        return json.loads(done) if done else None

    def until(self, keys: str, lua: str, wanted: str) -> str:
        """What the expression says after the keys, typed again until it holds what is wanted.

        Nothing tells when the editor is there and the server has read the file.
        """
        end = time.monotonic() + 120
        while time.monotonic() < end:
            self.type(keys)
            for _ in range(20):
                if wanted in (found := str(self.ask(lua))):
                    return found
                time.sleep(0.1)
        raise TimeoutError(found)

    def _run(self, *arguments: str) -> str:
        line = [*self._call, *arguments]
        done = subprocess.run(line, env=self._environment, capture_output=True, text=True, timeout=60, check=False)
        return (done.stdout or done.stderr).strip() if not done.returncode else ""


@pytest.fixture
def keyboard(tmp_path: Path, environment: dict[str, str]) -> Iterator[Keyboard]:
    one = Keyboard(tmp_path, environment)
    yield one
    one.type("<Esc>:qall!<CR>")
    try:
        one.editor.wait(60)
    except subprocess.TimeoutExpired:
        one.editor.kill()
        one.editor.wait()
        raise


NEW = "  - {id: new, instrument: MSFT, when: "

# The text of the window that floats, if there is one.
FLOAT = (
    "(function() for _, w in ipairs(vim.api.nvim_list_wins()) do "
    'if vim.api.nvim_win_get_config(w).relative ~= "" then '
    'return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(w), 0, -1, true), "\\n") end end end)()'
)
OFFERED = "vim.fn.pumvisible() == 1 and vim.tbl_map(function(i) return i.word end, vim.fn.complete_info().items) or nil"


def test_what_a_trader_sees_while_typing(keyboard: Keyboard) -> None:
    """Hover is a window over the text, completion the editor's own menu, which writes what is chosen."""
    told = "When the last price of MSFT is at or below 50, buy 2"
    keyboard.until("<Esc><C-W>o:%s/MSFX/MSFT/e<CR>5G0fe<Cmd>lua vim.lsp.buf.hover()<CR>", FLOAT, told)
    menu = keyboard.until(f"<Esc><C-W>o5GA<CR><C-U>{NEW}<C-X><C-O>", OFFERED, "last")
    assert menu == "['bid', 'ask', 'last', 'mid']"
    keyboard.until("<C-N><C-N><C-Y> <lt>= 40<Esc>", "vim.api.nvim_get_current_line()", f"{NEW}last <= 40")
