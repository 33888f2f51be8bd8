# SPDX-License-Identifier: Apache-2.0
"""The server of the bus: which program it is, and the configuration that it gets."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from fixaccel.bus import names
from fixaccel.bus.rights import Rights, rights
from fixaccel.bus.site_file import SiteFile

LEAST = (2, 14, 0)
PROGRAM = "nats-server"
_OWN = "FX"  # the account with the streams
CONFIG = "server.conf"  # beside the site's file
_VERSION = re.compile(r"v(\d+)\.(\d+)\.(\d+)")


class ServerError(Exception):
    """There is no server that will do; the text says why and what to do."""


def find_server(given: Path | None = None) -> Path:
    """The program: ``given``, that of the package beside this Python, or the one on PATH. Raises ServerError."""
    beside = Path(sys.executable).with_name(PROGRAM)
    on_path = shutil.which(PROGRAM)
    found = given or (beside if beside.exists() else Path(on_path) if on_path else None)
    if found is None:
        raise ServerError(f"no {PROGRAM} here: `pip install fixaccel[bus]` brings it")
    check_version(found)
    return found


def check_version(program: Path) -> str:
    """Its version. Raises ServerError for one that is too old, by name."""
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False, timeout=10).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ServerError(f"{program} does not run: {error}") from error
    match = _VERSION.search(said)
    if match is None:
        raise ServerError(f"{program} does not say its version: {said.strip() or 'nothing'}")
    version = tuple(int(part) for part in match.groups())
    if version < LEAST:
        least = ".".join(map(str, LEAST))
        raise ServerError(
            f"{program} is {PROGRAM} {match[0][1:]}, and {least} or newer is needed: an older one lets one reader that "
            "stands still hold all others up, and does not sync what it acknowledges; `pip install "
            "fixaccel[bus]` has one"
        )
    return match[0][1:]


def render(site: SiteFile, folder: Path) -> str:
    """Configuration of the site's server. ``folder``: of its file, with certificates and the server's store."""
    scheme, _, address = site.servers[0].partition("://")
    lines = [
        f"# Made by `fixaccel bus render` for site {site.site}. Changes are lost with the next one.",
        f"server_name: {site.site}",
        f"listen: {json.dumps(address.replace('localhost', '127.0.0.1'))}",
        "# A reader that stands still is cut off, and nobody waits for it.",
        "no_fast_producer_stall: true",
        "max_pending: 16MiB",
        'write_deadline: "2s"',
        "max_payload: 1MiB",
        "# What is acknowledged is on the disk.",
        f"jetstream {{ store_dir: {json.dumps(str(folder / 'store'))}, sync_interval: always }}",
    ]
    if scheme == "tls":
        files = {name: json.dumps(str(folder / "tls" / file)) for name, file in
                 {"cert_file": "server.crt", "key_file": "server.key"}.items()}  # fmt: skip
        lines.append(f'tls {{ cert_file: {files["cert_file"]}, key_file: {files["key_file"]}, min_version: "1.3" }}')
    return "\n".join([*lines, *_accounts(site)]) + "\n"


def _accounts(site: SiteFile) -> list[str]:
    """Administrator and relays in one account; each reader in one of its own, which gets what it may have handed over.

    An answer goes where the one who asks says: without the border a reader could have a stored message published in
    another's name.
    """
    found = rights(site)
    inside = [right for right in found if right.principal not in site.readers]
    outside = [right for right in found if right.principal in site.readers]
    lines = ["accounts {", f"  {_OWN} {{", "    jetstream: enabled", "    users: ["]
    lines += [f"      {_user(right)}  # {right.principal}" for right in inside]
    lines += ["    ]", "    exports: ["]
    for right in outside:
        account = json.dumps([_account(right)])
        lines += [f"      {{ stream: {json.dumps(what)}, accounts: {account} }}" for what in _heard(right)]
        lines += [
            f"      {{ service: {json.dumps(what)}, response_type: stream, accounts: {account} }}"
            for what in right.publish
        ]
    lines += ["    ]", "  }"]
    for right in outside:
        lines += [f"  {json.dumps(_account(right))} {{", f"    users: [ {_user(right)} ]", "    imports: ["]
        lines += [f"      {{ stream: {{ account: {_OWN}, subject: {json.dumps(what)} }} }}" for what in _heard(right)]
        lines += [f"      {{ service: {{ account: {_OWN}, subject: {json.dumps(what)} }} }}" for what in right.publish]
        lines += ["    ]", "  }"]
    return [*lines, "  SYS { }", "}", "system_account: SYS"]


def _account(right: Rights) -> str:
    return f"reader-{right.principal}"


def _heard(right: Rights) -> list[str]:
    """What comes from others: not the answers."""
    return [what for what in right.subscribe if what.startswith(f"{names.ROOT}.")]


def _user(right: Rights) -> str:
    publish, subscribe = json.dumps(right.publish), json.dumps(right.subscribe)
    allowed = f"publish: {{ allow: {publish} }}, subscribe: {{ allow: {subscribe} }}"
    return f"{{ nkey: {right.key}, permissions: {{ {allowed} }} }}"
