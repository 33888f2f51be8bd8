# SPDX-License-Identifier: Apache-2.0
"""A changed threshold among thousands, deployed while armed, and where it does not fit beside what runs."""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from report import Figure, figure

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "e2e"))

from fixaccel.board.control import ControlClient
from fixaccel.lab.desk import fixaccel, program
from lab.desk import ROOT, Desk
from lab.scenario import play

NOTE = (
    "Virtual board in network namespaces, or none, quotes all the time; its clock is far slower than a real one's, so "
    "what takes the fabric's time is told in words and cycles. Each load changes one threshold. Effect: from before "
    "the request is sent until the fabric evaluates the new rules. On the trading thread: from when the bundle has "
    "been read until then, the market being followed all the while. Disarmed: between the journal's two records, where "
    "two loads do not fit beside each other. Of a processor: what the daemon's threads take for a load by themselves, "
    "on a board in memory that takes words at once; as many as fit a half of the board, all of it, and without one. "
    "The journal is on disk but where it says memory; a load waits for it twice, a command once more."
)
Json = dict[str, Any]

_MEMORY, _DISK = Path("/dev/shm"), Path("/var/tmp")
_LOADS = 12
_STAGES = 21  # loads, of which the first two find nothing to build upon
_QUOTES = 9_000
_QUOTE = "- quote: {{instrument: MSFT, bid: 1184.9{0}, bid_size: 500, ask: 1185.0{0}, ask_size: 500}}\n- wait: 10ms\n"


def _bundles(folder: Path, rules: int) -> list[Path]:
    """Two that differ in a threshold."""
    made = []
    for name, changed in (("first", "900.00"), ("second", "901.00")):
        text = "".join(
            f"  - {{id: s{number}, instrument: MSFT, when: last <= "
            f"{changed if number == 5 else f'{1000 + number / 100:.2f}'}, "
            "order: {side: sell, qty: 1, type: market}}\n"
            for number in range(rules)
        )
        source = folder / f"{name}-{rules}.yaml"
        source.write_text(f"fixaccel: 1\nvenue: {ROOT}/strategies/venues/simulator.yaml\nrules:\n{text}", "utf-8")
        fixaccel("compile", str(source), "-o", str(source.with_suffix("")))
        made.append(source.with_suffix(""))
    return made


def _load(client: ControlClient, bundle: Path) -> tuple[float, Json]:
    """Milliseconds until the new rules are evaluated, and the daemon's figures then."""
    before = client.ask("metrics")["generation"]
    began = time.monotonic()
    client.ask("deploy", bundle=str(bundle))
    while True:
        now = client.ask("metrics")
        if now["armed"] and now["load_state"] == "loaded" and now["generation"] != before:
            return (time.monotonic() - began) * 1e3, now
        time.sleep(0.001)


def _disarmed(desk: Desk) -> Iterator[float]:
    """Milliseconds from each end of being armed to the next beginning."""
    since = None
    for record in desk.journal_lines():
        if record["type"] == "disarmed":
            since = record["time_ns"]
        elif record["type"] == "armed" and since is not None:
            yield (record["time_ns"] - since) / 1e6


def _measure(rules: int, where: Path, *, board: bool = True) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="fixaccel-bench-", dir=where) as name, Desk(Path(name)) as desk:
        bundles = _bundles(desk.folder, rules)
        if board:
            desk.start_board()
        else:
            desk.remove_board()
        play(desk, "".join(_QUOTE.format(place % 9) for place in range(_QUOTES)))
        desk.start_armed(bundles[0], deploy=True)
        (desk.folder / "armed").touch()
        with ControlClient(desk.control, timeout_s=120) as client:
            for each in (bundles[1], bundles[0]):  # then both banks are known
                _load(client, each)
            done = [_load(client, bundles[1 - number % 2]) for number in range(_LOADS)]
        disarmed = list(_disarmed(desk))[-_LOADS:]
        what = f"{rules:,} rules{'' if board else ', no board'}{', memory' if where == _MEMORY else ''}"
        yield figure(f"{what}: effect", "ms", [took for took, _ in done])
        yield figure(f"{what}: on the trading thread", "ms", [load["load_ms"] for _, load in done])
        if not board:
            return
        yield figure(f"{what}: written", "words", [load["load_words"] for _, load in done])
        if disarmed:
            yield figure(f"{what}: disarmed", "ms", disarmed)
        else:
            yield figure(f"{what}: messages wait", "cycles", [load["hold_cycles"] for _, load in done])


def _of_a_processor(kind: str, rules: int) -> Iterator[Figure]:
    """Milliseconds of each stage of a load, and of all together."""
    with tempfile.TemporaryDirectory(prefix="fixaccel-bench-") as name:
        bundles = [str(bundle) for bundle in _bundles(Path(name), rules)]
        command = [program("runtime/bench/fixaccel-load-bench"), kind, *bundles, str(_STAGES)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    stages = {stage: samples[2:] for stage, samples in json.loads(done.stdout).items()}
    words = stages.pop("words")
    what = f"{rules:,} rules, {'on a board' if kind == 'board' else 'no board'}"
    yield figure(f"{what}: of a processor", "ms", [sum(load) for load in zip(*stages.values(), strict=True)])
    for stage, samples in stages.items():
        yield figure(f"  {stage.split(' ', 1)[1]}", "ms", samples)
    if any(words):
        yield figure("  written", "words", words)


def measure() -> Sequence[Figure]:
    """Runs the product in a laboratory of its own: what fits twice, and what does not."""
    alone = (("board", 8_192), ("board", 16_384), ("none", 16_384))
    return [
        *(row for kind, rules in alone for row in _of_a_processor(kind, rules)),
        *(row for rules in (1_000, 8_000, 16_384) for row in _measure(rules, _DISK)),
        *(row for where in (_MEMORY, _DISK) for row in _measure(16_384, where, board=False)),
    ]
