# SPDX-License-Identifier: Apache-2.0
"""`fixaccel fast`: captures both ways, and what it says where it cannot."""

import json
import socket
import struct
from pathlib import Path
from typing import Any

import dpkt
import pytest
from click.testing import CliRunner, Result

from fixaccel.cli.fast.decode import ENGINES
from fixaccel.cli.main import cli
from fixaccel.fast.capture import Capture, Passed, frame_of
from fixaccel.language.terms import Group

TEMPLATES = Path(__file__).resolve().parents[2] / "strategies" / "venues" / "templates" / "simulator.xml"
A, B = Group("239.195.1.1", 16001), Group("239.195.1.129", 17001)
SOURCE = Group("10.50.129.200", 16000)
ENTRY = {"MDUpdateAction": 1, "MDEntryType": "0", "SecurityID": 4711, "MDEntryPx": "1180.25", "MDEntrySize": 300}


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["fast", *map(str, arguments)])


def messages(path: Path, count: int = 3, **more: object) -> Path:
    lines = [
        {"template": "Incremental", **more, "fields": {"MsgSeqNum": at, "SendingTime": 10 * at, "Entries": [ENTRY]}}
        for at in range(1, count + 1)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def encoded(tmp_path: Path, *more: object) -> Path:
    output = tmp_path / "day.pcap"
    result = run("encode", messages(tmp_path / "day.jsonl"), "--templates", TEMPLATES, "-o", output, *more)
    assert result.exit_code == 0, result.output
    return output


def decoded(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_day_goes_there_and_back(tmp_path: Path) -> None:
    path = encoded(tmp_path, "--number", 4, "--first", 7, "--to", A, "--to", B, "--lose", "b:8")
    with path.open("rb") as file:
        numbers = [
            int.from_bytes(dpkt.ethernet.Ethernet(frame).data.data.data[:4]) for _, frame in dpkt.pcap.Reader(file)
        ]
    assert numbers == [7, 7, 8, 9, 9]
    result = run("decode", path, "--templates", TEMPLATES, "--skip", 4, "--group", A)
    assert result.exit_code == 0
    assert [line["fields"]["MsgSeqNum"] for line in decoded(result)] == [1, 2, 3]
    price = decoded(result)[0]["fields"]["Entries"][0]["MDEntryPx"]
    assert price == {"exponent": -2, "mantissa": 118025}
    assert "2 frames passed over: another group or port" in result.stderr
    again = tmp_path / "again.jsonl"
    again.write_text(result.stdout)
    assert run("encode", again, "--templates", TEMPLATES, "-o", tmp_path / "again.pcap").exit_code == 0
    one_more = run("decode", tmp_path / "again.pcap", "--templates", TEMPLATES)
    assert [line["fields"] for line in decoded(one_more)] == [line["fields"] for line in decoded(result)]


def test_lines_of_one_datagram_are_one(tmp_path: Path) -> None:
    path = messages(tmp_path / "day.jsonl", datagram=1)
    result = run("encode", path, "--templates", TEMPLATES, "-o", tmp_path / "day.pcap")
    assert "1 datagram in 1 frame\n" in result.output


def test_faults_are_lines_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "bad.pcap"
    good = bytes.fromhex("e0 81 81 80 80")
    with path.open("wb") as file:
        writer = dpkt.pcap.Writer(file)
        for payload in (good, good[:-1], b"\x00\x82" + good[1:], good):
            writer.writepkt(frame_of(A, SOURCE, payload, 1), 1.5)
    result = run("decode", path, "--templates", TEMPLATES)
    assert result.exit_code == 1
    assert [line.get("error") for line in decoded(result)] == [None, "U1", "D5", None]
    assert "4 datagrams, 2 with a fault" in result.stderr
    strict = run("decode", path, "--templates", TEMPLATES, "--strict")
    assert [line.get("error") for line in decoded(strict)] == [None, "U1"]


VENUE = """\
fixaccel-venue: 1
name: simulator
time_zone: UTC
session: {begin_string: FIX.4.4, sender_comp_id: A, target_comp_id: B, connect: 10.77.0.1:9878, heartbeat: 30s}
market_data:
  feed:
    templates: simulator.xml
    sequence: {bytes: 4, of: datagrams}
    reset: datagram
    channels: {stocks: {a: 239.195.1.1:16001, b: 239.195.1.129:17001, source: 10.50.129.200}}
instruments:
"""


def venue(tmp_path: Path, instruments: int = 1, reset: str = "datagram") -> Path:
    listed = "".join(
        f"  I{at}: {{tick: 0.01, lot: 1, price_range: 0.01..10000, id: {4711 + at}}}\n" for at in range(instruments)
    )
    (tmp_path / "simulator.xml").write_bytes(TEMPLATES.read_bytes())
    path = tmp_path / "venue.yaml"
    path.write_text(VENUE.replace("reset: datagram", f"reset: {reset}") + listed)
    return path


def hostile(tmp_path: Path) -> Path:
    """Good datagrams and bad ones, some of another group or sender."""
    good = bytes.fromhex("00000007 e0 81 85 80 80")
    many = bytes.fromhex("00000008 e0 81 85 80 92 " + " ".join(f"98 24 {0xE7 + at:02x} fe 81 80" for at in range(18)))
    path = tmp_path / "hostile.pcap"
    with path.open("wb") as file:
        writer = dpkt.pcap.Writer(file)
        payloads = [good, good[:-1], good[:3], b"", many, good + good[4:], good[:4] + b"\x00\x82" + good[5:]]
        for payload in payloads:
            writer.writepkt(frame_of(A, SOURCE, payload, 1), 1.5)
        writer.writepkt(frame_of(Group("239.9.9.9", 1), SOURCE, good, 1), 1.5)
        writer.writepkt(frame_of(B, Group("10.50.129.201", 16000), good, 1), 1.5)
    return path


@pytest.mark.parametrize("reset", ["datagram", "message"])
def test_all_engines_say_the_same(tmp_path: Path, reset: str) -> None:
    path, named = hostile(tmp_path), venue(tmp_path, 18, reset)
    counting = [one for one in ENGINES if one != "rtl"]  # how many instruments a message names
    rules, program, native = (run("decode", path, "--venue", named, "--engine", one) for one in counting)
    assert rules.exit_code == program.exit_code == native.exit_code == 1
    assert rules.stdout == program.stdout == native.stdout
    assert rules.stderr == program.stderr == native.stderr
    rtl = run("decode", path, "--venue", named, "--engine", "rtl")
    assert rtl.exit_code == 1
    assert [line for line in decoded(rtl) if line["frame"] != 5] == [
        line for line in decoded(rules) if line["frame"] != 5
    ]
    errors = [line.get("error") for line in decoded(rules)]
    assert errors[:4] == [None, "U1", "U1", "U1"]
    assert "U4" in errors
    assert "1 frame passed over: another sender" in rules.stderr
    assert "1 frame passed over: another group or port" in rules.stderr
    strict = [run("decode", path, "--venue", named, "--engine", one, "--strict").stdout for one in ENGINES]
    assert strict[0] == strict[1] == strict[2] == strict[3]


@pytest.mark.parametrize("engine", ["program", "native", "rtl"])
def test_engines_need_no_venue(tmp_path: Path, engine: str) -> None:
    arguments = ["decode", hostile(tmp_path), "--templates", TEMPLATES, "--skip", 4, "--group", A]
    assert run(*arguments, "--engine", engine).stdout == run(*arguments).stdout


def test_as_many_instruments_as_the_venue_has(tmp_path: Path) -> None:
    few = run("decode", hostile(tmp_path), "--venue", venue(tmp_path, 16))
    assert "U4" not in [line.get("error") for line in decoded(few)]


def test_templates_beside_a_venue_take_the_place_of_its_own(tmp_path: Path) -> None:
    named = venue(tmp_path)
    other = tmp_path / "other.xml"
    other.write_text(TEMPLATES.read_text().replace('name="SendingTime"', 'name="Sent"'))
    fields = decoded(run("decode", hostile(tmp_path), "--venue", named, "--templates", other))[0]["fields"]
    assert "Sent" in fields


def test_what_does_not_go_with_a_venue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, named = hostile(tmp_path), venue(tmp_path)
    for more, said in (
        (["--skip", 3], "--skip is for templates without a venue file"),
        (["--reset", "message"], "--reset is for templates without a venue file"),
        (["--group", "239.9.9.9:1"], "the venue's feed has no group 239.9.9.9:1"),
    ):
        result = run("decode", path, "--venue", named, *more)
        assert (result.exit_code, said in result.stderr) == (2, True), result.stderr
    assert "name the templates with --templates" in run("decode", path).stderr
    monkeypatch.setenv("FIXACCEL_FEED_DECODE", str(tmp_path / "none"))
    missing = run("decode", path, "--venue", named, "--engine", "native")
    assert missing.exit_code == 2
    assert "FIXACCEL_FEED_DECODE" in missing.stderr
    monkeypatch.setenv("FIXACCEL_FEED_DECODE", "/bin/false")
    ended = run("decode", path, "--venue", named, "--engine", "native")
    assert (ended.exit_code, "ended with exit code 1" in ended.stderr) == (2, True), ended.stderr
    named.write_text(named.read_text().replace("skip: 5", "").replace("reset: datagram", "reset: datagrams"))
    assert (run("decode", path, "--venue", named).exit_code, "FX0" in run("decode", path, "--venue", named).stderr) == (
        2, True,
    )  # fmt: skip


def test_templates_that_have_no_room_in_a_program(tmp_path: Path) -> None:
    path = tmp_path / "many.xml"
    fields = "".join(f'<int32 name="F{at}"/>' for at in range(240))
    path.write_text(f'<templates><template name="T" id="1">{fields}</template></templates>')
    result = run("decode", hostile(tmp_path), "--templates", path, "--engine", "program")
    assert (result.exit_code, "FX1110" in result.stderr) == (2, True)


def test_a_venue_says_what_its_program_is_for(tmp_path: Path) -> None:
    named = venue(tmp_path)
    plain, shown = run("list", named.parent / "simulator.xml"), run("list", "--venue", named)
    assert shown.exit_code == 0, shown.output
    assert "   0 raw bytes=4 big role=number" in shown.stdout
    assert "raw" not in plain.stdout
    named.write_text(named.read_text().replace("    reset:", "    skip: 5\n    export: all\n    reset:"))
    assert "   1 raw bytes=1 big" in run("list", "--venue", named).stdout
    assert "tag=1" in run("list", "--venue", named).stdout
    assert "tag=" not in run("list", "--venue", named, "--export", "observations").stdout
    other = tmp_path / "other.xml"
    other.write_text(TEMPLATES.read_text().replace('name="SecurityID"', 'name="Security"'))
    assert "Entries.Security\n" in run("list", other, "--venue", named).stdout
    run("list", "--venue", named, "-o", tmp_path / "feed.program")
    refused = run("list", tmp_path / "feed.program", "--venue", named)
    assert (refused.exit_code, "is a program already" in refused.stderr) == (2, True)
    assert run("list").exit_code == 2
    assert run("list", "--venue", named, "-o", named.parent / "simulator.xml", "--overwrite").exit_code == 2


def test_a_venue_says_what_of_templates_is_needed(tmp_path: Path) -> None:
    named = venue(tmp_path)
    checked = run("check", "--venue", named)
    assert checked.exit_code == 0, checked.output
    said = [" ".join(line.split()) for line in checked.stdout.splitlines()]
    assert "instrument SecurityID (48), by number" in said
    assert "entries Entries (268)" in said
    assert "position none, by 1023 or 290" in said
    assert "number 4 bytes at byte 0, of datagrams" in said
    other = tmp_path / "other.xml"
    other.write_text(TEMPLATES.read_text().replace('id="270"', 'id="271"'))
    missing = run("check", other, "--venue", named)
    assert missing.exit_code == 1
    assert "FX0512" in missing.stderr
    assert "for the price of prices" in missing.stderr
    assert run("check", other, other.parent / "simulator.xml", "--venue", named).exit_code == 2
    assert run("check").exit_code == 2
    assert run("check", "--venue", tmp_path / "none.yaml").exit_code == 2
    named.write_text(named.read_text().replace("bytes: 4, of: datagrams", "field: MsgSeqNum, of: messages"))
    assert "number MsgSeqNum (34), of messages" in " ".join(run("check", "--venue", named).stdout.split())
    plain = tmp_path / "plain.yaml"
    text = named.read_text()
    begin, end = text.index("market_data:"), text.index("instruments:")
    plain.write_text(text[:begin] + "market_data: {message: snapshot}\n" + text[end:].replace(", id: 4711", ""))
    assert "has no `feed`" in run("check", "--venue", plain).stderr


def _changed(frame: bytes, at: int, data: bytes) -> bytes:
    return frame[:at] + data + frame[at + len(data) :]


GOOD = frame_of(A, SOURCE, b"\xc0\x81", 1)


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        (_changed(GOOD, 12, b"\x81\x00"), Passed.OTHER),
        (_changed(GOOD, 12, b"\x86\xdd"), Passed.OTHER),
        (_changed(GOOD, 14, b"\x46"), Passed.OPTIONS),
        (_changed(GOOD, 20, b"\x20\x00"), Passed.FRAGMENT),
        (_changed(GOOD, 20, b"\x00\x01"), Passed.FRAGMENT),
        (_changed(GOOD, 23, bytes([socket.IPPROTO_TCP])), Passed.NOT_UDP),
        (_changed(GOOD, 38, struct.pack(">H", 9)), Passed.LENGTH),
        (_changed(GOOD, 24, b"\x12\x34"), Passed.IP_SUM),
        (_changed(GOOD, 42, b"\xc1"), Passed.UDP_SUM),
        (GOOD[:-1], Passed.CUT),
        (frame_of(B, SOURCE, b"\xc0\x81", 1), Passed.ELSEWHERE),
    ],
)
def test_what_is_no_datagram(tmp_path: Path, frame: bytes, why: Passed) -> None:
    path = tmp_path / "odd.pcap"
    no_sum = _changed(GOOD, 40, b"\0\0")  # absent, which is right
    with path.open("wb") as file:
        writer = dpkt.pcap.Writer(file)
        for one in (GOOD, frame, no_sum, GOOD + b"\0" * 10):
            writer.writepkt(one, 1.5)
    capture = Capture(path, frozenset([A]))
    assert [one.payload for one in capture] == [b"\xc0\x81"] * 3
    assert capture.passed == {why: 1}


