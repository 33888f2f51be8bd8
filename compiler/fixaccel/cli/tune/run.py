# SPDX-License-Identifier: Apache-2.0
"""`fixaccel tune run`: set, measure, keep what helps, take back what does not."""

import functools
import secrets
import sys
from collections.abc import Callable

import click

from fixaccel.cli.tune.common import (
    LEFT,
    Asked,
    Knobs,
    Where,
    bound_plan,
    daemon_option,
    failing_with_1,
    json_option,
    knob_options,
    machine_options,
    plan_options,
    print_json,
)
from fixaccel.cli.tune.measuring import Progress, extent_options, scene_of, time_text
from fixaccel.tune.measured.effect import FEWEST_PAIRS, Effect
from fixaccel.tune.measured.noise import LOOK_S
from fixaccel.tune.measured.show import difference_rows, notes, trials_object
from fixaccel.tune.measured.trials import SKIPPED
from fixaccel.tune.measured.whole import Extent
from fixaccel.tune.show import backed_object, backed_rows, record_object, step_object, step_rows, table
from fixaccel.tune.survey import Outcome, Step
from fixaccel.tune.trial import Course, Ran, Stage
from fixaccel.tune.trial import run as run_trials
from fixaccel.tune.verdict import tell

_PAIRS = 8
_MOST_PAIRS = 1000


def course_options(function: Callable[..., None]) -> Callable[..., None]:
    """Adds `--each`, `--pairs`, `--seed` and what `extent_options` adds, passed as ``course`` and ``peer``."""

    @functools.wraps(function)
    def with_course(
        *positional: object, each: bool, pairs: int, seed: int | None, extent: Extent, **others: object
    ) -> None:
        chosen = secrets.randbelow(1 << 32) if seed is None else seed
        function(*positional, course=Course(pairs, chosen, extent, each), **others)

    decorated = extent_options(with_course)
    for option in (
        click.option("--seed", metavar="N", type=click.IntRange(0, 1 << 32),
                     help="What the order of the pairs is made of [default: by chance, and printed]."),
        click.option("--pairs", metavar="N", type=click.IntRange(FEWEST_PAIRS, _MOST_PAIRS), default=_PAIRS,
                     show_default=True, help="How often each stage is measured with and without."),
        click.option("--each", is_flag=True, help="One knob at a time, in place of one stage."),
    ):  # fmt: skip
        decorated = option(decorated)
    return decorated


@click.command()
@plan_options
@knob_options
@course_options
@click.option("--yes", is_flag=True, help="Do not ask before each stage.")
@machine_options
@daemon_option
@json_option
def run(asked: Asked, knobs: Knobs, course: Course, yes: bool, peer: str | None, as_json: bool, at: Where) -> None:
    """Try what a PLAN asks for, stage by stage, and keep what helps.

    First a baseline; then the daemon's settings, the machine's and the network's. Each stage is set and set back in
    turn, in pairs of random order, and measured each time. The verdict is the difference of medians and of 99th
    percentiles with an interval that is right in 95 % of the cases: `helps`, `no effect seen`, `hurts`. Where the
    machine had other work it is `noisy`, and no verdict. What helps is kept, with what sharing the session requires;
    all else is taken back.

    All of it is one run: `fixaccel tune rollback` takes it back, also after a kill in the middle. Ctrl-C does too.

    Exit code 0: all was tried; 3: some was left out, or was noisy; 1: a write, the record or the measurement failed,
    and all of the run was taken back; 2: misuse, or the plan has errors.

    \b
    Examples:
      fixaccel tune run desk.tune.yaml
      fixaccel tune run desk.tune.yaml --each --yes --json > tried.json
      fixaccel tune run --only process.poll --pairs 12
      fixaccel tune run desk.tune.yaml --peer 10.1.2.3:7007
    """
    bound, around = bound_plan(asked, at.host, knobs.skip), at.around()
    if around.session:
        raise click.ClickException(f"{around.session}: settings are changed to and fro, so log it out first")
    if not (yes or _is_asked()):
        raise click.UsageError("there is no terminal to ask at: --yes tries all of the plan unasked")
    with failing_with_1(), at.records.locked(), scene_of(bound, peer) as (scene, progress):
        click.echo(f"seed {course.seed}", err=True)

        def ask(stage: Stage) -> bool:
            return yes or _asks(stage, course, progress)

        ran = run_trials(bound, around, at.records, scene, course, knobs.only, ask, progress)
        tell(at.records, at.host)
    if as_json:
        print_json(_object(ran))
    else:
        _show(ran)
    sys.exit(_code(ran))


def _is_asked() -> bool:
    return sys.stdin.isatty()


def _asks(stage: Stage, course: Course, progress: Progress) -> bool:
    progress.end()
    click.echo(f"\n{stage.name}:", err=True)
    for line in table(step_rows(stage.steps)):
        click.echo(f"  {line}", err=True)
    if not stage.is_measured:
        return click.confirm("Set it? It is required, and not in what is measured", err=True)
    takes = time_text(2 * course.extent.takes(course.pairs) + course.pairs * LOOK_S)
    return click.confirm(f"Try it? {takes}", err=True)


def _code(ran: Ran) -> int:
    if ran.failure:
        return 1
    is_left = any(trial.fate == SKIPPED or trial.effect is Effect.NOISY for trial in ran.trials.trials)
    return LEFT if is_left or _left(ran) or ran.trials.unreached else 0


def _left(ran: Ran) -> list[Step]:
    """What was not even tried, as `apply` names it."""
    return [step for step in ran.steps if not step.outcome.is_done and step.outcome is not Outcome.WOULD_SET]


def _object(ran: Ran) -> dict[str, object]:
    return {
        "run": record_object(ran.record) if ran.record else None,
        "failure": ran.failure,
        "trials": trials_object(ran.trials),
        "left": [step_object(step) for step in _left(ran)],
        "taken_back": [backed_object(one) for one in ran.backed],
        "finished": record_object(ran.finished) if ran.finished else None,
        "finished_taken_back": [backed_object(one) for one in ran.earlier],
    }


def _show(ran: Ran) -> None:
    if ran.finished:
        click.echo(f"run {ran.finished.id} had not come to its end, and was taken back:")
        for line in table(backed_rows(ran.earlier)):
            click.echo(f"  {line}")
    for line in table(step_rows(_left(ran))):
        click.echo(line)
    if ran.trials.trials:
        for line in table(difference_rows(ran.trials)):
            click.echo(line)
    elif not ran.failure:
        click.echo("nothing is left to try")
    for note in notes(ran.trials) if ran.trials.trials else ():
        click.echo(f"* {note}")
    if ran.failure:
        click.echo(f"Error: {ran.failure}; all of this run was taken back", err=True)
        for line in table(backed_rows(one for one in ran.backed if not one.outcome.is_done)):
            click.echo(f"  left: {line}", err=True)
    elif ran.record and ran.trials.trials:
        click.echo(f"\nrun {ran.record.id}: {ran.record.state}")
