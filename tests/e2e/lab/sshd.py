# SPDX-License-Identifier: Apache-2.0
"""An SSH server on the client's machine of the laboratory, and OpenSSH's client that knows it as `board`."""

import os
import sys

import asyncssh

from fixaccel.lab.processes import Process
from lab import ssh_server
from lab.desk import Desk

PORT = 2222
_CLIENT = """\
Host board stranger
    HostName 127.0.0.1
    Port {port}
    User desk
    IdentityFile {folder}/user
    IdentitiesOnly yes
    StrictHostKeyChecking yes
Host board
    UserKnownHostsFile {folder}/known
Host stranger
    UserKnownHostsFile /dev/null
"""


def start(desk: Desk, *settings: str) -> tuple[Process, dict[str, str]]:
    """The server, which listens, and the environment in which `ssh` knows it. `NAME=VALUE` is set for its commands."""
    folder = desk.folder / "ssh"
    (folder / "bin").mkdir(parents=True)
    for name in ("host", "user"):
        key = asyncssh.generate_private_key("ssh-ed25519")
        key.write_private_key(str(folder / name))
        key.write_public_key(str(folder / f"{name}.pub"))
        (folder / name).chmod(0o600)
    host_key = (folder / "host.pub").read_text(encoding="ascii")
    (folder / "known").write_text(f"[127.0.0.1]:{PORT} {host_key}", encoding="ascii")
    (folder / "ssh_config").write_text(_CLIENT.format(folder=folder, port=PORT), encoding="utf-8")
    ssh = folder / "bin" / "ssh"
    ssh.write_text(f'#!/bin/sh\nexec /usr/bin/ssh -F {folder}/ssh_config "$@"\n', encoding="utf-8")
    ssh.chmod(0o755)
    command = desk.wire.inside(
        desk.wire.client, "env", *settings, sys.executable, ssh_server.__file__, str(folder), str(PORT)
    )
    server = desk.processes.start("sshd", command)
    server.wait_line("listening")
    return server, {**os.environ, "PATH": f"{ssh.parent}:{os.environ['PATH']}"}
