# SPDX-License-Identifier: Apache-2.0
"""What the shell offers: codes, files, and the ids of the rules in the file that is named already."""

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from fixaccel.board.control import ControlClient, ControlError, ControlRefusedError
from fixaccel.board.endpoint import DEFAULT_ENDPOINT, Endpoint, TlsFiles
from fixaccel.board.journal import parse_line, segments
from fixaccel.board.orders import terms_text
from fixaccel.diagnostics import CODES
from fixaccel.language.text.files import read_bytes

# The text is not parsed: completion must answer at once, and also in a file that is half written.
_ID = re.compile(r"(?:^|[\s{,-])id:\s*['\"]?([a-z0-9][a-z0-9_.-]{0,31})")
_READ = 4 << 20
_MOST = 200
_PATIENCE_S = 1.0


def complete_explained(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Codes by number and name, and files."""
    found = [
        CompletionItem(name, help=code.title)
        for code in CODES.values()
        for name in (code.number, code.slug)
        if incomplete and name.lower().startswith(incomplete.lower())
    ]
    return [*found, CompletionItem(incomplete, type="file")]


def complete_rules(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Ids of the strategy that the command line names before."""
    named = ctx.params.get("what") or ctx.params.get("strategy")
    return [CompletionItem(id_) for id_ in rule_ids(Path(str(named))) if id_.startswith(incomplete)] if named else []


def complete_rejected(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Rules of the daemon's that were rejected, with the reason."""
    rejected = [rule for rule in _status(ctx).get("rules", []) if "rejected" in rule]
    found = [CompletionItem(rule["id"], help=rule["rejected"]["outcome"]) for rule in rejected]
    return [item for item in found if item.value.startswith(incomplete)][:_MOST]


def complete_in_doubt(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Rules of the daemon's that are in doubt, with the ClOrdID that they would have used."""
    found = [CompletionItem(doubt["rule"], help=doubt["cl_ord_id"]) for doubt in _status(ctx).get("in_doubt", [])]
    return [item for item in found if item.value.startswith(incomplete)][:_MOST]


def complete_orders(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Orders that are not over, with their terms."""
    found = [CompletionItem(order["cl_ord_id"], help=terms_text(order)) for order in _asked(ctx, "orders", open=True)]
    return [item for item in found if item.value.startswith(incomplete)][:_MOST]


def complete_instruments(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Instruments of the bundle that is loaded."""
    names = dict.fromkeys(rule["instrument"] for rule in _status(ctx).get("rules", []))
    return [CompletionItem(name) for name in names if name.startswith(incomplete)][:_MOST]


def complete_loaded(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Rules that the daemon has loaded, with their states."""
    found = [CompletionItem(rule["id"], help=rule["state"]) for rule in _asked(ctx, "rules")]
    return [item for item in found if item.value.startswith(incomplete)][:_MOST]


def complete_fired(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Rules that the daemon has loaded or that have fired, or those of the end of the journal that is named."""
    folder = ctx.params.get("folder")
    if folder:
        found = _recorded(Path(str(folder)))
    else:
        answer = _status(ctx)
        found = [rule["id"] for rule in answer.get("rules", [])]
        found += [fire["rule"] for fire in answer.get("fires", []) if "rule" in fire]
    return [CompletionItem(name) for name in dict.fromkeys(found) if name.startswith(incomplete)][:_MOST]


def _recorded(folder: Path) -> list[str]:
    """Rules of the last file of a journal that were loaded or have fired; all of it would take too long."""
    found: list[str] = []
    try:
        for line in segments(folder)[-1].read_bytes()[-_READ:].splitlines():
            record = parse_line(line) or {"type": ""}
            if record["type"] == "load":
                found += [rule["id"] for rule in record["rules"]]
            elif record["type"] == "fire" and "rule" in record:
                found.append(record["rule"])
    except (OSError, IndexError):
        return []
    return found


def _status(ctx: click.Context) -> dict[str, Any]:
    """The status of the daemon that the command line means; empty if it does not answer."""
    return _ask(ctx, "status")


def _asked(ctx: click.Context, listed: str, **arguments: object) -> list[dict[str, Any]]:
    """What the daemon lists; nothing if it does not answer."""
    found: list[dict[str, Any]] = _ask(ctx, listed, **arguments).get(listed, [])
    return found


def _ask(ctx: click.Context, command: str, **arguments: object) -> dict[str, Any]:
    written = ctx.params.get("endpoint") or os.environ.get("FIXACCEL_CONTROL") or DEFAULT_ENDPOINT
    named = {name: ctx.params[name] for name in ("cert", "key", "ca") if ctx.params.get(name)}
    endpoint = Endpoint(written, replace(TlsFiles.of_environment(), **named))
    try:
        with ControlClient(endpoint, timeout_s=_PATIENCE_S) as client:
            return client.ask(command, **arguments)
    except (ControlError, ControlRefusedError):
        return {}


def rule_ids(path: Path) -> list[str]:
    """Ids that stand in a file, empty if it cannot be read."""
    try:
        text = read_bytes(path, _READ).decode("utf-8", "replace")
    except (OSError, ValueError):
        return []
    return list(dict.fromkeys(_ID.findall(text)))[:_MOST]
