# SPDX-License-Identifier: Apache-2.0
"""Server and relay of the bus killed at random points; exit 0 only if nothing was lost and nothing came twice.

Usage: campaign.py [--seed N] [--kills N]
"""

import argparse
import tempfile
from pathlib import Path

from bus_lab import BusLab
from test_bus import mirror_survives


def main() -> None:
    """Fails by an exception."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=100)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, BusLab(Path(folder)) as lab:
        lab.start_server()
        mirror_survives(lab, asked.seed, asked.kills)
        print(f"{asked.kills} kills, {lab.count()} events: the stream is the journal")


if __name__ == "__main__":
    main()
