# SPDX-License-Identifier: Apache-2.0
"""The demo with a page in a browser, and a market that goes on until Ctrl-C.

The page is served from here: what runs in network namespaces is reached through sockets in the file system, and a
browser reaches no address in those namespaces.
"""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from fixaccel.demo.live import page_command
from fixaccel.demo.run import INTERFACES

_GRACE_S = 10


def main(listen: str, board: str, demo: Sequence[str]) -> int:
    """Serves the page while ``demo``, a command, runs; returns that one's exit code, 2 where there can be no page."""
    with tempfile.TemporaryDirectory(prefix="fixaccel-page-") as temporary:
        folder = Path(temporary).resolve()
        command = [sys.executable, "-m", "fixaccel", *page_command(folder, listen, INTERFACES[board])]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as page:
            assert page.stdout is not None
            address = page.stdout.readline().strip()
            if not address:
                return page.wait()
            print(f"the page: {address}", flush=True)
            try:
                return _run([*demo, "--page-folder", str(folder)])
            finally:
                page.terminate()
                with suppress(KeyboardInterrupt):
                    page.wait(_GRACE_S)


def _run(command: Sequence[str]) -> int:
    with subprocess.Popen(command) as demo:
        while True:
            # Ctrl-C is for the demo too, which ends by itself.
            with suppress(KeyboardInterrupt):
                return demo.wait()
