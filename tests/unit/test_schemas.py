# SPDX-License-Identifier: Apache-2.0
"""The JSON Schemas: what ships passes, what is wrong does not, and the files in the repository are fresh."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from fixaccel.cli.main import cli
from fixaccel.schemas import KINDS, schema, schema_text

STRATEGIES = Path(__file__).parents[2] / "strategies"
SHIPPED = [
    *((path, "test" if path.name.endswith(".test.yaml") else "strategy") for path in sorted(STRATEGIES.glob("*.yaml"))),
    *((path, "venue") for path in sorted((STRATEGIES / "venues").glob("*.yaml"))),
    *((path, "board") for path in sorted((STRATEGIES / "boards").glob("*.yaml"))),
    *((path, "tune") for path in sorted((STRATEGIES / "tuning").glob("*.yaml"))),
    *((path, "scenario") for path in sorted((STRATEGIES / "scenarios").glob("*.yaml"))),
]


def as_editors_read(text: str) -> Any:
    """YAML 1.2, keys as texts."""
    return json.loads(json.dumps(YAML(typ="safe", pure=True).load(text)))


def faults(kind: str, text: str) -> list[str]:
    return [error.message for error in Draft202012Validator(schema(kind)).iter_errors(as_editors_read(text))]


@pytest.mark.parametrize("kind", KINDS)
def test_schemas_are_schemas(kind: str) -> None:
    Draft202012Validator.check_schema(schema(kind))
    assert schema(kind)["title"].startswith("fixaccel ")


@pytest.mark.parametrize(("path", "kind"), SHIPPED, ids=[path.name for path, _ in SHIPPED])
def test_what_ships_is_valid(path: Path, kind: str) -> None:
    assert faults(kind, path.read_text(encoding="utf-8")) == []


RULE = "{id: a, instrument: MSFT, when: last <= 5, order: {side: buy, qty: 1, type: market}}"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("fixaccel: 1", "fixaccel: 2"),
        ("fixaccel: 1\n", ""),
        ("venue: v.yaml\n", ""),
        ("rules:", "rulez:"),
        ("id: a, ", ""),
        ("id: a", "id: A"),
        ("when: last <= 5", "when: last = 5"),
        ("when: last <= 5", "when: mean <= 5"),
        ("when: last <= 5, ", ""),
        ("when: last <= 5", "when: last <= 5, table: a.csv"),
        ("side: buy", "side: long"),
        ("qty: 1", "qty: one"),
        ("qty: 1", "quantity: 1"),
        ("order:", "confirm: 3, order:"),
        ("order:", "enabled: maybe, order:"),
        ("order:", "rearm: {after: 5, times: 1}, order:"),
        ("order:", "during: ['9:30'], order:"),
    ],
)
def test_what_is_wrong_is_seen(old: str, new: str) -> None:
    text = f"fixaccel: 1\nvenue: v.yaml\nrules:\n  - {RULE}\n"
    assert faults("strategy", text) == []
    assert old in text
    assert faults("strategy", text.replace(old, new)) != []


@pytest.mark.parametrize("event", ["MSFT lst 5", "MSFT last", "MSFT last 1e3", "MSFT last 3 at 5"])
def test_wrong_events_are_seen(event: str) -> None:
    text = "strategy: a.yaml\ntests:\n  - {name: a, events: [EVENT], expect: []}\n"
    assert faults("test", text.replace("EVENT", "MSFT snapshot bid - last 3 @+5s")) == []
    assert faults("test", text.replace("EVENT", event)) != []


@pytest.mark.parametrize(
    "step",
    [
        "qoute: {instrument: MSFT}",
        "trade: {instrument: MSFT, price: 1180}",
        "wait: soon",
        "fault: {client: CLIENT1}",
        "fault: {client: CLIENT1, drop: 1, delay: 5ms}",
        "fault: {client: CLIENT1, drop: some}",
        "repeat: {times: 2, steps: [{wait: soon}]}",
        "flow: {rate: 5, for: 1s, instruments: {MSFT: 1}}",
    ],
)
def test_wrong_steps_are_seen(step: str) -> None:
    text = "fixaccel-scenario: 1\nsteps:\n  - STEP\n"
    assert faults("scenario", text.replace("STEP", "fault: {client: CLIENT1, drop: all, types: [8, W]}")) == []
    assert faults("scenario", text.replace("STEP", step)) != []


def test_every_key_has_a_description() -> None:
    def properties(value: Any) -> Any:
        if isinstance(value, dict):
            if isinstance(value.get("properties"), dict):
                yield from value["properties"].items()
            for inner in value.values():
                yield from properties(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from properties(inner)

    for kind in KINDS:
        assert [
            name for name, value in properties(schema(kind)) if not value.get("description", "").endswith(".")
        ] == []


@pytest.mark.parametrize("kind", KINDS)
def test_files_in_the_repository_are_fresh(kind: str) -> None:
    text = (STRATEGIES / "schemas" / f"{kind}.json").read_text(encoding="utf-8")
    assert text == schema_text(kind), "run `fixaccel schema -o strategies/schemas`"


@pytest.mark.parametrize(("path", "kind"), SHIPPED, ids=[path.name for path, _ in SHIPPED])
def test_modelines_name_the_schema(path: Path, kind: str) -> None:
    line = next((x for x in path.read_text(encoding="utf-8").splitlines() if "yaml-language-server" in x), "")
    named = line.removeprefix("# yaml-language-server: $schema=")
    assert (path.parent / named).resolve() == STRATEGIES / "schemas" / f"{kind}.json"


def run(*arguments: object) -> Any:
    return CliRunner().invoke(cli, ["schema", *map(str, arguments)])


def test_the_command(tmp_path: Path) -> None:
    assert json.loads(run("venue").output) == schema("venue")
    assert run("-o", tmp_path / "deep").exit_code == 0
    assert {path.name for path in (tmp_path / "deep").iterdir()} == {f"{kind}.json" for kind in KINDS}
    assert run().exit_code == 2
    assert run("strategies").exit_code == 2
    (tmp_path / "file").write_text("")
    assert run("-o", tmp_path / "file").exit_code == 2
