# SPDX-License-Identifier: Apache-2.0
"""Results for people as tables, and for programs as JSON."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from synth.goals import Verdict
from synth.measure import Measured, Part
from synth.resources import Resources
from synth.verdicts import Judgement

_MOST_PATHS = 12
_PATHS_OF_A_MODULE = 3
_MOST_MEMORIES = 16


def text(measured: Measured, judged: Judgement) -> str:
    """The tables, then what failed and what can be tightened."""
    parts = (
        _resources(measured),
        _memories(measured),
        _speed(measured.parts.values(), judged.verdicts),
        _paths(measured),
        _verdict(judged),
    )
    return "\n\n".join(filter(None, ("\n".join(lines) for lines in parts))) + "\n"


def data(measured: Measured, judged: Judgement) -> dict[str, Any]:
    """The same for programs: LUT, FF, BRAM36 and DSP as counts, speeds in MHz, path delays in ns."""
    return {
        "board": measured.board.name,
        "capacity": dict(measured.board.capacity),
        "budget": dict(measured.board.budget),
        "top": measured.top,
        "total": asdict(measured.total),
        "flattened": asdict(measured.flat) if measured.flat else None,
        "modules": {part.definition: _part_data(part) for part in measured.parts.values()},
        "memories": [asdict(memory) for memory in measured.memories],
        "verdicts": [asdict(verdict) for verdict in judged.verdicts],
        "findings": [asdict(finding) for finding in measured.findings],
        "failed": judged.failed,
    }


def _part_data(part: Part) -> dict[str, Any]:
    return {
        "instances": part.instances,
        **asdict(part.own),
        "levels": part.levels,
        "paths": [asdict(group) for group in part.paths[:_MOST_PATHS]],
        "fmax": part.fmax,
        "runs": [asdict(run) for run in part.runs],
    }


def _resources(measured: Measured) -> Iterator[str]:
    board = measured.board
    yield f"Resources, {board.part} ({', '.join(f'{value} {name}' for name, value in board.capacity.items())})"
    rows: list[tuple[str, ...]] = [("module", "LUT", "LUTRAM", "FF", "BRAM36", "DSP")]
    for part in sorted(measured.parts.values(), key=lambda p: (p.source, p.definition)):
        name = part.definition if part.instances == 1 else f"{part.definition} x{part.instances}"
        rows.append((name, *_figures(part.own)))
    rows.append(("all", *_figures(measured.total)))
    if measured.flat:
        rows.append(("all, flattened", *_figures(measured.flat)))
        rows.append(("all, flattened, LUT sites", str(measured.flat.sites), "", "", "", ""))
    if measured.whole:
        rows.append(("all, LUTs of both kinds", str(measured.total.lut), "", "", "", ""))
        for name, bounds in (("budget", board.budget), ("chip", board.chip)):
            lut, *rest = (str(bounds.get(key, "-")) for key in ("lut", "ff", "bram36", "dsp"))
            rows.append((name, lut, "", *rest))
    yield from _table(rows)


def _figures(of: Resources) -> tuple[str, ...]:
    return tuple(f"{value:g}" if value else "-" for value in (of.logic, of.lutram, of.ff, of.bram36, of.dsp))


def _memories(measured: Measured) -> Iterator[str]:
    if not measured.memories:
        return
    yield "Memories"
    rows = [("memory", "records", "bits", "in", "BRAM36", "LUTRAM")]
    rows += [
        (m.path, str(m.size), str(m.width), m.where, f"{m.bram36:g}", str(m.lutram))
        for m in measured.memories[:_MOST_MEMORIES]
    ]
    yield from _table(rows)
    if len(measured.memories) > _MOST_MEMORIES:
        yield f"  and {len(measured.memories) - _MOST_MEMORIES} smaller ones"


def _speed(parts: Iterable[Part], verdicts: Sequence[Verdict]) -> Iterator[str]:
    yield "Speed: LUT levels and CARRY4s of the worst path (xc7); MHz on ECP5 speed 6, median of the seeds (seeds)"
    asked = {(v.module, v.figure): v for v in verdicts}
    rows = [("module", "levels", "may", "MHz", "must", "seeds")]
    for part in sorted(parts, key=lambda p: (p.fmax or 1e9, -(p.levels or 0))):
        worst = part.paths[0] if part.paths else None
        rows.append(
            (
                part.definition,
                f"{worst.luts}+{worst.carries}" if worst else "-",
                _bound(asked.get((part.definition, "levels"))),
                f"{part.fmax:.1f}" if part.fmax else "-",
                _bound(asked.get((part.definition, "fmax"))),
                " ".join(f"{run.fmax:.0f}" for run in part.runs),
            )
        )
    yield from _table(rows)


def _bound(verdict: Verdict | None) -> str:
    if verdict is None:
        return ""
    return f"{verdict.goal if verdict.held is None else verdict.held:g}{'' if verdict.ok else ' !'}"


def _paths(measured: Measured) -> Iterator[str]:
    yield "Deepest paths, register to register (LUTs+CARRY4s, xc7)"
    across = [(measured.top, group) for group in measured.parts[measured.top].paths[:_MOST_PATHS]]
    inside = [
        (part.definition, group)
        for part in measured.parts.values()
        if part.definition != measured.top
        for group in part.paths[:_PATHS_OF_A_MODULE]
    ]
    inside.sort(key=lambda pair: (-pair[1].luts, -pair[1].carries))
    for definition, group in across + inside[: 2 * _MOST_PATHS]:
        yield f"  {group.luts:2}+{group.carries:<2}  {definition}: {group.source} -> {group.sink}"
    slowest = [(part, run) for part in measured.parts.values() for run in part.runs]
    if slowest:
        yield ""
        yield "Slowest path of each module and seed, placed on ECP5 (ns of logic + wires)"
        for part, run in sorted(slowest, key=lambda pair: pair[1].fmax)[: 2 * _MOST_PATHS]:
            delays = f"{run.logic:.1f}+{run.wires:.1f}"
            yield f"  {run.fmax:6.1f} MHz  {delays:>9}  {part.definition}: {run.source} -> {run.sink}"


def _verdict(judged: Judgement) -> Iterator[str]:
    for finding in judged.new:
        yield f"FAILED  {finding.text}"
    for verdict in judged.verdicts:
        if not verdict.ok:
            yield f"FAILED  {verdict}"
    for finding in judged.known:
        yield f"known   {finding.text}"
    for verdict in judged.verdicts:
        if verdict.ok and not verdict.reached:
            yield f"held    {verdict}"
    better = [str(verdict) for verdict in judged.can_tighten] + [f"gone: {key}" for key in judged.gone]
    if better:
        yield "The ratchet can be tightened (--tighten writes it):"
        yield from (f"  {line}" for line in better)
    yield "make synth: FAILED" if judged.failed else "make synth: ok"


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        first, *others = (
            cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        yield f"  {first}  {'  '.join(others)}".rstrip()
