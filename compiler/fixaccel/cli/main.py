# SPDX-License-Identifier: Apache-2.0
"""The `fixaccel` command. Subcommands are imported when they are used, so that `--help` stays quick."""

import importlib
import os
import sys
from typing import TypeAlias

import click

from fixaccel.cli.ending import INTERRUPTED
from fixaccel.cli.without_pandas import leave_pandas_alone
from fixaccel.settings import DECIDE_SECONDS, DECIDE_SECONDS_MOST, DECIDE_SECONDS_VARIABLE

Resolved: TypeAlias = tuple[str | None, click.Command | None, list[str]]

# Name -> module and attribute, short help (so that listing them imports nothing).
COMMANDS = {
    "new": ("fixaccel.cli.new:new", "Make a folder to start a strategy from."),
    "import": ("fixaccel.cli.import_orders:import_command", "Make a strategy of a broker's list of orders."),
    "check": ("fixaccel.cli.check:check", "Check strategies, venues and boards."),
    "compile": ("fixaccel.cli.compile:compile_strategy", "Compile a strategy into a bundle for a board."),
    "build": ("fixaccel.cli.build:build", "Make the bitstream of a board, where Vivado is installed."),
    "board": ("fixaccel.cli.board:board", "Set a board up: bitstream, device tree, network, services."),
    "fmt": ("fixaccel.cli.fmt:fmt", "Lay out strategies, venues, boards and tests in one way."),
    "explain": ("fixaccel.cli.explain:explain", "Explain a strategy, or a diagnostic code."),
    "diff": ("fixaccel.cli.diff:diff", "Compare two strategies rule by rule."),
    "test": ("fixaccel.cli.test:test", "Run the tests of strategies."),
    "lsp": ("fixaccel.cli.lsp:lsp", "Serve editors: diagnostics while typing, completion, hover."),
    "schema": ("fixaccel.cli.schema:schema", "Print the JSON Schema of a kind of file."),
    "simulate": ("fixaccel.cli.simulate:simulate", "Run a strategy over recorded market data."),
    "count": ("fixaccel.cli.count:count", "Count how often a strategy would have fired."),
    "replay": ("fixaccel.cli.replay:replay", "Show a recorded day and what the rules did as a page."),
    "sweep": ("fixaccel.cli.sweep:sweep", "Run a strategy with other values and compare what comes of it."),
    "convert": ("fixaccel.cli.convert:convert", "Make an event file of recorded market data."),
    "demo": ("fixaccel.cli.demo:demo", "Play the whole product once: rules, fabric, venue, fills."),
    "exchange": ("fixaccel.cli.exchange.group:exchange", "A venue to trade against, and its records."),
    "fast": ("fixaccel.cli.fast.group:fast", "Templates and captures of feeds in FAST 1.1."),
    "keygen": ("fixaccel.cli.sign:keygen", "Make a key to sign bundles with."),
    "sign": ("fixaccel.cli.sign:sign", "Sign a bundle."),
    "verify": ("fixaccel.cli.sign:verify", "Check a bundle and its signatures."),
    "deploy": ("fixaccel.cli.deploy:deploy", "Load a bundle into a running daemon."),
    "arm": ("fixaccel.cli.arm:arm", "Arm what a daemon has loaded, or begin a dry run."),
    "reconcile": ("fixaccel.cli.reconcile:reconcile", "List rules in doubt, or say what has become of them."),
    "disarm": ("fixaccel.cli.disarm:disarm", "Disarm a daemon's board, or end a dry run."),
    "order": ("fixaccel.cli.order:order", "Send an order by hand."),
    "cancel": ("fixaccel.cli.cancel:cancel_order", "Ask the venue to cancel orders."),
    "replace": ("fixaccel.cli.replace:replace_order", "Ask the venue for other terms of an order."),
    "orders": ("fixaccel.cli.orders:list_orders", "List the orders of the session."),
    "status": ("fixaccel.cli.status:status", "Show the state of a daemon and its board."),
    "watch": ("fixaccel.cli.stream:watch", "Show what happens at a daemon, as it happens."),
    "dashboard": (
        "fixaccel.cli.dashboard:dashboard",
        "Serve a page to watch and use a simulated exchange and a daemon.",
    ),
    "console": ("fixaccel.cli.console:console", "Trade by hand on a terminal."),
    "rules": ("fixaccel.cli.rules:list_rules", "List the rules that are loaded, and their states."),
    "limits": ("fixaccel.cli.limits:limits", "List the limits, or change one for a time."),
    "fires": ("fixaccel.cli.fires:fires", "Show which rules have fired, and follow them."),
    "metrics": ("fixaccel.cli.metrics:metrics", "A daemon's figures for Prometheus, and its health."),
    "latency": ("fixaccel.cli.latency:latency", "Show where the microseconds of orders go."),
    "kill": ("fixaccel.cli.kill:kill", "Turn the kill switch on or off."),
    "journal": ("fixaccel.cli.journal:journal", "Show what a daemon has recorded."),
    "tune": ("fixaccel.cli.tune.group:tune", "Set up a machine for low latency, check it, and take it back."),
    "bus": ("fixaccel.cli.bus.group:bus", "Quotes and events of daemons for many readers."),
    "audit": ("fixaccel.cli.audit:audit", "Prove that a journal is as it was written, and export it."),
    "hwmap": ("fixaccel.cli.hwmap:hwmap", "The layout that hardware and software share."),
    "completion": ("fixaccel.cli.completion:completion", "Print the completion script of a shell."),
}

