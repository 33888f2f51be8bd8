# SPDX-License-Identifier: Apache-2.0
"""What is wrong with files, as objects that show themselves."""

from collections.abc import Sequence
from typing import overload

import click

from fixaccel.api.html import line_html, terminal_html
from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.render import render
from fixaccel.diagnostics.report import Diagnostic

_NOTHING = "nothing wrong"


class Diagnostics(Sequence[Diagnostic]):
    """All that is wrong with files, in the order of their lines; a sequence of `Diagnostic`.

    Printed, or shown by a notebook, each has its line with a caret under the place and the way out. It is empty, and so
    false, where there is nothing to say at all; ``ok`` says whether there are no errors.
    """

    def __init__(self, checked: Checked) -> None:
        self._checked = checked

    @property
    def ok(self) -> bool:
        """Whether there is no error; there may be warnings."""
        return not self._checked.failed

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Those that stop the compiler."""
        return tuple(diagnostic for diagnostic in self if diagnostic.is_error)

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """Those that do not."""
        return tuple(diagnostic for diagnostic in self if not diagnostic.is_error)

    def render(self, form: str = "full") -> str:
        """As text: "full", "concise" (one line each), "json" or "github"."""
        return click.unstyle(self._styled(form))

    def counts(self) -> str:
        """Such as "1 error, 2 warnings"."""
        found = [(len(self.errors), "error"), (len(self.warnings), "warning")]
        said = [f"{count} {word}{'' if count == 1 else 's'}" for count, word in found if count]
        more = [f"{self._checked.dropped} more"] if self._checked.dropped else []
        return ", ".join([*said, *more]) or _NOTHING

    @overload
    def __getitem__(self, index: int) -> Diagnostic: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Diagnostic]: ...
    def __getitem__(self, index: int | slice) -> Diagnostic | Sequence[Diagnostic]:
        return self._checked.diagnostics[index]

    def __len__(self) -> int:
        return len(self._checked.diagnostics)

    def __str__(self) -> str:
        return self.render() or _NOTHING

    def __repr__(self) -> str:
        return f"<Diagnostics: {self.counts()}>"

    def _repr_html_(self) -> str:
        return terminal_html(self._styled("full")) if self else line_html(_NOTHING)

    def _styled(self, form: str) -> str:
        return render(self._checked.diagnostics, self._checked.sources, form, self._checked.dropped)
