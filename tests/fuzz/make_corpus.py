# SPDX-License-Identifier: Apache-2.0
"""Makes what the fuzzers begin with, a folder of inputs each, from what the compiler and the ledger write.

Usage: make_corpus.py FOLDER MAKE_JOURNAL
"""

import json
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from feeds import feeds
from messages import CONVERSATIONS

_VENUE = """\
fixaccel-venue: 1
name: fuzz
time_zone: America/New_York
session:
  begin_string: FIX.4.4
  sender_comp_id: CLIENT1
  target_comp_id: SIMULATOR
  connect: 127.0.0.1:1  # nobody listens there
  heartbeat: 30s
market_data: {message: snapshot}
instruments:
  MSFT: {tick: 0.01, lot: 1, price_range: 0.01..10000}
  "7203": {tick: {0: 0.1, 1000: 0.5, 5000: 1}, lot: 100, price_range: 0.1..100000}
"""
_BOARD = """\
fixaccel-board: 1
name: fuzz
part: xc7z020clg400-1
clock: 125MHz
interface: wire
bytes_per_beat: 1
capacity: {instruments: 8, triggers: 64, intervals: 16, orders: 32, templates: 8, groups: 8}
"""
# Each form and link once, in both places.
_STRATEGY = """\
fixaccel: 1
venue: venue.yaml
limits: {order_qty: 1000}
rules:
  - {id: entry, instrument: MSFT, when: last <= 1180, order: {side: sell, qty: 2, type: limit, price: 1100}}
  - {id: stop, instrument: MSFT, when: bid <= 1170, oco: exit, armed_by: entry, order: {side: sell, qty: 2, type: limit,
     price: trigger - 5 ticks}}
  - {id: target, instrument: MSFT, when: bid >= 1190, oco: exit, armed_by: entry, order: {side: sell, qty: 2,
     type: limit, price: trigger}}
  - {id: again, instrument: MSFT, when: ask >= 1186, rearm: {reset: ask <= 1184, times: 2}, order: {side: buy, qty: 1,
     type: limit, price: 1000}}
  - {id: trail, instrument: MSFT, trail: {source: last, by: 5}, order: {side: sell, qty: 1, type: limit, price: 1000}}
  - {id: percent, instrument: "7203", trail: {source: last, by: 2%}, during: ["09:00-16:00"],
     order: {side: sell, qty: 100, type: market}}
  - {id: rungs, instrument: "7203", when: last <= 3000, ladder: {step: -5, count: 3}, order: {side: buy, qty: 100,
     type: limit, price: trigger}}
"""
# What the daemon may be asked.
_REQUESTS = [
    [{"cmd": "status"}, {"cmd": "status", "short": True}, {"cmd": "metrics"}],
    [{"cmd": "deploy", "bundle": "BUNDLE"}, {"cmd": "status"}, {"cmd": "arm"}, {"cmd": "disarm"}, {"cmd": "logout"}],
    [{"cmd": "deploy", "bundle": "BUNDLE", "reconciled": True, "rearm": True, "dry_run": True}, {"cmd": "metrics"}],
    [{"cmd": "arm", "dry_run": True}, {"cmd": "arm", "rules": ["entry", "rungs[2]"]}],
    [{"cmd": "reconcile", "rules": ["entry"], "sent": True}, {"cmd": "reconcile", "rules": [], "sent": False}],
    [{"cmd": "kill"}, {"cmd": "status", "short": True}, {"cmd": "unkill"}, {"cmd": "arm"}],
    [{"cmd": "deploy", "bundle": "/"}, {"cmd": "deploy", "bundle": "."}, {"cmd": "deploy", "bundle": 7}, {"cmd": "no"}],
    [{"cmd": "deploy", "bundle": "BUNDLE"}, {"cmd": "shutdown"}],
]
_CONFIG = """\
board = "unix:/run/board.sock"
control = "unix:control.sock"
journal = "journal"
journal_segment_bytes = 65536
bundle = "."
kill_file = "kill-me"
[session]
quickfix = "quickfix.cfg"
resend_orders = "gap-fill"
full_book = true
max_segment_bytes = 1000
day_roll = "17:00:30"
reconnect_ms = 100
reconnect_most_ms = 60000
rearm_after_loss = "when-known"
rearms_per_minute = 3
after_logout = "come-back"
snapshot_wait_ms = 2000
[limits]
watchdog_ms = 1000
lease_ms = 400
hold_ms = 100
rx_gate_ms = 5
clock_max_age_ms = 100
clock_max_error_us = 500
clock_step_ms = 2000
max_unacked_bytes = 30000
poll_us = 500
"""
_CONFIG_TLS = """\
log_format = "json"
[control]
view = {socket = "unix:view.sock", mode = "0666", group = "root"}
[control.tls]
listen = "[::1]:7443"
certificate = "daemon.crt"
key = "daemon.key"
client_ca = "ca.crt"
[control.tls.clients]
"email:anna@desk.example" = "trade"
"sha256:AB:CD" = "view"
"""
# Each step of a scenario once, and lines of a record.
_SCENARIO = """\
fixaccel-scenario: 1
timeout: 2s
steps:
  - quote: {instrument: MSFT, bid: 1180.50, bid_size: 100, ask: 1180.60, ask_size: 10}
  - batch: [{trade: {instrument: MSFT, price: 1180, size: 10}}, {quote: {instrument: "7203"}}]
  - order: {instrument: MSFT, side: sell, qty: 30, type: limit, price: 1190, tif: ioc}
  - cancel_all: MSFT
  - phase: {instrument: MSFT, phase: halted}
  - wait: 200ms
  - after: 1s
  - at: 14:30:00
  - wait_for: {orders: 3, timeout: 1m}
  - wait_for: {logon: CLIENT1}
  - logout: CLIENT1
  - resend: {client: CLIENT1, begin: 2, end: 0}
  - test_request: {client: CLIENT1}
  - say: done
  - ticks: {file: day.csv, speed: 10x, instruments: {SPY: MSFT}}
"""
_FAULTS = """\
fixaccel-scenario: 1
steps:
  - fault: {client: CLIENT1, delay: 50ms, types: [8, W], count: 10}
  - fault: {client: CLIENT1, garble: all, seed: 7}
  - fault: {client: CLIENT1, hold: true}
  - fault: {client: CLIENT1, window_close: true}
  - fault: {client: CLIENT1, sequence_jump: 5}
  - fault: {client: CLIENT1, resend_request: {begin: 1, end: 0}}
  - repeat: {times: 3, steps: [{repeat: {for: 1s, steps: [{say: a}]}}]}
  - parallel: [[{wait: 1s}], [{flow: {seed: 7, rate: 5000/s, for: 10s, pace: max, instruments: {MSFT: 1180.00},
     participants: {maker: {spread: 2, levels: 3}, noise: {limit: 1}, momentum: {window: 5}}}}]]
"""
_RECORD = """\
{"time_ns":1,"event":"venue","self_trade":"allow","market_data":"snapshot","kept_orders":100,"instruments":[\
{"symbol":"MSFT","lot":1,"lowest":"0.01","highest":"10000","ticks":[{"tick":"0.01"}]}]}
{"time_ns":2,"event":"call","step":1,"call":"quote","symbol":"MSFT","bid":"10.00","bid_size":5,"ask":"10.02","ask_size":5}
{"time_ns":3,"event":"call","step":2,"call":"enter","client":"C","cl_ord_id":"1","symbol":"MSFT","side":"1","qty":"7",\
"ord_type":"2","price":"10.02"}
{"time_ns":4,"event":"execution","client":"C","msg_seq_num":2,"order_id":"O3","exec_id":"E3","cl_ord_id":"1"}
{"time_ns":5,"event":"call","step":3,"call":"replace","client":"C","cl_ord_id":"2","orig_cl_ord_id":"1","symbol":"MSFT",\
"side":"1","qty":"9","ord_type":"4","price":"10.02","stop_price":"10.05"}
{"time_ns":6,"event":"call","step":4,"call":"trade","symbol":"MSFT","price":"10.05","size":3}
{"time_ns":7,"event":"call","step":5,"call":"say","what":"phase","instrument":0,"phase":"halted"}
{"time_ns":8,"event":"call","step":6,"call":"house_order","symbol":"MSFT","side":"sell","size":2,"type":"limit",\
"tif":"day","price":"10.00"}
{"time_ns":9,"event":"call","step":7,"call":"mass_cancel","client":"C","text":"x"}
{"time_ns":9,"event":"call","step":8,"call":"take_out","order":4}
{"time_ns":9,"event":"call","step":9,"call":"say","what":"end_of_day"}
{"time_ns":9,"event":"call","step":10,"call":"cancel","client":"C","cl_ord_id":"3","orig_cl_ord_id":"2","symbol":"MSFT"}
{"time_ns":9,"event":"summary","orders":[]}
"""


