# SPDX-License-Identifier: Apache-2.0
"""Frames for the fabric, and the checks on what it sends: each must notice its fault."""

import random
import re
from dataclasses import replace
from ipaddress import IPv4Address

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sent_orders import Memory, Sent, send_order

from fixaccel.data import data_path
from fixaccel.emit.manifest import manifest
from fixaccel.emit.rules import BLOCKS_FILE, RULES_FILE, BundleRules, blocks_file, rule_columns
from fixaccel.hwmap import load_hwmap
from fixaccel.image.layout import Layout
from fixaccel.image.pack.pack import build_image
from fixaccel.image.parts import Parts
from fixaccel.image.software.safetensors import dump
from fixaccel.image.templates.message import fields_of, utc_text
from fixaccel.language.terms import Session, Source
from fixaccel.pipeline import load_board, load_strategy
from fixaccel.semantics.messages import Kind, Message
from fixaccel.simulate.engines import EngineError
from fixaccel.simulate.rtl.check import Results
from fixaccel.simulate.rtl.entries import UNLISTED
from fixaccel.simulate.rtl.frames import ACK, PSH, Endpoint, FrameError, Segment, build, parse
from fixaccel.simulate.rtl.market_data import Venue, framed
from fixaccel.simulate.rtl.pcap import PcapError, read_pcap, write_pcap
from fixaccel.simulate.rtl.run import BINARY_VARIABLE, find_rtlsim
from fixaccel.simulate.rtl.stream import make_traffic

HWMAP = load_hwmap()
STRATEGY = data_path("strategies/quickstart.yaml")
SESSION = Session("FIX.4.4", "CLIENT1", "VENUE", "10.0.0.1", 9878, 30)
HERE = Endpoint(b"\x02\0\0\0\0\1", IPv4Address("192.0.2.1"), 9878)
THERE = Endpoint(b"\x02\0\0\0\0\2", IPv4Address("192.0.2.2"), 40000)


def snapshot(event, ts_ns=0, symbol="MSFT", **prices):
    return Message(event, ts_ns, symbol, Kind.SNAPSHOT, {Source(k): v for k, v in prices.items()}, {})


def update(event, ts_ns=0, symbol="MSFT", **prices):
    return replace(snapshot(event, ts_ns, symbol, **prices), kind=Kind.UPDATE)


@given(
    st.integers(0, 2**32 - 1),
    st.integers(0, 2**32 - 1),
    st.integers(0, 255),
    st.integers(0, 65535),
    st.binary(max_size=99),
)
def test_frames_survive_the_round_trip(seq, ack, flags, window, payload):
    segment = Segment(HERE, THERE, seq, ack, flags, window, payload)
    assert parse(build(segment, 1)) == segment


@given(st.binary(max_size=60), st.integers(0, 10_000), st.integers(1, 255))
def test_a_changed_byte_is_noticed(payload, place, change):
    frame = bytearray(build(Segment(HERE, THERE, 1, 2, ACK, 3, payload), 9))
    place = 12 + place % (len(frame) - 12)  # the MAC addresses have no checksum but the FCS
    frame[place] ^= change
    with pytest.raises(FrameError):
        parse(bytes(frame))


def test_damage_is_damage():
    with pytest.raises(FrameError, match="TCP checksum"):
        parse(build(Segment(HERE, THERE, 1, 2, ACK, 3, b"abc"), 9, damage=5))


def test_captures_survive_the_round_trip(tmp_path):
    path = tmp_path / "a.pcap"
    frames = [(0, b"a" * 60), (1_700_000_000_123_456_789, b"b" * 1514)]
    write_pcap(path, frames)
    assert list(read_pcap(path)) == frames
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(PcapError):
        list(read_pcap(path))
    path.write_bytes(b"not a capture")
    with pytest.raises(PcapError):
        list(read_pcap(path))


def test_a_snapshot_as_fix():
    message = snapshot(1, 1_700_000_000_123_456_789, bid="1.50", ask="-", last="-0.25")
    text = Venue(SESSION, None).snapshot(message).replace(b"\x01", b"|").decode()
    assert text == (
        "8=FIX.4.4|9=126|35=W|34=1|49=VENUE|52=20231114-22:13:20.123|56=CLIENT1|262=MD1|55=MSFT|268=2|"
        "269=0|270=1.50|271=1|290=1|269=2|270=-0.25|271=1|10=" + text[-4:-1] + "|"
    )


