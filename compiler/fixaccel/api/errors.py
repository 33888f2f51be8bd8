# SPDX-License-Identifier: Apache-2.0
"""The one exception for what a caller's files or requests have wrong."""

import traceback
from pathlib import Path

import click

from fixaccel.api.diagnostics import Diagnostics
from fixaccel.diagnostics.checked import Checked

_PACKAGE = Path(__file__).resolve().parents[1]


class FixaccelError(Exception):
    """What was asked for is wrong, or cannot be done; nothing was written.

    As text it is the message and all diagnostics; there are none where there is no file to point at. A notebook shows
    that in the place of a traceback, with the line that asked.
    """

    def __init__(self, message: str, diagnostics: Diagnostics | None = None) -> None:
        super().__init__(message)
        self._message = message
        self._diagnostics = diagnostics if diagnostics is not None else Diagnostics(Checked([]))

    @property
    def message(self) -> str:
        """In one line, without the diagnostics."""
        return self._message

    @property
    def diagnostics(self) -> Diagnostics:
        """The places that are wrong, and the ways out."""
        return self._diagnostics

    @classmethod
    def of(cls, checked: Checked, subject: str) -> "FixaccelError":
        """For diagnostics with an error; ``subject`` is what has them."""
        found = Diagnostics(checked)
        return cls(f"{subject}: {found.counts()}", found)

    def __str__(self) -> str:
        return f"{self.message}\n\n{self.diagnostics}" if self.diagnostics else self.message

    def __reduce__(self) -> tuple[type["FixaccelError"], tuple[str, Diagnostics]]:
        # With its diagnostics also between processes; Exception itself would hand on the message alone.
        return type(self), (self.message, self.diagnostics)

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in the place of a traceback: where the caller asked, and what is wrong."""
        frames = [f for f in traceback.extract_tb(self.__traceback__) if not _is_ours(f.filename)]
        place = [click.style(f"line {frames[-1].lineno}: {frames[-1].line}", dim=True), ""] if frames else []
        head = click.style("FixaccelError", fg="red", bold=True)
        return [*place, f"{head}: {self}"]


def _is_ours(file: str) -> bool:
    return _PACKAGE in Path(file).parents
