# SPDX-License-Identifier: Apache-2.0
"""What the commands print: tables for people, objects for programs."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fixaccel.diagnostics.text import printable, width
from fixaccel.tune.catalogue import catalogue
from fixaccel.tune.record import Record
from fixaccel.tune.survey import Step
from fixaccel.tune.take_back import Backed
from fixaccel.tune.verify import Verified

_NOTHING = "-"
_WIDE = 36


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows with their columns under each other; a long cell moves what stands behind it."""
    cells = [[printable(cell) for cell in row] for row in rows]
    wide = [min(_WIDE, max(width(row[at]) for row in cells)) for at in range(len(cells[0]))] if cells else []
    return ["  ".join(c + " " * (w - width(c)) for c, w in zip(row, wide, strict=True)).rstrip() for row in cells]


def step_rows(steps: Iterable[Step]) -> list[list[str]]:
    """What each knob is and what it is to be: a row for all its places, or one for each that differs from others."""
    together: dict[str, dict[tuple[str, ...], list[str]]] = {}
    for step in steps:
        row = (_value(step.now), _value(step.wanted), _with(step.says, _further(step)))
        together.setdefault(step.knob.id, {}).setdefault(row, []).append(step.place)
    return [
        [_name(id_, places, alone=len(rows) == 1), *row]
        for id_, rows in together.items()
        for row, places in rows.items()
    ]


def step_object(step: Step) -> dict[str, Any]:
    """For JSON."""
    return {
        "knob": step.knob.id,
        "scope": step.knob.scope,
        "class": step.knob.cls,
        "place": step.place,
        "now": step.now,
        "wanted": step.wanted,
        "outcome": step.outcome.value,
        "says": step.says,
        "detail": step.detail,
    }


def backed_rows(backed: Iterable[Backed]) -> list[list[str]]:
    """What was taken back, and what was left."""
    return [
        [one.entry.knob, one.entry.place, _value(one.entry.former), _with(one.outcome.value, one.detail)]
        for one in backed
    ]


def backed_object(one: Backed) -> dict[str, Any]:
    """For JSON."""
    entry = one.entry
    return {"knob": entry.knob, "place": entry.place, "former": entry.former, "set": entry.ours,
            "outcome": one.outcome.value, "detail": one.detail}  # fmt: skip


def verified_rows(found: Iterable[Verified]) -> list[list[str]]:
    """Verdicts; of what is not as it was, both values."""
    return [
        [one.entry.knob, one.entry.place, _value(one.now), _value(one.entry.ours), _with(one.verdict.value, one.detail)]
        for one in found
    ]


def verified_object(one: Verified) -> dict[str, Any]:
    """For JSON."""
    entry = one.entry
    return {"knob": entry.knob, "place": entry.place, "now": one.now, "set": entry.ours,
            "verdict": one.verdict.value, "detail": one.detail}  # fmt: skip


def record_object(record: Record) -> dict[str, Any]:
    """A run without its entries, for JSON."""
    return {"id": record.id, "state": record.state, "started": record.started, "kernel": record.kernel,
            "profile": record.profile, "interface": record.interface}  # fmt: skip


def record_markdown(record: Record) -> str:
    """A run as a page, a table for each scope."""
    about = f"{record.started}, kernel {record.kernel}, profile {record.profile}"
    lines = [f"# Tuning run {record.id}", "", f"{about}, interface {record.interface or 'none'}: {record.state}."]
    for scope in dict.fromkeys(entry.scope for entry in record.entries):
        lines += ["", f"## {scope}", "", "| knob | place | before | after | state | why |", "| - | - | - | - | - | - |"]
        for entry in (entry for entry in record.entries if entry.scope == scope):
            cells = [f"`{entry.knob}`", f"`{entry.place}`", _value(entry.former), _value(entry.read or entry.wanted)]
            cells += [entry.state, catalogue()[entry.knob].why]
            lines.append("| " + " | ".join(printable(cell).replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def record_rows(record: Record, verdicts: Mapping[str, str]) -> list[list[str]]:
    """Before and after; the verdict on a knob where it was measured."""
    return [
        [entry.knob, entry.place, _value(entry.former), _value(entry.read or entry.wanted), entry.state,
         verdicts.get(entry.knob, "")]
        for entry in record.entries
    ]  # fmt: skip


def fact_rows(facts: dict[str, Any]) -> list[list[str]]:
    """What a machine is, a fact a line."""
    return [[name.replace("_", " "), _fact(value)] for name, value in facts.items() if value not in (None, [], {}, "")]


def _fact(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(
            f"{name.replace('_', ' ')} {_fact(one)}" for name, one in value.items() if one not in (None, [])
        )
    if isinstance(value, list):
        return "; ".join(map(_fact, value))
    return str(value)


def _name(id_: str, places: Sequence[str], *, alone: bool) -> str:
    """A knob, and which of its places are meant where they differ."""
    if len(places) > 1:
        return f"{id_} ({len(places)})"
    return id_ if alone else f"{id_} {_telling(places[0].split('/'), catalogue()[id_].where.split('/'))}"


def _telling(words: Sequence[str], pattern: Sequence[str]) -> str:
    """The parts of a place that its pattern leaves open."""
    return "/".join(word for word, known in zip(words, pattern, strict=False) if word != known)


def _further(step: Step) -> str:
    return "" if step.says.endswith(step.detail) else step.detail


def _with(text: str, detail: str) -> str:
    return f"{text}: {detail}" if detail else text


def _value(value: str | None) -> str:
    return _NOTHING if value is None else value or "given"
