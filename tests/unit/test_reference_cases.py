# SPDX-License-Identifier: Apache-2.0
"""The worked cases of the meaning, in tests/meaning: each sentence of the specification, with events and fires."""

from pathlib import Path

import pytest

from fixaccel.simulate.engines import RulesEngine
from fixaccel.testing.load import Strategies, find_files, load_suite
from fixaccel.testing.run import Runner

FILES = find_files([Path(__file__).resolve().parents[1] / "meaning"])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.removesuffix(".test.yaml"))
def test_worked_cases(path: Path) -> None:
    loaded = load_suite(path, Strategies())
    assert loaded.suite, [diagnostic.message for diagnostic in loaded.diagnostics]
    results = list(Runner(lambda suite: RulesEngine(suite.strategy)).run(loaded.suite, lambda _: True))
    assert results
    for result in results:
        seen = [(fire.event, fire.rule, fire.outcome) for fire in result.seen]
        assert not result.failed, (result.case.name, seen, result.reasons)
