# SPDX-License-Identifier: Apache-2.0
"""Finds programs that are built beside the package."""

import os
import shutil
from pathlib import Path

from fixaccel.data import data_path


def find_built(built: str, variable: str, target: str) -> Path:
    """Where a program lies: as ``variable`` of the environment names it, as it was built, or on the path.

    ``built`` is its path in the checkout, ``target`` what `scripts/build release` makes it with. Raises OSError, whose
    text is for the user.
    """
    named = os.environ.get(variable)
    found = Path(named) if named else data_path(built)
    if found.is_file():
        return found
    if not named and (installed := shutil.which(found.name)):
        return Path(installed)
    way_out = f"build it with `scripts/build release {target}`, or name it in {variable}"
    raise FileNotFoundError(f"{found.name} is not at {found}: {way_out}")
