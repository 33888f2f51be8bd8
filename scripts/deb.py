# SPDX-License-Identifier: Apache-2.0
"""`make deb`: Debian packages of what a desk's machine needs, and of the exchange simulator, made of what is built.

Daemon and virtual board, the unit and its user; the simulator with its FIX dictionary; in each the programs' manual
pages, and the `fixaccel` command as a wheel: its Python packages are newer than Debian's. Who answers for them are
DEBFULLNAME and DEBEMAIL, as for other Debian tools; SOURCE_DATE_EPOCH is of when they are. Usage: deb.py [--build DIR]
[--out DIR]; it prints the paths of the packages, the daemon's first.
"""

import argparse
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGING = ROOT / "packaging"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
_DOC = "usr/share/doc/"
SCRIPTS = ("postinst", "prerm", "postrm")
DICTIONARY = ROOT / "build" / "dictionary" / "FIX44.xml"
# What is said of each program, and the section of the manual that it is in.
MANUAL = {
    "fixacceld": (8, "keeps a FIX session that an FPGA sends orders on"),
    "fixaccel-vboard": (1, "the FPGA of fixaccel as a program between two network interfaces"),
    "fixaccel-exchange": (1, "a simulated venue that speaks FIX 4.4"),
}
_KIB = 1024

CONTROL = """\
Package: {name}
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {kib}
Depends: {depends}
Recommends: python3 (>= 3.11), python3-venv
Section: net
Priority: optional
Description: {summary}
{text}
"""


CHANGELOG = """\
{name} ({version}) unstable; urgency=medium

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
/usr/share/doc/{package}/README.md
"""


@dataclass(frozen=True)
class Package:
    """A Debian package: its programs by their place in the build, its files by theirs in `packaging`."""

    name: str
    summary: str
    text: str
    programs: dict[str, str]
    files: dict[str, str]
    scripts: tuple[str, ...] = ()
    depends: tuple[str, ...] = ()
    with_dictionary: bool = False


DAEMON = Package(
    name="fixaccel",
    summary=PROJECT["description"],
    text=""" The daemon keeps a FIX session that an FPGA sends orders on, the board and the
 journal, and answers the fixaccel command. The virtual board stands in where
 there is no FPGA.""",
    programs={"runtime/daemon/fixacceld": "usr/sbin", "runtime/board/fixaccel-vboard": "usr/bin"},
    files={
        "fixacceld.service": "lib/systemd/system/fixacceld.service",
        "fixaccel.sysusers": "usr/lib/sysusers.d/fixaccel.conf",
        "fixacceld.toml": f"{_DOC}fixaccel/examples/fixacceld.toml",
        "60-fixaccel.conf": f"{_DOC}fixaccel/examples/60-fixaccel.conf",
        "README.md": f"{_DOC}fixaccel/README.md",
        "debian/copyright": f"{_DOC}fixaccel/copyright",
    },
    scripts=SCRIPTS,
    depends=("systemd | systemd-standalone-sysusers",),
)
EXCHANGE = Package(
    name="fixaccel-exchange",
    summary="exchange simulator that speaks FIX 4.4",
    text=""" A venue to test against: price-time matching, market data, a day with its
 phases, scenarios, and faults on demand. The page to watch it comes with the
 fixaccel command, as a wheel.""",
    programs={"exchange-sim/fixaccel-exchange": "usr/bin"},
    files={
        "exchange/exchange.yaml": f"{_DOC}fixaccel-exchange/examples/exchange.yaml",
        "exchange/README.md": f"{_DOC}fixaccel-exchange/README.md",
    },
    with_dictionary=True,
)


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


def stage(package: Package, tree: Path, build: Path) -> list[Path]:
    """Puts all files but the control file into ``tree``; returns the programs. Raises PackagingError."""
    programs = []
    for relative, folder in package.programs.items():
        source = build / relative
        if not source.exists():
            raise PackagingError(f"{source} is missing: `make build` builds it")
        programs.append(put(source, tree / folder / source.name, 0o755))
        run("strip", "--strip-unneeded", "--remove-section=.comment", programs[-1])
    for name, place in package.files.items():
        put(PACKAGING / name, tree / place, 0o644)
    if not os.environ.get("DEBEMAIL"):
        overrides = (PACKAGING / "debian" / "lintian-overrides").read_text(encoding="utf-8")
        said = tree / "usr/share/lintian/overrides" / package.name
        said.parent.mkdir(parents=True)
        said.write_text(overrides.replace("fixaccel:", f"{package.name}:"), encoding="utf-8")
        said.chmod(0o644)
    for name in package.scripts:
        put(PACKAGING / "debian" / name, tree / "DEBIAN" / name, 0o755)
    if package.with_dictionary:
        put_dictionary(tree, tree / _DOC / package.name / "copyright")
    return programs


