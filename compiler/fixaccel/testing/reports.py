# SPDX-License-Identifier: Apache-2.0
"""Results of tests for machines: JSON and JUnit XML."""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any
from xml.etree import ElementTree as ET

from fixaccel.testing.compare import Pair, texts
from fixaccel.testing.coverage import Coverage
from fixaccel.testing.run import Result

# What XML 1.0 cannot carry, even escaped.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_data(results: Sequence[Result], coverage: Sequence[Coverage] | None) -> dict[str, Any]:
    """Everything as plain data."""
    outcomes = [result.outcome for result in results]
    data: dict[str, Any] = {
        "passed": outcomes.count("passed"),
        "failed": outcomes.count("failed"),
        "not_run": outcomes.count("not run"),
        "tests": [_test(result) for result in results],
    }
    if coverage is not None:
        data["coverage"] = [_coverage(entry) for entry in coverage]
    return data


def _test(result: Result) -> dict[str, Any]:
    return {
        "file": result.suite.name,
        "line": result.case.span.line,
        "name": result.case.name,
        "outcome": result.outcome,
        "comparison": [_pair(pair) for pair in result.pairs],
        "reasons": list(result.reasons),
        "not_run": result.not_run,
    }


def _pair(pair: Pair) -> dict[str, Any]:
    return {
        "expected": texts(pair.expected) if pair.expected else None,
        "seen": texts(pair.seen) if pair.seen else None,
        "different": list(pair.different),
    }


def _coverage(entry: Coverage) -> dict[str, Any]:
    return {
        "strategy": entry.strategy,
        "rules": entry.rules,
        "percent": round(entry.percent, 2),
        "never": [block.id for block in entry.never],
        "parts": entry.parts,
        "parts_fired": entry.parts_fired,
    }


def junit(results: Sequence[Result], broken: Mapping[str, str]) -> bytes:
    """JUnit XML as CI systems read it: a test suite for each file. Times are left out: they would change every run.

    ``broken`` are the files that cannot be run, with what is wrong with them.
    """
    root = ET.Element("testsuites", {"name": "fixaccel"} | _counts(results, len(broken)))
    for name, wrong in broken.items():
        suite = ET.SubElement(root, "testsuite", {"name": _clean(name)} | _counts([], 1))
        case = ET.SubElement(suite, "testcase", name="the file can be run", classname=_clean(name), time="0")
        ET.SubElement(case, "error", message="the file or its strategy has errors").text = _clean(wrong)
    for name, group in groupby(results, key=lambda result: result.suite.name):
        of_file = list(group)
        suite = ET.SubElement(root, "testsuite", {"name": _clean(name)} | _counts(of_file))
        for result in of_file:
            _junit_case(result, suite)
    ET.indent(root)
    text: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _junit_case(result: Result, suite: ET.Element) -> None:
    case = ET.SubElement(
        suite, "testcase", name=_clean(result.case.name), classname=_clean(result.suite.strategy.name),
        file=_clean(result.suite.name), line=str(result.case.span.line), time="0",
    )  # fmt: skip
    if result.not_run:
        ET.SubElement(case, "skipped", message=_clean(result.not_run))
    elif result.failed:
        wrong = [pair for pair in result.pairs if not pair.same]
        failure = ET.SubElement(
            case, "failure", type="fires", message=f"{len(wrong)} of {len(result.pairs)} fires are not as expected"
        )
        failure.text = _clean("\n".join([*map(_line, wrong), *result.reasons]))


def _line(pair: Pair) -> str:
    both = [_words(texts(fire), pair) if fire else "nothing" for fire in (pair.expected, pair.seen)]
    return f"expected {both[0]}; seen {both[1]}"


def _words(values: dict[str, str], pair: Pair) -> str:
    keys = texts(pair.expected) if pair.expected else values
    return ", ".join(f"{key} {values[key]}" for key in keys)


def _counts(results: Sequence[Result], errors: int = 0) -> dict[str, str]:
    outcomes = [result.outcome for result in results]
    numbers = {"tests": len(outcomes) + errors, "failures": outcomes.count("failed"), "errors": errors,
               "skipped": outcomes.count("not run"), "time": 0}  # fmt: skip
    return {name: str(number) for name, number in numbers.items()}


def _clean(text: str) -> str:
    return _NOT_XML.sub("?", text)
