# SPDX-License-Identifier: Apache-2.0
"""The wire to the exchange, cut or deaf for a while."""

import subprocess

from lab.desk import Desk


class Link:
    """The wire to the exchange."""

    def __init__(self, desk: Desk) -> None:
        self._wire = desk.wire

    def set(self, state: str, end: str = "ex0") -> None:
        """The interface of the exchange or the client, up or down."""
        place = self._wire.exchange if end == "ex0" else self._wire.client
        subprocess.run(self._wire.inside(place, "ip", "link", "set", end, state), check=True)

    def deaf(self, on: bool) -> None:
        """Nothing that leaves the board arrives, what comes does: a queue that has room for no frame."""
        what = ("add", "dev", "phy0", "root", "bfifo", "limit", "1") if on else ("del", "dev", "phy0", "root")
        subprocess.run(self._wire.inside(self._wire.board, "tc", "qdisc", *what), check=True)
