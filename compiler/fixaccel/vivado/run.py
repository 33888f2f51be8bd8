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


class VivadoError(Exception):
    """Vivado is not there, is another version or has failed; the text says what to do."""


@dataclass(frozen=True)
class Built:
    """``refused``: why there is no bitstream, a line each; ``files``: what was handed over."""

    routed: Routed
    refused: list[str]
    files: list[Path]


def find_vivado(program: str) -> str:
    """Its path. Raises VivadoError if it is not there, or not of the version that the scripts are for."""
    found = shutil.which(program)
    if found is None:
        raise VivadoError(f"{program} is not installed here: Vivado {VERSION} makes the bitstream")
    said = subprocess.run([found, "-version"], capture_output=True, text=True, check=False)
    first = said.stdout.partition("\n")[0].strip()
    if said.returncode or f"v{VERSION} " not in f"{first} ":
        raise VivadoError(f"{found} is `{first}`, and the scripts are for Vivado {VERSION}")
    return found


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
    script = ["-source", str(folder.resolve() / "build.tcl"), "-tclargs", str(data_path("rtl")), str(work.resolve())]
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
