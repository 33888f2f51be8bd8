# SPDX-License-Identifier: Apache-2.0
"""Command line of `make synth`."""

import json
import os
import sys
from pathlib import Path

import click

from synth import goals, published, report
from synth.design import CORE
from synth.goals import Goal, Ratchet
from synth.measure import Bench, find
from synth.verdicts import judge_all
from synth.yosys import ToolError

HERE = Path(__file__).resolve().parent
RATCHET = "scripts/synth/ratchet.yaml"


@click.command(context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]})
@click.option("--module", metavar="NAME", default=CORE, help="One module with what is below it: a name or a path.")
@click.option("--no-route", is_flag=True, help="Resources, levels and checks only; no place and route.")
@click.option("--no-flat", is_flag=True, help="No levels across modules, which need a second synthesis.")
@click.option("--only-top", is_flag=True, help="Place and route the top alone, not each module below it.")
@click.option("--seeds", type=click.IntRange(1, 99), help="Placements for each module; the median counts.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, help="Placements side by side.")
@click.option("--tighten", is_flag=True, help="Write into the ratchet what has become better.")
@click.option(
    "--admit", is_flag=True, help="Give figures that miss their goal and have no entry one; a deliberate step."
)
@click.option(
    "--publish",
    is_flag=True,
    help="Write the resources of the core, gem_port, feed_unit or link_unit into the documentation's figures.",
)
@click.option(
    "--root", type=click.Path(path_type=Path, exists=True, file_okay=False), default=HERE.parents[1],
    help="The checkout that is measured; its board file and ratchet count.",
)  # fmt: skip
def main(
    module: str, seeds: int | None, jobs: int, root: Path, *,
    no_route: bool, no_flat: bool, only_top: bool, tighten: bool, admit: bool, publish: bool,
) -> None:  # fmt: skip
    """Measure the fabric with open tools: LUT, FF, block RAM and DSP by module beside the board's budgets, levels of
    logic between registers, and the clock that each module and the whole core reach when placed on an ECP5.

    Exit code 1 if a budget, a goal or the ratchet is broken, 2 if a tool cannot run. The tables and their JSON are
    written into build/synth.

    \b
    Examples:
      make synth                                   everything; the first time takes an hour or two
      make synth ARGS="--module rx_gate"           one module with what is below it
      make synth ARGS="--module receiver.framing --seeds 1"
      make synth ARGS="--module gem_port"          what the gem-bram interface has in front of the core
      make synth ARGS="--module feed_unit"         what receives feeds; feed_decoder: what decodes them
      make synth ARGS="--module link_unit"         the link to another board
      make synth ARGS="--no-route"                 resources, levels and checks of the whole core
      make synth ARGS="--tighten"                  and write into the ratchet what has become better
      make synth ARGS="--no-route --publish"       and write the documentation's table of resources
      PYTHONPATH=scripts python -m synth --root ../other --module tcp_order
    """  # noqa: D205 - click's text: the first sentence is long, and the examples come last
    if publish and module not in (CORE, *published.BESIDE):
        raise click.UsageError(f"--publish writes figures of the whole core, {' or '.join(published.BESIDE)}.")
    try:
        failed = _run(
            root.resolve(), module, seeds, jobs,
            routed=not no_route, flat=not no_flat, below=not only_top, tighten=tighten, admit=admit, publish=publish,
        )  # fmt: skip
    except ToolError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(2)
    sys.exit(1 if failed else 0)


def _run(
    root: Path, name: str, seeds: int | None, jobs: int, *,
    routed: bool, flat: bool, below: bool, tighten: bool, admit: bool, publish: bool,
) -> bool:  # fmt: skip
    goal, ratchet = Goal.load(HERE / "goal.yaml"), Ratchet.load(root / RATCHET)
    build = root / "build" / "synth"
    # A folder for each module: several can be measured at the same time.
    bench = Bench(root, goal, build / name, build / "cache", click.echo, jobs)
    beside = bench.beside(name, "full")
    core = beside or bench.elaborated("full")
    top = find(core, name)
    measured = bench.synthesise(core, top)
    if flat:
        bench.flatten(core, top, measured)
    if routed:
        fitting = beside or bench.elaborated("route", goal.route_capacity)
        bench.place(fitting, top, measured, list(range(1, (seeds or goal.seeds) + 1)), below=below)
    judged = judge_all(measured, goal, ratchet)
    text = report.text(measured, judged)
    click.echo(f"\n{text}", nl=False)
    (build / f"{name}.txt").write_text(text, encoding="utf-8")
    content = json.dumps(report.data(measured, judged), indent=1)
    (build / f"{name}.json").write_text(content + "\n", encoding="utf-8")
    if publish:
        (published.write_beside if beside else published.write)(measured, root / published.FILE)
    if tighten:
        goals.tighten(ratchet, judged.verdicts, judged.gone).write(root / RATCHET)
    if admit:
        keys = [finding.key for finding in judged.new]
        goals.admit(ratchet, judged.verdicts, keys).write(root / RATCHET)
    return judged.failed


if __name__ == "__main__":
    main(prog_name="python -m synth")
