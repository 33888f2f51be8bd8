# SPDX-License-Identifier: Apache-2.0
"""The commands of `tune`, run in this process, and what they print."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from fixaccel.cli.main import cli


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(cli, ["tune", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def told(*arguments: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json").stdout)
    return found


def outcomes(knobs: list[dict[str, Any]]) -> dict[str, str]:
    return {knob["knob"]: knob["says"] for knob in knobs}


def plan(folder: Path, text: str) -> Path:
    path = folder / "desk.tune.yaml"
    path.write_text(f"fixaccel-tune: 1\n{text}")
    return path
