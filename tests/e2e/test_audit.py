# SPDX-License-Identifier: Apache-2.0
"""The journal shows who has asked for what, and that nobody has changed it since."""

import csv
import io
import os
from pathlib import Path

import pytest

from fixaccel.lab.desk import fixaccel
from lab.desk import Desk
from lab.hostile_venue import snapshot
from lab.venue import say, start

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def test_commands_and_their_answers_are_in_a_chain(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    venue = start(desk)
    daemon = desk.start_armed(bundle)
    say(desk, venue, [f"good W {snapshot('MSFT', '1179')}"])
    desk.wait_for_fires(1)
    fixaccel("disarm", "--to", desk.control)
    assert fixaccel("arm", "no-such-rule", "--to", desk.control, check=False).returncode != 0
    fixaccel("kill", "--to", desk.control)
    head = desk.status()["journal"]
    kept = f"{head['record']}:{head['sha256']}"
    daemon.kill()
    # A crash, and a daemon that goes on behind it.
    daemon = desk.start_daemon(bundle)
    assert daemon.stop() == 0, daemon.text()

    assert "are as they were written" in fixaccel("audit", "verify", str(desk.journal), "--kept", kept).stdout
    rows = list(csv.DictReader(io.StringIO(fixaccel("audit", "export", str(desk.journal)).stdout)))
    asked = [row for row in rows if row["event"] == "command"]
    assert [row["text"].split(",")[0].removeprefix("command  ") for row in asked] == [
        "disarm",
        "arm rules no-such-rule",
    ]
    # Within the laboratory everybody is its first user.
    assert [" ".join(row["by"].split()[:2]).rstrip(",") for row in asked] == [f"user {os.getuid()}"] * 2
    assert "refused: " in asked[1]["text"]
    assert [row["outcome"] for row in rows if row["event"] == "fire"] == ["sent"]

    (segment, *_) = sorted(desk.journal.glob("journal-*.log"))
    text = segment.read_bytes()
    assert b"no-such-rule" in text
    segment.write_bytes(text.replace(b"no-such-rule", b"an-other-one"))
    assert fixaccel("audit", "verify", str(desk.journal), check=False).returncode == 1
