# SPDX-License-Identifier: Apache-2.0
"""`make demo UI=1`: the demo with a page in a browser, and a market that goes on until Ctrl-C.

The page is served from here: what runs in network namespaces is reached through sockets in the file system, and a
browser reaches no address in those namespaces. `UI=HOST:PORT` serves it there.
"""

import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import demo_live

_ROOT = Path(__file__).resolve().parents[2]
_LISTEN = "127.0.0.1:8080"
_GRACE_S = 10


def main() -> int:
    """Returns the exit code of the demo; 2 where the page cannot be served."""
    listen = sys.argv[1] if len(sys.argv) > 1 and sys.argv[1] != "1" else _LISTEN
    with tempfile.TemporaryDirectory(prefix="fixaccel-page-") as temporary:
        folder = Path(temporary).resolve()
        command = [sys.executable, "-m", "fixaccel", *demo_live.page_command(folder, listen)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=_ROOT) as page:
            assert page.stdout is not None
            address = page.stdout.readline().strip()
            if not address:
                return page.wait()
            print(f"the page: {address}", flush=True)
            try:
                return _demo(folder)
            finally:
                page.terminate()
                with suppress(KeyboardInterrupt):
                    page.wait(_GRACE_S)


def _demo(folder: Path) -> int:
    command = [_ROOT / "scripts" / "in-lab", sys.executable, "tests/e2e/demo.py", "--page", str(folder)]
    with subprocess.Popen(command, cwd=_ROOT) as demo:
        while True:
            # Ctrl-C is for the demo too, which ends by itself.
            with suppress(KeyboardInterrupt):
                return demo.wait()


if __name__ == "__main__":
    sys.exit(main())
