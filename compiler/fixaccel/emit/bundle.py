# SPDX-License-Identifier: Apache-2.0
"""Writes a bundle: the same strategy, venue and board always give the same bytes."""

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from fixaccel.diagnostics import Diagnostic
from fixaccel.diagnostics.text import printable
from fixaccel.emit.design import design_files
from fixaccel.emit.feed import PARAMETERS_FILE, PROGRAM_FILE, TAGS_FILE, feed_files
from fixaccel.emit.manifest import manifest, with_files
from fixaccel.emit.memory_files import memory_files
from fixaccel.emit.render import render
from fixaccel.emit.report import as_json, as_markdown, report
from fixaccel.emit.rules import BLOCKS_FILE, RULES_FILE, SOFTWARE_FILE, STANDBY_FILE, blocks_file, rule_columns
from fixaccel.hwmap import load_hwmap
from fixaccel.hwmap.hwmap import Hwmap
from fixaccel.image.image import Image
from fixaccel.image.parts import Parts
from fixaccel.image.software.safetensors import dump
from fixaccel.image.software.table import software_table
from fixaccel.language.rules import Strategy
from fixaccel.language.terms import Board
from fixaccel.semantics.calendar import time_text

MANIFEST = "manifest.json"
SIGNATURES = "signatures.json"  # made by `fixaccel sign`, of the bundle that was there


def bundle_files(
    image: Image, strategy: Strategy, board: Board, hwmap: Hwmap, warnings: Sequence[Diagnostic] = ()
) -> dict[str, bytes]:
    """Every file of the bundle by its path inside it."""
    content = report(image, strategy, board, hwmap, warnings)
    parts = Parts.of(strategy)
    rules = rule_columns(strategy, image, parts)
    body = manifest(image, strategy, board, hwmap, parts)
    client = {
        "strategy": strategy.name,
        "venue": strategy.venue,
        "symbols": [entry["symbol"] for entry in body["instruments"]],
        "day_roll": None if strategy.venue.day_roll is None else time_text(strategy.venue.day_roll),
    }
    files = {
        **memory_files(image, hwmap),
        RULES_FILE: dump(rules),
        BLOCKS_FILE: blocks_file(strategy),
        SOFTWARE_FILE: software_table(strategy, parts, rules["hash"]),
        STANDBY_FILE: software_table(strategy, parts, rules["hash"], standby=True),
        **design_files(board),
        **_fix_settings(strategy),
        **feed_files(strategy.venue),
        "client/fixacceld.toml": render("client/fixacceld.toml.j2", **client),
        "report.json": as_json(content),
        "report.md": as_markdown(content),
    }
    return {**files, MANIFEST: with_files(body, files)}


# Files of settings, and the session of the venue that each is for.
_SESSIONS = {"quickfix": "session", "quickfix-market": "market_session"}


def _settings_file(name: str) -> str:
    return f"client/{name}.cfg"


def _fix_settings(strategy: Strategy) -> dict[str, bytes]:
    """Settings of the FIX engine, a file a session."""
    sessions = {name: getattr(strategy.venue, key) for name, key in _SESSIONS.items()}
    return {
        _settings_file(name): render(
            "client/quickfix.cfg.j2",
            strategy=strategy.name,
            venue=strategy.venue,
            session=session,
            market=session is strategy.venue.market_session,
        )
        for name, session in sessions.items()
        if session
    }


def write_bundle(
    image: Image, strategy: Strategy, board: Board, out_dir: Path, warnings: Sequence[Diagnostic] = ()
) -> list[Path]:
    """Writes the bundle to ``out_dir``, which may hold an older one; returns the files written.

    The manifest comes last, and an old one goes first: an interrupted write is no bundle. Settings of a session and
    files of a feed that the older one had and this one has not go, too: nothing would say what they are.
    Raises OSError.
    """
    files = bundle_files(image, strategy, board, load_hwmap(), warnings)
    kept_by_some = (PROGRAM_FILE, PARAMETERS_FILE, TAGS_FILE, *(_settings_file(name) for name in _SESSIONS))
    for name in (MANIFEST, SIGNATURES, *kept_by_some):
        if name not in files or name == MANIFEST:
            (out_dir / name).unlink(missing_ok=True)
    written: list[Path] = []
    for name, data in files.items():
        path = out_dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        written.append(path)
    return written


def not_ours(folder: Path) -> str | None:
    """What stands against a bundle in place of all that is in ``folder``; None where nothing does.

    That is what this compiler has not written, or somebody has changed since.
    """
    if not folder.exists() and not folder.is_symlink():
        return None
    if not folder.is_dir():
        return "is not a folder"
    named = _named_files(folder) if any(folder.iterdir()) else {}
    if named is None:
        return "holds files that are not a bundle"
    if strange := strange_files(folder, named):
        return f"holds {printable(strange[0])} beside a bundle"
    if changed := _changed_files(folder, named):
        return f"holds {printable(changed[0])}, which was changed since it was compiled"
    return None


def strange_files(folder: Path, named: Iterable[str]) -> list[str]:
    """What lies in the bundle in ``folder`` besides the files that its manifest names."""
    there = {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_symlink() or not path.is_dir()
    }
    return sorted(there - {*named, MANIFEST, SIGNATURES})


def _named_files(folder: Path) -> dict[str, str] | None:
    """SHA-256 of each file that the manifest in ``folder`` names; None where there is no manifest of a bundle."""
    try:
        content = json.loads((folder / MANIFEST).read_bytes())
        return {name: str(entry["sha256"]) for name, entry in content["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _changed_files(folder: Path, named: Mapping[str, str]) -> list[str]:
    """Files of the bundle in ``folder`` that are there, but not as the manifest says."""
    there = [(name, folder / name) for name in sorted(named) if (folder / name).is_file()]
    return [name for name, path in there if sha256(path.read_bytes()).hexdigest() != named[name]]
