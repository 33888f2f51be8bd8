# SPDX-License-Identifier: Apache-2.0
"""Draws Neovim with the language server as a terminal shows it: a real session, with the configuration of the page."""

import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from rich.text import Text

import fixaccel

_WIDTH, _HEIGHT = 118, 44
_PATIENCE_S = 60.0
_CONFIGURATION = re.compile(r"^```\{code-block\} lua\n(?::[^\n]*\n)*\n(.*?)^```", re.MULTILINE | re.DOTALL)
# Where a reader has the font it is used; nothing is fetched for it.
_FONTS = re.compile(r"@font-face \{.*?\}", re.DOTALL)
_SETTINGS = "set nowrap noruler noshowmode noshowcmd laststatus=0 signcolumn=yes background=dark"
_COLOURS = "highlight NormalFloat ctermbg=236 ctermfg=253 | highlight SignColumn ctermbg=NONE"
_HOVER = "nnoremap K <cmd>lua vim.lsp.buf.hover()<CR>"
# A second look would go into the window of the first.
_CLOSE = (
    "nnoremap <F2> <cmd>lua for _, w in ipairs(vim.api.nvim_list_wins()) do "
    'if vim.api.nvim_win_get_config(w).relative ~= "" then vim.api.nvim_win_close(w, true) end end<CR>'
)


class _Terminal:
    """A terminal of tmux's that nobody looks at."""

    def __init__(self, folder: Path, command: str, environment: dict[str, str]) -> None:
        self._base = ["tmux", "-S", str(folder / "tmux"), "-f", "/dev/null"]
        self._environment = environment
        size = ["-x", str(_WIDTH), "-y", str(_HEIGHT)]
        self._tmux("new-session", "-d", *size, "-c", str(folder), command, ";", "set", "status", "off")

    def _tmux(self, *arguments: str) -> str:
        done = subprocess.run(
            [*self._base, *arguments], env=self._environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    def type(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    def screen(self) -> str:
        """What it shows, with its colours."""
        return self._tmux("capture-pane", "-p", "-e", "-N")

    def plain(self) -> str:
        """The same without colours."""
        return Text.from_ansi(self.screen()).plain

    def until(self, *texts: str) -> str:
        """The screen once it shows all of these; raises TimeoutError with the last one."""
        end = time.monotonic() + _PATIENCE_S
        while not all(text in Text.from_ansi(screen := self.screen()).plain for text in texts):
            if time.monotonic() > end:
                raise TimeoutError(screen)
            time.sleep(0.05)
        return screen

    def close(self) -> None:
        with suppress(subprocess.CalledProcessError):
            self._tmux("kill-server")


def picture(docs: Path) -> str:
    """The screen as SVG."""
    # The editor may still be writing its own files there while it is being ended.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        return _svg(_session(docs, folder))


def _session(docs: Path, folder: Path) -> str:
    strategies = docs.parent / "strategies"
    (folder / "venues").mkdir()
    (folder / "venues" / "simulator.yaml").write_bytes((strategies / "venues" / "simulator.yaml").read_bytes())
    text = (strategies / "bracket.yaml").read_text(encoding="utf-8")
    text = "fixaccel: 1\n" + text.partition("fixaccel: 1\n")[2]
    (folder / "bracket.yaml").write_text(text, encoding="utf-8")
    found = _CONFIGURATION.search((docs / "howto" / "editors.md").read_text(encoding="utf-8"))
    assert found
    plugins = folder / "xdg" / "nvim" / "plugin"
    plugins.mkdir(parents=True)
    (plugins / "fixaccel.lua").write_text(found[1], encoding="utf-8")
    (folder / "bin").mkdir()
    command = folder / "bin" / "fixaccel"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m fixaccel "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    editor = f"nvim -n -c '{_SETTINGS}' -c '{_COLOURS}' -c '{_HOVER}' -c '{_CLOSE}' bracket.yaml"
    terminal = _Terminal(folder, editor, _environment(folder))
    try:
        return _typed(terminal, text.splitlines())
    finally:
        terminal.close()


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in {"TMUX", "NO_COLOR"}}
    own = {f"XDG_{kind}_HOME": str(folder / "xdg") for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    source = str(Path(fixaccel.__file__).parents[1])
    return kept | own | {"PATH": path, "PYTHONPATH": source, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}


def _typed(terminal: _Terminal, lines: list[str]) -> str:
    """A misspelt instrument in one rule, and a look at what the next one does."""
    profit, stop = lines.index("  - id: take-profit") + 1, lines.index("  - id: stop") + 1
    told = "When the bid of MSFT"
    look = [f"{stop}G", "^", "w", "w", "w", "K"]
    terminal.until("fixaccel: 1", "rules:")
    end = time.monotonic() + _PATIENCE_S
    while told not in terminal.plain() and time.monotonic() < end:
        # Nothing on the screen says when the file has been read.
        terminal.type("Escape", "F2", *look)
        time.sleep(0.5)
    terminal.type("Escape", "F2", "C-l", f"{profit + 1}G", "$", "b", "c", "w", "MSFX", "Escape")
    terminal.until("no instrument `MSFX`")
    terminal.type(*look)
    return terminal.until("no instrument `MSFX`", told)


def _svg(screen: str) -> str:
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=_WIDTH, file=nowhere, force_terminal=True, color_system="truecolor")
        console.print(Text.from_ansi(screen.rstrip()), no_wrap=True, crop=True)
        return _FONTS.sub("", console.export_svg(title="bracket.yaml - nvim", unique_id="editor"))
