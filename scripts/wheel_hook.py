# SPDX-License-Identifier: Apache-2.0
"""Puts the shared library of the image engine into the wheel, where FIXACCEL_WHEEL_LIBRARY names it, and its SBOM.

Without, the wheel is of Python alone and for any machine; what needs the library says so when it is used.
"""

import os
import sysconfig
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VARIABLE, SBOM = "FIXACCEL_WHEEL_LIBRARY", "FIXACCEL_WHEEL_SBOM"
PLACE = "fixaccel/native/libfixaccel_table.so"  # where fixaccel.native.library looks for it


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg, misc]
    """Hatchling finds it by this name."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        library, sbom = os.environ.get(VARIABLE), os.environ.get(SBOM)
        if version == "editable":
            return
        if sbom:
            build_data["sbom_files"].append(sbom)
        if not library:
            return
        build_data["force_include"][library] = PLACE
        build_data["pure_python"] = False
        machine = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"py3-none-{machine}"  # it is called by ctypes: any Python's
