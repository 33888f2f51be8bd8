# SPDX-License-Identifier: Apache-2.0
"""Where the files that ship with the package lie."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = _PACKAGE.parent.parent


def data_path(relative: str) -> Path:
    """Path of a shipped file or folder such as ``templates/hwmap`` or ``rtl/hwmap/fixaccel.yaml``.

    In a wheel these lie inside the package under ``_data``; in a checkout they are the repository's own folders.
    """
    packaged = _PACKAGE / "_data" / relative
    return packaged if packaged.exists() else _CHECKOUT / relative
