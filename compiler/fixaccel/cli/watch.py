# SPDX-License-Identifier: Apache-2.0
"""`fixaccel status --watch`: the state of a daemon as it changes, on a terminal or line by line."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import click
from rich.console import Console, Group
from rich.live import Live
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from fixaccel.board.fires import known_of
from fixaccel.board.polling import Answer, Poller, away
from fixaccel.cli.ending import until_interrupted
from fixaccel.cli.status_text import board_text, fire_text, lines, rejected_lines, session_text, short_lines

_LABEL = 10  # columns of a line of the status before its text
_MOST_REJECTED = 5
_BAD = ("frames_bad", "bad_checksum", "desync", "segments_hole", "refused", "guard_stops", "gate_drops")
_REJECTED = "rejected_"
_TICKS = {"parser": "lost_ms", "comeback": "next_try_ms"}  # what changes by itself as time goes on
_STYLES = {"daemon": "bold red", "problem": "red", "lost": "yellow", "in doubt": "bold red", "clock": "yellow"}


def plain(text: str) -> str:
    """``text`` without what a terminal would obey: some of it comes from the venue."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def aspects(answer: Answer) -> dict[str, str]:
    """What the status says, by label; only what holds until something happens."""
    if "phase" not in answer:
        return {line[:_LABEL].rstrip(): line[_LABEL:] for line in short_lines(answer)}
    steady = {**answer}
    for part, key in _TICKS.items():
        steady[part] = {name: value for name, value in answer.get(part, {}).items() if name != key}
    found = {"session": session_text(answer), "board": board_text(steady)}
    for line in lines({**steady, "rules": [], "fires": [], "resting": []}):
        found.setdefault(line[:_LABEL].rstrip(), line[_LABEL:])
    found["epoch"] = answer["epoch"]  # another one with each load
    if "bundle" in answer:
        found["rules"] = f"{answer['bundle']['strategy']}: {_states(answer)}"
    return found


def _states(answer: Answer) -> str:
    counts = Counter(rule["state"] for rule in answer["rules"])
    return ", ".join(f"{count} {state}" for state, count in counts.most_common()) or "none"


def counted(answer: Answer, *beginnings: str) -> str:
    """Counters of the board that are not zero, those whose names begin so."""
    counters = answer.get("fabric", {}).get("counters", {})
    found = {name: value for name, value in counters.items() if name.startswith(beginnings) and value}
    return ", ".join(f"{name.removeprefix(_REJECTED)} {value}" for name, value in found.items())


class Changes:
    """What is new from one answer to the next, a line each."""

    def __init__(self) -> None:
        self._aspects: dict[str, str] = {}
        self._fires: list[dict[str, Any]] | None = None

    def lines(self, answer: Answer) -> Iterator[str]:
        """Lines of what has changed; at the first answer, of all that is."""
        reason = away(answer)
        now = {**self._aspects, "daemon": reason} if reason else {**aspects(answer), "daemon": ""}
        before, self._aspects = self._aspects, now
        for label in dict.fromkeys(["daemon", *before, *now]):
            text = now.get(label, "")
            if text != before.get(label, ""):
                yield f"{label:{_LABEL}}{text or _GONE.get(label, 'no more')}"
        if not reason:
            yield from self._fired(answer.get("fires", []))

    def _fired(self, fires: list[dict[str, Any]]) -> Iterator[str]:
        if self._fires is not None:
            known = known_of(self._fires, fires)
            for before, now in zip(self._fires[len(self._fires) - known :], fires[:known], strict=True):
                if before.get("order") != now.get("order"):
                    yield f"{'order':{_LABEL}}{fire_text(now)}"
            for fire in fires[known:]:
                yield f"{'fire':{_LABEL}}{fire_text(fire)}"
        self._fires = fires


_GONE = {"daemon": "answers again", "problem": "none any more", "in doubt": "none any more", "clock": "followed again"}


