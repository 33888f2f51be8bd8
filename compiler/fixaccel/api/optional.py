# SPDX-License-Identifier: Apache-2.0
"""Libraries that only some functions need."""

import sys
from importlib import import_module
from typing import Any


def pandas_for(what: str) -> Any:  # noqa: ANN401 - a module that may not be there has no type
    """The module pandas. Raises ModuleNotFoundError that says how to get it."""
    try:
        return import_module("pandas")
    except ModuleNotFoundError as error:
        if error.name != "pandas":
            raise
        message = f"{what} needs pandas: `pip install 'fixaccel[notebook]'`; to_arrow() needs nothing more"
        raise ModuleNotFoundError(message, name="pandas") from None


def is_frame(value: object) -> bool:
    """Whether it is a pandas DataFrame; where pandas was never imported nothing is."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.DataFrame)
