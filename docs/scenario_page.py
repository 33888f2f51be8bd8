# SPDX-License-Identifier: Apache-2.0
"""Makes the reference of the scenario language from its JSON Schema, which the exchange simulator prints."""

from collections.abc import Iterator, Mapping
from typing import Any

from fixaccel.schemas import SCENARIO, schema

_HEAD = """# Scenarios

Every step that a [scenario](../howto/exchange-script.md) of the exchange simulator may have, made from the words that
its reader takes. `fixaccel schema scenario` prints the same as JSON Schema for editors.
"""
_STEPS = """## Steps

Each step is a map with one key, its name.
"""
# How a value is written, by what its schema allows.
_PATTERNS = {
    "(ns|us|ms|s|m|h)": "a duration, such as `200ms`",
    "/s$": "a rate, such as `5000/s`",
    "x|max": "`1x`, `10x`, `max`",
    "[0-5][0-9]:": "a time of the day, such as `14:30:00`",
}

_UNBOUNDED = 1_000_000_000  # more than anybody means

Schema = Mapping[str, Any]


def page() -> str:
    """The page as MyST Markdown."""
    made = schema(SCENARIO)
    steps = made["$defs"]["step"]["properties"]
    parts = [_HEAD, "## The file\n", _table(made), _STEPS]
    for name, step in steps.items():
        parts += [f"### `{name}`\n", f"{step['description']}\n", *_step(name, step)]
    return "\n".join(parts)


def _step(name: str, step: Schema) -> Iterator[str]:
    if "properties" not in step:
        yield f"`{name}:` {_form(step)}\n"
        return
    yield _table(step)
    if "oneOf" in step:
        names = ", ".join(f"`{choice['required'][0]}`" for choice in step["oneOf"])
        yield f"Exactly one of {names} is there.\n"
    for key, inner in step["properties"].items():
        if "properties" in inner:
            yield f"#### `{name}.{key}`\n"
            yield from _step(f"{name}.{key}", inner)


def _table(shape: Schema) -> str:
    required = shape.get("required", [])
    rows = [_row(name, key, name in required) for name, key in shape["properties"].items()]
    return "\n".join(["| key | value | meaning |", "| --- | --- | --- |", *rows]) + "\n"


def _row(name: str, key: Schema, needed: bool) -> str:
    cells = (f"`{name}`", _form(key), key["description"] + (" Required." if needed else ""))
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _form(key: Schema) -> str:  # noqa: PLR0911 - a form each
    if "anyOf" in key:
        return " or ".join(_form(choice) for choice in key["anyOf"])
    if "const" in key:
        return f"`{str(key['const']).lower()}`"
    if "enum" in key:
        return ", ".join(f"`{word}`" for word in key["enum"])
    if "pattern" in key:
        return next(text for part, text in _PATTERNS.items() if part in key["pattern"])
    if key["type"] == "integer":
        most = "" if key["maximum"] == _UNBOUNDED else f" to {key['maximum']:,}"
        return f"a whole number from {key['minimum']:,}{most}"
    if key["type"] == "array":
        of = key["items"]
        if of.get("type") == "array":
            return "a list of lists of steps"
        return "a list of steps" if "$ref" in of else "a list of texts"
    if key["type"] == "object":
        return "a mapping"
    return "a decimal" if key["type"] == ["number", "string"] else "a text"
