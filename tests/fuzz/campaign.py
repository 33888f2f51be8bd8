# SPDX-License-Identifier: Apache-2.0
"""Runs every fuzzer for some time, under sanitizers, each going on from the inputs that brought something new before.

Those lie in build/soak/fuzz, and so does whatever a fuzzer failed with. Exits 0 only if none did.
"""

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "fuzz" / "tests" / "fuzz"
KEPT = ROOT / "build" / "soak" / "fuzz"


def names() -> list[str]:
    """Those that are built."""
    return sorted(file.name.removeprefix("fuzz-") for file in BUILD.glob("fuzz-*"))


def run(name: str, seconds: int, seed: int) -> bool:
    """Whether it has found nothing."""
    kept = KEPT / name
    kept.mkdir(parents=True, exist_ok=True)
    options = [f"-max_total_time={seconds}", f"-seed={seed}", f"-artifact_prefix={KEPT}/"]
    command = [BUILD / f"fuzz-{name}", *options, kept, BUILD / "corpus" / name]
    # What the fuzzed code says of its inputs is not what somebody wants to read.
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    print(f"{name}: {done.stdout.strip()}", flush=True)
    if done.returncode:
        print(done.stderr[-8000:], flush=True)
    return done.returncode == 0


def main() -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fuzzer", nargs="*", help="without, all")
    parser.add_argument("--seconds", type=int, default=60, help="for each [60]")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    subprocess.run(["scripts/build", "fuzz", "fuzzers"], cwd=ROOT, check=True)
    failed = [name for name in arguments.fuzzer or names() if not run(name, arguments.seconds, arguments.seed)]
    print(f"{len(failed)} fuzzers have found something{': ' if failed else ''}{', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
