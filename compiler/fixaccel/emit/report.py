# SPDX-License-Identifier: Apache-2.0
"""The report that goes with a bundle: where each rule runs, how fast, and the worst case."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fixaccel.diagnostics import Diagnostic
from fixaccel.emit.render import render
from fixaccel.emit.rule_report import block_entry, rule_entry
from fixaccel.exposure.worst_case import worst_case
from fixaccel.hwmap.hwmap import Hwmap
from fixaccel.image.image import Image
from fixaccel.image.layout import Layout
from fixaccel.language.placements import placed
from fixaccel.language.rules import Strategy
from fixaccel.language.terms import Board
from fixaccel.latency.cycles import Bound, commit_text, latency_report
from fixaccel.latency.line_time import LineTime
from fixaccel.source import Span

# A report is for people: of a larger strategy it lists no single parts, and of a very large one not every block.
MOST_RULES = 1_000
MOST_BLOCKS = 10_000
MOST_LAYOUTS = 64


# Whether it leaves a bank of the tables free for what follows, by Image.banked.
LOAD_TEXTS = {
    True: "fits half of the board: can be loaded, and followed, while armed",
    False: "takes more than half of the board: a load disarms",
}


def report(
    image: Image, strategy: Strategy, board: Board, hwmap: Hwmap, warnings: Sequence[Diagnostic]
) -> dict[str, Any]:
    """The report as data: the content of ``report.json``."""
    layout = Layout(hwmap, board.capacity)
    bound = Bound(strategy)
    listed = strategy.rules if len(strategy.rules) <= MOST_RULES else ()
    return {
        "strategy": strategy.name,
        "venue": strategy.venue.name,
        "board": board.name,
        "latency": latency_report(strategy, board),
        "commit": {
            "mode": strategy.venue.commit,
            "ahead": image.commit_ahead,
            "text": commit_text(strategy.venue.commit, board, image.commit_ahead),
        },
        "orders": LineTime(board).report(image.templates, MOST_LAYOUTS),
        "capacity": {name: {"used": used, "of": of} for name, (used, of) in capacity(image, strategy, board).items()},
        "load": LOAD_TEXTS[image.banked],
        "memories": {
            name: {
                "records": len(data) // layout.record(name).stride_bytes,
                "of": layout.depth(name),
            }
            for name, data in image.memories.items()
        },
        "worst_case": _worst_case(strategy),
        "placement": placed(strategy.placement),
        "blocks": [block_entry(block, strategy, bound) for block in strategy.blocks[:MOST_BLOCKS]],
        "blocks_left_out": max(len(strategy.blocks) - MOST_BLOCKS, 0),
        "rules": [rule_entry(rule, image, strategy, bound) for rule in listed],
        "rules_left_out": len(strategy.rules) - len(listed),
        "warnings": [
            {"code": warning.code.number, "at": _place(warning.span, strategy), "message": warning.message}
            for warning in warnings
        ],
    }


def capacity(image: Image, strategy: Strategy, board: Board) -> dict[str, tuple[int, int]]:
    """What the strategy takes of the board and what there is, by name; of a feed where the board decodes one."""
    found = {name: (used, board.capacity[name]) for name, used in image.used.items()}
    feed = board.feed.room(strategy.venue.feed) if board.feed and strategy.venue.feed else {}
    return found | {f"feed {name}": room for name, room in feed.items()}


def _place(span: Span, strategy: Strategy) -> str:
    """A place by its file's path from the strategy's folder: the same wherever that folder is."""
    folder = Path(strategy.blocks[0].span.file).parent if strategy.blocks else Path()
    return str(span._replace(file=os.path.relpath(span.file, folder)))


def _worst_case(strategy: Strategy) -> dict[str, Any]:
    found = worst_case(strategy)
    return {
        "method": found.method,
        "total": found.total.as_data(),
        "entries": [entry.as_data() for entry in found.entries[:MOST_BLOCKS]],
        "entries_left_out": max(len(found.entries) - MOST_BLOCKS, 0),
    }


def as_json(content: dict[str, Any]) -> bytes:
    """Text of ``report.json``."""
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def as_markdown(content: dict[str, Any]) -> bytes:
    """Text of ``report.md``, the same for people."""
    return render("docs/report.md.j2", report=content)
