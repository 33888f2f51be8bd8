# SPDX-License-Identifier: Apache-2.0
"""`make soak`: long random campaigns, round after round, each with the next seed; exit 1 if a round fails.

`make test` runs a small share of the same laws. A campaign is a program that does a bounded piece of work that `{seed}`
in its arguments decides, and exits with 0 only if all of it agreed. Add one as a line of CAMPAIGNS.
"""

import argparse
import itertools
import os
import shlex
import sys
import time
from collections.abc import Iterator

from jobs import ROOT, Job, any_ended, heed_signals, minutes, stop

# Waits for whoever has the laboratory.
ALONE = ("flock", "build/soak/laboratory")
# A round takes minutes: long enough to pay for its start, short enough to end soon after the time is over.
CAMPAIGNS = {
    "engines": (
        sys.executable,
        "tests/property/campaign.py",
        "--strategies=2000",
        "--rtl=200",
        "--loads=100",
        "--seed={seed}",
    ),
    # The same with what follows fills, which the simulator of the fabric is told as the runtime tells it.
    "fills": (
        sys.executable,
        "tests/property/campaign.py",
        "--strategies=1000",
        "--rtl=200",
        "--exits",
        "--seed={seed}",
    ),
    # Benches of the fabric; those that play at random do so by the seed. One at a time, for they share their builds.
    "benches": (
        *("flock", "build/soak/benches", "env", "RANDOM_SEED={seed}"),
        *(sys.executable, "-m", "pytest", "-q", "tests/cocotb"),
    ),
    # Figures of what stands beside the core, the same each round; `make test` believes in those of just this design.
    "figures": (
        *("env", "SYNTHESISE=1"),
        *(sys.executable, "-m", "pytest", "-q", "tests/synth/test_core.py"),
    ),
    # All orders of steps, so the same each round; `make test` looks at some of its runs.
    "model": ("env", "PYTHONPATH=scripts", sys.executable, "-m", "model"),
    # All proofs with all of their faults, the same each round; `make test` has the short ones with some.
    "proofs": ("env", "PYTHONPATH=scripts", sys.executable, "-m", "prove"),
    # Of what has changed since; `make test` does not look so deep.
    "analysis": (sys.executable, "scripts/lint.py", "clang-tidy deep"),
    # A session is an episode with the next seed.
    "hostile": (
        "build/release/tests/hostile/fixaccel-hostile",
        "--bundle=build/release/tests/hostile/bundle",
        "--tables=build/release/tests/hostile/tables",
        "--captures=build/soak",
        "--kinds=all",
        "--frames=300000",
        "--seed={seed}000000",
        "--keep-going",
    ),
    # The same with a collar.
    "hostile-collar": (
        "build/release/tests/hostile/fixaccel-hostile",
        "--bundle=build/release/tests/hostile/bundle-collar",
        "--tables=build/release/tests/hostile/tables-collar",
        "--captures=build/soak",
        "--kinds=all,-two-flows",
        "--frames=150000",
        "--seed={seed}500000",
        "--keep-going",
    ),
    # Random messages to the exchange simulator's engine and to the plain one.
    "matching": ("build/release/exchange-sim/tests/exchange-sim-matching-campaign", "{seed}"),
    # 24 hours at the exchange simulator, of 900,000 messages each (250 a second), as fast as it takes them, a day's end
    # behind each: its memory stays. Some two minutes of a processor.
    "exchange-day": ("build/release/exchange-sim/tests/exchange-sim-day-campaign", "{seed}", "24", "900000"),
    # The exchange simulator killed 40 times in the middle of its clients' traffic.
    "exchange-crashes": (
        *("env", "VENUE_CRASH_SEED={seed}", "VENUE_CRASH_KILLS=40"),
        *("build/release/exchange-sim/tests/exchange-sim-program-test", "--gtest_filter=Crash.*"),
    ),
    # Requests to its control socket that are nearly right.
    "control": (
        *("env", "CONTROL_FUZZ_SEED={seed}", "build/release/exchange-sim/tests/exchange-sim-control-test"),
        "--gtest_filter=*ControlFuzzCampaign*",
    ),
    # Templates, messages and damaged streams of FAST: reference decoder, both program interpreters, and the fabric.
    "feed": (
        *("env", "PYTHONPATH=tests/fast"),
        *(sys.executable, "tests/fast/campaign.py", "--messages=100000", "--seed={seed}"),
    ),
    # The same streams to decoders that others have written; what is not here is said to be "not run".
    "feed-foreign": (
        *("env", "PYTHONPATH=tests/fast"),
        *(sys.executable, "tests/fast/foreign.py", "--build", "--cases=3000", "--seed={seed}"),
    ),
    "fuzz": (sys.executable, "tests/fuzz/campaign.py", "--seed={seed}"),
    # Random bytes to the exchange simulator's sessions.
    "sessions": (
        *("env", "SESSION_FUZZ_SEED={seed}00000", "SESSION_FUZZ_ROUNDS=20000"),
        *("build/release/exchange-sim/tests/exchange-sim-session-test", "--gtest_filter=SessionFuzzTest.*"),
    ),
    # Server and relay of the message bus killed 100 times.
    "bus": (
        *("env", "PYTHONPATH=tests/bus"),
        *(sys.executable, "tests/bus/campaign.py", "--seed={seed}", "--kills=100"),
    ),
    # These two are alone in the laboratory: a virtual board takes a core.
    "crashes": (*ALONE, sys.executable, "tests/e2e/crashes.py", "--seed={seed}"),
    "sanitizers": (*ALONE, sys.executable, "scripts/sanitizers.py"),
}
LOGS = ROOT / "build" / "soak"


