# SPDX-License-Identifier: Apache-2.0
import json
import zlib
from contextlib import suppress

import pytest
from click.testing import CliRunner

from fixaccel.board import journal as module
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
    return line({"type": "note", "n": number, "text": "x" * number})


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


@pytest.fixture
def followed(tmp_path, pauses):
    """What is read with a step before each pause, and at the last pause an end."""

    def of(*steps):
        waiting = pauses(module, *steps)
        found = []
        with suppress(KeyboardInterrupt):
            for record in read(tmp_path, follow=True):
                found.append(record.get("n", record["type"]))  # noqa: PERF401 - what came before the end counts
        assert next(waiting, None) is None
        return found

    return of


@pytest.mark.parametrize("torn", [numbered(2)[:-1], numbered(2)[:9], b"nonsense\n", b"nonsense\nand more"])
@pytest.mark.parametrize("count", [0, 1, 5])
def test_a_torn_end_that_a_restart_cuts_off_loses_nothing(tmp_path, followed, torn, count):
    """The daemon goes on where the torn record began: what it writes then may be longer or shorter than that was."""

    def tear():
        with (tmp_path / FILE).open("ab") as file:
            file.write(torn)

    def restart():
        with (tmp_path / FILE).open("r+b") as file:
            file.truncate(len(numbered(1)))
            file.seek(0, 2)
            file.write(b"".join(map(numbered, range(2, 2 + count))))

    write(tmp_path, numbered(1))
    assert followed(tear, lambda: None, restart, lambda: None) == list(range(1, 2 + count))


def test_a_record_that_is_being_written_is_waited_for(tmp_path, followed):
    def more(content: bytes):
        def step():
            with (tmp_path / FILE).open("ab") as file:
                file.write(content)

        return step

    write(tmp_path, numbered(1))
    pieces = [more(numbered(2)[start : start + 7]) for start in range(0, len(numbered(2)), 7)]
    assert followed(*pieces, more(numbered(3))) == [1, 2, 3]


def test_what_is_written_while_a_part_is_read_is_its_rest(tmp_path):
    """The file grows between two reads of one look: nothing behind the part is taken before the next look."""
    segment = module._Segment(tmp_path / FILE)
    pieces = [numbered(1), numbered(2)[:9], numbered(2)[9:], numbered(3)]
    assert [r["n"] for r in segment._records(iter(pieces), at_end=True)] == [1]
    assert [r["n"] for r in segment._records(iter([numbered(2), numbered(3)]), at_end=True)] == [2, 3]
    assert segment.next == 4


def test_damage_with_something_behind_it_is_told_when_it_is_sure(tmp_path, followed):
    def later():
        (tmp_path / "journal-000000000003.log").write_bytes(numbered(3))

    write(tmp_path, numbered(1) + b"nonsense\n" + numbered(2) + b"torn")
    assert followed(lambda: None, later) == [1, "damaged", 2, "damaged", 3]


def test_a_segment_that_is_not_there_is_told(tmp_path, followed):
    write(tmp_path, numbered(1))
    (tmp_path / "journal-000000000004.log").write_bytes(numbered(4))
    assert list(read(tmp_path))[1] == {"type": "missing", "from": 2, "to": 3}
    assert followed() == [1, "missing", 4]
    assert "missing  records 2 to 3" in CliRunner().invoke(journal, [str(tmp_path)]).output


@pytest.mark.parametrize("end", [lambda path: path.write_bytes(b""), lambda path: path.unlink()])
def test_a_journal_that_is_another_one_is_not_followed(tmp_path, followed, end):
    write(tmp_path, numbered(1))
    with pytest.raises(JournalError, match=FILE):
        followed(lambda: end(tmp_path / FILE), lambda: None)


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
        {**FIRE, "where": "runtime", "took_ns": 41_778},
        {"type": "next", "target": 4, "time_ns": 0},
    ]
    write(tmp_path, line(FIRE) + line(rejected) + b"".join(map(line, other)))
    lines = CliRunner().invoke(journal, [str(tmp_path)]).output.splitlines()
    assert len(lines) == 8
    assert lines[0].endswith(
        "protect-msft MSFT last <= 1180, seen 1179: sent, 4 cycles, MsgSeqNum 7, 00010000000000000001"
    )
    assert lines[1].endswith("rejected:kill")
    assert "torn end of 12 bytes" in lines[2]
    assert lines[3].endswith("logout, next numbers 8 out, 20 in")
    assert lines[4].endswith("asked    for a dry run")
    assert lines[5].endswith("armed    for a dry run: nothing leaves")
    assert lines[6].endswith("seen 1179: dry, by the runtime")
    assert lines[7].endswith("seen 1179: sent, by the runtime in 42 us, MsgSeqNum 7, 00010000000000000001")
