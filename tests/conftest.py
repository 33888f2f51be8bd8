# SPDX-License-Identifier: Apache-2.0
"""What holds for all tests: they can be interrupted, none is judged by its time, and what they cost can be told."""

import json
import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# A shell that starts this in the background has it ignore SIGINT, and so would the programs that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that a test decided is remembered by the next one, nor in the user's home."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


_MOST = 10  # files that are told
_spent = 0.0  # CPU seconds of this process, and of those that it has waited for, up to the last look
_by_file: Counter[str] = Counter()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--cpu-by-file", type=Path, help="write the CPU seconds of each test file there, and tell the most"
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest of those that run side by side begin first: at the end one process would work alone."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None or item.get_closest_marker("e2e") is not None)


def _since_last() -> float:
    global _spent
    before, _spent = _spent, sum(os.times()[:4])
    return _spent - before


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Iterator[None]:
    _since_last()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Iterator[None]:
    report = yield
    report.cpu_seconds = _since_last()  # goes with the report to where all of them are gathered
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _by_file[report.nodeid.partition("::")[0]] += getattr(report, "cpu_seconds", 0.0)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    file = config.getoption("--cpu-by-file")
    if file is None:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(dict(_by_file.most_common()), indent=1), encoding="utf-8")
    terminalreporter.section("most CPU seconds, by file")
    for name, seconds in _by_file.most_common(_MOST):
        terminalreporter.line(f"{seconds:7.1f}  {name}")
