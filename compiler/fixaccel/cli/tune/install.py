# SPDX-License-Identifier: Apache-2.0
"""`fixaccel tune install` and `uninstall`: a plan that is set anew at each boot."""

import sys
from pathlib import Path

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
from fixaccel.tune.at_boot import CannotInstallError, files, next_steps
from fixaccel.tune.exports import boot_options_of
from fixaccel.tune.installed import Fate, File, TakenError, load
from fixaccel.tune.installed import install as install_files
from fixaccel.tune.installed import uninstall as uninstall_files
from fixaccel.tune.plan_file import DEFAULT_TEXT
from fixaccel.tune.show import table
from fixaccel.tune.survey import survey

_Fates = list[tuple[str, Fate]]


@click.command()
@plan_options
@knob_options
@click.option("--tuned", "with_tuned", is_flag=True, help="A profile of TuneD for the machine and the boot line.")
@click.option("--skip-boot", is_flag=True, help="Leave the boot line alone.")
@machine_options
@daemon_option
@json_option
def install(asked: Asked, knobs: Knobs, with_tuned: bool, skip_boot: bool, as_json: bool, at: Where) -> None:
    """Set a PLAN at each boot, and look every ten minutes whether it still holds.

    Writes units of systemd that apply it ahead of the daemon, and verify it; a drop-in of GRUB for the kernel's boot
    line; and, where the plan gives the daemon a real-time priority or locks its memory, the drop-in of its unit that
    allows it. With `--tuned` machine and boot line are a profile of TuneD, `fixaccel`, in place of the drop-in.

    What it writes is recorded first. A file that is there and not ours is never touched. Nothing is started: the
    commands that make the system see it are printed.

    Exit code 0: all is there; 1: a file of others is in the way, or a write failed; 2: the plan has errors or cannot be
    read.

    \b
    Examples:
      fixaccel tune install desk.tune.yaml
      fixaccel tune install desk.tune.yaml --tuned
      fixaccel tune install desk.tune.yaml --skip-boot
    """
    bound, around = bound_plan(asked, at.host, knobs.skip), at.around()
    steps = [step for step in survey(bound, around, knobs.only) if not (skip_boot and step.knob.scope == "boot")]
    try:
        made = files(bound, _text(asked.plan), steps, with_tuned=with_tuned)
        with failing_with_1(), at.records.locked():
            fates = install_files(made, boot_options_of(steps), at.host, at.records)
    except (CannotInstallError, TakenError) as error:
        _fail(str(error))
    except OSError as error:
        _fail(f"{error.filename or ''}: {error.strerror or error}; `fixaccel tune uninstall` takes away what is there")
    _show(fates, next_steps(made), as_json=as_json)


@click.command()
@machine_options
@json_option
def uninstall(as_json: bool, at: Where) -> None:
    """Take away what `install` has written, where it still is as it was written.

    What is set stays set until the next boot, or until `fixaccel tune rollback`.

    Exit code 0: nothing of it is there any more; 3: what others have changed was left, and is named; 1: nothing is
    installed, or a file cannot be removed.

    \b
    Examples:
      fixaccel tune uninstall
    """
    with failing_with_1(), at.records.locked():
        before = load(at.records)
        if not before.files:
            _fail("nothing is installed")
        try:
            fates = uninstall_files(at.host, at.records)
        except OSError as error:
            _fail(f"{error.filename or ''}: {error.strerror or error}")
    gone = [File(place, "") for place, _ in fates]
    _show(fates, next_steps(gone, gone=True), as_json=as_json)
    sys.exit(LEFT if any(fate is Fate.CHANGED for _, fate in fates) else 0)


def _text(plan: Path | None) -> str:
    return plan.read_text(encoding="utf-8") if plan else DEFAULT_TEXT


def _fail(text: str) -> None:
    click.echo(f"Error: {text}", err=True)
    sys.exit(1)


def _show(fates: _Fates, commands: list[str], *, as_json: bool) -> None:
    if as_json:
        found = [{"place": f"/{place}", "outcome": fate.value} for place, fate in fates]
        print_json({"files": found, "next": commands})
        return
    for line in table([[f"/{place}", fate.value] for place, fate in fates]):
        click.echo(line)
    if commands and any(fate in {Fate.WRITTEN, Fate.REMOVED} for _, fate in fates):
        click.echo("\nnext, as root: " + "; ".join(commands))