def read_snapshot(message):
    """Symbol and prices as a reader of the specification takes them: best level, else first; final trade."""
    fields = fields_of(message)
    entries = []
    for tag, value in fields:
        if tag == 269:
            entries.append({269: value})
        elif entries and tag in {270, 290} and tag not in entries[-1]:
            entries[-1][tag] = value
    sides = {}
    for source, kind in ((Source.BID, "0"), (Source.ASK, "1")):
        levels = [entry for entry in entries if entry[269] == kind]
        best = [entry for entry in levels if entry.get(290) == "1"] or levels
        if best:
            sides[source] = best[0][270]
    for entry in entries:
        if entry[269] == "2":
            sides[Source.LAST] = entry[270]
    return dict(fields)[55], sides


@settings(max_examples=200)
@given(
    st.integers(0, 10_000),
    st.dictionaries(st.sampled_from(["bid", "ask", "last"]), st.sampled_from(["1", "2.5", "-3"])),
)
def test_a_shaped_snapshot_says_the_same(seed, prices):
    venue = Venue(SESSION, random.Random(seed))
    for event in range(1, 6):
        message = venue.snapshot(snapshot(event, **prices))
        if b"\x01355=" not in message:  # raw data holds separators: only a reader of lengths may cut it
            assert read_snapshot(message) == ("MSFT", {Source(k): v for k, v in prices.items()})


def test_an_update_as_fix():
    messages = [update(1, bid="1.50", ask="-", last="-0.25"), update(2, symbol="ES", last="-"), update(3, symbol="CL")]
    text = Venue(SESSION, None).update(messages).replace(b"\x01", b"|").decode()
    assert text[text.index("|262=") : -7] == (
        "|262=MD1|268=5|279=1|269=0|55=MSFT|270=1.50|271=1|290=1|279=2|269=1|55=MSFT|290=1|"
        "279=0|269=2|55=MSFT|270=-0.25|271=1|279=0|269=2|55=ES|271=1|279=2|269=0|55=CL|290=2|"
    )
    assert "|35=X|" in text


def read_update(message):
    """Prices by symbol, in the order of first appearance, as a reader of the specification takes them.

    Best level, else first of its side; final trade; a deeper level alone says nothing, nor does a trade taken back.
    """
    entries = []
    for tag, value in fields_of(message):
        if tag == 279:
            entries.append({55: entries[-1][55]} if entries else {})
        if entries:
            entries[-1][tag] = value
    found = {}
    for symbol in dict.fromkeys(entry[55] for entry in entries):
        own = [entry for entry in entries if entry[55] == symbol]
        prices = found.setdefault(symbol, {})
        for source, kind in ((Source.BID, "0"), (Source.ASK, "1")):
            levels = [entry for entry in own if entry[269] == kind]
            best = [entry for entry in levels if entry.get(290) == "1"] or [e for e in levels if 290 not in e]
            if best:
                prices[source] = "-" if best[0][279] == "2" else best[0][270]
        for entry in own:
            if entry[269] == "2" and entry[279] != "2":
                prices[Source.LAST] = entry.get(270, "-")
    return {symbol: prices for symbol, prices in found.items() if symbol != UNLISTED}


PRICES = st.dictionaries(st.sampled_from(["bid", "ask", "last"]), st.sampled_from(["1", "2.5", "-3", "-"]))


@settings(max_examples=300)
@given(st.none() | st.integers(0, 10_000), st.lists(PRICES, min_size=1, max_size=3))
def test_a_shaped_update_says_the_same(seed, prices):
    venue = Venue(SESSION, None if seed is None else random.Random(seed))
    events = [update(n, symbol="ABC"[n], **one) for n, one in enumerate(prices)]
    for _ in range(5):
        message = venue.update(events)
        if b"\x01355=" not in message:
            seen = read_update(message)
            assert list(seen.items()) == [(one.instrument, dict(one.prices)) for one in events]