def write(folder: Path, inputs: Iterable[bytes]) -> None:
    """Each a file."""
    folder.mkdir()
    for number, data in enumerate(inputs):
        (folder / f"{number:03}").write_bytes(data)


def compile_strategy(folder: Path, bundle: Path) -> None:
    """A bundle with every kind of rule, for a small board."""
    folder.mkdir()
    for name, text in (("venue", _VENUE), ("board", _BOARD), ("strategy", _STRATEGY)):
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    words = ["compile", str(folder / "strategy.yaml"), "--board", str(folder / "board.yaml"), "-o", str(bundle)]
    done = subprocess.run([sys.executable, "-m", "fixaccel", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)


def files_of(bundle: Path) -> list[bytes]:
    """Each file of the bundle behind its name."""
    files = sorted(file for file in bundle.rglob("*") if file.is_file())
    return [f"{file.relative_to(bundle)}\n".encode() + file.read_bytes() for file in files]


def without_sums(text: bytes) -> bytes:
    """Lines of a journal whose sums the fuzzer is to make."""
    return b"".join(b"~ " + line.partition(b" ")[2] for line in text.splitlines(keepends=True))


def journals(folder: Path) -> list[bytes]:
    """Folders as the fuzzer takes them: whole ones and first files alone, with sums to be made and as they are."""
    whole = [sorted(set(journal.iterdir()) - {journal / "kill"}) for journal in (folder / "one", folder / "many")]
    found = [
        b"".join(b"@" + file.name.encode() + b"\n" + change(file.read_bytes()) for file in files)
        for files in (*whole, *(files[:1] for files in whole))
        for change in (without_sums, bytes)
    ]
    single = (folder / "one" / "journal-000000000001.log").read_bytes()
    return [*found, b"@journal.log\n" + without_sums(single), b""]


def frames() -> list[bytes]:
    """Requests to the board's socket behind `s`, behind `c` answers of a board."""
    read = [struct.pack("<3I", 1, address, count) for address, count in ((0, 1), (64, 4), (128, 1), (4, 4096), (2, 1))]
    write = [struct.pack("<3I", 2, address, len(words)) + struct.pack(f"<{len(words)}I", *words)
             for address, words in ((0, [1]), (64, [1, 2, 3]), (2**32 - 4, [7]))]  # fmt: skip
    wrong = [struct.pack("<3I", 3, 0, 1), struct.pack("<3I", 1, 0, 0), struct.pack("<3I", 1, 0, 5000)]
    answers = [struct.pack("<2I", 0, 4) + bytes(16), struct.pack("<2I", 0, 0), struct.pack("<2I", 5, 0)]
    long = struct.pack("<2I", 0, 2**32 - 1) + bytes(64)
    asked = [b"s\x0b" + b"".join(read), b"s\xff" + b"".join(write), b"s\x00" + read[0] + write[1] + read[0]]
    return [*asked, *(b"s\x05" + read[0] + each for each in wrong), b"c" + b"".join(answers * 3), b"c" + long]


def main() -> None:
    """Writes the folders, and `made` once all are there."""
    folder, make_journal = Path(sys.argv[1]).resolve(), sys.argv[2]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    bundle = folder / "strategy"
    compile_strategy(folder / "source", bundle)
    subprocess.run([make_journal, folder / "journals"], check=True)
    settings = (bundle / "client" / "quickfix.cfg").read_bytes()
    requests = ["".join(f"{line}\n" for line in map(json.dumps, lines)) for lines in _REQUESTS]
    write(folder / "board", frames())
    write(folder / "bundle", files_of(bundle))
    write(
        folder / "config", [(bundle / "client" / "fixacceld.toml").read_bytes(), _CONFIG.encode(), _CONFIG_TLS.encode()]
    )
    write(folder / "control", [text.replace("BUNDLE", str(bundle)).encode() for text in requests])
    write(folder / "feed", feeds())
    write(folder / "journal", journals(folder / "journals"))
    kill = (folder / "journals" / "many" / "kill").read_bytes()
    write(folder / "kill_word", [kill, without_sums(kill), without_sums(kill.replace(b"true", b"false")), b""])
    write(folder / "scenario", [_SCENARIO.encode(), _FAULTS.encode()])
    write(folder / "record", [_RECORD.encode()])
    write(folder / "session", ["".join(f"{line}\n" for line in lines).encode() for lines in CONVERSATIONS.values()])
    write(folder / "settings", [settings, settings.replace(b"[SESSION]", b"StartTime=00:00:01\n[SESSION]")])
    (folder / "made").touch()


if __name__ == "__main__":
    main()
