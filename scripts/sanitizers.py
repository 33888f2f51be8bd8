# SPDX-License-Identifier: Apache-2.0
"""Builds runtime and exchange with each sanitizer and runs their tests over it; exits 1 if one of them fails.

A report of whatever program of an end-to-end test makes the test fail (tests/e2e/lab/sanitizers.py).
"""

import argparse
import os
import subprocess
import sys

from jobs import ROOT

SANITIZERS = ("asan", "ubsan", "tsan")
# End-to-end tests of the daemon that take minutes so. The others are of what is not compiled, of the fabric, or they
# judge a time that a slower daemon does not keep.
E2E = (
    "faults",
    "hot_load",
    "kill",
    "kept_state",
    "comeback",
    "segments",
    "software",
    "board_lost",
    "dry_run",
    "refused_deploy",
    "rejected",
    "self_trade",
    "subscriptions",
    "venue_words",
    "no_board",
    "settings",
    "gap_filled",
    "commit_order",
    "two_sessions",
    "by_hand",
    "roles",
    "events",
    "tls",
)


# What is not ours to mend, each with its reason.
SUPPRESSIONS = ROOT / "scripts" / "tsan.supp"


def run(name: str, only: str) -> list[str]:
    """Builds and tests with one sanitizer; returns what failed. ``only``: of the C++ tests those of that name."""
    subprocess.run(["scripts/build", name, "all"], cwd=ROOT, check=True)
    files = [f"tests/e2e/test_{part}.py" for part in E2E]
    commands = {
        "C++ tests": ["ctest", "--test-dir", f"build/{name}", "--output-on-failure", "--no-tests=error"],
        "end-to-end tests": [sys.executable, "-m", "pytest", "-q", *files],
    }
    if only:
        commands = {"C++ tests": [*commands["C++ tests"], "--tests-regex", only]}
    given = os.environ.get("TSAN_OPTIONS")
    threads = f"{f'{given}:' if given else ''}suppressions={SUPPRESSIONS}"
    environment = os.environ | {"FIXACCEL_BUILD": str(ROOT / "build" / name), "TSAN_OPTIONS": threads}
    return [
        f"{name}: {what}"
        for what, command in commands.items()
        if subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    ]


def main() -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sanitizer", nargs="*", help=f"of {', '.join(SANITIZERS)} [all]")
    parser.add_argument("--only", default="", help="of the C++ tests those whose name has that, and no others")
    options = parser.parse_args()
    names = options.sanitizer or SANITIZERS
    if unknown := set(names) - set(SANITIZERS):
        parser.error(f"no sanitizer {', '.join(sorted(unknown))}")
    failed = [text for name in names for text in run(name, options.only)]
    print(f"{len(names)} sanitizers, {len(failed)} failures{': ' if failed else ''}{', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