def put_dictionary(tree: Path, copyright_file: Path) -> None:
    """The dictionary where the simulator looks for it, and its licence with ours. Raises PackagingError."""
    run(sys.executable, "scripts/dictionary.py")
    put(DICTIONARY, tree / "usr/share/fixaccel" / DICTIONARY.name, 0o644)
    licence = DICTIONARY.with_name("LICENSE").read_text(encoding="utf-8").strip().splitlines()
    indented = [f" {line.strip()}" if line.strip() else " ." for line in licence]
    ours = put(PACKAGING / "debian" / "copyright", copyright_file, 0o644).read_text(encoding="utf-8")
    ours = ours.partition("Comment:")[0].rstrip()  # of what is in the other package
    theirs = ["Files: usr/share/fixaccel/FIX44.xml", "Copyright: 2001-2020 Oren Miller", "License: QuickFIX-1.0"]
    copyright_file.write_text("\n".join([ours, "", *theirs, *indented, ""]), encoding="utf-8")


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


def write_texts(package: Package, programs: list[Path], tree: Path) -> None:
    """Changelog and manual pages; what a page says of options is the program's own help."""
    made = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC)
    changelog = CHANGELOG.format(
        name=package.name, version=PROJECT["version"], maintainer=maintainer(), date=format_datetime(made)
    )
    packed(changelog, tree / _DOC / package.name / "changelog.gz")
    for program in programs:
        section, what = MANUAL[program.name]
        text = run(program, "--help").replace(str(program), program.name)
        text = text.replace("\\", "\\e").replace("-", "\\-").rstrip()
        page = MAN_PAGE.format(
            title=program.name.upper().replace("-", "\\-"),
            name=program.name.replace("-", "\\-"),
            section=section,
            what=what,
            version=PROJECT["version"],
            package=package.name,
            date=made.date(),
            # No line of it is one of roff's own.
            help="\n".join(f"\\&{line}" for line in text.splitlines()),
        )
        packed(page, tree / f"usr/share/man/man{section}/{program.name}.{section}.gz")


def source_date() -> str:
    """SOURCE_DATE_EPOCH, else that of the last commit: what is built twice is the same. Raises PackagingError."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not given:
        try:
            return run("git", "log", "-1", "--format=%ct").strip()
        except PackagingError as error:
            raise PackagingError(f"{error}\nwithout git, SOURCE_DATE_EPOCH is to say of when the source is") from None
    if not given.isascii() or not given.isdecimal():
        raise PackagingError(f"SOURCE_DATE_EPOCH={given} is no whole number of seconds")
    return given


def control(package: Package, depends: str, kib: int) -> str:
    """Its control file."""
    return CONTROL.format(
        name=package.name,
        version=PROJECT["version"],
        maintainer=maintainer(),
        architecture=run("dpkg", "--print-architecture").strip(),
        kib=kib,
        depends=", ".join([depends, *package.depends]),
        summary=package.summary,
        text=package.text,
    )


def make(package: Package, command: Path, build: Path, out: Path) -> Path:
    """The package, made of the programs in ``build`` and the wheel at ``command``. Raises PackagingError."""
    with tempfile.TemporaryDirectory() as name:
        tree, scratch = Path(name) / "tree", Path(name) / "scratch"
        tree.mkdir()
        scratch.mkdir()
        programs = stage(package, tree, build)
        write_texts(package, programs, tree)
        put(command, tree / "usr/share" / package.name / command.name, 0o644)
        size = sum(file.stat().st_size for file in tree.rglob("*") if file.is_file())
        (tree / "DEBIAN").mkdir(exist_ok=True)
        text = control(package, needed(programs, scratch), size // _KIB + 1)
        (tree / "DEBIAN" / "control").write_text(text, encoding="utf-8")
        made = out / f"{package.name}_{PROJECT['version']}_{run('dpkg', '--print-architecture').strip()}.deb"
        run("dpkg-deb", "--root-owner-group", "--build", tree, made)
    return made


def make_all(build: Path, out: Path) -> list[Path]:
    """Both. Raises PackagingError."""
    os.umask(0o022)  # folders of a package are for all to read
    os.environ["SOURCE_DATE_EPOCH"] = source_date()
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        wheel(Path(name) / "wheel")
        (command,) = (Path(name) / "wheel").iterdir()
        return [make(package, command, build, out) for package in (DAEMON, EXCHANGE)]


def main() -> int:
    """Makes the packages."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release", help="folder of the built programs")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "deb", help="folder for the packages")
    options = parser.parse_args()
    try:
        print(*make_all(options.build, options.out), sep="\n")
    except PackagingError as error:
        print(f"deb: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
