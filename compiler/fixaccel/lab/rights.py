# SPDX-License-Identifier: Apache-2.0
"""What a laboratory needs of a machine: tools, and the right to make network namespaces.

Root has it. An ordinary user gets it in a user namespace, as root over a network of its own and nothing else.
`python -m fixaccel.lab.rights COMMAND...` runs a command so.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence

from fixaccel.lab.namespaces import LabError

# Tool -> Debian's package of it.
_TOOLS = {
    "ip": "iproute2",
    "ethtool": "ethtool",
    "setpriv": "util-linux",
    "sysctl": "procps",
    "unshare": "util-linux",
    "dumpcap": "wireshark-common",
    "tshark": "tshark",
}
# Not on the path of everybody, where Debian has the daemon and some of these tools.
_SYSTEM_FOLDERS = ("/usr/local/sbin", "/usr/sbin", "/sbin")
# `ip netns` keeps its names in /run/netns, which an ordinary user cannot write: a tmpfs of our own stands in.
_INSIDE = 'mount -t tmpfs tmpfs /run && exec "$0" "$@"'


def complete_path() -> None:
    """From now on this process, and whatever it starts, finds what only root has on its path."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    os.environ["PATH"] = os.pathsep.join(dict.fromkeys([*folders, *_SYSTEM_FOLDERS]))


def check_tools() -> None:
    """Raises LabError with the packages of all that is missing."""
    complete_path()
    lacking = {tool: package for tool, package in _TOOLS.items() if shutil.which(tool) is None}
    if lacking:
        packages = " ".join(dict.fromkeys(lacking.values()))
        raise LabError(f"{', '.join(lacking)} missing: `apt-get install {packages}` as root")


def prefix() -> list[str]:
    """What goes before a command that makes namespaces; nothing for root. Raises LabError where nobody here may."""
    is_root = os.geteuid() == 0
    flags = "-nm" if is_root else "-Urnm"
    try:
        done = subprocess.run(["unshare", flags, "true"], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise LabError("unshare is missing: Debian's util-linux has it") from None
    if done.returncode:
        said = done.stderr.strip().removeprefix("unshare: ")
        way_out = "a container needs CAP_SYS_ADMIN" if is_root else "run it as root, or allow user namespaces"
        raise LabError(f"network namespaces are not allowed here (`unshare {flags} true`: {said}): {way_out}")
    return [] if is_root else ["unshare", flags, "sh", "-c", _INSIDE]


def take(command: Sequence[str]) -> None:
    """Goes on as ``command``, with the right. Raises LabError."""
    complete_path()
    words = [*prefix(), *command]
    os.execvp(words[0], words)


def main() -> int:
    """Returns only where it could not be."""
    try:
        take(sys.argv[1:])
    except LabError as error:
        print(error, file=sys.stderr)
    except OSError as error:
        print(f"{sys.argv[1]}: {error.strerror}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
