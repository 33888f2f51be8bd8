# SPDX-License-Identifier: Apache-2.0
"""The JSON Schemas of the file kinds: what editors are told agrees with what the compiler reads."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from fixaccel.language.documents.board import BOARD_SHAPE
from fixaccel.language.documents.strategy import STRATEGY_SHAPE
from fixaccel.language.documents.venue import VENUE_SHAPE
from fixaccel.language.keys.schema import Key, Shape

STRATEGIES = Path(__file__).resolve().parents[2] / "strategies"
SHAPES = {"strategy": STRATEGY_SHAPE, "venue": VENUE_SHAPE, "board": BOARD_SHAPE}


def checker(kind: str) -> jsonschema.Draft202012Validator:
    schema = SHAPES[kind].json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def keys(shape: Shape) -> Iterator[Key[Any]]:
    for key in shape.keys.values():
        yield key
        kind = getattr(key.kind, "shape", getattr(key.kind, "kind", key.kind))
        if isinstance(kind, Shape):
            yield from keys(kind)


def test_every_key_has_a_doc() -> None:
    for shape in SHAPES.values():
        for key in keys(shape):
            assert key.doc.endswith("."), key.name
            assert key.kind.form, key.name


@pytest.mark.parametrize(
    ("kind", "pattern"), [("strategy", "*.yaml"), ("venue", "venues/*.yaml"), ("board", "boards/*.yaml")]
)
def test_shipped_files_pass(kind: str, pattern: str) -> None:
    schema = checker(kind)
    paths = [path for path in STRATEGIES.glob(pattern) if not path.name.endswith(".test.yaml")]
    assert paths
    for path in paths:
        # As editors read them: numbers and flags by the core schema, all keys texts.
        errors = list(schema.iter_errors(_texts_as_keys(yaml.safe_load(path.read_text()))))
        assert not errors, (path, [error.message for error in errors])


def _texts_as_keys(value: object) -> object:
    if isinstance(value, dict):
        # This loader takes `on` for a flag; the core schema, by which editors read, does not.
        return {"on" if key is True else str(key): _texts_as_keys(entry) for key, entry in value.items()}
    return [_texts_as_keys(entry) for entry in value] if isinstance(value, list) else value


RULE = {"id": "a", "instrument": "MSFT", "when": "last <= 5", "order": {"side": "sell", "qty": 2, "type": "market"}}


def errors(**changes: object) -> int:
    rule = {**RULE, **changes}
    return len(list(checker("strategy").iter_errors({"fixaccel": 1, "venue": "v.yaml", "rules": [rule]})))


@pytest.mark.parametrize(
    "change",
    [
        {"instrument": ["MSFT", 7203]},
        {"when": "mid>-1.5"},
        {"confirm": 2},
        {"confirm": "2"},
        {"enabled": False},
        {"during": ["09:30-16:00"]},
        {"ladder": {"step": -5, "count": 10}},
        {"ladder": {"step": "-5 ticks", "count": "10"}},
        {"trail": {"source": "last", "by": "1.5%", "activate": "bid >= 5"}},
        {"rearm": "never"},
        {"rearm": {"after": "30s", "times": 2}},
        {"decide": {"source": "last", "over": "1..2", "python": "a.py:b"}},
        {"order": {"price": "trigger - 2 ticks", "fields": {"58": "x"}}},
        {"order": {"price": 5.5}},
    ],
)
def test_good_values(change: dict[str, object]) -> None:
    assert errors(**change) == 0


@pytest.mark.parametrize(
    "change",
    [
        {"id": "Stop Loss"},
        {"when": "last == 5"},
        {"wehn": "last <= 5"},
        {"confirm": 3},
        {"enabled": "perhaps"},
        {"during": ["9:30-16:00"]},
        {"ladder": {"step": "five", "count": 10}},
        {"ladder": {"step": 5, "count": 0}},
        {"trail": {"source": "high", "by": 5}},
        {"rearm": "always"},
        {"rearm": {"after": "30", "times": 2}},
        {"decide": {"source": "last", "python": "a.b"}},
        {"order": {"side": "up"}},
        {"order": {"price": "trigger - 2"}},
        {"order": {"fields": {"34": "x"}}},
        {"order": {"fields": {"x": "x"}}},
    ],
)
def test_bad_values(change: dict[str, object]) -> None:
    assert errors(**change) > 0
