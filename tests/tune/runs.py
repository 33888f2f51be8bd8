# SPDX-License-Identifier: Apache-2.0
"""Plans on trees, applied and taken back, on hosts that fail when they are told to."""

from pathlib import Path

from fixaccel.diagnostics.report import Report
from fixaccel.language.text.reader import read_tree
from fixaccel.source import SourceFile
from fixaccel.tune.apply import Applied, apply
from fixaccel.tune.bind import Bound, bind
from fixaccel.tune.host import Host, Tree
from fixaccel.tune.plan_file import parse_plan
from fixaccel.tune.record import Records, default_folder
from fixaccel.tune.survey import Circumstances

HEAD = "fixaccel-tune: 1\n"


class KilledError(BaseException):
    """The process is gone at once: nothing catches it."""


class Trouble(Tree):
    """Writes that end badly, by their number from 0: with an error, rounded by the kernel, or with the process.

    ``before`` and ``behind`` say on which side of the write it is killed.
    """

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.count = 0
        self.written: list[str] = []
        self.failing: dict[int, OSError] = {}
        self.rounding: dict[int, str] = {}
        self._tried: set[str] = set()
        self.before: int | None = None
        self.behind: int | None = None

    def write(self, place: str, form: str, value: str | None) -> None:
        number, self.count = self.count, self.count + 1
        self.written.append(place)
        if number == self.before:
            raise KilledError
        is_first = place not in self._tried  # what was there before is taken back without trouble
        self._tried.add(place)
        if is_first and number in self.failing:
            raise self.failing[number]
        rounded = self.rounding.get(number, value) if is_first and form == "number" else value
        super().write(place, form, rounded)
        if number == self.behind:
            raise KilledError


def bound(host: Host, text: str, venue: str | None = "10.77.0.1") -> Bound:
    """The plan on the host, which must take it."""
    report = Report()
    tree = read_tree(SourceFile.of("plan.yaml", HEAD + text), report)
    plan = parse_plan(tree, report) if tree is not None else None
    assert plan is not None, list(report)
    found = bind(plan, host, venue, report)
    assert found is not None, list(report)
    return found


def records(host: Host) -> Records:
    return Records(default_folder(host))


def applied(host: Host, text: str = "", confirm_s: float = 0) -> Applied:
    kept = records(host)
    with kept.locked():
        return apply(bound(host, text), Circumstances(), kept, confirm_s=confirm_s)
