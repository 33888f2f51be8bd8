# SPDX-License-Identifier: Apache-2.0
"""What a trader's function looks at besides the price: an audit hook in the process that runs it."""

import os
import sys
import sysconfig
from pathlib import Path
from typing import Any

import numpy as np

import fixaccel

# What an answer may depend on that is in no file.
_BEYOND_FILES = {
    "ctypes.dlopen", "os.exec", "os.fork", "os.forkpty", "os.listdir", "os.posix_spawn", "os.scandir", "os.startfile",
    "os.system", "socket.connect", "socket.getaddrinfo", "sqlite3.connect", "subprocess.Popen",
}  # fmt: skip
_IMPORTS = "<frozen importlib"  # the file name of the code that looks for modules
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_SYSTEM = ("/dev/", "/proc/", "/sys/", "/etc/")
_NATIVE = (".so", ".pyd")


class Watched:
    """Collects from its making on; it stays for the life of the process.

    Libraries that open files by themselves, past Python, are not seen: where one is loaded, ``repeatable`` is False.
    """

    def __init__(self) -> None:
        self._opened: set[str] = set()
        self._beyond = False
        self._modules = set(sys.modules)
        self._library = _folders("stdlib", "platstdlib")
        self._packages = _folders("purelib", "platlib")
        self._known = tuple(str(Path(file).resolve().parent) + os.sep for file in (str(np.__file__), fixaccel.__file__))
        sys.addaudithook(self._saw)

    @property
    def inputs(self) -> list[str]:
        """Files that were opened for reading or imported, those of the system and of what is installed left out."""
        return [path for path in self.files if not path.startswith(self._packages)]

    @property
    def files(self) -> list[str]:
        """The same with what is installed, but for Python's own library and what runs the function."""
        modules = [module for name, module in list(sys.modules.items()) if name not in self._modules]
        imported = {os.path.realpath(file) for module in modules if (file := getattr(module, "__file__", None))}
        opened = {path for path in self._opened if f"{os.sep}__pycache__{os.sep}" not in path}
        return sorted(path for path in opened | imported if not self._is_known(path))

    @property
    def repeatable(self) -> bool:
        """Whether nothing but these files was seen to matter."""
        return not self._beyond and not any(path.endswith(_NATIVE) for path in self.files)

    def _is_known(self, path: str) -> bool:
        # Packages are installed below Python's own library.
        library = path.startswith(self._library) and not path.startswith(self._packages)
        return library or path.startswith(self._known)

    def _saw(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in _BEYOND_FILES:
            # Python looks through folders for modules.
            self._beyond |= not sys._getframe(1).f_code.co_filename.startswith(_IMPORTS)  # noqa: SLF001
        elif event == "open":
            path, _, flags = arguments
            if isinstance(path, str | bytes):
                self._note(os.path.realpath(os.fsdecode(path)), flags)

    def _note(self, path: str, flags: int) -> None:
        if path.startswith(_SYSTEM):
            return
        if flags & _WRITING:
            self._beyond = True
        else:
            self._opened.add(path)


def _folders(*names: str) -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    return tuple(str(Path(paths[name]).resolve()) + os.sep for name in names if name in paths)