def test_updates_at_one_time_share_messages():
    events = [update(n, n // 4, "ABC"[n % 3], last=str(n)) for n in range(1, 200)]
    assert [len(together) for together in make_traffic(SESSION, events, None).numbered] == [1] * len(events)
    sizes = set()
    for seed in range(20):
        numbered = make_traffic(SESSION, events, seed).numbered
        assert [message for together in numbered for message in together] == events
        for together in numbered:
            sizes.add(len(together))
            assert len({message.instrument for message in together}) == len(together)
            assert len({message.ts_ns for message in together}) <= 1
    assert sizes == {0, 1, 2, 3}


def stream_of(traffic):
    """Payload bytes as a receiver puts them together, each once; frames with a bad checksum dropped."""
    stream, start = bytearray(), None
    for _, frame in traffic.frames:
        try:
            segment = parse(frame)
        except FrameError:
            continue
        if (segment.source, segment.target) != (traffic.venue, traffic.client) or not segment.payload:
            continue
        start = segment.seq if start is None else start
        at = (segment.seq - start) % 2**32
        assert at <= len(stream), "a hole"
        stream[at : at + len(segment.payload)] = segment.payload
    return bytes(stream)


@settings(max_examples=30, deadline=None)
@given(st.none() | st.integers(0, 10_000), st.integers(1, 40))
def test_segments_carry_the_stream_once(seed, count):
    make = snapshot if count % 2 else update
    events = [make(n, n, bid="1", ask="2", last="3") for n in range(1, count + 1)]
    traffic = make_traffic(SESSION, events, seed)
    stream = stream_of(traffic)
    messages, at = [], 0
    while at < len(stream):
        length = int(stream[at:].split(b"\x01")[1][2:])
        body = stream.index(b"\x01", stream.index(b"\x019=", at) + 1) + 1
        end = body + length + len(b"10=000\x01")
        messages.append(stream[at:end])
        at = end
    good = [m for m in messages if sum(m[:-7]) % 256 == int(m[-4:-1])]
    assert len(good) == len(traffic.numbered)
    assert [message for together in traffic.numbered for message in together] == events
    times = [time for time, _ in traffic.frames]
    assert times == sorted(times)
    if seed is None:
        assert len(traffic.frames) == count
    assert make_traffic(SESSION, events, seed) == traffic


def payload_of(frame):
    try:
        return parse(frame).payload
    except FrameError:
        return None


def test_damaged_frames_are_told_and_come_again_whole():
    events = [snapshot(n, n, last="3") for n in range(1, 21)]
    several = 0
    for seed in range(20):
        traffic = make_traffic(SESSION, events, seed, ahead=True)
        stream, frames = stream_of(traffic), [frame for _, frame in traffic.frames]
        bad_fcs = {damaged.frame for damaged in traffic.damaged if damaged.bad_fcs}
        for damaged in traffic.damaged:
            said = payload_of(frames[damaged.frame])
            assert (said is not None) == damaged.bad_fcs
            ended = traffic.ends[damaged.first : damaged.last]
            if said is not None:
                again = [payload_of(frame) for n, frame in enumerate(frames) if n > damaged.frame and n not in bad_fcs]
                assert any(payload and payload.endswith(said) for payload in again)
                assert all(stream[:end].rpartition(b"\x0110=")[2][:3] + b"\x01" in said for end in ended)
            several += len(ended) > 1
    assert several > 10


@pytest.fixture(scope="module")
def run():
    """A run of the quickstart with one fire, as the fabric would report it."""
    loaded, board = load_strategy(STRATEGY), load_board().board
    image = build_image(loaded.strategy, board, HWMAP)
    parts = Parts.of(loaded.strategy)
    body = manifest(image, loaded.strategy, board, HWMAP, parts)
    files = {RULES_FILE: dump(rule_columns(loaded.strategy, image, parts)), BLOCKS_FILE: blocks_file(loaded.strategy)}
    rules = BundleRules(body, files.__getitem__)
    traffic = make_traffic(loaded.strategy.venue.session, [snapshot(1, 5, last="1180")], None)
    layout = Layout(HWMAP, board.capacity)
    memories = {name: Memory(name, data, layout) for name, data in image.memories.items()}
    payload = send_order(memories, int(image.order[0]), Sent(1, 5, "00000000000000000001"), layout)
    record = {
        "entry": 1, "message": 1, "trigger": rules[0].trigger, "rule": 0, "instrument": 0, "source": 2, "outcome": 0,
        "fires": 1, "observed": 118_000, "time_ns": 5, "msg_seq_num": 1, "tcp_seq": traffic.isn_client,
        "length": len(payload), "payload": payload.decode("latin-1"),
    }  # fmt: skip
    segment = Segment(traffic.client, traffic.venue, traffic.isn_client, 77, ACK | PSH, 100, payload)
    return (body, rules, loaded.strategy), traffic, record, segment


def results(run, record=None, segment=None, frames=None):
    body, traffic, good_record, good_segment = run
    sent = [build(segment or good_segment, 1)] if frames is None else frames
    checked = Results(traffic, iter(sent), HWMAP)
    checked.load(*body)
    fires = checked.fires([{**good_record, **(record or {})}])
    checked.end()
    return fires


def test_a_right_order_becomes_a_fire(run):
    (fire,) = results(run)
    assert (fire.rule, fire.trigger, fire.observed, fire.outcome) == ("protect-msft", "1180", "1180", "sent")


@pytest.mark.parametrize(
    "record",
    [
        {"entry": 2}, {"message": 2}, {"trigger": 99}, {"rule": 1}, {"instrument": 1}, {"source": 1}, {"fires": 2},
        {"time_ns": 5_000_000}, {"msg_seq_num": 2}, {"tcp_seq": 9}, {"length": 1}, {"payload": ""},
    ],
)  # fmt: skip
def test_a_wrong_record_is_noticed(run, record):
    with pytest.raises(EngineError):
        results(run, record=record)


def refit(payload, old, new):
    """The message with one text changed and lengths and sums made right again."""
    fields = [
        (int(t), v) for t, _, v in (f.partition("=") for f in payload.decode().replace(old, new).split("\x01")[2:-2])
    ]
    return framed("FIX.4.4", fields)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("34=00000001", "34=00000002"), ("49=CLIENT1", "49=CLIENT2"), ("56=SIM", "56=SIN"), ("\x011=CLIENT1", ""),
        ("11=0000000000000000000", "11=0000000000000000001"), ("38=0000000002", "38=0000000003"),
        ("44=01100.00", "44=01100.01"), ("54=2", "54=1"), ("55=MSFT", "55=MSFU"), ("59=0", "59=1"),
        ("40=2", "40=1"), ("60=19700101", "60=19700102"), ("52=19700101", "52=19700102"), ("35=D", "35=F"),
    ],
)  # fmt: skip
def test_a_wrong_order_is_noticed(run, old, new):
    segment = run[3]
    payload = refit(segment.payload, old, new)
    assert payload != segment.payload
    record = {"payload": payload.decode("latin-1"), "length": len(payload)}
    with pytest.raises(EngineError):
        results(run, record=record, segment=replace(segment, payload=payload))


