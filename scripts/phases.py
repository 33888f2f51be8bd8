# SPDX-License-Identifier: Apache-2.0
"""`make test`: everything that is checked, in phases that run side by side; exit 1 if one of them fails.

When a phase has ended, the end of what it printed is shown; failed phases come last and whole, before all times.
Behind them stands what is beyond its budget of CPU time, and which test files take the most; that fails nothing.
Usage: phases.py [PHASE...] with names of phases; without, all of them.
"""

import json
import os
import sys
import time
from collections import Counter
from dataclasses import dataclass

from jobs import ROOT, Job, any_ended, heed_signals, minutes, stop
from lint import CHECKS

CORES = os.cpu_count() or 1
LOGS = ROOT / "build" / "test"
_END = 25  # lines that are shown of a phase that went well
_MOST = 10  # test files that are told
_CPU = ".cpu"  # ending of the file with the CPU seconds of each test file of a phase


def _pytest(name: str, *arguments: str) -> tuple[str, ...]:
    return ("scripts/in-lab", sys.executable, "-m", "pytest", "-q", f"--cpu-by-file={LOGS / name}{_CPU}", *arguments)


@dataclass(frozen=True)
class Phase:
    """``needs``: phases without whose success it cannot run; ``after``: those that it only waits for.

    ``aside``: it takes what the others leave of the cores. ``budget``: CPU minutes that it may take, None for any.
    """

    name: str
    command: tuple[str, ...]
    needs: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    aside: bool = False
    budget: float | None = None


PHASES = (
    # First what the end-to-end tests run, for they take the longest and leave most of the cores to others.
    Phase("programs", ("scripts/build", "release", "programs"), budget=5),
    Phase(
        "lint",
        (sys.executable, "scripts/lint.py", *(name for name in CHECKS if name != "clang-tidy")),
        aside=True,
        budget=1,
    ),
    Phase("docs", ("make", "--no-print-directory", "docs"), aside=True, budget=1),
    # One test at a time, and ahead of what runs beside it: sessions have time limits, and a virtual board needs a core.
    Phase("e2e", _pytest("e2e", "-m", "e2e and not waits"), needs=("programs",), budget=9),
    # Beside them those that sleep until a time of day: two of these are never busy at once.
    Phase("e2e-waits", _pytest("e2e-waits", "-m", "e2e and waits"), needs=("programs",), budget=3),
    # One of these after the other, by what e2e leaves. Sessions in ctest wait more than they work.
    Phase("tests", ("scripts/build", "release", "all"), ("programs",), after=("lint", "docs"), aside=True, budget=7),
    Phase(
        "ctest",
        # One that hangs is told by its name.
        (
            "ctest",
            "--test-dir",
            "build/release",
            "--output-on-failure",
            "--no-tests=error",
            "--timeout=400",
            f"-j{4 * CORES}",
        ),
        needs=("tests",),
        aside=True,
        budget=3,
    ),
    Phase(
        "clang-tidy",
        (sys.executable, "scripts/lint.py", "clang-tidy"),
        needs=("programs",),
        after=("tests", "ctest"),
        aside=True,
        budget=4,
    ),
    Phase(
        "pytest",
        _pytest("pytest", "-m", "not e2e", f"-n{CORES + 1}", "--dist=worksteal"),
        needs=("tests",),
        after=("ctest", "clang-tidy"),
        aside=True,
        budget=23,
    ),
)


def show(job: Job) -> None:
    """Prints what a phase has printed: all of it where it failed, else its end."""
    lines = job.text().splitlines()
    skipped = max(0, len(lines) - _END) if job.exit_code == 0 else 0
    print(f"\n==> {job.name}: {'ok' if job.exit_code == 0 else 'FAILED'} after {minutes(job.seconds)}")
    print("\n".join([f"({skipped} lines before these)"] * bool(skipped) + lines[skipped:]), flush=True)


def run(phases: tuple[Phase, ...]) -> list[Job]:
    """Runs the phases; returns those that ran, in the order of their ends."""
    waiting, running, done = list(phases), list[Job](), list[Job]()
    names = {phase.name for phase in phases}
    try:
        while waiting or running:
            ended = {job.name for job in done}
            good = {job.name for job in done if job.exit_code == 0}
            for phase in list(waiting):
                needs, after = names & set(phase.needs), names & set(phase.needs + phase.after)
                if needs & (ended - good):
                    waiting.remove(phase)
                    names.remove(phase.name)
                elif after <= ended:
                    waiting.remove(phase)
                    running.append(Job(phase.name, phase.command, LOGS / f"{phase.name}.log", aside=phase.aside))
                    print(f"==> {phase.name} (build/test/{phase.name}.log)", flush=True)
            if running:
                job = any_ended(running)
                running.remove(job)
                done.append(job)
                if job.exit_code == 0:
                    show(job)
    finally:
        stop(running)
    return done


def tell(phases: tuple[Phase, ...], done: list[Job], seconds: float) -> None:
    """Prints the times of all phases, those beyond their budget, and the test files that take the most."""
    print(f"\n{'phase':12}{'time':>14}{'CPU':>14}{'budget':>14}")
    beyond = []
    for phase in phases:
        job = next((job for job in done if job.name == phase.name), None)
        budget = "" if phase.budget is None else minutes(60 * phase.budget)
        times = f"{minutes(job.seconds):>14}{minutes(job.cpu_seconds):>14}" if job else f"{'not run':>14}{'':14}"
        print(f"{phase.name:12}{times}{budget:>14}  {'FAILED' if job and job.exit_code else ''}".rstrip())
        if job and phase.budget is not None and job.cpu_seconds > 60 * phase.budget:
            beyond.append(phase.name)
    total = sum(job.cpu_seconds for job in done)
    print(f"{'all':12}{minutes(seconds):>14}{minutes(total):>14}{minutes(60 * sum(p.budget or 0 for p in phases)):>14}")
    for name in beyond:
        print(f"WARNING: {name} takes more CPU time than its budget in scripts/phases.py: cut it, or say why it may")
    most = costs(phases).most_common(_MOST)
    if most:
        print("\nTest files that take the most, in CPU seconds:")
    for name, spent in most:
        print(f"{spent:7.1f}  {name}")


def costs(phases: tuple[Phase, ...]) -> Counter[str]:
    """CPU seconds of each test file, over all phases that told them."""
    found: Counter[str] = Counter()
    for phase in phases:
        file = LOGS / f"{phase.name}{_CPU}"
        if file.exists():
            found.update(json.loads(file.read_text(encoding="utf-8")))
    return found


def main() -> int:
    """Runs the phases named on the command line, or all."""
    wanted = sys.argv[1:]
    if unknown := set(wanted) - {phase.name for phase in PHASES}:
        print(f"no phase {', '.join(sorted(unknown))}; there are: {', '.join(p.name for p in PHASES)}", file=sys.stderr)
        return 2
    phases = tuple(phase for phase in PHASES if not wanted or phase.name in wanted)
    heed_signals()
    for phase in phases:
        (LOGS / f"{phase.name}{_CPU}").unlink(missing_ok=True)  # what an earlier run cost
    begin = time.monotonic()
    try:
        done = run(phases)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    failed = [job for job in done if job.exit_code]
    for job in failed:
        show(job)
    tell(phases, done, time.monotonic() - begin)
    return 0 if len(done) == len(phases) and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
