# SPDX-License-Identifier: Apache-2.0
"""The real kernel, in namespaces that are made for it: as root, and as an ordinary user.

Nothing of the machine is ever written: a user's namespace has no right to, and for root all that is the machine's own
is read-only inside.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

INSIDE = Path(__file__).parent / "inside.py"
PREPARE = """
set -e
mount --make-rprivate /
mount -t sysfs sysfs /sys
for own in /proc/sys/kernel /proc/sys/vm /proc/irq /sys/devices/system /sys/devices/virtual/workqueue /sys/kernel; do
  mount --bind $own $own && mount -o remount,bind,ro $own
done
ip link set lo up
ip link add cl0 type veth peer name ex0
ip link set cl0 up
ip link set ex0 up
ip tuntap add tp0 mode tap
exec "$@"
"""
WAYS = {"root": ("unshare", "-nm"), "user": ("unshare", "-Urnm")}
Steps = list[list[str]]
Answers = list[tuple[int, Any]]


def may(way: str) -> bool:
    if way == "root" and os.geteuid() != 0:
        return False
    return subprocess.run([*WAYS[way], "true"], capture_output=True, check=False).returncode == 0


@pytest.fixture(params=WAYS)
def inside(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Steps], Answers]:
    way = WAYS[request.param]
    if not may(request.param):
        pytest.skip(f"{' '.join(way)} is not allowed here")

    def run(steps: Steps) -> Answers:
        words = [*way, "sh", "-c", PREPARE, "sh", sys.executable, str(INSIDE), json.dumps(steps)]
        done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return [(code, text) for code, text in json.loads(done.stdout)]

    return run


def plan(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(f"fixaccel-tune: 1\nprofile: process\n{text}")
    return str(path)


def says(answer: tuple[int, Any]) -> dict[str, str]:
    return {knob["knob"]: knob["says"] for knob in json.loads(answer[1])["knobs"]}


LOOK = """
cd /proc/sys/net/ipv4; cat tcp_timestamps tcp_rmem
cd /sys/class/net/cl0; cat mtu tx_queue_len threaded
ethtool -k cl0; ethtool -l cl0; ethtool -c tp0
"""
SEEN = ["sh", LOOK]
NESTED = f"ip link add cl0 type veth peer name ex0; ip link set cl0 up; exec {sys.executable}"


def test_the_kernel_is_set_and_set_back(inside: Callable[[Steps], Answers], tmp_path: Path) -> None:
    state = ["--state", str(tmp_path / "state"), "--json"]
    veth = plan(
        tmp_path, "veth", "interface: cl0\nset: {nic.mtu: 1400, nic.tx-queue-length: 500, nic.rx-channels: 2}\n"
    )
    napi = plan(tmp_path, "napi", "interface: cl0\nset: {nic.gro: on, nic.threaded-napi: 1}\n")
    tap = plan(tmp_path, "tap", "interface: tp0\nset: {nic.rx-frames: 4, nic.rx-usecs: 10}\n")
    steps: Steps = [
        SEEN, ["apply", veth, *state], SEEN, ["verify", *state],
        ["sh", "ethtool -K cl0 tx-checksum-ip-generic on; ip link set cl0 mtu 1300"], ["verify", *state],
        ["sh", "ethtool -K cl0 tx-checksum-ip-generic off; ip link set cl0 mtu 1400"], ["rollback", *state], SEEN,
        ["apply", napi, *state], ["sh", "cat /sys/class/net/cl0/threaded"], ["rollback", *state], SEEN,
        ["apply", tap, *state], ["sh", "ethtool -c tp0"], ["rollback", *state], SEEN,
    ]  # fmt: skip
    (before, done, after, good, _, drifted, _, back, again, threaded, on, _, third, tapped, frames, _, last) = inside(
        steps
    )
    assert done[0] == 3  # the daemon's settings are not there
    found = says(done)
    assert {name for name, said in found.items() if said == "set"} >= {
        "net.tcp-timestamps", "net.tcp-rmem", "nic.mtu", "nic.tx-queue-length", "nic.rx-channels", "nic.tso", "nic.gso",
        "nic.tx-checksum",
    }  # fmt: skip
    assert after[1].split()[0] == "0"
    assert "tx-tcp-segmentation: off" in after[1]
    assert good[0] == 0
    assert drifted[0] == 1
    amiss = {knob["knob"] for knob in json.loads(drifted[1])["knobs"] if knob["verdict"] == "drifted"}
    assert amiss == {"nic.mtu", "nic.tx-checksum"}
    assert back[0] == 0, back
    assert before[1] == again[1] == third[1] == last[1]
    assert (says(threaded)["nic.threaded-napi"], on[1]) == ("set", "1\n")
    assert says(tapped)["nic.rx-frames"] == "set"
    assert says(tapped)["nic.rx-usecs"] == "not here"  # a TAP has no such time
    assert "rx-frames:\t4" in frames[1] or "rx-frames: 4" in frames[1]


def test_what_is_not_allowed_or_fails(inside: Callable[[Steps], Answers], tmp_path: Path) -> None:
    state = ["--state", str(tmp_path / "state"), "--json"]
    failing = plan(tmp_path, "failing", "interface: cl0\nset: {nic.mtu: 99999, nic.threaded-napi: 1}\n")
    other = plan(tmp_path, "other", "interface: cl0\nset: {nic.mtu: 1300}\n")
    host = tmp_path / "host"
    host.write_text("fixaccel-tune: 1\ninterface: cl0\n")
    steps: Steps = [
        SEEN, ["apply", failing, *state], SEEN, ["apply", failing, "--only", "nic.threaded-napi", *state],
        ["apply", str(host), "--only", "host.swappiness", "--only", "host.timer-migration", *state],
        ["sh", "mount -t tmpfs -o size=4k tmpfs /mnt"], ["apply", failing, "--state", "/mnt", "--json"], SEEN,
        ["sh", "mount -o remount,bind,ro /sys"],
        ["apply", failing, "--only", "nic.mtu", *state], SEEN, ["sh", "mount -o remount,bind,rw /sys"],
        ["sh", f"unshare -n sh -c '{NESTED} -m fixaccel tune apply {other} --only nic.mtu --state {tmp_path}/s'"], SEEN,
    ]  # fmt: skip
    (before, failed, after, lacking, owned, _, full, unwritten, _, read_only, unchanged, _, foreign, untouched) = (
        inside(steps)
    )
    assert failed[0] == 1
    assert json.loads(failed[1])["failure"] == "nic.mtu: sys/class/net/cl0/mtu: Invalid argument"
    assert {one["outcome"] for one in json.loads(failed[1])["taken_back"]} == {"taken back"}
    assert says(lacking) == {"nic.threaded-napi": "not here"}  # a veth has none while GRO is off
    assert owned[0] == 3
    assert all(said.startswith("needs ") for said in says(owned).values())
    assert full[0] == 1
    assert "/mnt/1.json: No space left on device" in full[1]
    assert read_only[0] == 3
    assert says(read_only) == {"nic.mtu": "needs a writable /sys"}
    assert before[1] == after[1] == unwritten[1] == unchanged[1] == untouched[1]
    # There, /sys still shows the interface of that name in the namespace around it.
    assert foreign[0] == 2
    assert "/sys has to be of this network namespace" in foreign[1]
