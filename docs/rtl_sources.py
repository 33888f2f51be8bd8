# SPDX-License-Identifier: Apache-2.0
"""The fabric's sources: what each says of itself, and which modules it is made of."""

import re
from dataclasses import dataclass
from pathlib import Path

_SPDX = "// SPDX-License-Identifier: Apache-2.0"
_INSTANCE = re.compile(r"^ *(\w+)\s*(?:#\s*\(|\w+\s*\()", re.MULTILINE)


@dataclass(frozen=True)
class Source:
    """``header`` holds the lines of the comment at its beginning; ``parts`` the modules that it has instances of."""

    name: str
    folder: str
    header: tuple[str, ...]
    parts: tuple[str, ...]

    @property
    def is_package(self) -> bool:
        return self.name.endswith("_pkg")


def sources(rtl: Path) -> list[Source]:
    """All sources below ``rtl`` but generated ones, by name. Raises ValueError for one that says nothing of itself."""
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(rtl.rglob("*.sv")) if path.parent.name != "gen"}
    names = {path.stem for path in texts}
    return [
        Source(
            name=path.stem,
            folder="" if path.parent == rtl else path.parent.relative_to(rtl).as_posix(),
            header=_header(path, text),
            parts=tuple(sorted({name for name in _INSTANCE.findall(text) if name in names and name != path.stem})),
        )
        for path, text in texts.items()
    ]


def _header(path: Path, text: str) -> tuple[str, ...]:
    first, *rest = text.splitlines()
    lines: list[str] = []
    for line in rest:
        if not line.startswith("//"):
            break
        lines.append(line.removeprefix("//").removeprefix(" ").rstrip())
    if first != _SPDX or not any(lines):
        raise ValueError(f"{path} does not begin with its licence and what it is")
    return tuple(lines)
