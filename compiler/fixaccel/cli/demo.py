# SPDX-License-Identifier: Apache-2.0
"""`fixaccel demo`: the whole product once, from YAML to fills."""

import sys
import tempfile
from pathlib import Path

import click

_BOARDS = ("wire", "gem")
_LISTEN = "127.0.0.1:8080"


@click.command()
@click.option(
    "--board",
    type=click.Choice(_BOARDS),
    default="wire",
    show_default=True,
    help="How frames reach the fabric: on the wire, or through a model of a Zynq's Ethernet controller.",
)
@click.option(
    "--keep",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep logs, journal, the exchange's record and the capture there; it is made, or is empty.",
)
@click.option(
    "--page",
    metavar="[HOST:PORT]",
    is_flag=False,
    flag_value=_LISTEN,
    help=f"Show it on a page in the browser, and go on until Ctrl-C.  [{_LISTEN} where it is not named]",
)
@click.option("--page-folder", type=click.Path(path_type=Path), hidden=True)
def demo(board: str, keep: Path | None, page: str | None, page_folder: Path | None) -> None:
    """Play a day with a bracket: strategies are compiled, orders fire in the fabric, fill, and are compared.

    An exchange simulator, a virtual board (the Verilated fabric on a real wire) and the daemon run in network
    namespaces of their own; nothing of this machine's network is touched, and all of it ends with the demo. It takes
    some seconds. An ordinary user gets the namespaces from the kernel, if that allows it.

    Exit code 0: exchange and daemon agree order by order, and the wire shows no retransmission; 1: they do not, or a
    program failed; 2: it cannot run here, and why.

    \b
    Examples:
      fixaccel demo
      fixaccel demo --keep demo
      fixaccel demo --page
      fixaccel demo --board gem
    """
    # Only this needs what a laboratory is made of.
    from fixaccel.demo import page as paged  # noqa: PLC0415
    from fixaccel.demo import run  # noqa: PLC0415
    from fixaccel.lab import rights  # noqa: PLC0415
    from fixaccel.lab.namespaces import LabError  # noqa: PLC0415

    again = [sys.executable, "-m", "fixaccel", "demo", "--board", board]
    again += ["--keep", str(keep)] if keep else []
    if keep is not None and keep.is_dir() and any(keep.iterdir()):
        raise click.BadParameter(f"`{keep}` is not empty, and a journal that is there would go on", param_hint="--keep")
    try:
        rights.check_tools()
        run.check_programs(board)
        ahead = rights.prefix()
    except LabError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    if page is not None:
        sys.exit(paged.main(page, board, [*ahead, *again]))
    if ahead:
        again += ["--page-folder", str(page_folder)] if page_folder else []
        rights.take(again)
    with tempfile.TemporaryDirectory(prefix="fixaccel-demo-") as temporary:
        sys.exit(run.main((keep or Path(temporary)).resolve(), board, page_folder))
