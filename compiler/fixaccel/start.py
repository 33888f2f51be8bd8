# SPDX-License-Identifier: Apache-2.0
"""Starting strategies: the shipped examples, in a folder of their own and under a new name."""

import re
from pathlib import Path

from fixaccel.data import data_path
from fixaccel.pipeline import load_strategy
from fixaccel.schemas import SHAPES, schema_text

# Template -> example below `strategies`.
TEMPLATES = {"stop": "stop-loss", "bracket": "bracket", "grid": "grid", "market-making": "market-making"}
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}\Z")

# Lines of an example's head that are about the repository; a desk's file says what a desk can type.
_OURS = re.compile(r"# SPDX-License-Identifier:.*\n")
_COMMANDS = re.compile(r"#\n(?:#   .*\n)+")


def starting_files(name: str, template: str) -> dict[str, bytes]:
    """Files of a new strategy by their path in its folder. Raises ValueError if the examples are not installed."""
    example = TEMPLATES[template]
    root = data_path("strategies")
    strategy = root / f"{example}.yaml"
    loaded = load_strategy(strategy)
    if loaded.strategy is None:
        raise ValueError(f"the example {strategy} cannot be read")
    files = {written: _plain(root / written) for written in loaded.strategy.inputs if written != strategy.name}
    files[f"{name}.yaml"] = _strategy(strategy.read_text(encoding="utf-8"), name).encode()
    tests = (root / f"{example}.test.yaml").read_text(encoding="utf-8")
    files[f"{name}.test.yaml"] = _OURS.sub("", tests).replace(f"{example}.yaml", f"{name}.yaml").encode()
    files |= {f"schemas/{kind}.json": schema_text(kind).encode() for kind in SHAPES}
    return files


def _plain(path: Path) -> bytes:
    return _OURS.sub("", path.read_text(encoding="utf-8"), count=1).encode()


def _strategy(text: str, name: str) -> str:
    """The example with a head that tells what to type in the new folder."""
    text = _COMMANDS.sub("", _OURS.sub("", text))
    commands = (f"check {name}.yaml", f"test {name}.test.yaml", f"explain {name}.yaml --picture terminal")
    head, first, rest = text.partition("fixaccel: 1")
    lines = "".join(f"#   fixaccel {command}\n" for command in commands)
    return f"{head}#\n{lines}{first}{rest}"
