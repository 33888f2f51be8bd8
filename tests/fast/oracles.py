# SPDX-License-Identifier: Apache-2.0
"""The foreign decoders of tests/oracles as programs: how each is built, and a conversation with one."""

import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "oracles"


class NotHereError(Exception):
    """What a decoder needs is not on this machine, or cannot be fetched."""


@dataclass(frozen=True)
class Oracle:
    """``needs`` are programs that build or run it."""

    name: str
    needs: tuple[str, ...]
    build: tuple[str, ...]
    command: Callable[[Path], list[str]]

    @property
    def folder(self) -> Path:
        """Its sources, and below `target` what is built of them."""
        return FOLDER / self.name

    def made(self, *, build: bool) -> list[str]:
        """The command that runs it, built before if ``build``. Raises NotHereError."""
        if missing := [name for name in self.needs if shutil.which(name) is None]:
            raise NotHereError(f"there is no {missing[0]}")
        if build:
            done = subprocess.run(self.build, cwd=self.folder, capture_output=True, text=True, check=False)
            if done.returncode:
                said = (done.stderr or done.stdout).strip().splitlines()
                raise NotHereError(f"it cannot be built: {said[-1] if said else done.returncode}")
        command = self.command(self.folder)
        if not (self.folder / "target").exists():
            raise NotHereError("it is not built")
        return command


def _java(folder: Path) -> list[str]:
    jars = sorted((folder / "target" / "dependency").glob("*.jar"))
    return ["java", "-cp", ":".join(map(str, [folder / "target" / "classes", *jars])), "Oracle"]


ORACLES = {
    "fastlib": Oracle(
        "fastlib",
        ("cargo",),
        ("cargo", "build", "--release", "--quiet"),
        lambda folder: [str(folder / "target" / "release" / "fastlib-oracle")],
    ),
    "openfast": Oracle(
        "openfast",
        ("java", "javac", "mvn"),
        ("mvn", "-q", "-B", "compile", "dependency:copy-dependencies"),
        _java,
    ),
}


class Program:
    """A foreign decoder that is running."""

    def __init__(self, command: list[str]) -> None:
        self._command = command
        self._process = self._started()

    def _started(self) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def ask(self, text: str, data: bytes) -> dict[str, object]:
        """What it says of one datagram."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps({"templates": text, "data": data.hex()}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            # A damaged length can make it ask for more memory than there is.
            self.close()
            self._process = self._started()
            return {"error": "it died"}
        answer = json.loads(line)
        assert isinstance(answer, dict)
        return answer

    def close(self) -> None:
        """Ends it."""
        self._process.communicate(timeout=10)
