# SPDX-License-Identifier: Apache-2.0
"""Kills the daemon again and again while it trades, at any moment and in chosen system calls, and starts it anew.

Orders of fabric and runtime, heartbeats, hot loads, new segments and snapshots go on meanwhile. Half of the crashes
take what of the journal was not durable, too. What the exchange recorded is the truth that the journal, the FIX store
and the rules are compared with. Exits 0 only if nothing is wrong. The same seed plans the same crashes, at moments that
are never quite the same.
"""

import argparse
import itertools
import random
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from fixaccel.board.control import ControlClient, ControlError, ControlRefusedError
from fixaccel.lab.desk import Json, fixaccel
from fixaccel.lab.namespaces import LabError
from fixaccel.lab.processes import Process, wait_until
from lab.crash_point import Crasher, CrashPoint, any_point
from lab.desk import Desk, two_sessions
from lab.exactly_once import faults, resend_faults
from lab.scenario import play

_SEGMENT_BYTES = 4096  # two or three fires
_STEPS = 2  # trades of a block, each of which fires the next rung
_BLOCKS = 2  # for each crash
_HIGH = 1190  # that trails begin with
_TOP = 1180
_LIMIT = 1250  # of orders: a trade that fills them would be seen by all rules
_TICKS = 100  # of a unit of money
_START_S = 20.0  # most until a daemon is armed
_LIFE_S = 2.0
_LOAD_SHARE = 0.3  # of the turns of an armed daemon
_TURN_S = 0.3
_POLL_S = 0.05
_EVERY = 25  # crashes between two looks at everything
_KILLED = -9
_CONFIG = f"""\
bundle = "{{bundle}}"
journal_segment_bytes = {_SEGMENT_BYTES}
[session]
rearm_after_loss = "when-known"
reconnect_ms = 100
[limits]
hold_ms = 4000
"""


