# SPDX-License-Identifier: Apache-2.0
"""`fixaccel new`: a folder to start from."""

import os
import sys
import tempfile
from pathlib import Path

import click

from fixaccel.diagnostics.text import printable
from fixaccel.files import naming
from fixaccel.start import NAME, TEMPLATES, starting_files


@click.command()
@click.argument("folder", metavar="NAME", type=click.Path(path_type=Path))
@click.option("--template", type=click.Choice(list(TEMPLATES)), default="stop", show_default=True, help="What it does.")
def new(folder: Path, template: str) -> None:
    """Make the folder NAME with a strategy, its tests, a venue file and schemas for editors.

    What it holds passes `fixaccel check` and `fixaccel test`. Change prices, instruments and the venue to yours.
    NAME may be a path; its last part becomes the strategy's name. Exit code 2: the folder holds something already, or
    cannot be made.

    \b
    Examples:
      fixaccel new my-stops
      fixaccel new desk/my-grid --template grid
    """
    place = Path(os.path.abspath(folder))  # noqa: PTH100 - `resolve` would follow links
    name = place.name
    if not NAME.match(name):
        raise click.UsageError(f"`{printable(name)}` is not a name: use letters, digits, `_`, `.` and `-`")
    if place.is_symlink() or (place.exists() and not place.is_dir()) or (place.is_dir() and any(place.iterdir())):
        raise click.UsageError(f"{printable(str(folder))} is there already")
    try:
        files = starting_files(name, template)
    except (OSError, ValueError) as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    with naming(folder):
        _write(place, files)
    click.echo(f"wrote {len(files)} files")
    for command in ("check", "test"):
        suffix = ".test.yaml" if command == "test" else ".yaml"
        click.echo(f"  fixaccel {command} {folder / name}{suffix}")


def _write(place: Path, files: dict[str, bytes]) -> None:
    """The whole folder or nothing of it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{place.name}.", dir=place.parent) as scratch:
        fresh = Path(scratch) / "new"
        for name, data in files.items():
            path = fresh / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        if place.exists():
            place.rmdir()
        fresh.rename(place)
