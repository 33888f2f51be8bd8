# SPDX-License-Identifier: Apache-2.0
"""Refuses what must not lie in the repository: machine paths, registry hosts, binaries, sources without a licence line.

Usage: check_tree.py, in the repository; one line per finding, exit 1 if there is one.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LICENCE = "SPDX-License-Identifier: Apache-2.0"
SOURCES = {".py", ".sv", ".svh", ".cpp", ".hpp", ".cmake", ".toml", ".f", ".css", ".ts", ".js", ".svelte"}
PICTURES = re.compile(r"docs/figures/[\w-]+\.png")  # made by tests
LARGEST = 400_000  # bytes; nothing that people write is longer

FORBIDDEN = {
    "machine path": re.compile(r"(?<![\w.$}])/(?:work|root|farm|home/[a-z]+)/"),
    "registry host": re.compile(r"\b(?:pypi[.]org|files[.]pythonhosted|deb[.]debian[.]org)"),
}


def findings(name: str) -> list[str]:
    """What is wrong with one tracked file, each as ``PATH:LINE: text``."""
    data = (ROOT / name).read_bytes()
    if len(data) > LARGEST:
        return [f"{name}:1: {len(data)} bytes"]
    if PICTURES.fullmatch(name):
        return []
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        return [f"{name}:1: binary"]
    found = [
        f"{name}:{number}: {what}"
        for number, line in enumerate(lines, 1)
        for what, pattern in FORBIDDEN.items()
        if pattern.search(line)
    ]
    if data and Path(name).suffix in SOURCES and not any(LICENCE in line for line in lines[:2]):
        found.append(f"{name}:1: no licence line `{LICENCE}`")
    return found


def main() -> int:
    """Checks every file that git tracks."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    names = [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]
    found = [line for name in names for line in findings(name)]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
