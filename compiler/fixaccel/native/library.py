# SPDX-License-Identifier: Apache-2.0
"""Finds and loads the shared library of the table interpreter."""

import ctypes
import os
from ctypes import POINTER, c_char_p, c_int, c_int64, c_size_t, c_uint64, c_void_p
from functools import cache
from pathlib import Path
from typing import Any

from fixaccel.data import data_path

LIBRARY_VARIABLE = "FIXACCEL_TABLE_LIBRARY"
_PACKAGED = Path(__file__).with_name("libfixaccel_table.so")  # in a wheel that was made with it
_BUILT = "build/release/runtime/table/libfixaccel_table.so"
_HOW_TO_BUILD = (
    f"a wheel of `make wheel` has it, `make build` builds it in a checkout, or name it in {LIBRARY_VARIABLE}"
)


class LibraryError(Exception):
    """The library is not there or cannot be used; the text says where it was looked for and how to get it."""


class Column(ctypes.Structure):
    """A column as the library takes it."""

    _fields_ = (("name", c_char_p), ("dtype", c_char_p), ("data", c_void_p), ("rows", c_uint64), ("width", c_uint64))


# Result and arguments of each function. Those that can fail end with a buffer for the reason and its size.
_ERROR = (c_char_p, c_size_t)
_FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "catalogue": (c_char_p, ()),
    "open": (c_void_p, (POINTER(Column), c_size_t, *_ERROR)),
    "reload": (c_int, (c_void_p, POINTER(Column), c_size_t, *_ERROR)),
    "run": (c_int64, (c_void_p, c_size_t, *[c_void_p] * 7, c_int64, *_ERROR)),
    "keep_orders": (None, (c_void_p, c_int)),
    "order_tally": (None, (c_void_p, c_void_p)),
    "fill_size": (c_size_t, ()),
    "fills": (None, (c_void_p, c_void_p)),
    "unmatched": (None, (c_void_p, c_void_p)),
    "filled": (None, (c_void_p, c_size_t, c_void_p)),
    "fire_size": (c_size_t, ()),
    "fires": (None, (c_void_p, c_void_p)),
    "invalid_prices": (c_uint64, (c_void_p,)),
    "states": (None, (c_void_p, c_size_t, c_void_p)),
    "close": (None, (c_void_p,)),
}


def find_library() -> Path:
    """Where the library lies. Raises LibraryError."""
    named = os.environ.get(LIBRARY_VARIABLE)
    path = Path(named) if named else _PACKAGED if _PACKAGED.is_file() else data_path(_BUILT)
    if not path.is_file():
        raise LibraryError(f"the engine image needs {path.name}, which is not at {path}: {_HOW_TO_BUILD}")
    return path


def load_library() -> ctypes.CDLL:
    """The library, its functions with their types. Raises LibraryError."""
    return _load(find_library())


@cache
def _load(path: Path) -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(str(path))
        for name, (result, arguments) in _FUNCTIONS.items():
            function = library[f"fixaccel_table_{name}"]
            function.restype, function.argtypes = result, arguments
            setattr(library, f"fixaccel_table_{name}", function)
    except (OSError, AttributeError) as error:
        raise LibraryError(f"{path} is not a library of this version ({error}): {_HOW_TO_BUILD}") from None
    return library
