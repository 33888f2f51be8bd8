# SPDX-License-Identifier: Apache-2.0
"""`make test`: everything that is checked, in phases that run side by side; exit 1 if one of them fails.

When a phase has ended, the end of what it printed is shown; failed phases come last and whole, before all times.
Usage: phases.py [PHASE...] with names of phases; without, all of them.
"""

import os
import sys
import time
from dataclasses import dataclass

from jobs import ROOT, Job, any_ended, heed_signals, minutes, stop
from lint import CHECKS

CORES = os.cpu_count() or 1
LOGS = ROOT / "build" / "test"
_PYTEST = ("scripts/in-lab", sys.executable, "-m", "pytest", "-q")
_END = 25  # lines that are shown of a phase that went well


@dataclass(frozen=True)
class Phase:
    """``needs``: phases without whose success it cannot run; ``after``: those that it only waits for.

    ``aside``: it takes what the others leave of the cores.
    """

    name: str
    command: tuple[str, ...]
    needs: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    aside: bool = False


PHASES = (
    Phase("build", ("scripts/build", "release", "all")),
    Phase("lint", (sys.executable, "scripts/lint.py", *(name for name in CHECKS if name != "clang-tidy"))),
    Phase("docs", ("make", "--no-print-directory", "docs")),
    Phase("clang-tidy", (sys.executable, "scripts/lint.py", "clang-tidy"), needs=("build",), aside=True),
    # These wait for sessions more than they work.
    Phase(
        "ctest",
        ("ctest", "--test-dir", "build/release", "--output-on-failure", "--no-tests=error", f"-j{4 * CORES}"),
        needs=("build",),
    ),
    # One test at a time, and ahead of what runs beside it: sessions have time limits, and a virtual board needs a core.
    Phase("e2e", (*_PYTEST, "-m", "e2e"), needs=("build",), after=("lint", "docs", "ctest")),
    Phase(
        "pytest",
        (*_PYTEST, "-m", "not e2e", f"-n{CORES}", "--dist=worksteal"),
        needs=("build",),
        after=("lint", "docs", "clang-tidy", "ctest"),
        aside=True,
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


def main() -> int:
    """Runs the phases named on the command line, or all."""
    wanted = sys.argv[1:]
    if unknown := set(wanted) - {phase.name for phase in PHASES}:
        print(f"no phase {', '.join(sorted(unknown))}; there are: {', '.join(p.name for p in PHASES)}", file=sys.stderr)
        return 2
    phases = tuple(phase for phase in PHASES if not wanted or phase.name in wanted)
    heed_signals()
    begin = time.monotonic()
    try:
        done = run(phases)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    failed = [job for job in done if job.exit_code]
    for job in failed:
        show(job)
    print(f"\n{'phase':12}{'time':>14}{'CPU':>14}")
    for phase in phases:
        job = next((job for job in done if job.name == phase.name), None)
        times = f"{minutes(job.seconds):>14}{minutes(job.cpu_seconds):>14}" if job else f"{'not run':>14}{'':14}"
        print(f"{phase.name:12}{times}  {'FAILED' if job in failed else ''}".rstrip())
    print(f"{'all':12}{minutes(time.monotonic() - begin):>14}{minutes(sum(job.cpu_seconds for job in done)):>14}")
    return 0 if len(done) == len(phases) and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