@pytest.mark.parametrize("change", [{"seq": 9}, {"flags": ACK}, {"target": THERE}, {"source": HERE}])
def test_a_wrong_segment_is_noticed(run, change):
    with pytest.raises(EngineError):
        results(run, segment=replace(run[3], **change))


def test_orders_and_records_must_pair(run):
    frame = build(run[3], 1)
    for frames in ([], [frame, frame]):
        with pytest.raises(EngineError):
            results(run, frames=frames)


def test_a_rejected_fire_has_no_order(run):
    (fire,) = results(run, record={"outcome": HWMAP.constant("outcome_window")}, frames=[])
    assert (fire.outcome, fire.cl_ord_id) == ("rejected:window", "")


def test_what_a_watch_has_hit_is_no_fire(run):
    body, traffic, good, _ = run
    watch = good | {"trigger": 40, "outcome": HWMAP.constant("outcome_watch")}
    watch |= dict.fromkeys(("msg_seq_num", "tcp_seq", "length"), 0)

    def fires(record):
        checked = Results(traffic, iter([]), HWMAP)
        checked.load(*body, watches={40: good["rule"]})
        found = checked.fires([record])
        checked.end()
        return found

    assert fires(watch) == fires(watch | {"outcome": HWMAP.constant("outcome_exhausted")}) == []
    for wrong in (
        {"outcome": HWMAP.constant("outcome_sent")},
        {"rule": good["rule"] + 1},
        {"length": 9},
        {"tcp_seq": 1},
    ):
        with pytest.raises(EngineError, match="watch of fire 1"):
            fires(watch | wrong)


def test_a_missing_simulator_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv(BINARY_VARIABLE, str(tmp_path / "none"))
    with pytest.raises(EngineError, match="build it with"):
        find_rtlsim()


def late_messages(traffic):
    """How many messages end in a segment that comes later than their own SendingTime and all before it."""
    segments = []
    for time, frame in traffic.frames:
        try:
            segments.append((time, parse(frame)))
        except FrameError:
            continue
    first, stream, read, late, latest = segments[0][1].seq, b"", 0, 0, ""
    for time, segment in segments:
        start = (segment.seq - first) % 2**32
        if segment.target.port != traffic.client.port or start > len(stream):
            continue
        stream += segment.payload[len(stream) - start :]
        while end := re.search(rb"\x0110=[0-9]{3}\x01", stream[read:]):
            message, read = stream[read : read + end.end()], read + end.end()
            sent = re.search(rb"\x0152=([^\x01]+)", message)
            assert sent is not None
            latest = max(latest, sent[1].decode())
            late += utc_text(time) > latest
    return late


def test_segments_keep_messages_of_different_times_apart_where_that_counts():
    """Each message ends in a segment of its own time: else it would be as late as one that begins in there."""
    times = [10, 10, 30, 20, 40]
    events = [snapshot(number, ts_ns=ts * 10**6, last="1") for number, ts in enumerate(times, start=1)]
    late = {
        timed: sum(late_messages(make_traffic(SESSION, events, seed, timed=timed)) for seed in range(60))
        for timed in (True, False)
    }
    assert late[True] == 0
    assert late[False] > 10
