# SPDX-License-Identifier: Apache-2.0
"""The readers in C++ keep the same promises: see runtime/bus/tests/bus_reader.cpp."""

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

from bus_lab import BUILD, SITE, BusLab, until

from fixaccel.bus.start import key_path


class CppReader:
    def __init__(self, lab: BusLab, what: str, after: int = 0) -> None:
        self.log = lab.folder / f"cpp-{what}.log"
        key = key_path(lab.folder, "desk")
        command = [BUILD / "tests" / "bus-reader", lab.url, key, "desk", SITE, "b1", what, str(after)]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, stdout=log)
        lab.processes.append(self.process)

    def seen(self) -> list[dict[str, Any]]:
        text = self.log.read_text()
        return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]


def test_events_come_once_in_order_whoever_is_killed(tmp_path: Path) -> None:
    with BusLab(tmp_path) as lab:
        lab.start_server()
        feeder = lab.feeder()
        relay = lab.start_relay()
        reader = CppReader(lab, "events")
        for round_ in range(4):
            for n in range(30):
                feeder.record("fire", "record" if n % 3 else "later", n=n)
            if round_ % 2:
                lab.end(relay, signal.SIGKILL)
                relay = lab.start_relay()
            else:
                lab.kill_server()
                lab.start_server(apply=False)
        lab.is_mirror()
        wanted = [{key: event[key] for key in ("n", "record", "data")} for event in lab.expected()]
        until("all events", lambda: len(reader.seen()) >= len(wanted), 30)
        assert reader.seen() == wanted
        # What it has acked is not sent again; what it asks for by number comes.
        again = CppReader(lab, "events", after=115)
        until("the rest", lambda: len(again.seen()) == 5)
        assert [event["n"] for event in again.seen()] == [116, 117, 118, 119, 120]


def test_live_quotes_and_their_losses(tmp_path: Path) -> None:
    with BusLab(tmp_path) as lab:
        lab.start_server()
        feeder = lab.feeder()
        relay = lab.start_relay()
        reader = CppReader(lab, "live")
        until("the relay", lambda: "connected" in lab.relay_log())
        feeder.snapshot("BRK.B", 1)
        until("the first", lambda: len(reader.seen()) >= 1)
        for bid in range(2, 50):
            feeder.snapshot("BRK.B", bid)
        until("all", lambda: reader.seen()[-1]["top"]["bid"] == "49")
        assert [one["n"] for one in reader.seen()] == list(range(1, 50))
        assert all(one["missed"] == 0 for one in reader.seen())
        lab.end(relay, signal.SIGKILL)
        until("that it is old", lambda: bool(reader.seen()[-1]["stale"]))
        relay = lab.start_relay()
        until("that it holds", lambda: not reader.seen()[-1]["stale"])
        lab.kill_server()
        for bid in range(50, 100):
            feeder.snapshot("BRK.B", bid)
        lab.start_server(apply=False)
        until("the newest", lambda: reader.seen()[-1]["top"]["bid"] == "99")
        bids = [int(one["top"]["bid"]) for one in reader.seen()]
        assert bids == sorted(bids)
        assert set(bids) == {*range(1, 50), 99}, "an old quote was published"
