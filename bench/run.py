# SPDX-License-Identifier: Apache-2.0
"""`make bench`: runs every benchmark, or those named; results go to build/bench.

Usage: run.py [--publish] [NAME...]; --publish: pages of the docs are made of these figures from now on, of those named
or of all that have one (docs/figures/bench-NAME.json).
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import backtests
import cluster
import compile as compiling
import dataframes
import engines
import exchange
import exchange_fix
import feed
import front
import gem
import inner
import kill
import latency
import link
import loads
import lsp
import matching
import page_load
import path as software_path
import rest
import simulate
import table
import trips
import tuned
from report import Figure, write

# Name -> what its rows mean, and what measures them.
BENCHMARKS: dict[str, tuple[str, Callable[[], Sequence[Figure]]]] = {
    "latency": (latency.NOTE, latency.measure),
    "path": (software_path.NOTE, software_path.measure),
    "inner": (inner.NOTE, inner.measure),
    "tuned": (tuned.NOTE, tuned.measure),
    "trips": (trips.NOTE, trips.measure),
    "gem": (gem.NOTE, gem.measure),
    "link": (link.NOTE, link.measure),
    "front": (front.NOTE, front.measure),
    "lsp": (lsp.NOTE, lsp.measure),
    "compile": (compiling.NOTE, compiling.measure),
    "engines": (engines.NOTE, engines.measure),
    "table": (table.NOTE, table.measure),
    "simulate": (simulate.NOTE, simulate.measure),
    "cluster": (cluster.NOTE, cluster.measure),
    "backtests": (backtests.NOTE, backtests.measure),
    "dataframes": (dataframes.NOTE, dataframes.measure),
    "feed": (feed.NOTE, feed.measure),
    "loads": (loads.NOTE, loads.measure),
    "kill": (kill.NOTE, kill.measure),
    "rest": (rest.NOTE, rest.measure),
    "matching": (matching.NOTE, matching.measure),
    "exchange": (exchange.NOTE, exchange.measure),
    "exchange-fix": (exchange_fix.NOTE, exchange_fix.measure),
    "page": (page_load.NOTE, page_load.measure),
}
ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "build" / "bench"
PUBLISHED = ROOT / "docs" / "figures"


def main() -> int:
    """Returns the exit code; 2 for a name that is none."""
    asked = sys.argv[1:]
    publish = "--publish" in asked
    names = [name for name in asked if name != "--publish"] or list(BENCHMARKS)
    if unknown := [name for name in names if name not in BENCHMARKS]:
        print(f"no benchmark {', '.join(unknown)}; there are: {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    pages = {name: page for name in names if (page := PUBLISHED / f"bench-{name}.json").exists()} if publish else {}
    if publish and (unseen := [name for name in asked if name in BENCHMARKS and name not in pages]):
        print(
            f"no page shows {', '.join(unseen)}: there is no {PUBLISHED.name}/bench-{unseen[0]}.json", file=sys.stderr
        )
        return 2
    for name in names:
        note, measure = BENCHMARKS[name]
        print(f"==> {name}", flush=True)
        write(name, note, measure(), RESULTS, pages.get(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