def rounds(names: list[str], seed: int) -> Iterator[Job]:
    """Starts one round after another, the campaigns in turn."""
    for number in itertools.count(seed):
        for name in names:
            command = [part.format(seed=number) for part in CAMPAIGNS[name]]
            yield Job(f"{name} seed {number}", command, LOGS / f"{name}-{number}.log")


def tell(job: Job) -> None:
    """One line for a round that agreed, everything for one that did not."""
    lines = job.text().splitlines()
    if job.exit_code == 0:
        print(f"{job.name}: {minutes(job.seconds)}, {lines[-1] if lines else 'nothing said'}", flush=True)
    else:
        print(f"\n{job.name}: FAILED\n{job.text()}\nagain: {shlex.join(job.command)}\n", flush=True)


def run(names: list[str], seed: int, seconds: float, width: int) -> list[Job]:
    """Runs rounds, ``width`` at a time; starts none once ``seconds`` are over. Returns those that failed."""
    coming, running, failed = rounds(names, seed), list[Job](), list[Job]()
    end = time.monotonic() + seconds
    try:
        while True:
            while len(running) < width and time.monotonic() < end:
                running.append(next(coming))
            if not running:
                return failed
            job = any_ended(running)
            running.remove(job)
            tell(job)
            if job.exit_code:
                failed.append(job)
    finally:
        stop(running)


def main() -> int:
    """Runs the campaigns named on the command line, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("campaign", nargs="*", help=f"of {', '.join(CAMPAIGNS)} [all]")
    parser.add_argument("--minutes", type=float, default=60, help="no round starts later than that [60]")
    parser.add_argument("--seed", type=int, default=1, help="of the first round [1]")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="rounds at a time [one for each core]")
    arguments = parser.parse_args()
    if unknown := set(arguments.campaign) - CAMPAIGNS.keys():
        parser.error(f"no campaign {', '.join(sorted(unknown))}; there are: {', '.join(CAMPAIGNS)}")
    heed_signals()
    try:
        failed = run(arguments.campaign or [*CAMPAIGNS], arguments.seed, arguments.minutes * 60, arguments.jobs)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    print(f"{len(failed)} rounds failed{': ' if failed else ''}{', '.join(job.name for job in failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
