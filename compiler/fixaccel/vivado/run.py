# SPDX-License-Identifier: Apache-2.0
"""Vivado's run over the files of a board, and what may be handed over of it."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from fixaccel.data import data_path
from fixaccel.language.terms import Board
from fixaccel.vivado.design import DESIGN, NOT_MET, VERSION
from fixaccel.vivado.reports import ReportError, Routed, faults, read_reports

_LAST_ERRORS = 5
SCRIPT = "build.tcl"
WRITTEN = "Written by `fixaccel build`"  # at its head


class VivadoError(Exception):
    """Vivado has failed, or is not there; the text says what to do."""


class NoVivadoError(VivadoError):
    """It is not there, or is another version."""


@dataclass(frozen=True)
class Built:
    """``refused``: why there is no bitstream, a line each; ``files``: what was handed over."""

    routed: Routed
    refused: list[str]
    files: list[Path]


def find_vivado(program: str) -> str:
    """Its whole path. Raises NoVivadoError if it is not there, or not of the version that the scripts are for."""
    found = shutil.which(program)
    if found is None:
        raise NoVivadoError(f"{program} is not installed here: Vivado {VERSION} makes the bitstream")
    said = subprocess.run([found, "-version"], capture_output=True, text=True, errors="replace", check=False)
    first = said.stdout.partition("\n")[0].strip()
    if said.returncode or f"v{VERSION} " not in f"{first} ":
        raise NoVivadoError(f"{found} is `{first}`, and the scripts are for Vivado {VERSION}")
    return str(Path(found).absolute())  # it runs in a folder of its own


def not_ours(folder: Path) -> str | None:
    """Why a build must not write to ``folder``: what lies there is not of an earlier one. None where nothing does."""
    if not folder.exists() and not folder.is_symlink():
        return None
    if not folder.is_dir():
        return "is not a folder"
    if not any(folder.iterdir()):
        return None
    try:
        with (folder / SCRIPT).open(encoding="utf-8", errors="replace") as script:
            ours = WRITTEN in script.read(1000)
    except OSError:
        ours = False
    return None if ours else "holds files that are not of a build"


def run_vivado(vivado: str, board: Board, folder: Path) -> Built:
    """Builds what ``folder`` has the files of; bitstream and handoff come to lie there only if the design closes.

    Raises VivadoError.
    """
    work, log = folder / "work", folder / "vivado.log"
    outputs = [folder / f"{board.name}.{kind}" for kind in ("bit", "hwh")]
    for old in outputs:
        old.unlink(missing_ok=True)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    script = ["-source", str(folder.resolve() / SCRIPT), "-tclargs", str(data_path("rtl")), str(work.resolve())]
    with log.open("w", encoding="utf-8") as out:
        command = [vivado, "-mode", "batch", "-nojournal", "-nolog", *script]
        ended = subprocess.run(command, cwd=work, stdout=out, stderr=subprocess.STDOUT, check=False).returncode
    if ended not in {0, NOT_MET}:
        raise VivadoError(f"Vivado ended with {ended}, see {log}{_errors(log)}")
    try:
        routed = read_reports(work)
    except ReportError as error:
        raise VivadoError(str(error)) from error
    refused = faults(routed, board)
    if ended == NOT_MET and not refused:
        raise VivadoError(f"Vivado says that timing is not met and its reports do not, see {log}")
    if refused:
        return Built(routed, refused, [])
    for output in outputs:
        made = work / f"{DESIGN}{output.suffix}"
        if not made.is_file():
            raise VivadoError(f"Vivado has ended well without {made.name}, see {log}")
        shutil.copyfile(made, output)
    return Built(routed, [], outputs)


def _errors(log: Path) -> str:
    lines = [line for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if "ERROR" in line]
    return "".join(f"\n  {line}" for line in lines[-_LAST_ERRORS:])
