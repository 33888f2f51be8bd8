# SPDX-License-Identifier: Apache-2.0
"""The tests of all examples, and those of what the rules mean, on the fabric itself."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from fixaccel.cli.main import cli
from fixaccel.data import data_path

pytestmark = [pytest.mark.rtl, pytest.mark.slow]

MEANING = Path(__file__).parents[1] / "meaning"
# What frames do not say, and what goes from the fabric to the runtime and back.
NOT_PLAYED = ("plays snapshots (35=W) and updates (35=X) only", "plays such rules only together")


@pytest.mark.parametrize("folder", [data_path("strategies"), MEANING], ids=["examples", "meaning"])
def test_they_pass_in_the_fabric(folder: Path) -> None:
    done = CliRunner().invoke(cli, ["test", str(folder), "--engine", "rtl", "--format", "json"])
    assert done.exit_code == 0, done.output
    tests = json.loads(done.stdout)["tests"]
    outcomes = [test["outcome"] for test in tests]
    assert outcomes.count("passed") > 4 * outcomes.count("not run")
    reasons = [test["not_run"] for test in tests if test["outcome"] == "not run"]
    assert [text for text in reasons if not any(part in text for part in NOT_PLAYED)] == []
