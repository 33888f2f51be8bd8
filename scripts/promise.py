# SPDX-License-Identifier: Apache-2.0
"""The worked cases that releases have promised: run at a release, it adds those that are new, and changes no other.

A case is a test of `tests/meaning` with the strategy and the venue that it is of. It is known by its file and name, and
kept as a hash of what the three say, as written but for comments and layout: another case may stand beside it, and it
cannot say something else without being seen.
"""

import hashlib
import json
import sys
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
CASES = ROOT / "tests" / "meaning"
PROMISED = CASES / "promised.json"  # version -> case -> hash


def _read(path: Path) -> object:
    return yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # all are strings, as written


def cases(folder: Path = CASES) -> dict[str, str]:
    """The hash of each case, by `FILE: NAME`."""
    found = {}
    for path in sorted(folder.glob("*.test.yaml")):
        tests = _read(path)
        strategy = _read(folder / tests["strategy"])
        venue = _read(folder / strategy["venue"])
        for test in tests["tests"]:
            said = json.dumps([strategy, venue, test], sort_keys=True, ensure_ascii=False)
            found[f"{path.name}: {test['name']}"] = hashlib.sha256(said.encode("utf-8")).hexdigest()
    return found


def broken(promised: dict[str, dict[str, str]], now: dict[str, str]) -> list[str]:
    """What a release has promised and is not so any more, in words."""
    return [
        f"{case}, promised by {version}, {'says something else' if case in now else 'is gone'}"
        for version, known in promised.items()
        for case, digest in known.items()
        if now.get(case) != digest
    ]


def main() -> int:
    """Adds what is new; exit 1 if a promise is broken."""
    promised = json.loads(PROMISED.read_text(encoding="utf-8")) if PROMISED.exists() else {}
    now = cases()
    if behind := broken(promised, now):
        print(*behind, sep="\n", file=sys.stderr)
        return 1
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    known = {case for of_version in promised.values() for case in of_version}
    new = {case: digest for case, digest in now.items() if case not in known}
    promised[version] = {**promised.get(version, {}), **new}
    PROMISED.write_text(json.dumps(promised, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{version} promises {len(promised[version])} cases, {len(new)} of them new")
    return 0


if __name__ == "__main__":
    sys.exit(main())