def test_pcapng_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "day.pcapng"
    with path.open("wb") as file:
        dpkt.pcapng.Writer(file).writepkt(GOOD, 1.5)
    (one,) = Capture(path)
    assert (one.group, one.time) == (A, 1_500_000_000)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "day.jsonl:1: this is not JSON"),
        ('{"template": "Refresh", "template": "Refresh"}', "day.jsonl:1: `template` is there twice"),
        ('{"template": "Incremental", "fields": {"MsgSeqNum": 1}}', "SendingTime: the field is mandatory"),
        ('{"template": "Incremental", "fields": {"MsgSeqNum": -1}}', "MsgSeqNum: it is a whole number from 0"),
        ('{"template": "Incremental", "fields": {"Seq": 1}}', "there is no field `Seq`"),
        ('{"template": "Trade"}', "no template Trade"),
        ('{"template": "Header", "fields": {"MsgSeqNum": 1, "SendingTime": 1}}', "template Header has no identifier"),
        ("[]", "a line is an object"),
        ("\udcff", "this is not JSON"),
        ('{"error": "D5"}', "this line tells of a fault"),
    ],
)
def test_what_cannot_be_encoded(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "day.jsonl"
    path.write_bytes((text + "\n").encode("utf-8", "surrogateescape"))
    result = run("encode", path, "--templates", TEMPLATES, "-o", tmp_path / "day.pcap")
    assert result.exit_code == 2
    assert said in result.stderr
    assert not (tmp_path / "day.pcap").exists()


@pytest.mark.parametrize("lose", ["a", "b:1", "a:x", "a:" + "9" * 5000, "a:9"])
def test_what_cannot_be_lost(tmp_path: Path, lose: str) -> None:
    path = messages(tmp_path / "day.jsonl")
    result = run("encode", path, "--templates", TEMPLATES, "-o", tmp_path / "day.pcap", "--lose", lose)
    assert result.exit_code == 2
    assert "--lose" in result.stderr
    assert not (tmp_path / "day.pcap").exists()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    path = encoded(tmp_path)
    before = path.read_bytes()
    again = ["encode", tmp_path / "day.jsonl", "--templates", TEMPLATES, "-o"]
    assert run(*again, path).exit_code == 2
    assert run(*again, tmp_path / "day.jsonl", "--overwrite").exit_code == 2
    assert path.read_bytes() == before
    assert run(*again, path, "--overwrite").exit_code == 0


@pytest.mark.parametrize("content", [b"", b"hello", b"\xd4\xc3\xb2\xa1" + b"\0" * 30])
def test_what_is_no_capture(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "day.pcap"
    path.write_bytes(content)
    result = run("decode", path, "--templates", TEMPLATES)
    assert result.exit_code == 2
    assert "Error:" in result.stderr


def test_wrong_templates_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "t.xml"
    path.write_text('<templates><template name="T" id="1"><uInt32/></template></templates>')
    assert run("check", path).exit_code == 1
    result = run("decode", encoded(tmp_path), "--templates", path)
    assert result.exit_code == 2
    assert "FX1102" in result.stderr
    assert run("check", tmp_path / "none.xml").exit_code == 2
