# SPDX-License-Identifier: Apache-2.0
"""How long a million triggers take from YAML and tables to a bundle, and how much memory.

Run by path with STRATEGY BOARD FOLDER it compiles once and prints the seconds of each stage as JSON.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

import market
from report import Figure, figure

SYMBOLS = 1_000
ROWS = 1_000
NOTE = (
    f"{SYMBOLS * ROWS:,} triggers over {SYMBOLS:,} instruments, nearly all of them with an order record of its own. "
    "`one rule`: over a list of all instruments with one table; `many rules`: a rule and a table for each instrument. "
    "`command` is `fixaccel compile` as a process of its own, its bound 5 s and 1536 MiB; stages are of another run."
)
_SAMPLES = 3
_STAGES = ("load", "pack", "write")
_BOARD = """fixaccel-board: 1
name: large
part: xcvu9p-flga2104-2L-e
clock: 250MHz
interface: wire
bytes_per_beat: 1
capacity: {instruments: 1024, triggers: 1048576, intervals: 4096, orders: 1048576, templates: 1024, groups: 1024}
"""
_ORDER = "{side: sell, type: limit, price: trigger}"
_HEAD = "fixaccel: 1\nvenue: venue.yaml\nrules:\n"


def measure() -> list[Figure]:
    """Both shapes: the command's wall and processor seconds, its peak memory, and the seconds of its stages."""
    figures: list[Figure] = []
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with tempfile.TemporaryDirectory() as scratch, Progress(*columns, transient=True) as bar:
        task = bar.add_task("compiling", total=2 * (2 * _SAMPLES + 1))
        for shape, write in {"one rule": _one_rule, "many rules": _many_rules}.items():
            folder = Path(scratch) / shape.replace(" ", "-")
            folder.mkdir()
            bar.update(task, description=f"writing {shape}")
            write(folder)
            bar.advance(task)
            samples: dict[tuple[str, str], list[float]] = defaultdict(list)
            for number in range(_SAMPLES):
                bar.update(task, description=f"{shape}, run {number + 1} of {_SAMPLES}")
                for name, taken in _command(folder).items():
                    samples[name].append(taken)
                bar.advance(task)
                for stage, taken in _stages(folder).items():
                    samples[stage, "s"].append(taken)
                bar.advance(task)
            figures += [figure(f"{shape}, {name}", unit, taken) for (name, unit), taken in samples.items()]
    return figures


def _one_rule(folder: Path) -> None:
    symbols = _common(folder)
    _table(folder / "grid.csv", 1)
    rule = f"  - {{id: grid, instrument: [{', '.join(symbols)}], table: grid.csv, order: {_ORDER}}}\n"
    (folder / "million.yaml").write_text(_HEAD + rule, encoding="utf-8")


def _many_rules(folder: Path) -> None:
    rules = []
    for number, symbol in enumerate(_common(folder)):
        _table(folder / f"grid-{number}.csv", number)
        rules.append(f"  - {{id: grid-{number}, instrument: {symbol}, table: grid-{number}.csv, order: {_ORDER}}}\n")
    (folder / "million.yaml").write_text(_HEAD + "".join(rules), encoding="utf-8")


def _common(folder: Path) -> list[str]:
    symbols = market.symbols(SYMBOLS)
    market.venue(folder / "venue.yaml", symbols)
    (folder / "board.yaml").write_text(_BOARD, encoding="utf-8")
    return symbols


def _table(path: Path, seed: int) -> None:
    """Thresholds a tick or more apart, in no order."""
    random_ = random.Random(seed)
    cents = random_.sample(range(100_00, 900_000), ROWS)
    rows = (f"last >= {cent // 100}.{cent % 100:02},{random_.randrange(1, 500)}" for cent in cents)
    path.write_text("when,qty\n" + "\n".join(rows) + "\n", encoding="utf-8")


def _command(folder: Path) -> dict[tuple[str, str], float]:
    """What `fixaccel compile` took."""
    files = [folder / "million.yaml", "--board", folder / "board.yaml", "-o", folder / "bundle"]
    start = time.perf_counter()
    with (folder / "out.txt").open("wb") as out:
        child = subprocess.Popen(
            [sys.executable, "-m", "fixaccel", "compile", *map(str, files)], stdout=out, stderr=out
        )
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError((folder / "out.txt").read_text(encoding="utf-8")[-2000:])
    return {
        ("command", "s"): time.perf_counter() - start,
        ("command, processor", "s"): usage.ru_utime + usage.ru_stime,
        ("peak memory", "MiB"): usage.ru_maxrss / 1024,
    }


def _stages(folder: Path) -> dict[str, float]:
    arguments = [folder / "million.yaml", folder / "board.yaml", folder / "stages"]
    run = subprocess.run([sys.executable, __file__, *arguments], capture_output=True, text=True, check=True)
    stages: dict[str, float] = json.loads(run.stdout)
    return stages


def main() -> None:
    """One compilation in this process, stage by stage."""
    from fixaccel.emit.bundle import write_bundle  # noqa: PLC0415 - the import is no stage
    from fixaccel.hwmap import load_hwmap  # noqa: PLC0415
    from fixaccel.image.pack.pack import build_image  # noqa: PLC0415
    from fixaccel.pipeline import load_board, load_strategy  # noqa: PLC0415

    strategy_file, board_file, folder = (Path(argument) for argument in sys.argv[1:])
    hwmap, board = load_hwmap(), load_board(board_file).board
    clock = [time.perf_counter()]
    loaded = load_strategy(strategy_file)
    clock.append(time.perf_counter())
    assert board is not None
    assert loaded.strategy is not None, loaded.diagnostics[:3]
    image = build_image(loaded.strategy, board, hwmap)
    clock.append(time.perf_counter())
    write_bundle(image, loaded.strategy, board, folder, loaded.diagnostics)
    clock.append(time.perf_counter())
    json.dump({stage: clock[n + 1] - clock[n] for n, stage in enumerate(_STAGES)}, sys.stdout)


if __name__ == "__main__":
    main()
