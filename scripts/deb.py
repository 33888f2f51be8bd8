# SPDX-License-Identifier: Apache-2.0
"""`make deb`: Debian packages of what a desk's machine needs, and of the exchange simulator, made of what is built.

Daemon and virtual board, the unit and its user; the simulator with its FIX dictionary; in each the programs' manual
pages, and the `fixaccel` command as a wheel: its Python packages are newer than Debian's. Who answers for them are
DEBFULLNAME and DEBEMAIL, as for other Debian tools; SOURCE_DATE_EPOCH is of when they are. Usage: deb.py [--build DIR]
[--out DIR] [--board]; it prints the paths of the packages, the daemon's first. With --board it is the one package of
what runs on a board's own CPU, of the programs that scripts/armhf has built.
"""

import argparse
import gzip
import os
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

from packages import ROOT, PackagingError, run, source_date
from wheel import LIBRARY, wheel

PACKAGING = ROOT / "packaging"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
_DOC = "usr/share/doc/"
SCRIPTS = ("postinst", "prerm", "postrm")
DICTIONARY = ROOT / "build" / "dictionary" / "FIX44.xml"
# What is said of each program, and the section of the manual that it is in.
MANUAL = {
    "fixaccel-gemd": (8, "hands a Zynq's Ethernet controller to the fabric and the kernel"),
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
# On a board's own CPU: its fabric in place of a virtual one, and the driver of its Ethernet controller.
BOARD = Package(
    name="fixaccel",
    summary=PROJECT["description"],
    text=""" The daemon keeps a FIX session that the fabric of this board sends orders on,
 the journal, and answers the fixaccel command. fixaccel-gemd hands the frames
 of the processing system's Ethernet controller to the fabric and the kernel.""",
    programs={"runtime/daemon/fixacceld": "usr/sbin", "runtime/gem/fixaccel-gemd": "usr/sbin"},
    files={name: place for name, place in DAEMON.files.items() if name not in {"fixacceld.toml", "README.md"}}
    | {
        "board/fixaccel-gemd.service": "lib/systemd/system/fixaccel-gemd.service",
        "board/60-board.conf": "lib/systemd/system/fixacceld.service.d/60-board.conf",
        "board/60-fixaccel.rules": "lib/udev/rules.d/60-fixaccel.rules",
        "board/fixacceld.toml": f"{_DOC}fixaccel/examples/fixacceld.toml",
        "board/README.md": f"{_DOC}fixaccel/README.md",
    },
    scripts=SCRIPTS,
    depends=DAEMON.depends,
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
    depends=("tzdata",),
    with_dictionary=True,
)


@dataclass(frozen=True)
class Machine:
    """What the programs are built for: Debian's name of it, ahead of its tools' names, what runs its programs here."""

    architecture: str
    tools: str = ""
    runs: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()  # options of dpkg-shlibdeps: where its packages are known

    @classmethod
    def here(cls) -> "Machine":
        """This machine. Raises PackagingError."""
        return cls(run("dpkg", "--print-architecture").strip())


def armhf() -> Machine:
    """A board's own CPU, whose packages scripts/armhf has put into a folder."""
    root = ROOT / "build" / "sysroot-armhf"
    triplet = "arm-linux-gnueabihf"
    folders = tuple(f"-l{root}/{place}/{triplet}" for place in ("lib", "usr/lib"))
    known = f"--admindir={root}/var/lib/dpkg"
    return Machine("armhf", f"{triplet}-", ("qemu-arm", "-L", str(root)), (known, *folders))


def stage(package: Package, tree: Path, build: Path, tools: str = "") -> list[Path]:
    """Puts all files but the control file into ``tree``; returns the programs. Raises PackagingError."""
    programs = []
    for relative, folder in package.programs.items():
        source = build / relative
        if not source.exists():
            target = "make armhf" if tools else "make build"
            raise PackagingError(f"{source} is missing: `{target}` builds it")
        programs.append(put(source, tree / folder / source.name, 0o755))
        run(f"{tools}strip", "--strip-unneeded", "--remove-section=.comment", programs[-1])
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


def needed(programs: list[Path], scratch: Path, options: Sequence[str] = ()) -> str:
    """The packages that ``programs`` need, as a control file names them."""
    (scratch / "debian").mkdir()
    (scratch / "debian" / "control").write_text("Source: fixaccel\n\nPackage: fixaccel\nArchitecture: any\n")
    found = run("dpkg-shlibdeps", "-O", *options, *(f"-e{program}" for program in programs), cwd=scratch)
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


def write_texts(package: Package, programs: list[Path], tree: Path, runs: Sequence[str] = ()) -> None:
    """Changelog and manual pages; what a page says of options is the program's own help."""
    made = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC)
    changelog = CHANGELOG.format(
        name=package.name, version=PROJECT["version"], maintainer=maintainer(), date=format_datetime(made)
    )
    packed(changelog, tree / _DOC / package.name / "changelog.gz")
    for program in programs:
        section, what = MANUAL[program.name]
        text = run(*runs, program, "--help").replace(str(program), program.name)
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


def control(package: Package, depends: str, kib: int, architecture: str) -> str:
    """Its control file."""
    return CONTROL.format(
        name=package.name,
        version=PROJECT["version"],
        maintainer=maintainer(),
        architecture=architecture,
        kib=kib,
        depends=", ".join([depends, *package.depends]),
        summary=package.summary,
        text=package.text,
    )


def make(package: Package, command: Path, build: Path, out: Path, machine: Machine) -> Path:
    """The package, made of the programs in ``build`` and the wheel at ``command``. Raises PackagingError."""
    with tempfile.TemporaryDirectory() as name:
        tree, scratch = Path(name) / "tree", Path(name) / "scratch"
        tree.mkdir()
        scratch.mkdir()
        programs = stage(package, tree, build, machine.tools)
        write_texts(package, programs, tree, machine.runs)
        put(command, tree / "usr/share" / package.name / command.name, 0o644)
        size = sum(file.stat().st_size for file in tree.rglob("*") if file.is_file())
        (tree / "DEBIAN").mkdir(exist_ok=True)
        depends = needed(programs, scratch, machine.libraries)
        text = control(package, depends, size // _KIB + 1, machine.architecture)
        (tree / "DEBIAN" / "control").write_text(text, encoding="utf-8")
        made = out / f"{package.name}_{PROJECT['version']}_{machine.architecture}.deb"
        run("dpkg-deb", "--root-owner-group", "--build", tree, made)
    return made


def make_all(build: Path, out: Path, packages: Sequence[Package], machine: Machine) -> list[Path]:
    """Their paths. Raises PackagingError."""
    os.umask(0o022)  # folders of a package are for all to read
    os.environ["SOURCE_DATE_EPOCH"] = source_date()
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        library = None if machine.tools else build / LIBRARY  # nothing is simulated on a board's own CPU
        command = wheel(Path(name) / "wheel", library)
        return [make(package, command, build, out, machine) for package in packages]


def main() -> int:
    """Makes the packages."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--build", type=Path, help="folder of the built programs")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "deb", help="folder for the packages")
    parser.add_argument("--board", action="store_true", help="the package for a board's own CPU, armhf")
    options = parser.parse_args()
    build = options.build or ROOT / "build" / ("armhf" if options.board else "release")
    try:
        machine = armhf() if options.board else Machine.here()
        print(*make_all(build, options.out, (BOARD,) if options.board else (DAEMON, EXCHANGE), machine), sep="\n")
    except PackagingError as error:
        print(f"deb: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
