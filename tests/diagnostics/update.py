# SPDX-License-Identifier: Apache-2.0
"""Writes the pinned renderings anew: `python tests/diagnostics/update.py`. Read the difference before committing it."""

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import examples

from fixaccel.diagnostics import CODES


def main() -> None:
    for old in examples.EXPECTED.glob("*.txt"):
        old.unlink()
    for code in CODES.values():
        with tempfile.TemporaryDirectory() as scratch:
            os.chdir(scratch)
            examples.write(code, Path(scratch))
            found = examples.check(Path(scratch))
            seen = {diagnostic.code.number for diagnostic in found.diagnostics}
            if code.number not in seen:
                print(f"{code.number} {code.slug}: the example gives {sorted(seen)}")
            path = examples.EXPECTED / f"{code.number}-{code.slug}.txt"
            path.write_text(examples.rendering(found), encoding="utf-8")
            os.chdir("/")


if __name__ == "__main__":
    main()
