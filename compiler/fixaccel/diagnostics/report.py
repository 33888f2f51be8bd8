# SPDX-License-Identifier: Apache-2.0
"""A diagnostic is data: what is wrong, where, what else is concerned and the way out. Renderers stand apart."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from fixaccel.source import Span


class Severity(Enum):
    """An error stops the compiler, a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class Example:
    """A smallest wrong input. ``kind`` says what ``text`` is and so how a test makes whole files of it.

    rule: entries of a strategy's ``rules``; instrument: entries of a venue's ``instruments``; strategy, venue, board,
    events, test: a whole file; parquet: the columns of an event file, in JSON; prints: a file to convert;
    desk: a whole file that is checked together with `second.yaml`; orders: a list to import; fast: FAST templates;
    program: the text of a program made of such; tune: a tuning plan, on a made-up machine of four cores, of two where
    it says `low-latency`; bus: a site of the bus.
    ``data`` makes the bytes where they cannot be shown (too large, not text).
    """

    kind: str
    text: str
    data: Callable[[], bytes] | None = None
    files: tuple[tuple[str, str | Callable[[], bytes]], ...] = ()  # further files, which the text names


@dataclass(frozen=True)
class Code:
    """One kind of diagnostic. ``number`` is stable for ever; ``slug`` and ``title`` name it to people."""

    number: str
    slug: str
    severity: Severity
    title: str
    explanation: str
    example: Example


@dataclass(frozen=True)
class Related:
    """Another place that the diagnostic is about, and what is there."""

    label: str
    span: Span


@dataclass(frozen=True)
class Replacement:
    """A text that can stand in place of ``span`` and mends it: what programs take of a help."""

    span: Span
    text: str


@dataclass(frozen=True)
class Diagnostic:
    """``span`` is the smallest place that is wrong; the start of the file where it could not be read at all.

    Each of ``replacements`` is a way out by itself, the likeliest first.
    """

    code: Code
    message: str
    span: Span
    related: tuple[Related, ...] = ()
    help: str | None = None
    replacements: tuple[Replacement, ...] = ()

    @property
    def severity(self) -> Severity:
        """As the table says."""
        return self.code.severity

    @property
    def is_error(self) -> bool:
        """Whether it stops the compiler."""
        return self.code.severity is Severity.ERROR


class Report:
    """Collects diagnostics; reading goes on after each so that one run shows all.

    Past `LIMIT` they are only counted in ``dropped``: a file that is not a strategy at all could give millions.
    """

    LIMIT = 1_000

    def __init__(self) -> None:
        self._seen: dict[Diagnostic, None] = {}
        self.dropped = 0
        self._failed = False

    def add(
        self,
        code: Code,
        message: str,
        span: Span,
        *,
        related: Sequence[Related] = (),
        help: str | None = None,  # noqa: A002 - the diagnostic's own word
        instead: Iterable[str] = (),
        replacements: Sequence[Replacement] = (),
    ) -> None:
        """Records one; a repeated one counts once.

        ``instead`` are texts that may stand at ``span``; ``replacements`` those for other places.
        """
        self._failed |= code.severity is Severity.ERROR
        if self.full:
            self.dropped += 1
            return
        mended = (*(Replacement(span, text) for text in instead), *replacements)
        self._seen[Diagnostic(code, message, span, tuple(related), help, mended)] = None

    @property
    def full(self) -> bool:
        """Whether further diagnostics are only counted."""
        return len(self._seen) >= self.LIMIT

    @property
    def crowded(self) -> bool:
        """Whether there are more diagnostics than anybody reads with care."""
        return len(self._seen) >= self.LIMIT // 10

    @property
    def failed(self) -> bool:
        """Whether an error was recorded."""
        return self._failed

    def sorted(self) -> list[Diagnostic]:
        """By file, place and code, files in the order in which they first occur."""
        files = list(dict.fromkeys(d.span.file for d in self._seen))
        return sorted(self._seen, key=lambda d: (files.index(d.span.file), d.span, d.code.number, d.message))

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.sorted())
