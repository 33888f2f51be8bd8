# SPDX-License-Identifier: Apache-2.0
"""An SSH server on the client's machine of the laboratory, and a client that knows it as `board`."""

import os
import pwd
import subprocess
from pathlib import Path

from lab.desk import Desk
from lab.processes import Process, wait_until

PORT = 2222
_SERVER = """\
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
PrintMotd no
"""
_CLIENT = """\
Host board stranger
    HostName 127.0.0.1
    Port {port}
    User {user}
    IdentityFile {folder}/user
    IdentitiesOnly yes
    StrictHostKeyChecking yes
Host board
    UserKnownHostsFile {folder}/known
Host stranger
    UserKnownHostsFile /dev/null
"""
# Its own folder of /run is there on a machine that has been started, not in every container.
_START = "mount -t tmpfs tmpfs /run && mkdir /run/sshd && exec /usr/sbin/sshd -D -e -f {folder}/sshd_config"


def may_run() -> bool:
    """It becomes whoever logs in, which a user namespace of one's own forbids."""
    return os.geteuid() == 0 and Path("/proc/self/uid_map").read_text(encoding="ascii").split()[2] == "4294967295"


def start(desk: Desk) -> tuple[Process, dict[str, str]]:
    """The server, which listens, and the environment in which `ssh` knows it."""
    folder = desk.folder / "ssh"
    (folder / "bin").mkdir(parents=True)
    for name in ("host", "user"):
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    host_key = (folder / "host.pub").read_text(encoding="ascii")
    (folder / "known").write_text(f"[127.0.0.1]:{PORT} {host_key}", encoding="ascii")
    values = {"folder": folder, "port": PORT, "user": pwd.getpwuid(os.geteuid()).pw_name}
    (folder / "sshd_config").write_text(_SERVER.format(**values), encoding="utf-8")
    (folder / "ssh_config").write_text(_CLIENT.format(**values), encoding="utf-8")
    ssh = folder / "bin" / "ssh"
    ssh.write_text(f'#!/bin/sh\nexec /usr/bin/ssh -F {folder}/ssh_config "$@"\n', encoding="utf-8")
    ssh.chmod(0o755)
    command = ["unshare", "-m", "sh", "-c", _START.format(**values)]
    server = desk.processes.start("sshd", desk.wire.inside(desk.wire.client, *command))
    wait_until("sshd to listen", lambda: "Server listening on" in server.text(), 30, server.check_alive)
    return server, {**os.environ, "PATH": f"{ssh.parent}:{os.environ['PATH']}"}
