# SPDX-License-Identifier: Apache-2.0
"""The chain of a journal: what breaks it, what does not, and the table that is made of it."""

import csv
import io
import json
import zlib
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fixaccel.board.audit import verify
from fixaccel.board.journal import JournalError, parse_line
from fixaccel.cli.main import cli

_SECOND = 10**9
_DAY_NS = 1_772_409_600 * _SECOND  # 2026-03-02, 00:00 UTC


def line_of(record: dict[str, Any]) -> bytes:
    text = json.dumps(record, sort_keys=True).encode()
    return f"{zlib.crc32(text):08x} ".encode() + text


def chained(records: list[dict[str, Any]], after: str = "") -> list[bytes]:
    """Lines as the daemon writes them, behind a line with the hash ``after``."""
    lines = []
    for record in records:
        lines.append(line_of({**record, **({"after": after} if after else {})}))
        after = sha256(lines[-1]).hexdigest()
    return lines


def note(number: int) -> dict[str, Any]:
    return {"type": "note", "text": f"note {number}", "time_ns": _DAY_NS + number * _SECOND}


def put(folder: Path, lines: list[bytes], first: int = 1) -> None:
    (folder / f"journal-{first:012}.log").write_bytes(b"".join(line + b"\n" for line in lines))


@pytest.fixture
def lines() -> list[bytes]:
    return chained([note(number) for number in range(1, 11)])


def test_as_it_was_written_over_segments(tmp_path: Path, lines: list[bytes]) -> None:
    put(tmp_path, lines[:4])
    put(tmp_path, lines[4:], 5)
    report = verify(tmp_path)
    assert (report.faults, report.first, report.last, report.unchained) == ([], 1, 10, 0)
    assert report.head == sha256(lines[-1]).hexdigest()
    assert verify(tmp_path, (3, sha256(lines[2]).hexdigest())).faults == []


def test_earlier_segments_may_be_elsewhere(tmp_path: Path, lines: list[bytes]) -> None:
    put(tmp_path, lines[4:], 5)
    report = verify(tmp_path)
    assert (report.faults, report.first, report.unchained) == ([], 5, 0)


def test_a_changed_record(tmp_path: Path, lines: list[bytes]) -> None:
    record = json.loads(lines[4][9:])
    put(tmp_path, [*lines[:4], line_of({**record, "text": "another"}), *lines[5:]])
    assert verify(tmp_path).faults == [
        "journal-000000000001.log:6: record 6 is not behind the one that stands before it"
    ]


@pytest.mark.parametrize("at", [1, 5, 8])
def test_a_record_that_was_taken_out(tmp_path: Path, lines: list[bytes], at: int) -> None:
    put(tmp_path, lines[:at] + lines[at + 1 :])
    assert [fault.partition(": ")[2] for fault in verify(tmp_path).faults] == [
        f"record {at + 1} is not behind the one that stands before it"
    ]


def test_a_record_that_was_put_in(tmp_path: Path, lines: list[bytes]) -> None:
    put(tmp_path, [*lines[:5], line_of({**note(0), "after": sha256(lines[4]).hexdigest()}), *lines[5:]])
    assert len(verify(tmp_path).faults) == 1
    put(tmp_path, [*lines[:5], line_of(note(0)), *lines[5:]])
    assert [fault.partition(": ")[2] for fault in verify(tmp_path).faults] == [
        "record 6 does not say what it is behind",
        "record 7 is not behind the one that stands before it",
    ]


def test_a_segment_that_is_gone(tmp_path: Path, lines: list[bytes]) -> None:
    put(tmp_path, lines[:4])
    put(tmp_path, lines[6:], 7)
    assert verify(tmp_path).faults == ["journal-000000000007.log:1: records 5 to 6 are missing before it"]


