# SPDX-License-Identifier: Apache-2.0
"""The generators come to every form, change of state and outcome: laws over them leave nothing out."""

import tempfile
from collections import Counter
from pathlib import Path

from census import GOALS, Census, table
from choices import RandomChoices
from strategy_cases import each_case, exit_case, fabric_case, make_case

from fixaccel.semantics.touch import Touch

CASES = 900
FABRIC_CASES = 300
EXIT_CASES = 450


def test_generators_reach_everything() -> None:
    seen: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:

        def run(case):
            strategy, messages = case.load(Path(folder))
            census = Census(strategy, seen, Touch() if case.touch else None)
            for message in messages:
                list(census.process(message))

        each_case(CASES, 1, run)
        each_case(FABRIC_CASES, 1, run, fabric_case)
        each_case(EXIT_CASES, 1, run, exit_case)
    print(table(seen))
    assert not GOALS - seen.keys(), table(seen)


def test_decisions_by_a_function_are_generated_too(tmp_path: Path) -> None:
    for seed in range(3):
        case = make_case(RandomChoices(seed), python=True)
        strategy, _ = case.load(tmp_path)
        assert f"{len(case.rules) - 1}.py:decide" in case.rules[-1]
        assert strategy.rules[-1].block.form
