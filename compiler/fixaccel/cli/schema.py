# SPDX-License-Identifier: Apache-2.0
"""`fixaccel schema`: JSON Schemas for editors."""

from pathlib import Path

import click

from fixaccel.files import write_atomically
from fixaccel.schemas import KINDS, schema_text


@click.command()
@click.argument("kind", type=click.Choice(list(KINDS)), required=False)
@click.option(
    "-o", "--output", metavar="DIR", type=click.Path(path_type=Path, file_okay=False), help="Write KIND.json, or all."
)
def schema(kind: str | None, output: Path | None) -> None:
    """Print the JSON Schema (2020-12) of a KIND of file, or write all of them into a folder.

    An editor with a YAML language server completes keys and shows their meaning in a file that begins with
    `# yaml-language-server: $schema=PATH`. What a schema cannot say, such as the tick grid, `fixaccel check` says.

    \b
    Examples:
      fixaccel schema strategy
      fixaccel schema -o strategies/schemas
    """
    if kind is None and output is None:
        raise click.UsageError(f"name a kind ({', '.join(KINDS)}), or a folder with -o")
    kinds = [kind] if kind else list(KINDS)
    if output is None:
        click.echo(schema_text(kinds[0]), nl=False)
        return
    output.mkdir(parents=True, exist_ok=True)
    for name in kinds:
        write_atomically(output / f"{name}.json", schema_text(name).encode())
        click.echo(f"wrote {output / name}.json")
