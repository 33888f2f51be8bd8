# SPDX-License-Identifier: Apache-2.0
"""An SSH server as a program: a key lets somebody in, commands run, connections go on to sockets of Unix.

AsyncSSH in the place of sshd, which only root can start.

Usage: ssh_server.py FOLDER PORT, with the keys `host` and `user.pub` in that folder.
"""

import asyncio
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import asyncssh


class _Server(asyncssh.SSHServer):
    def unix_connection_requested(self, _path: str) -> bool:
        return True


async def _run(process: "asyncssh.SSHServerProcess[bytes]") -> None:
    local = await asyncio.create_subprocess_exec(
        "sh", "-c", process.command or "exit", stdin=PIPE, stdout=PIPE, stderr=PIPE
    )
    said, complained = await local.communicate(await process.stdin.read())
    process.stdout.write(said)
    process.stderr.write(complained)
    process.exit(local.returncode or 0)


async def _serve(folder: Path, port: int) -> None:
    server = await asyncssh.listen(
        "127.0.0.1",
        port,
        server_factory=_Server,
        server_host_keys=[str(folder / "host")],
        authorized_client_keys=str(folder / "user.pub"),
        process_factory=_run,
        encoding=None,
    )
    print("listening", flush=True)
    await server.wait_closed()


if __name__ == "__main__":
    asyncio.run(_serve(Path(sys.argv[1]), int(sys.argv[2])))
