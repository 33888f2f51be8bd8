# SPDX-License-Identifier: Apache-2.0
import json
import zlib

import pytest
from click.testing import CliRunner

from fixaccel.board.journal import JournalError, read, segments
from fixaccel.cli.journal import journal

FILE = "journal-000000000001.log"
FIRE = {
    "type": "fire",
    "time_ns": 1_700_000_000_000_000_000,
    "rule": "protect-msft",
    "rule_index": 0,
    "instrument": "MSFT",
    "source": "last",
    "direction": "<=",
    "threshold": "1180",
    "observed": "1179",
    "outcome": "sent",
    "cycles": 4,
    "msg_seq_num": 7,
    "cl_ord_id": "00010000000000000001",
    "committed": True,
}


def line(record: dict) -> bytes:
    text = json.dumps(record).encode()
    return f"{zlib.crc32(text):08x}".encode() + b" " + text + b"\n"


def write(folder, content: bytes):
    (folder / FILE).write_bytes(content)
    return folder


def test_reads_records_in_order(tmp_path):
    write(tmp_path, line({"type": "open", "records": 0}) + line(FIRE))
    assert [r["type"] for r in read(tmp_path)] == ["open", "fire"]


@pytest.mark.parametrize("cut", range(1, 40))
def test_a_torn_end_is_said_to_be_one(tmp_path, cut):
    write(tmp_path, line({"type": "open", "records": 0}) + line(FIRE)[:-cut])
    assert list(read(tmp_path))[1:] == [{"type": "damaged", "file": FILE, "line": 2}]


def test_a_flipped_bit_is_seen(tmp_path):
    content = bytearray(line(FIRE))
    content[20] ^= 1
    write(tmp_path, bytes(content) + line(FIRE))
    assert [r["type"] for r in read(tmp_path)] == ["damaged", "fire"]


def test_a_crc_over_something_else_than_an_object_is_damage(tmp_path):
    write(tmp_path, f"{zlib.crc32(b'[1]'):08x}".encode() + b" [1]\n")
    assert list(read(tmp_path)) == [{"type": "damaged", "file": FILE, "line": 1}]


def test_no_journal(tmp_path):
    with pytest.raises(JournalError, match="no journal"):
        list(read(tmp_path))
    result = CliRunner().invoke(journal, [str(tmp_path)])
    assert (result.exit_code, "Traceback" in result.output) == (2, False)


def numbered(number: int) -> bytes:
    return line({"type": "note", "n": number})


def test_segments_are_read_one_behind_the_other(tmp_path):
    for first, count in ((1, 5), (6, 7), (13, 1), (14, 0)):
        content = b"".join(map(numbered, range(first, first + count)))
        (tmp_path / f"journal-{first:012}.log").write_bytes(content)
    (tmp_path / "snapshot-000000000012").write_bytes(line({"type": "snapshot"}))
    (tmp_path / "snapshot.new").write_bytes(b"half")
    assert [r["n"] for r in read(tmp_path)] == list(range(1, 14))
    assert segments(tmp_path)[0].name == FILE


def test_a_single_file_is_one_too(tmp_path):
    (tmp_path / "journal.log").write_bytes(numbered(1))
    assert [r["n"] for r in read(tmp_path)] == [1]


def test_whoever_follows_goes_on_with_the_next_segment(tmp_path):
    write(tmp_path, numbered(1))
    records = read(tmp_path, follow=True)
    assert next(records)["n"] == 1
    with (tmp_path / FILE).open("ab") as file:
        file.write(numbered(2))
    (tmp_path / "journal-000000000003.log").write_bytes(numbered(3))
    assert [next(records)["n"], next(records)["n"]] == [2, 3]


def test_json_lines_are_the_records(tmp_path):
    write(tmp_path, line(FIRE))
    result = CliRunner().invoke(journal, [str(tmp_path), "--json"])
    assert [json.loads(text) for text in result.output.splitlines()] == [FIRE]


def test_text_for_a_reader(tmp_path):
    rejected = {k: v for k, v in FIRE.items() if k not in {"msg_seq_num", "cl_ord_id", "committed", "cycles"}}
    rejected["outcome"] = "rejected:kill"
    other = [
        {"type": "open", "records": 3, "truncated_bytes": 12, "time_ns": 0},
        {"type": "session", "event": "logout", "next_sender": 8, "next_target": 20, "time_ns": 0},
        {"type": "asked", "for": "dry run", "time_ns": 0},
        {"type": "armed", "dry": True, "time_ns": 0},
        {**rejected, "outcome": "dry", "dry": True, "where": "runtime"},
        {"type": "next", "target": 4, "time_ns": 0},
    ]
    write(tmp_path, line(FIRE) + line(rejected) + b"".join(map(line, other)))
    lines = CliRunner().invoke(journal, [str(tmp_path)]).output.splitlines()
    assert len(lines) == 7
    assert lines[0].endswith(
        "protect-msft MSFT last <= 1180, seen 1179: sent, 4 cycles, MsgSeqNum 7, 00010000000000000001"
    )
    assert lines[1].endswith("rejected:kill")
    assert "torn end of 12 bytes" in lines[2]
    assert lines[3].endswith("logout, next numbers 8 out, 20 in")
    assert lines[4].endswith("asked    for a dry run")
    assert lines[5].endswith("armed    for a dry run: nothing leaves")
    assert lines[6].endswith("seen 1179: dry, by the runtime")
