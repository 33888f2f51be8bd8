# SPDX-License-Identifier: Apache-2.0
"""fixaccel-link-pair: two of the link's units over a wire, and what their figures promise."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.rtl

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("FIXACCEL_BUILD", ROOT / "build" / "release"))
# Cycles that the explanation promises of 24 bytes over an idle link.
FIRST_BYTE, THERE, ACKNOWLEDGED = 4, 78, 150


def pair(*words: object) -> dict[str, Any]:
    """It exits with 0 only if each record came once and in order."""
    command = [BUILD / "runtime" / "link" / "fixaccel-link-pair", *words]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_record_over_an_idle_link_takes_the_same_each_time() -> None:
    found = pair("latency", "--count", 50)
    most = {key: spread["max"] for key, spread in found.items()}
    assert [spread["min"] for spread in found.values()] == [spread["max"] for spread in found.values()]
    assert most["first_byte"] <= FIRST_BYTE
    assert most["there"] <= THERE
    assert most["acknowledged"] <= ACKNOWLEDGED


def test_long_frames_fill_the_wire() -> None:
    """Beyond what filling the first one and waiting for the last one take."""
    few, many = (pair("goodput", "--words", 496, "--count", count) for count in (20, 60))
    assert many["again"] == 0
    assert (many["cycles"] - few["cycles"]) / 40 == pytest.approx(496 * 8 + 64, rel=0.001)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("words", [1, 7, 496])
def test_nothing_is_lost_with_frames(seed: int, words: int) -> None:
    found = pair("goodput", "--words", words, "--count", 150, "--loss", 0.1, "--both", "--seed", seed)
    assert found["again"] > 0


def test_what_it_does_not_take_is_said() -> None:
    program = BUILD / "runtime" / "link" / "fixaccel-link-pair"
    for words in ([], ["goodput", "--words", "0"], ["goodput", "--loss", "2"], ["latency", "--both"]):
        done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
        assert done.returncode not in {0, 1}, words
        assert done.stderr
