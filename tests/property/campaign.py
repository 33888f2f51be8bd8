# SPDX-License-Identifier: Apache-2.0
"""Large random campaigns: rules against image, and rules against rtl.

Example:
  .venv/bin/python tests/property/campaign.py --strategies 2000 --seed 1 --rtl 200
"""

import argparse
import sys
from pathlib import Path

from engine_law import DisagreementError, check_image, check_rtl, shapes_for
from strategy_cases import Case, each_case

from fixaccel.semantics.messages import Kind
from fixaccel.simulate.engines import EngineError

_BATCH = 50


def _image(number: int, seed_value: int) -> tuple[int, int]:
    counts = [0, 0]

    def run(case: Case) -> None:
        counts[0] += 1
        counts[1] += check_image(case)
        if counts[0] % 100 == 0:
            print(f"image: {counts[0]} of {number} strategies, {counts[1]} fires", file=sys.stderr, flush=True)

    each_case(number, seed_value, None, run)
    return counts[0], counts[1]


def _rtl(number: int, seed_value: int) -> tuple[int, int]:
    collected: list[Case] = []
    each_case(number, seed_value, [Kind.SNAPSHOT], collected.append)
    fires = 0
    for start in range(0, len(collected), _BATCH):
        batch = collected[start : start + _BATCH]
        fires += check_rtl(batch, shapes_for(len(batch), seed_value * 1_000_000 + start))
        print(f"rtl: {start + len(batch)} of {len(collected)} strategies, {fires} fires", file=sys.stderr, flush=True)
    return len(collected), fires


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strategies", type=int, default=2000, help="for rules against image [2000]")
    parser.add_argument("--rtl", type=int, default=0, help="for rules against rtl [0]")
    parser.add_argument("--seed", type=int, default=1, help="of everything random [1]")
    parser.add_argument("--keep", type=Path, default=Path("build/property"), help="for a failing case [build/property]")
    arguments = parser.parse_args()
    try:
        image = _image(arguments.strategies, arguments.seed) if arguments.strategies else (0, 0)
        rtl = _rtl(arguments.rtl, arguments.seed) if arguments.rtl else (0, 0)
    except DisagreementError as error:
        print(error)
        arguments.keep.mkdir(parents=True, exist_ok=True)
        error.case.save(arguments.keep)
        shape = "" if error.shape is None else f" --rtl-shape {error.shape}"
        print(f"seed {arguments.seed}: DISAGREE; kept in {arguments.keep}, run it again with `fixaccel simulate")
        print(f"  {arguments.keep}/strategy.yaml --events {arguments.keep}/events.csv --engine ENGINE{shape}`")
        return 1
    except EngineError as error:
        print(f"seed {arguments.seed}: {error}")
        return 2
    print(
        f"seed {arguments.seed}: rules = image on {image[0]} strategies ({image[1]} fires), "
        f"rules = rtl on {rtl[0]} strategies ({rtl[1]} fires)"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