@dataclass
class Campaign:
    """Crashes at a desk, which is entered already. Raises LabError if it cannot go on."""

    desk: Desk
    crashes: int
    seed: int
    daemon: Process | None = None
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._plan = random.Random(self.seed)  # apart from what is drawn as often as there is time
        self._draw = random.Random(self.seed + 1)
        self._crasher = Crasher(self.desk.folder)
        self._blocks = itertools.count()
        self._bundles = self._compile()
        self._next_bundle = itertools.cycle([*self._bundles[1:], self._bundles[0]])
        self._config = self.desk.folder / "fixacceld.toml"
        self._config.write_text(_CONFIG.format(bundle=self._bundles[0]), encoding="utf-8")

    def run(self) -> list[str]:
        """What is wrong, a line each. Stops at the first look that finds something."""
        self.desk.start_board()
        play(self.desk, self._market())
        self.desk.tell("armed")
        for number in range(1, self.crashes + 1):
            point = any_point(self._plan, _LIFE_S)
            self._live(point)
            torn = self._crasher.tear(self.desk.journal, self._draw) if point.tears else 0
            lost = f", {torn} bytes lost" if torn else ""
            print(f"{number}/{self.crashes}: {point}{lost}; {len(self.desk.record('order'))} orders", flush=True)
            if number % _EVERY == 0:
                self.wrong += self._damage()
            if self.wrong:
                return self.wrong
        self._end()
        return self.wrong

    def _compile(self) -> list[Path]:
        """A ladder for the fabric and trails for the runtime, twice, beside a rule that is another one each time."""
        folder, made = self.desk.folder, []
        venue = folder / "venue.yaml"
        # Snapshots say the last trade again, which trails begin with.
        text = self.desk.venue.read_text(encoding="utf-8").replace("incremental", "snapshot")
        venue.write_text(text, encoding="utf-8")
        self.desk.venue = venue
        rungs = self._rungs()
        fall = rungs / _TICKS
        trails = "".join(
            f"  - {{id: trail-{number}, instrument: MSFT, trail: {{source: last, by: {by:.2f}}},"
            f" order: {{side: sell, qty: 1, type: limit, price: {_LIMIT}}}}}\n"
            for number, by in enumerate(_HIGH - _TOP + fall * (n + 0.5) / self._trails() for n in range(self._trails()))
        )
        for name, never in (("first", 1000), ("second", 1001)):
            (folder / f"{name}.yaml").write_text(
                f"fixaccel: 1\nvenue: {venue}\nlimits: {{order_qty: 10}}\nrules:\n"
                f"  - {{id: fall, instrument: MSFT, when: last <= {_TOP}, ladder: {{step: -0.01, count: {rungs}}},"
                f" order: {{side: sell, qty: 1, type: limit, price: {_LIMIT}}}}}\n"
                f"  - {{id: never, instrument: MSFT, when: last <= {never},"
                " order: {side: sell, qty: 3, type: limit, price: trigger}}\n" + trails,
                encoding="utf-8",
            )
            fixaccel("compile", str(folder / f"{name}.yaml"), "-o", str(folder / name))
            made.append(folder / name)
        return made

    def _rungs(self) -> int:
        return self.crashes * _BLOCKS * _STEPS

    def _trails(self) -> int:
        return max(2, self.crashes // 2)

    def _market(self) -> str:
        """Falls by a rung with each trade, in blocks that wait for a word; then everything is asked for again.

        What traded while nobody was armed fires with the next trade: the last one is behind all crashes.
        """
        quotes = "".join(
            f"- quote: {{instrument: MSFT, bid: {1050 + n}, bid_size: 500, ask: 1300, ask_size: 500}}\n- wait: 20ms\n"
            for n in range(3)
        )
        steps = [f"- trade: {{instrument: MSFT, price: {_HIGH}, size: 1}}\n"]
        for rung in range(self._rungs()):
            if rung % _STEPS == 0:
                steps.append(f"- wait_for: {{file: block-{rung // _STEPS}, timeout: 3600s}}\n")
            trade = f"- trade: {{instrument: MSFT, price: {_TOP - rung / _TICKS:.2f}, size: 1}}\n"
            steps.append(quotes + trade)
        return (
            "".join(steps)
            + f"- wait_for: {{file: last, timeout: 3600s}}\n{trade}"
            + "- wait_for: {file: quiet, timeout: 3600s}\n"
            "- resend: {client: CLIENT1, begin: 1, end: 0}\n"
            "- wait_for: {file: seen, timeout: 3600s}\n"
            + "".join(f"- logout: {client}\n" for client in sorted({"CLIENT1", self.desk.market_client}))
        )

    def _live(self, point: CrashPoint) -> None:
        """One daemon from its start to its crash."""
        self.desk.before_daemon = self._crasher.prefix(point)
        end = time.monotonic() + (_START_S if point.armed or point.call else point.seconds)
        armed = False
        with suppress(LabError):  # it may die before it is ready
            self.daemon = None
            self.desk.start_daemon(self._bundles[0], config=self._config)
        daemon = self.daemon = self.desk.processes.last("daemon")
        while daemon.exit_code is None and time.monotonic() < end:
            with suppress(ControlError, ControlRefusedError, LabError):
                if self._turn() and not armed:
                    armed = True
                    end = min(end, time.monotonic() + point.seconds)
            time.sleep(min(_TURN_S if armed else _POLL_S, max(0.0, end - time.monotonic())))
        daemon.kill()
        if daemon.exit_code != _KILLED:
            self.wrong.append(f"it ended by itself, exit code {daemon.exit_code}: {daemon.text()[-2000:]}")

    def _turn(self) -> bool:
        """What desk and market do meanwhile. Returns whether it is armed."""
        with ControlClient(self.desk.control, timeout_s=2) as client:
            status = client.ask("status")
            if not status["armed"]:
                # Where the journal's end was torn nobody arms but the desk.
                if status["phase"] == "ready" and not status["waiting"]:
                    client.ask("arm")
                return False
            block = next(self._blocks)
            if block < self.crashes * _BLOCKS:
                self.desk.tell(f"block-{block}")
            if self._draw.random() < _LOAD_SHARE:
                client.ask("deploy", bundle=str(next(self._next_bundle)))
        return True

    def _damage(self) -> list[str]:
        """What is wrong by now, without a torn end and orders on their way: the next start sees to both."""
        journal = self.desk.journal_lines()
        if journal and journal[-1]["type"] == "damaged":
            journal.pop()
        on_their_way = (" never came to the venue", " is not in the journal")
        return [text for text in faults(journal, self.desk.record()) if not text.endswith(on_their_way)]

    def _end(self) -> None:
        """A daemon that lives to the end; then all sides are compared."""
        desk = self.desk
        desk.before_daemon = []
        daemon = desk.start_daemon(self._bundles[0], config=self._config)

        def armed() -> bool:
            with suppress(ControlError, ControlRefusedError):
                return self._turn()
            return False

        wait_until("the fabric to be armed", armed, 60, daemon.check_alive)
        for block in range(self.crashes * _BLOCKS):
            desk.tell(f"block-{block}")
        desk.tell("last")
        wait_until("all rungs", lambda: not self._open_rungs(), 60 + self._rungs(), daemon.check_alive)
        desk.tell("quiet")
        wait_until(
            "the resends", lambda: not resend_faults(desk.journal_lines(), desk.record()), 60, daemon.check_alive
        )
        desk.tell("seen")
        assert desk.exchange is not None
        desk.exchange.wait_exit(60)
        daemon.stop()
        journal, record = desk.journal_lines(), desk.record()
        self.wrong += faults(journal, record) + resend_faults(journal, record) + _numbers(journal, record)

    def _open_rungs(self) -> list[str]:
        """Rungs of the ladder that have not fired. How high a trail has come may be lost with the power."""
        rules = self.desk.status()["rules"]
        return [rule["id"] for rule in rules if rule["id"].startswith("fall") and rule["state"] != "fired"]


def _numbers(journal: list[Json], record: list[Json]) -> list[str]:
    """Whether both sides count our messages alike at the logout, and theirs as far as they were read.

    A venue that waits for the answer to its Logout may send something meanwhile.
    """
    ours = [line for line in journal if line["type"] == "session" and line["event"] == "logout"][-1]
    theirs = [line for line in record if line["event"] == "session" and line["client"] == "CLIENT1"][-1]
    wrong = []
    if (number := ours["next_sender"]) != (other := theirs["next_target_msg_seq_num"]):
        wrong.append(f"next MsgSeqNum of ours: {number} for us, {other} for the venue")
    if (number := ours["next_target"]) > (other := theirs["next_sender_msg_seq_num"]):
        wrong.append(f"next MsgSeqNum of the venue's: {number} for us, {other} for the venue")
    return wrong


def main() -> int:
    """Returns the exit code: 0 only if all agreed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--crashes", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--two-sessions", action="store_true", help="market data come on a session of their own")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="fixaccel-crashes-"))
    begin = time.monotonic()
    with (two_sessions if arguments.two_sessions else Desk)(folder) as desk:
        campaign = Campaign(desk, arguments.crashes, arguments.seed)
        wrong = campaign.run()
        for line in wrong:  # ahead of whatever else there may not be then, such as a journal
            print(f"wrong: {line}", flush=True)
        orders, loads = len(desk.record("order")), sum(line["type"] == "load" for line in desk.journal_lines())
    if wrong:
        print(f"what is left of it is in {folder}")
        return 1
    shutil.rmtree(folder)
    seconds = time.monotonic() - begin
    print(f"{arguments.crashes} crashes in {seconds:.0f} s, {orders} orders, {loads} loads: each order once")
    return 0


if __name__ == "__main__":
    sys.exit(main())
