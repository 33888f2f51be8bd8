# SPDX-License-Identifier: Apache-2.0
"""Makes the page of the fabric's modules from the comments at the beginning of their sources."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from rtl_sources import Source, sources

_HEAD = """# The fabric's modules

What each source below `rtl` says of itself at its beginning; this page is made of that. [](../explanation/fabric.md)
tells how they work together. Modules called `..._properties` hold rules that every simulation checks, those of
`proofs` what [`make prove`](../howto/prove.md) proves beside them.

"""
_FOLDERS = {
    "": "The whole",
    "parse": "Receive: from bytes to observations",
    "match": "Match: from observations to fires",
    "risk": "Gate",
    "order": "Orders",
    "egress": "Egress and the path of the CPU",
    "gem": "Frames through the board's own Ethernet controller",
    "feed": "Feeds in FAST",
    "link": "The link to another board",
    "host": "Registers, tables and records",
    "common": "What others are made of",
    "proofs": "Proofs",
}
# What Markdown would read as more than the character that it is.
_MARKUP = re.compile(r"([\\*\[\]<>{}$|#])")


def page(rtl: Path) -> str:
    """The page in Markdown. Raises ValueError if a source has no header or lies in a folder without a title."""
    found = sources(rtl)
    if strange := {source.folder for source in found} ^ set(_FOLDERS):
        raise ValueError(f"folders of rtl and of this page differ: {', '.join(sorted(strange))}")
    blocks = [_HEAD]
    for folder, title in _FOLDERS.items():
        blocks.append(f"## {title}\n\n")
        blocks += [_section(source) for source in found if source.folder == folder]
    return "".join(blocks)


def _section(source: Source) -> str:
    text = f"### `{source.name}`\n\n" + "\n".join(_markdown(source.header)) + "\n\n"
    return text + (f"Made of {', '.join(f'`{part}`' for part in source.parts)}.\n\n" if source.parts else "")


def _markdown(lines: Sequence[str]) -> Iterator[str]:
    """Paragraphs and numbered rules as they are; what is laid out with spaces as it stands."""
    laid_out = listed = False
    for line in lines:
        numbered = re.match(r" {1,2}\d+\. ", line) is not None
        if numbered and not listed:
            yield ""
        listed = numbered or (listed and bool(line))
        if laid_out != (line.startswith("  ") and not listed):
            laid_out = not laid_out
            yield "\n```text" if laid_out else "```\n"
        yield line if laid_out else _escaped(line)
    if laid_out:
        yield "```"


def _escaped(line: str) -> str:
    """Without markup, but for what stands in backquotes."""
    parts = line.split("`")
    if len(parts) % 2 == 0:
        return _MARKUP.sub(r"\\\1", line.replace("`", "'"))
    return "`".join(part if number % 2 else _MARKUP.sub(r"\\\1", part) for number, part in enumerate(parts))
