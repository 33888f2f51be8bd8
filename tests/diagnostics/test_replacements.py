# SPDX-License-Identifier: Apache-2.0
"""What a diagnostic offers to write instead mends it: tried on every wrong example that has such an offer."""

import importlib.util
import re
from collections import Counter
from pathlib import Path

import pytest

from fixaccel.diagnostics import CODES, Code
from fixaccel.diagnostics.replacements import applicable
from fixaccel.diagnostics.report import Diagnostic, Replacement

_SPEC = importlib.util.spec_from_file_location("diagnostic_examples", Path(__file__).with_name("examples.py"))
assert _SPEC
assert _SPEC.loader
examples = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(examples)
check, write = examples.check, examples.write

# Those whose example a program can mend: one that loses its offer is missed.
OFFERED = {
    "FX0107", "FX0111", "FX0112", "FX0113", "FX0114", "FX0124", "FX0129", "FX0202", "FX0203", "FX0209", "FX0212",
    "FX0213", "FX0216", "FX0218", "FX0301", "FX0302", "FX0304", "FX0409", "FX0414", "FX0415", "FX0503", "FX0803",
    "FX1106", "FX1111", "FX1201", "FX1303",
}  # fmt: skip
RULE = (
    "- {{id: stop, instrument: MSFT, when: {when}, order: {{side: sell, qty: {qty}, type: limit, price: {price}}}}}\n"
)
WELL = {"when": "last <= 50", "qty": "2", "price": "49"}


def replaced(folder: Path, one: Replacement) -> None:
    path = folder / one.span.file
    lines = re.split("(\r\n|[\r\n])", path.read_bytes().decode())
    before = "".join(lines[: 2 * (one.span.line - 1)])
    text = "".join(lines)
    start = len(before) + one.span.column - 1
    end = len("".join(lines[: 2 * (one.span.end_line - 1)])) + one.span.end_column - 1
    path.write_bytes((text[:start] + one.text + text[end:]).encode())


def alike(diagnostics: list[Diagnostic]) -> Counter[tuple[str, str]]:
    return Counter((d.code.number, d.message) for d in diagnostics)


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.number)
def test_what_is_offered_mends(code: Code, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(code, tmp_path)
    checked = check(tmp_path)
    found = checked.diagnostics
    assert any(d.code is code and d.replacements for d in found) == (code.number in OFFERED)
    for diagnostic in found:
        for one in applicable(diagnostic, checked.sources):
            write(code, tmp_path)
            before = alike(check(tmp_path).diagnostics)
            replaced(tmp_path, one)
            after = alike(check(tmp_path).diagnostics)
            key = (diagnostic.code.number, diagnostic.message)
            assert after[key] < before[key], (diagnostic, one.text)


@pytest.mark.parametrize(
    ("wrong", "offers"),
    [
        ({"when": "lst <= 50"}, ["last"]),
        ({"when": "last =< 50"}, ["<="]),
        ({"when": "50 >= last"}, ["last <= 50"]),
        ({"when": "'last <= .5'"}, ["0.5"]),
        ({"qty": "'1,200'"}, ["'1200'", "'1.200'"]),
        ({"price": "trigger - 5"}, ["trigger - 5 ticks"]),
        ({"price": "trigger - 1%"}, []),
        ({"when": '"last\\x20<= 1180.005"'}, []),  # behind the escape nobody knows the place
    ],
    ids=str,
)
def test_what_is_offered(
    wrong: dict[str, str], offers: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(CODES["FX0507"], tmp_path)
    rule = RULE.format(**(WELL | wrong))
    (tmp_path / "strategy.yaml").write_text(f"fixaccel: 1\nvenue: simulator.yaml\nrules:\n  {rule}")
    found = check(tmp_path)
    errors = [d for d in found.diagnostics if d.is_error and d.span.file == "strategy.yaml"]
    assert [one.text for one in applicable(errors[0], found.sources)] == offers
