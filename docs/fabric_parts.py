# SPDX-License-Identifier: Apache-2.0
"""What the page about the fabric takes in: its pictures, where their figures come from, and its tables."""

from pathlib import Path

import latency_table
import memory_picture
import pipeline_picture
import resources_table
import search_cycles

from fixaccel.hwmap import load_hwmap
from fixaccel.pipeline import load_board

_REPORT = "build/synth/fixaccel_core.json"


def pages(root: Path) -> dict[str, str]:
    """Texts by file name. Raises ValueError if a source and a picture differ."""
    board = load_board().board
    if board is None:
        raise ValueError("the default board file has errors")
    blocks = memory_picture.measured(root / _REPORT, root / "rtl", board)
    return {
        "pipeline.svg": pipeline_picture.picture(root / "rtl"),
        "memories.svg": memory_picture.picture(load_hwmap(), board, blocks),
        "memories.md": memory_picture.source(blocks) + "\n",
        "latency.md": latency_table.table(board),
        "commit.md": latency_table.commits(board),
        "resources.md": resources_table.table(root, board),
        "compared.md": resources_table.compared(root),
        "feed-resources.md": resources_table.unit(root, "feed_unit"),
        "link-resources.md": resources_table.unit(root, "link_unit"),
        "search-cycles.md": search_cycles.table(board),
    }
