# SPDX-License-Identifier: Apache-2.0
"""`make deb`: a Debian package of what a desk's machine needs, made of what is built.

Daemon and virtual board with their manual pages, the unit and its user, and the `fixaccel` command as a wheel: its
Python packages are newer than Debian's. Who answers for it are DEBFULLNAME and DEBEMAIL, as for other Debian tools.
Usage: deb.py [--build DIR] [--out DIR]; it prints the package's path.
"""

import argparse
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGING = ROOT / "packaging"
PROGRAMS = {"runtime/daemon/fixacceld": "usr/sbin", "runtime/board/fixaccel-vboard": "usr/bin"}
FILES = {
    "fixacceld.service": "lib/systemd/system/fixacceld.service",
    "fixaccel.sysusers": "usr/lib/sysusers.d/fixaccel.conf",
    "fixacceld.toml": "usr/share/doc/fixaccel/examples/fixacceld.toml",
    "60-fixaccel.conf": "usr/share/doc/fixaccel/examples/60-fixaccel.conf",
    "README.md": "usr/share/doc/fixaccel/README.md",
    "debian/copyright": "usr/share/doc/fixaccel/copyright",
}
OVERRIDES = "usr/share/lintian/overrides/fixaccel"
SCRIPTS = ("postinst", "prerm", "postrm")
# What is said of each program, and the section of the manual that it is in.
MANUAL = {
    "fixacceld": (8, "keeps a FIX session that an FPGA sends orders on"),
    "fixaccel-vboard": (1, "the FPGA of fixaccel as a program between two network interfaces"),
}
_KIB = 1024

CONTROL = """\
Package: fixaccel
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {kib}
Depends: {depends}, systemd | systemd-standalone-sysusers
Recommends: python3 (>= 3.11), python3-venv
Section: net
Priority: optional
Description: {description}
 The daemon keeps a FIX session that an FPGA sends orders on, the board and the
 journal, and answers the fixaccel command. The virtual board stands in where
 there is no FPGA.
"""


CHANGELOG = """\
fixaccel ({version}) unstable; urgency=medium

  * Made from the repository, whose history says what has changed.

 -- {maintainer}  {date}
"""

MAN_PAGE = """\
.TH {title} {section} "{date}" "fixaccel {version}"
.SH NAME
{name} \\- {what}
.SH DESCRIPTION
.nf
{help}
.fi
.SH "SEE ALSO"
/usr/share/doc/fixaccel/README.md
"""


class PackagingError(Exception):
    """The package cannot be made; the text says why."""


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Standard output. Raises PackagingError with what it said if it fails or is not there."""
    try:
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, cwd=cwd)
    except FileNotFoundError:
        raise PackagingError(f"{command[0]} is missing: `make setup` installs scripts/apt-packages.txt") from None
    if done.returncode:
        raise PackagingError(f"{command[0]} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def stage(tree: Path, build: Path) -> list[Path]:
    """Puts all files but the control file into ``tree``; returns the programs. Raises PackagingError."""
    programs = []
    for relative, folder in PROGRAMS.items():
        source = build / relative
        if not source.exists():
            raise PackagingError(f"{source} is missing: `make build` builds it")
        programs.append(put(source, tree / folder / source.name, 0o755))
        run("strip", "--strip-unneeded", "--remove-section=.comment", programs[-1])
    for name, place in FILES.items():
        put(PACKAGING / name, tree / place, 0o644)
    if not os.environ.get("DEBEMAIL"):
        put(PACKAGING / "debian" / "lintian-overrides", tree / OVERRIDES, 0o644)
    for name in SCRIPTS:
        put(PACKAGING / "debian" / name, tree / "DEBIAN" / name, 0o755)
    wheel(tree / "usr/share/fixaccel")
    return programs


def put(source: Path, place: Path, mode: int) -> Path:
    """A copy at ``place``."""
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, place)
    place.chmod(mode)
    return place


def wheel(folder: Path) -> None:
    """The wheel of the `fixaccel` command, in ``folder``."""
    folder.mkdir(parents=True)
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
    run(sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", folder, ROOT)


def needed(programs: list[Path], scratch: Path) -> str:
    """The packages that ``programs`` need, as a control file names them."""
    (scratch / "debian").mkdir()
    (scratch / "debian" / "control").write_text("Source: fixaccel\n\nPackage: fixaccel\nArchitecture: any\n")
    found = run("dpkg-shlibdeps", "-O", *(f"-e{program}" for program in programs), cwd=scratch)
    return found.strip().partition("shlibs:Depends=")[2]


def packed(text: str, place: Path) -> None:
    """``text`` at ``place``, compressed: the same text always gives the same bytes."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(gzip.compress(text.encode("utf-8"), 9, mtime=0))
    place.chmod(0o644)


def maintainer() -> str:
    """Who answers for the package."""
    name = os.environ.get("DEBFULLNAME") or "the fixaccel authors"
    return f"{name} <{os.environ.get('DEBEMAIL') or 'fixaccel@localhost'}>"


def write_texts(programs: list[Path], tree: Path, version: str) -> None:
    """Changelog and manual pages; what a page says of options is the program's own help."""
    made = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC)
    changelog = CHANGELOG.format(version=version, maintainer=maintainer(), date=format_datetime(made))
    packed(changelog, tree / "usr/share/doc/fixaccel/changelog.gz")
    for program in programs:
        section, what = MANUAL[program.name]
        text = run(program, "--help").replace(str(program), program.name)
        text = text.replace("\\", "\\e").replace("-", "\\-").rstrip()
        page = MAN_PAGE.format(
            title=program.name.upper().replace("-", "\\-"),
            name=program.name.replace("-", "\\-"),
            section=section,
            what=what,
            version=version,
            date=made.date(),
            # No line of it is one of roff's own.
            help="\n".join(f"\\&{line}" for line in text.splitlines()),
        )
        packed(page, tree / f"usr/share/man/man{section}/{program.name}.{section}.gz")


def commit_time() -> str:
    """Seconds since the epoch of the last commit: what is built of it twice is the same."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    return given or run("git", "log", "-1", "--format=%ct").strip()


def make(build: Path, out: Path) -> Path:
    """The package, made of the programs in ``build``. Raises PackagingError."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    architecture = run("dpkg", "--print-architecture").strip()
    os.umask(0o022)  # folders of the package are for all to read
    os.environ["SOURCE_DATE_EPOCH"] = commit_time()
    with tempfile.TemporaryDirectory() as name:
        tree, scratch = Path(name) / "tree", Path(name) / "scratch"
        tree.mkdir()
        scratch.mkdir()
        programs = stage(tree, build)
        write_texts(programs, tree, project["version"])
        size = sum(file.stat().st_size for file in tree.rglob("*") if file.is_file())
        control = CONTROL.format(
            version=project["version"],
            maintainer=maintainer(),
            architecture=architecture,
            kib=size // _KIB + 1,
            depends=needed(programs, scratch),
            description=project["description"],
        )
        (tree / "DEBIAN" / "control").write_text(control, encoding="utf-8")
        out.mkdir(parents=True, exist_ok=True)
        package = out / f"fixaccel_{project['version']}_{architecture}.deb"
        run("dpkg-deb", "--root-owner-group", "--build", tree, package)
    return package


def main() -> int:
    """Makes the package."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release", help="folder of the built programs")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "deb", help="folder for the package")
    options = parser.parse_args()
    try:
        print(make(options.build, options.out))
    except PackagingError as error:
        print(f"deb: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