def test_written_anew_it_is_found_by_what_was_kept(tmp_path: Path, lines: list[bytes]) -> None:
    kept = (8, sha256(lines[7]).hexdigest())
    put(tmp_path, lines[:4] + chained([note(99), *map(note, range(6, 11))], sha256(lines[3]).hexdigest()))
    assert verify(tmp_path).faults == []
    assert verify(tmp_path, kept).faults == ["journal-000000000001.log:8: record 8 is not the one whose hash was kept"]
    put(tmp_path, lines[:5])
    assert verify(tmp_path, kept).faults == ["record 8, whose hash was kept, is not there"]


def test_a_torn_end_and_damage(tmp_path: Path, lines: list[bytes]) -> None:
    put(tmp_path, lines)
    file = tmp_path / "journal-000000000001.log"
    file.write_bytes(file.read_bytes()[:-20])
    assert verify(tmp_path).faults == [
        "journal-000000000001.log:10: record 10 is damaged, or was not written to its end"
    ]
    put(tmp_path, [*lines[:3], lines[3][:-1] + b"!", *lines[4:]])
    assert len(verify(tmp_path).faults) == 2  # itself, and the one behind it


def test_of_an_older_daemon(tmp_path: Path, lines: list[bytes]) -> None:
    old = [line_of(note(number)) for number in range(1, 4)]
    put(tmp_path, old + chained([note(4), note(5)], sha256(old[-1]).hexdigest()))
    report = verify(tmp_path)
    assert (report.faults, report.unchained, report.last) == ([], 3, 5)


def test_nothing_to_read(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no journal in it"):
        verify(tmp_path)


def test_a_reader_sees_no_hashes(lines: list[bytes]) -> None:
    assert parse_line(lines[3]) == note(4)


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["audit", *words])
    return done.exit_code, done.output


def test_verify_by_command(tmp_path: Path, lines: list[bytes]) -> None:
    put(tmp_path, lines)
    code, text = run("verify", str(tmp_path))
    head = sha256(lines[-1]).hexdigest()
    assert code == 0
    assert text.splitlines()[-2:] == ["records 1 to 10 are as they were written", f"the last: 10:{head}"]
    assert run("verify", str(tmp_path), "--kept", f"10:{head}")[0] == 0
    code, text = run("verify", str(tmp_path), "--kept", f"9:{head}", "--json")
    assert (code, len(json.loads(text)["faults"])) == (1, 1)
    code, text = run("verify", str(tmp_path), "--kept", "nonsense")
    assert code == 2
    assert "NUMBER:SHA256" in text
    code, text = run("verify", str(tmp_path / "nothing"))
    assert code == 2


def test_export(tmp_path: Path) -> None:
    put(
        tmp_path,
        chained(
            [
                {"type": "next", "target": 3, "time_ns": _DAY_NS},
                {"type": "disarmed", "reason": "=cmd()", "time_ns": _DAY_NS - 1},
                {"type": "command", "by": "user 7, process 9", "request": {"cmd": "arm", "rules": ["a"]}, "ok": False,
                 "error": "no", "time_ns": _DAY_NS + 5},
                {"type": "execution", "cl_ord_id": "-X", "status": "filled", "cum_qty": "-1", "leaves_qty": "0",
                 "time_ns": _DAY_NS + 6},
            ]
        ),
    )  # fmt: skip
    out = tmp_path / "day.csv"
    assert run("export", str(tmp_path), "--day", "2026-03-02", "-o", str(out))[0] == 0
    assert out.read_bytes().startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(out.read_text("utf-8-sig"), newline="")))
    assert [(row["event"], row["by"]) for row in rows] == [("command", "user 7, process 9"), ("execution", "")]
    assert rows[0]["time_utc"] == "2026-03-02 00:00:00.000000005"
    assert "arm rules a, by user 7, process 9: refused: no" in rows[0]["text"]
    assert (rows[1]["cl_ord_id"], rows[1]["cum_qty"]) == ("'-X", "-1"), "no formula for a spreadsheet"
    code, text = run("export", str(tmp_path))
    assert code == 0
    assert "disarmed" in text
