# SPDX-License-Identifier: Apache-2.0
"""Changes of limits as people write and read them; with a daemon in tests/e2e."""

from datetime import datetime

import pytest
import test_control
from answering import Answering
from click.testing import CliRunner

from fixaccel.board.limits import next_time, span_ms, written_value
from fixaccel.cli.journal import describe
from fixaccel.cli.limits import limit_text
from fixaccel.cli.main import cli
from fixaccel.cli.status_text import lines
from fixaccel.cli.stream import event_text

END = 1_772_463_667_000_000_000  # 2026-03-02 15:01:07
CHANGE = {"by": "user 7 (ann), process 8", "reason": "slow", "set_ns": 1, "until_ns": END}
LIMITS = [
    {"limit": "orders_per_second", "value": "5", "bundle": "50", "change": CHANGE},
    {
        "limit": "total_qty",
        "instrument": "MSFT",
        "value": "9",
        "bought": "0",
        "sold": "5",
        "bundle": None,
        "change": CHANGE,
    },
]


@pytest.fixture
def server(tmp_path):
    serving = Answering(tmp_path / "s", lambda _: {"ok": True, "strategy": "x", "limits": LIMITS})
    yield serving
    serving.stop()


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, words)
    return result.exit_code, result.output


@pytest.mark.parametrize(
    ("text", "ms"), [("30m", 1_800_000), ("1h30m", 5_400_000), ("90s", 90_000), ("1500ms", 1500), ("2h", 7_200_000)]
)
def test_spans(text, ms):
    assert span_ms(text) == ms


@pytest.mark.parametrize("text", ["", "30", "m", "30 m", "30m x", "-5m", "1.5h", "1d", "99999999s"])
def test_what_is_no_span(text):
    with pytest.raises(ValueError, match="is no time such as 30m"):
        span_ms(text)


def test_the_next_time_of_day_is_today_or_tomorrow():
    now = datetime(2026, 3, 31, 15, 59, 59, 999)  # noqa: DTZ001 - what a clock on the wall shows
    assert next_time("16:00", now) == datetime(2026, 3, 31, 16)  # noqa: DTZ001
    assert next_time("15:59:59", now) == datetime(2026, 4, 1, 15, 59, 59)  # noqa: DTZ001
    for wrong in ("24:00", "16", "16:60", "4pm", "16:00:61"):
        with pytest.raises(ValueError, match=r"hour must be|minute must be|second must be|is no time of day"):
            next_time(wrong, now)


def test_a_change_is_asked_for_and_shown(server):
    to = ("--to", server.endpoint)
    code, text = run("limits", "set", "orders_per_second", "5", "--reason", "slow", "--for", "30m", *to)
    assert (code, text.splitlines()) == (
        0,
        [
            "orders_per_second         5",
            "    until 2026-03-02 15:01:07 UTC, by user 7 (ann), process 8: slow (the bundle: 50)",
        ],
    )
    code, text = run(
        "limits", "set", "total_qty", "9", "--instrument", "MSFT", "--reason", "r", "--until", "16:00", *to
    )
    assert (code, text.endswith("(the bundle: no limit)\n")) == (0, True)
    assert run("limits", "revert", "repeat", *to) == (0, "repeat: no limit\n")
    first, _, second, _, third, _ = server.asked
    assert first == {
        "cmd": "set_limit",
        "limit": "orders_per_second",
        "instrument": "",
        "rule": "",
        "value": "5",
        "reason": "slow",
        "for_ms": 1_800_000,
    }
    assert (second["instrument"], "for_ms" in second, second["until_ns"] % 60_000_000_000) == ("MSFT", False, 0)
    assert third == {"cmd": "revert_limit", "limit": "repeat", "instrument": "", "rule": ""}
    assert len(run("limits", *to)[1].splitlines()) == 4
    code, text = run("limits", "reset", "--reason", "flat again", *to)
    assert (code, server.asked[-2]) == (0, {"cmd": "reset_limits", "reason": "flat again"})
    assert [line.split()[0] for line in text.splitlines() if not line.startswith(" ")] == ["total_qty"]


def test_a_rules_own_limit_is_named_by_its_rule(server):
    to = ("--to", server.endpoint)
    words = ("total_orders", "3", "--rule", "entry", "--reason", "thin", "--for", "1h")
    assert run("limits", "set", *words, *to) == (0, "total_orders of rule entry: no limit\n")
    assert run("limits", "revert", "total_orders", "--rule", "entry", *to)[0] == 0
    assert [asked["rule"] for asked in server.asked if "rule" in asked] == ["entry", "entry"]
    mine = {"limit": "total_qty", "instrument": "MSFT", "rule": "entry", "value": "2", "bought": "1", "sold": "0"}
    assert limit_text(mine) == "total_qty MSFT of rule entry  2, 1 bought, 0 sold"


def test_who_does_not_say_until_when_or_why_is_told(server):
    to = ("--to", server.endpoint)
    for words in (
        ("--reason", "r"),
        ("--for", "1h"),
        ("--reason", "r", "--for", "1h", "--until", "16:00"),
        ("--reason", "r", "--for", "soon"),
        ("--reason", "r", "--until", "noon"),
    ):
        assert run("limits", "set", "total_orders", "5", *words, *to)[0] == 2
    assert server.asked == []


def test_the_journal_says_it_in_words():
    record = {"type": "limit_set", "limit": "collar", "value": 250, "by": "user 7", "reason": "r", "until_ns": END}
    assert describe({**record, "time_ns": 0}).endswith(
        "limit    collar is 2.5% until 2026-03-02 15:01:07 UTC, by user 7: r"
    )
    reverted = {"type": "limit_reverted", "limit": "total_qty", "instrument": "MSFT", "value": 9, "reason": "expired"}
    assert describe(reverted).endswith("limit    total_qty MSFT is the bundle's again, not 9: expired")
    assert describe({**reverted, "reason": "asked", "by": "user 9"}).endswith("not 9: asked by user 9")
    assert written_value("repeat", 1_500_000_000) == "1500ms"


def test_the_stream_says_it_in_words():
    event = {"event": "limit", "what": "set", "limit": "total_orders", "value": "5", **CHANGE}
    assert event_text(event).startswith("limit     total_orders is 5 until 2026-03-02 15:01:07 UTC, by user 7 (ann)")
    assert event_text({**event, "what": "reverted", "reason": "asked"}).endswith(
        "total_orders is the bundle's again, not 5: asked by user 7 (ann), process 8"
    )


def test_the_status_has_a_line_for_each():
    change = {"limit": "collar", "instrument": "", "value": "1.00%", **CHANGE}
    text = list(lines({**test_control.STATUS, "limits_changed": [change]}))
    assert "limit     collar is 1.00% until 2026-03-02 15:01:07 UTC, by user 7 (ann), process 8: slow" in text