def screen(answer: Answer, height: int, *, reason: str = "", since: str = "") -> Group:
    """The state on a terminal of so many lines; ``reason``: it is that of before ``since``, and why it is no newer."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True, style="bold", min_width=_LABEL - 1)
    grid.add_column(overflow="fold")
    if reason:
        grid.add_row("daemon", Text(plain(f"{reason} (since {since})"), style="bold red"))
    for label, text in _rows(answer).items():
        grid.add_row(label, Text(plain(text), style=_style(label, answer)))
    for line in list(rejected_lines(answer))[: _MOST_REJECTED + 1]:
        grid.add_row("", Text(plain(line)))
    parts: list[Any] = [grid]
    fires = answer.get("fires", [])
    if fires:
        parts.append(Rule("fires, the last first", align="left", style="dim"))
        room = max(1, height - grid.row_count - 3)
        parts += [_fire_line(fire) for fire in reversed(fires[-room:])]
    return Group(*parts)


def _rows(answer: Answer) -> dict[str, str]:
    if not answer:
        return {}
    rows = aspects(answer)
    if "phase" not in answer:
        return rows
    for line in lines({**answer, "rules": [], "fires": [], "resting": []}):
        rows[line[:_LABEL].rstrip()] = line[_LABEL:]  # with what ticks
    rows["resting"] = f"{len(answer['resting'])} orders" if answer["resting"] else ""
    rows["faults"] = counted(answer, *_BAD)
    rows["rejected"] = counted(answer, _REJECTED)
    return {label: text for label, text in rows.items() if text}


def _style(label: str, answer: Answer) -> str:
    if label != "board":
        return _STYLES.get(label, "")
    if answer.get("kill", {}).get("on") or answer["fabric"]["kill"]:
        return "bold white on red"
    if answer["dry_run"]:
        return "yellow"
    return "green" if answer["armed"] else "bold yellow"


def _fire_line(fire: dict[str, Any]) -> Text:
    when = datetime.fromtimestamp(fire.get("trigger_time_ns", 0) / 1e9, UTC)
    style = "red" if fire["outcome"].startswith("rejected") else ""
    return Text(plain(f"{when:%H:%M:%S.%f}  {fire_text(fire)}"), style=style, no_wrap=True, overflow="ellipsis")


def _now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"


def watch(endpoint: str, every_s: float, *, as_json: bool, short: bool) -> None:
    """Shows the status until it is interrupted; the daemon may come and go."""
    console = Console(highlight=False)
    on_terminal = console.is_terminal and not console.is_dumb_terminal and not as_json
    with until_interrupted(), Poller(endpoint) as poller:

        def answers() -> Iterator[Answer]:
            while True:
                end = time.monotonic() + every_s
                yield poller.ask("status", short=True) if short else poller.ask("status")
                time.sleep(max(0.0, end - time.monotonic()))

        if on_terminal:
            _redraw(console, f"{endpoint}, every {every_s:g} s, Ctrl-C ends", answers())
        else:
            say = json_lines if as_json else Changes().lines
            _print(answers(), say)


def json_lines(answer: Answer) -> Iterator[str]:
    """One object a line, also where there is no answer."""
    yield json.dumps(answer)


def _print(answers: Iterator[Answer], say: Callable[[Answer], Iterator[str]]) -> None:
    as_json = say is json_lines
    for answer in answers:
        for line in say(answer):
            click.echo(line if as_json else f"{_now()}  {plain(line)}")


def _redraw(console: Console, title: str, answers: Iterator[Answer]) -> None:
    shown: Answer = {}
    since = ""
    with Live(console=console, screen=True, auto_refresh=False) as live:
        for answer in answers:
            reason = away(answer)
            since = (since or _now()) if reason else ""
            shown = shown if reason else answer
            head = Text(f"{_now()} UTC  {title}", style="reverse", no_wrap=True, overflow="ellipsis")
            body = screen(shown, console.size.height - 1, reason=reason, since=since)
            live.update(Group(head, body), refresh=True)
