# SPDX-License-Identifier: Apache-2.0
"""SARIF of every wrong example keeps to the rules of SARIF 2.1.0 that stand here, under the names of the standard."""

import importlib.util
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import jsonschema
import pytest
from click.testing import CliRunner

from fixaccel.cli.main import cli
from fixaccel.diagnostics import CODES, Code
from fixaccel.diagnostics.render import render

_SPEC = importlib.util.spec_from_file_location("diagnostic_examples", Path(__file__).with_name("examples.py"))
assert _SPEC
assert _SPEC.loader
examples = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(examples)

HEAD = "fixaccel: 1\nvenue: simulator.yaml\nrules:\n"


def record(required: str = "", **properties: Any) -> dict[str, Any]:
    """An object with these properties and no others: a misspelt name is a fault."""
    return {
        "type": "object",
        "properties": properties,
        "required": required.split(),
        "additionalProperties": False,
    }


def some(item: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": item, **more}


TEXT = {"type": "string"}
COUNT = {"type": "integer", "minimum": 1}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
MESSAGE = record("text", text={"type": "string", "minLength": 1}, markdown=TEXT)
ARTIFACT = record("uri", uri={"type": "string", "format": "uri-reference"}, uriBaseId=TEXT)
REGION = record(
    "startLine startColumn endLine endColumn", startLine=COUNT, startColumn=COUNT, endLine=COUNT, endColumn=COUNT
)
PHYSICAL = record("artifactLocation region", artifactLocation=ARTIFACT, region=REGION)
LOCATION = record("physicalLocation", id={"type": "integer", "minimum": 0}, physicalLocation=PHYSICAL, message=MESSAGE)
REPLACEMENT = record("deletedRegion insertedContent", deletedRegion=REGION, insertedContent=record("text", text=TEXT))
CHANGE = record("artifactLocation replacements", artifactLocation=ARTIFACT, replacements=some(REPLACEMENT, minItems=1))
FIX = record("artifactChanges", description=MESSAGE, artifactChanges=some(CHANGE, minItems=1))
RESULT = record(
    "ruleId ruleIndex level message locations",
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    level=LEVEL,
    message=MESSAGE,
    locations=some(LOCATION, minItems=1),
    relatedLocations=some(LOCATION, uniqueItems=True),
    fixes=some(FIX, uniqueItems=True),
    partialFingerprints={"type": "object", "additionalProperties": TEXT},
)
RULE = record(
    "id shortDescription help",
    id=TEXT,
    name=TEXT,
    shortDescription=MESSAGE,
    fullDescription=MESSAGE,
    help=MESSAGE,
    defaultConfiguration=record("level", level=LEVEL),
)
INVOCATION = record(
    "executionSuccessful",
    executionSuccessful={"type": "boolean"},
    toolExecutionNotifications=some(record("message", level=LEVEL, message=MESSAGE)),
)
RUN = record(
    "tool results columnKind",
    tool=record("driver", driver=record("name rules", name=TEXT, version=TEXT, rules=some(RULE, uniqueItems=True))),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    newlineSequences=some(TEXT, minItems=1, uniqueItems=True),
    originalUriBaseIds={"type": "object"},
    invocations=some(INVOCATION),
    results=some(RESULT),
)
LOG = {
    **record("version runs", version={"const": "2.1.0"}, runs=some(RUN, minItems=1, maxItems=1)),
    "patternProperties": {r"^\$schema$": TEXT},
}
VALIDATOR = jsonschema.Draft202012Validator(LOG)


def valid(text: str) -> dict[str, Any]:
    """The one run, once it is as the standard wants it, also where a schema cannot say so."""
    log = json.loads(text)
    VALIDATOR.validate(log)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        places = [*result["locations"], *result.get("relatedLocations", [])]
        for place in places:
            region = place["physicalLocation"]["region"]
            ends = ((region["startLine"], region["startColumn"]), (region["endLine"], region["endColumn"]))
            assert ends[0] <= ends[1]
            address = place["physicalLocation"]["artifactLocation"]
            assert bool(urlparse(address["uri"]).scheme) != ("uriBaseId" in address)
            assert not address["uri"].startswith(("/", "..")), "relative to a base, and below it"
            assert address.get("uriBaseId") in {None, *run["originalUriBaseIds"]}
        numbers = [place["id"] for place in result.get("relatedLocations", [])]
        assert len(set(numbers)) == len(numbers)
    return run


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.number)
def test_every_example(code: Code, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    examples.write(code, tmp_path)
    found = examples.check(tmp_path)
    run = valid(render(found.diagnostics, found.sources, "sarif", found.dropped))
    assert code.number in {result["ruleId"] for result in run["results"]}
    seen = [(d.code.number, d.span.line) for d in found.diagnostics]
    assert [(r["ruleId"], r["locations"][0]["physicalLocation"]["region"]["startLine"]) for r in run["results"]] == seen


def test_columns_are_utf16_and_files_elsewhere_have_whole_addresses(tmp_path: Path, monkeypatch: Any) -> None:
    desk, venues = tmp_path / "a desk", tmp_path / "venues"
    desk.mkdir()
    venues.mkdir()
    monkeypatch.chdir(desk)
    examples.write(CODES["FX0507"], desk)
    (desk / "simulator.yaml").rename(venues / "v.yaml")
    text = (venues / "v.yaml").read_text()
    (venues / "v.yaml").write_text(text + "nam: x\n")
    rule = '{note: "😀", id: a, instrument: MSFX, when: last <= 5, order: {side: sell, qty: 1, type: market}}'
    path = desk / "s é.yaml"
    path.write_text(f"{HEAD}  - {rule}\n".replace("simulator.yaml", "../venues/v.yaml"))
    result = CliRunner().invoke(cli, ["check", str(path), "--format", "sarif"])
    assert result.exit_code == 1
    run = valid(result.output)
    by_rule = {one["ruleId"]: one for one in run["results"]}
    wrong = by_rule["FX0301"]["locations"][0]["physicalLocation"]
    assert wrong["artifactLocation"] == {"uri": "s%20%C3%A9.yaml", "uriBaseId": "WORKINGFOLDER"}
    assert wrong["region"]["startColumn"] == f"  - {rule}".index("MSFX") + 2
    (change,) = by_rule["FX0301"]["fixes"][0]["artifactChanges"]
    assert change["replacements"][0]["insertedContent"] == {"text": "MSFT"}
    elsewhere = by_rule["FX0203"]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert Path(unquote(urlparse(elsewhere["uri"]).path)) == venues / "v.yaml"


def test_no_fault_is_an_empty_list(tmp_path: Path) -> None:
    examples.write(CODES["FX0507"], tmp_path)
    result = CliRunner().invoke(cli, ["check", str(tmp_path / "simulator.yaml"), "--format", "sarif"])
    assert (result.exit_code, valid(result.output)["results"]) == (0, [])


def test_failed_tests_are_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    examples.write(CODES["FX0507"], tmp_path)
    case = "{name: fires, events: [MSFT last 60], expect: [{event: 1, rule: stop}]}"
    (tmp_path / "s.test.yaml").write_text(f"strategy: strategy.yaml\ntests:\n  - {case}\n")
    result = CliRunner().invoke(cli, ["test", "s.test.yaml", "--format", "sarif"])
    (failed,) = valid(result.output)["results"]
    assert (failed["ruleId"], failed["message"]["text"]) == ("test-failed", "test failed: fires")
    assert re.match("^[0-9a-f]{64}$", failed["partialFingerprints"]["message/v1"])
