# SPDX-License-Identifier: Apache-2.0
"""JSON Schemas of all kinds of file, made from the shapes that read them: editors complete and check with them."""

import json
from collections import Counter
from collections.abc import Iterator

from fixaccel.bus.site_file import BUS_SHAPE
from fixaccel.data import data_path
from fixaccel.language.documents.board import BOARD_SHAPE
from fixaccel.language.documents.strategy import RULES, STRATEGY_SHAPE
from fixaccel.language.documents.venue import VENUE_SHAPE
from fixaccel.language.keys.rule import AT, DECIDE, TABLE, TRAIL, WHEN
from fixaccel.language.keys.schema import JsonSchema, Shape
from fixaccel.testing.file import TEST_SHAPE
from fixaccel.tune.plan_file import TUNE_SHAPE

DIALECT = "https://json-schema.org/draft/2020-12/schema"

SHAPES: dict[str, Shape] = {
    "strategy": STRATEGY_SHAPE,
    "venue": VENUE_SHAPE,
    "board": BOARD_SHAPE,
    "test": TEST_SHAPE,
    "tune": TUNE_SHAPE,
    "bus": BUS_SHAPE,
}
# Read by the exchange simulator, whose own words these are: `fixaccel-exchange --scenario-schema` prints them.
SCENARIO = "scenario"
KINDS = (*SHAPES, SCENARIO)
_SCENARIO_FILE = f"strategies/schemas/{SCENARIO}.json"
_TITLES = {
    "strategy": "fixaccel strategy",
    "venue": "fixaccel venue",
    "board": "fixaccel board",
    "test": "fixaccel rule tests",
    "tune": "fixaccel tuning plan",
    "bus": "fixaccel site of the bus",
}


def schema(kind: str) -> JsonSchema:
    """The schema of one kind of file: strategy, venue, board, test, tune, bus or scenario."""
    if kind == SCENARIO:
        made: JsonSchema = json.loads(data_path(_SCENARIO_FILE).read_bytes())
        return made
    content = SHAPES[kind].json_schema()
    if kind == "strategy":
        content["properties"][RULES.name]["items"]["oneOf"] = [
            {"required": [key.name]} for key in (WHEN, TRAIL, TABLE, DECIDE, AT)
        ]
    shared = _shared(content)
    body = {key: _refer(value, shared) for key, value in content.items()}
    definitions = {name: _refer_inside(value, shared) for name, value in shared.items()}
    return {"$schema": DIALECT, "title": _TITLES[kind], **body, **({"$defs": definitions} if definitions else {})}


def schema_text(kind: str) -> str:
    """The schema as the text of a file."""
    return json.dumps(schema(kind), indent=1, ensure_ascii=False) + "\n"


def _shared(content: JsonSchema) -> dict[str, JsonSchema]:
    """Objects that stand in several places, by the name of the key at which they stand."""
    found = [(name, _bare(value)) for name, value in _objects(content, "")]
    counts = Counter(_text(value) for _, value in found)
    shared: dict[str, JsonSchema] = {}
    for name, value in found:
        if counts[_text(value)] > 1 and all(_text(value) != _text(known) for known in shared.values()):
            assert name not in shared, name
            shared[name] = value
    return shared


def _objects(value: object, name: str) -> Iterator[tuple[str, JsonSchema]]:
    if isinstance(value, dict):
        if "properties" in value and name:
            yield name, value
        for key, inner in value.items():
            yield from _objects(inner, name if key in {"items", "anyOf", "properties"} else key)
    elif isinstance(value, list):
        for inner in value:
            yield from _objects(inner, name)


def _refer(value: object, shared: dict[str, JsonSchema]) -> object:
    """``value`` with references where shared objects stand; each place keeps its own description."""
    if isinstance(value, dict) and "properties" in value:
        for name, known in shared.items():
            if _bare(value) == known:
                return {k: value[k] for k in ("description",) if k in value} | {"$ref": f"#/$defs/{name}"}
    return _refer_inside(value, shared)


def _refer_inside(value: object, shared: dict[str, JsonSchema]) -> object:
    if isinstance(value, dict):
        return {key: _refer(inner, shared) for key, inner in value.items()}
    return [_refer(inner, shared) for inner in value] if isinstance(value, list) else value


def _bare(value: JsonSchema) -> JsonSchema:
    return {key: inner for key, inner in value.items() if key != "description"}


def _text(value: JsonSchema) -> str:
    return json.dumps(value, sort_keys=True)
