# SPDX-License-Identifier: Apache-2.0
"""Packages as they are made of what is built, and environments without what a checkout has."""

import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

from lab.desk import BUILD, ROOT

Deb = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def deb() -> Deb:
    """`scripts/deb.py` as on a machine where nobody has said who makes packages, and of when."""

    def made(*arguments: object, **settings: str) -> subprocess.CompletedProcess[str]:
        theirs = ("DEBEMAIL", "DEBFULLNAME", "SOURCE_DATE_EPOCH")
        environment = {name: value for name, value in os.environ.items() if name not in theirs} | settings
        command = [sys.executable, ROOT / "scripts/deb.py", *arguments]
        return subprocess.run(
            [str(one) for one in command], capture_output=True, text=True, check=False, env=environment
        )

    return made


@pytest.fixture(scope="session")
def packages(deb: Deb, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The daemon's first, then the exchange's."""
    done = deb("--build", BUILD, "--out", tmp_path_factory.mktemp("deb"))
    assert done.returncode == 0, done.stderr
    return [Path(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="session")
def new_environment() -> Callable[[Path, Path], Path]:
    """Makes one of a wheel in a folder, and of what that depends on, without the fixaccel of the tests."""

    def make(wheel: Path, folder: Path) -> Path:
        venv.create(folder, symlinks=True)
        (folder / "bin" / "fixaccel").unlink(missing_ok=True)
        options = ("--quiet", "--no-deps", "--no-index", "--disable-pip-version-check")
        install = [sys.executable, "-m", "pip", "--python", folder / "bin" / "python", "install", *options, wheel]
        done = subprocess.run([str(one) for one in install], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        (packages,) = folder.glob("lib/python*/site-packages")
        (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
        return folder

    return make