EPILOG = """\b
Examples:
  fixaccel check strategies/quickstart.yaml
  fixaccel compile strategies/quickstart.yaml -o build/quickstart
  fixaccel explain FX0207
"""


class LazyGroup(click.Group):
    """A group that imports a subcommand when it is looked up."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Names, in the order of the work."""
        return list(COMMANDS)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Resolved:
        """The subcommand; for a name that is none of them an error that says which was meant."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            ctx.fail(_no_command(name))
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """The subcommand, None if there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """The list in `--help`."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


def _no_command(name: str) -> str:
    # Imported only for this.
    from fixaccel.diagnostics.text import printable  # noqa: PLC0415
    from fixaccel.language.keys.schema import clip, suggest  # noqa: PLC0415

    shown = printable(clip(name))
    if name.endswith((".yaml", ".yml")):
        return f"`{shown}` is no command; did you mean `fixaccel check {shown}`?"
    close = suggest(name, COMMANDS)
    hint = f"did you mean `{close}`?" if close else "`fixaccel --help` lists them"
    return f"there is no command `{shown}`; {hint}"


_VERSION_HELP = "Show the version, and the hash of the layout that a board must have, and exit."


def _say_version(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if not wanted or context.resilient_parsing:
        return
    from importlib.metadata import version  # noqa: PLC0415

    from fixaccel.hwmap.load import load_hwmap  # noqa: PLC0415

    click.echo(f"fixaccel, version {version('fixaccel')}, hwmap {load_hwmap().short_hash:08x}")
    context.exit()


@click.command(
    cls=LazyGroup,
    epilog=EPILOG,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_say_version, help=_VERSION_HELP)
@click.option(
    "--decide-seconds",
    metavar="N",
    envvar=DECIDE_SECONDS_VARIABLE,
    type=click.FloatRange(0, DECIDE_SECONDS_MOST, min_open=True),
    help=f"Processor time that each Python function of `decide` may use [default: {DECIDE_SECONDS:g}].",
)
@click.pass_context
def cli(ctx: click.Context, decide_seconds: float | None) -> None:
    """Prepared FIX orders that leave from the FPGA fabric when a price is seen."""
    # https://no-color.org; the commands' contexts inherit it.
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        ctx.color = False
    if decide_seconds is not None:
        os.environ[DECIDE_SECONDS_VARIABLE] = str(decide_seconds)


def main() -> None:
    """Entry point. Exit codes: 0 done, 1 what was asked for is wrong, 2 it could not be asked, 130 interrupted."""
    if sys.stdout is None:
        # The next file that is opened would be taken for it.
        if sys.stderr is not None:
            click.echo("Error: standard output is closed; to throw it away, write `> /dev/null`", err=True)
        sys.exit(2)
    leave_pandas_alone()
    try:
        sys.exit(cli.main(prog_name="fixaccel", standalone_mode=False))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort as error:
        click.echo("Aborted!", err=True)
        sys.exit(1 if isinstance(_origin(error), EOFError | None) else INTERRUPTED)
    except OSError as error:
        # click has dealt with a closed pipe already; what is left is a full disk or a file that cannot be used.
        place = f"{error.filename}: " if error.filename else ""
        click.echo(f"Error: {place}{error.strerror or error}", err=True)
        sys.exit(2)


def _origin(error: BaseException) -> BaseException | None:
    """What click made an `Abort` of: at a prompt it hides that."""
    return error.__cause__ or error.__context__
