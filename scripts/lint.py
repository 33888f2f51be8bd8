# SPDX-License-Identifier: Apache-2.0
"""`make lint`: every formatter and linter over our sources, all of them in one run; exit 1 if any complains.

Usage: lint.py [NAME...] with names of checks; without, all of them but the long one.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import static_analysis

ROOT = Path(__file__).resolve().parents[1]
VENV_BIN = ROOT / ".venv" / "bin"


def run(*command: str | Path, env: dict[str, str] | None = None) -> str:
    """Output of ``command`` if it failed, else nothing."""
    done = subprocess.run(
        [str(part) for part in command], cwd=ROOT, capture_output=True, text=True, check=False, env=env
    )
    return "" if done.returncode == 0 else (done.stdout + done.stderr).strip() or f"exit code {done.returncode}"


def tracked(*patterns: str) -> list[Path]:
    """Files of the repository that match, new ones included, generated views left out."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [ROOT / name for name in sorted(set(listed.stdout.splitlines())) if (ROOT / name).is_file()]


def cpp(*endings: str) -> list[Path]:
    """Our C++ files, without the generated header."""
    files = tracked(
        *(
            f"{part}/**{ending}"
            for part in ("runtime", "exchange-sim", "tests/hostile", "tests/fuzz")
            for ending in endings
        )
    )
    return [file for file in files if "gen" not in file.parts]


def clang_format() -> str:
    """Formatting of the C++ files."""
    # The tool of Debian 12 by its versioned name, so that every machine formats alike.
    output = run(shutil.which("clang-format-14") or "clang-format", "--dry-run", "-Werror", *cpp(".cpp", ".hpp"))
    files = sorted({line.split(":")[0] for line in output.splitlines() if " error: " in line})
    return "\n".join(f"{Path(file).relative_to(ROOT)}: run `make format`" for file in files) or output


def tidy(depth: str) -> str:
    """Static analysis of the C++ files, deep or shallow."""
    # Tests are left to the compiler's warnings: they are a third of the files, and a finding there trades no order.
    ours = [file for file in cpp(".cpp") if "tests" not in file.parts]
    return static_analysis.examine(ours, f"{sys.prefix}/bin/clang-tidy", run, depth)


def verilator() -> str:
    """The whole fabric by each interface, the units of feeds and of the link, with properties, every warning on."""
    packages = [*ROOT.glob(".venv/lib/python3*/site-packages/verilator")]
    program: str | Path = packages[0] / "bin" / "verilator" if packages else "verilator"
    env = os.environ | ({"VERILATOR_ROOT": str(packages[0])} if packages else {})
    listed = (ROOT / "rtl" / "files.f").read_text().split()
    properties = [file.relative_to(ROOT) for file in sorted((ROOT / "rtl").glob("*/*_properties.sv"))]
    beside = [file for file in properties if str(file.relative_to("rtl")) not in listed]
    core = [file for file in beside if file.parent.name not in {"gem", "feed", "link"}]
    gem, feed, link = ([file for file in beside if file.parent.name == name] for name in ("gem", "feed", "link"))
    command = (program, "--lint-only", "-Wall", "-F", "rtl/files.f")
    found = run(*command, "--top-module", "fixaccel_core", *core, env=env)
    found += run(*command, "-F", "rtl/files_gem.f", "--top-module", "fixaccel_gem", *core, *gem, env=env)
    feeds = (*command, "-F", "rtl/files_feed.f", "-Wno-UNUSEDPARAM", "--top-module", "feed_unit", *feed)
    found += run(*feeds, env=env) + run(*feeds, "-GPORTS=2", env=env)
    links = (*command, "-F", "rtl/files_link.f", "-Wno-UNUSEDPARAM", "--top-module", "link_unit", *link)
    return found + run(*links, env=env)


class NotCheckedError(Exception):
    """What a check needs is not there; the text says what."""


def page() -> str:
    """Types and labels of the dashboard's page. Raises NotCheckedError."""
    if shutil.which("npm") is None:
        raise NotCheckedError("no Node 18 or newer: Debian's nodejs and npm")
    if not (ROOT / "dashboard" / "node_modules").is_dir():
        raise NotCheckedError("its packages are not installed: `scripts/page` does it")
    return run("npm", "--prefix", "dashboard", "run", "--silent", "check")


CHECKS: dict[str, Callable[[], str]] = {
    "tree": lambda: run(sys.executable, "scripts/check_tree.py"),
    "ruff check": lambda: run(VENV_BIN / "ruff", "check", "--output-format", "concise", "."),
    "ruff format": lambda: run(VENV_BIN / "ruff", "format", "--check", "--output-format", "concise", "."),
    "mypy": lambda: run(VENV_BIN / "mypy"),
    "hwmap fresh": lambda: run(VENV_BIN / "fixaccel", "hwmap", "generate", "--check"),
    "verilator": verilator,
    "page": page,
    "clang-format": clang_format,
    "clang-tidy": lambda: tidy("shallow"),
}
# By name only: `make soak` runs them.
LONG = {"clang-tidy deep": lambda: tidy("deep")}


def verdict(check: Callable[[], str]) -> tuple[str, str]:
    """Of a check: in a word, and what it complains of."""
    try:
        output = check()
    except NotCheckedError as error:
        return f"NOT CHECKED, {error}", ""
    return ("FAILED" if output else "ok"), output


def main() -> int:
    """Runs the checks named on the command line, or all."""
    names = sys.argv[1:] or list(CHECKS)
    checks = CHECKS | LONG
    if unknown := [name for name in names if name not in checks]:
        print(f"no check {', '.join(unknown)}; there are: {', '.join(checks)}", file=sys.stderr)
        return 2
    failed = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, (word, output) in zip(names, pool.map(lambda name: verdict(checks[name]), names), strict=True):
            print(f"lint: {name:15} {word}", flush=True)
            if output:
                failed.append(name)
                print(output, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
