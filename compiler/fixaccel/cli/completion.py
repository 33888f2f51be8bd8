# SPDX-License-Identifier: Apache-2.0
"""`fixaccel completion`: shell completion."""

import click
from click.shell_completion import get_completion_class


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script of SHELL.

    \b
    Examples:
      eval "$(fixaccel completion bash)"          # in ~/.bashrc
      fixaccel completion fish > ~/.config/fish/completions/fixaccel.fish
    """
    from fixaccel.cli.main import cli  # noqa: PLC0415 - the group imports this module lazily

    found = get_completion_class(shell)
    assert found
    click.echo(found(cli, {}, "fixaccel", "_FIXACCEL_COMPLETE").source())
