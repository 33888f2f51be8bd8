# SPDX-License-Identifier: Apache-2.0
"""`fixaccel keygen`, `fixaccel sign` and `fixaccel verify`: who stands for a bundle."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from fixaccel.signing import SigningError, is_encrypted, make_key, public_key, signers
from fixaccel.signing import sign as add_signature

_bundle = click.argument("bundle", type=click.Path(exists=True, file_okay=False, path_type=Path))


@contextmanager
def _said() -> Iterator[None]:
    """Exits with 1 and the reason when it cannot be done."""
    try:
        yield
    except SigningError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(1)


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--passphrase", "asks", is_flag=True, help="Ask for a passphrase, which is needed whenever it signs.")
def keygen(file: Path, asks: bool) -> None:
    """Make a key to sign bundles with: the private one in FILE, for its owner alone, and the public one in FILE.pub.

    The daemon is given the public one, as `bundles.keys`; its name is what status and journal say of who has signed.
    Both are PEM, as `openssl genpkey -algorithm ed25519` writes them.

    Exit code 1: the file is there already; 2: it cannot be written.

    \b
    Examples:
      fixaccel keygen ~/.config/fixaccel/anna --passphrase
      fixaccel keygen /media/stick/release
    """
    passphrase = click.prompt("Passphrase", hide_input=True, confirmation_prompt=True) if asks else ""
    with _said():
        click.echo(f"{file} signs; give the daemon {make_key(file, passphrase)}")


@click.command()
@_bundle
@click.option(
    "--key",
    metavar="FILE",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Private key, of `fixaccel keygen`.",
)
def sign(bundle: Path, key: Path) -> None:
    """Sign BUNDLE, all of it: the manifest has the SHA-256 of every other file, and the signature is over the manifest.

    Signatures of others stay, so two people sign one after the other, each with a key of their own. Look at what is
    signed before: `fixaccel diff`, and `report.md` of the bundle. Those that are not of this manifest are taken away.

    Exit code 1: the bundle is not as it was compiled, or the key is none; 2: a file cannot be read or written.

    \b
    Example:
      fixaccel sign build/quickstart --key ~/.config/fixaccel/anna
    """
    passphrase = click.prompt("Passphrase", hide_input=True) if is_encrypted(key) else ""
    with _said():
        count = add_signature(bundle, key, passphrase)
    click.echo(f"signed, {count} {'signature' if count == 1 else 'signatures'} now")


@click.command()
@_bundle
@click.option(
    "--key",
    "keys",
    metavar="FILE",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Public key that must have signed; may be repeated.",
)
def verify(bundle: Path, keys: tuple[Path, ...]) -> None:
    """Check that BUNDLE is as it was compiled, and by which keys it is signed: by name those that are given.

    Exit code 1: it was changed, a signature is not of it, or one of the keys has not signed; 2: a file cannot be read.

    \b
    Example:
      fixaccel verify build/quickstart --key /etc/fixaccel/keys/anna.pub --key /etc/fixaccel/keys/bert.pub
    """
    with _said():
        found = signers(bundle)
        wanted = {key.bytes.hex(): key.name for key in map(public_key, keys)}
        click.echo("the bundle is as it was compiled" + ("" if found else ", and nobody has signed it"))
        for each in found:
            click.echo(f"signed by {wanted.get(each, 'key ' + each)}")
        if missing := [name for key, name in wanted.items() if key not in found]:
            raise SigningError(f"{', '.join(missing)} has not signed it")
