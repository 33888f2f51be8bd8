# SPDX-License-Identifier: Apache-2.0
"""Network namespaces and the wire between them.

exchange (ex0, 10.77.0.1) <-> board (phy0 | mac0) <-> client (cl0, 10.77.0.2). No bridge joins the board's two
ends unless `Wire.join` is asked for it: only the virtual board carries frames from one to the other. With a board that
stands behind a TAP interface, as `gem-bram` does, cl0 is that, made by fixaccel-gemd, and there is no mac0.
"""

import os
import subprocess
from types import TracebackType
from typing import Self

EXCHANGE_IP = "10.77.0.1"
CLIENT_IP = "10.77.0.2"
_PREFIX = 24
_OFFLOADS = ("tx", "rx", "tso", "gso", "gro", "lro", "tx-udp-segmentation")


class LabError(Exception):
    """The laboratory cannot be set up or something in it failed; the message says what to do."""


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabError(f"`{' '.join(command)}` failed: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


class Wire:
    """Three namespaces and two veth pairs, made on entry and removed on exit. ``tap``: one pair, and a TAP to come."""

    def __init__(self, *, tap: bool = False) -> None:
        self._tap = tap
        tag = f"fx{os.getpid()}"
        self.exchange, self.board, self.client = f"{tag}ex", f"{tag}bd", f"{tag}cl"
        self._made: list[str] = []

    def __enter__(self) -> Self:
        try:
            self._build()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Removes the namespaces, and with them interfaces and addresses. Safe to call twice."""
        while self._made:
            subprocess.run(["ip", "netns", "del", self._made.pop()], capture_output=True, check=False)

    def inside(self, namespace: str, *command: str) -> list[str]:
        """The command line that runs ``command`` inside ``namespace``."""
        return ["ip", "netns", "exec", namespace, *command]

    def join(self) -> None:
        """Joins the board's two ends, as a cable does in the place of a board."""
        _run("ip", "-n", self.board, "link", "add", "br0", "type", "bridge")
        for name in ("phy0", "mac0"):
            _run("ip", "-n", self.board, "link", "set", name, "master", "br0")
        _run("ip", "-n", self.board, "link", "set", "br0", "up")

    def _build(self) -> None:
        for name in (self.exchange, self.board, self.client):
            _run("ip", "netns", "add", name)
            self._made.append(name)
            _run("ip", "-n", name, "link", "set", "lo", "up")
            _run(*self.inside(name, "sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1"))
            # The virtual board is far slower than a wire: a tail loss probe after 10 ms would repeat what is not lost.
            _run(*self.inside(name, "sysctl", "-qw", "net.ipv4.tcp_early_retrans=0"))
            # The fabric's orders carry no TCP options, so the session must not negotiate timestamps.
            _run(*self.inside(name, "sysctl", "-qw", "net.ipv4.tcp_timestamps=0"))
        self._pair(self.exchange, "ex0", self.board, "phy0")
        _run("ip", "-n", self.exchange, "addr", "add", f"{EXCHANGE_IP}/{_PREFIX}", "dev", "ex0")
        if not self._tap:
            self._pair(self.client, "cl0", self.board, "mac0")
            self.give_address()

    def give_address(self) -> None:
        """The client's interface gets its address: a TAP once it is there."""
        _run("ip", "-n", self.client, "addr", "add", f"{CLIENT_IP}/{_PREFIX}", "dev", "cl0")

    def _pair(self, left: str, left_name: str, right: str, right_name: str) -> None:
        peer = ("peer", "name", right_name, "netns", right)
        _run("ip", "link", "add", left_name, "netns", left, "type", "veth", *peer)
        for namespace, name in ((left, left_name), (right, right_name)):
            _run("ip", "-n", namespace, "link", "set", name, "up")
            # A raw socket sees what the kernel hands over: with offloads on, that is no valid frame.
            for offload in _OFFLOADS:
                subprocess.run(
                    self.inside(namespace, "ethtool", "-K", name, offload, "off"), capture_output=True, check=False
                )
