# SPDX-License-Identifier: Apache-2.0
"""`market_data.feed` of a venue file: what it takes, what it refuses, and what of it a bundle carries."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fixaccel.cli.main import cli
from fixaccel.fast.program.image import from_bytes
from fixaccel.fast.program.interpreter import Interpreter, What
from fixaccel.fast.program.words import Op, RawWord, Role
from fixaccel.pipeline import Loaded, check_file, load_strategy

TEMPLATES = Path(__file__).resolve().parents[2] / "strategies" / "venues" / "templates" / "simulator.xml"
BOARD = TEMPLATES.parents[2] / "boards" / "pynq-z1.yaml"
HEAD = """\
fixaccel-venue: 1
name: simulator
time_zone: UTC
session: {begin_string: FIX.4.4, sender_comp_id: A, target_comp_id: B, connect: 10.77.0.1:9878, heartbeat: 30s}
"""
FEED = {
    "templates": "templates: simulator.xml",
    "sequence": "sequence: {bytes: 4, of: datagrams}",
    "skip": "skip: 5",
    "reset": "reset: datagram",
    "channels": "channels: {stocks: {a: 239.195.1.1:16001, b: 239.195.1.129:17001, source: 10.50.129.200}}",
}
MSFT = "{tick: 0.01, lot: 1, price_range: 0.01..10000, id: 4711}"
STRATEGY = """\
fixaccel: 1
venue: venue.yaml
rules:
  - {id: stop, instrument: MSFT, when: last <= 50, order: {side: sell, qty: 2, type: limit, price: trigger}}
"""


def load(folder: Path, *, instruments: str = MSFT, market_data: str | None = None, **feed: str | None) -> Loaded:
    keys = [key for key in {**FEED, **feed}.values() if key]
    text = market_data or "market_data:\n  feed:\n" + "".join(f"    {key}\n" for key in keys)
    (folder / "venue.yaml").write_text(f"{HEAD}{text}instruments:\n  MSFT: {instruments}\n")
    (folder / "simulator.xml").write_bytes(TEMPLATES.read_bytes())
    (folder / "strategy.yaml").write_text(STRATEGY)
    return load_strategy(folder / "strategy.yaml")


def faults(loaded: Loaded) -> list[str]:
    return [f"{one.code.number} {one.message}" for one in loaded.diagnostics]


def test_a_feed_becomes_a_program_and_a_warning(tmp_path: Path) -> None:
    loaded = load(tmp_path)
    assert [fault[:6] for fault in faults(loaded)] == ["FX0513"]
    assert loaded.strategy
    assert loaded.strategy.venue.market_data == "feed"
    feed = loaded.strategy.venue.feed
    assert feed
    assert feed.by_number
    assert feed.terms.channels["stocks"].b == ("239.195.1.129", 17001)
    assert (feed.terms.wait_ns, feed.terms.silence_ns) == (50_000, 3_000_000_000)
    program = from_bytes(feed.image)
    assert program.words[:2] == (RawWord(4, role=Role.NUMBER), RawWord(1))
    assert program.words[2].op is Op.END


def test_the_bundle_carries_program_and_parameters(tmp_path: Path) -> None:
    load(tmp_path, export="export: all", wait="wait: 20us", silence="silence: 0s")
    done = CliRunner().invoke(cli, ["compile", str(tmp_path / "strategy.yaml"), "-o", str(tmp_path / "bundle")])
    assert done.exit_code == 0, done.output
    manifest = json.loads((tmp_path / "bundle" / "manifest.json").read_text())
    assert manifest["venue"]["market_data"] == "feed"
    assert {"feed/program.bin", "feed/parameters.json", "feed/tags.json"} <= manifest["files"].keys()
    assert "simulator.xml" in manifest["inputs"]
    parameters = json.loads((tmp_path / "bundle" / "feed" / "parameters.json").read_text())
    assert parameters["instruments"] == {"MSFT": {"channel": "stocks", "id": 4711}}
    assert (parameters["wait_ns"], parameters["silence_ns"], parameters["skip"]) == (20_000, 0, 5)
    tags = json.loads((tmp_path / "bundle" / "feed" / "tags.json").read_text())
    program = from_bytes((tmp_path / "bundle" / "feed" / "program.bin").read_bytes())
    stream = bytes.fromhex("00000007 ff e0 81 85 80 80")
    told = [event for event in Interpreter(program).datagram(stream).events if event.what is What.VALUE]
    assert [tags.get(str(getattr(program.words[event.at], "tag", 0))) for event in told] == [
        None, "MsgType", "MsgSeqNum", "SendingTime",
    ]  # fmt: skip
    report = json.loads((tmp_path / "bundle" / "report.json").read_text())
    assert report["latency"]["bound_cycles"] is None
    assert "no bound" in report["latency"]["text"]
    # Without a feed none of its files is left.
    load(tmp_path, market_data="market_data: {message: snapshot}\n", instruments=MSFT.replace(", id: 4711", ""))
    again = CliRunner().invoke(cli, ["compile", str(tmp_path / "strategy.yaml"), "-o", str(tmp_path / "bundle")])
    assert again.exit_code == 0, again.output
    assert not (tmp_path / "bundle" / "feed" / "program.bin").exists()


def test_explain_says_that_nothing_is_bounded(tmp_path: Path) -> None:
    load(tmp_path)
    done = CliRunner().invoke(cli, ["explain", str(tmp_path / "strategy.yaml")])
    assert "no bound: prices come by a feed" in done.output


@pytest.mark.parametrize(
    ("feed", "fault"),
    [
        ({"fields": "fields: {price: 1270}"}, "FX0512 no template has a field `1270`"),
        ({"fields": "fields: {prize: 270}"}, "FX0512 `prize` is nothing that a feed is read for"),
        ({"kinds": "kinds: {7: none}"}, "FX0512 no template has the identifier 7"),
        ({"kinds": "kinds: {x: none}"}, "FX0512 `x` is no template's identifier"),
        ({"skip": "skip: 3"}, "FX0512 the number ends at byte 4, and the FAST bytes begin at 3"),
        ({"sequence": "sequence: {of: datagrams}"}, "FX0512 the number stands in front"),
        ({"sequence": "sequence: {field: 34, of: datagrams}"}, "FX0512 a `field` counts messages"),
        ({"sequence": "sequence: {field: 34, bytes: 4, of: messages}"}, "FX0512 the number stands in front"),
        (
            {"sequence": "sequence: {field: Count, of: messages}", "skip": None, "templates": "templates: odd.xml"},
            "FX0512 messages of template `Snapshot` have no field `Count`",
        ),
        ({"channels": "channels: {}"}, "FX0512 the feed has no channels"),
        ({"channels": "channels: {s: {a: 10.0.0.1:16001}}"}, "FX0504 `10.0.0.1:16001` is not a multicast group"),
        ({"channels": "channels: {s: {a: 239.1.1.300:1}}"}, "FX0504 `239.1.1.300:1` is not a multicast group"),
        (
            {"channels": "channels: {s: {a: 239.1.1.1:1}, t: {a: 239.1.1.2:1}}"},
            "FX0512 `MSFT` names none of the 2 channels",
        ),
        ({"templates": "templates: none.xml"}, "FX0101"),
        ({"reset": None}, "FX0204"),
        ({"wait": "wait: 50"}, "FX0212 `50` is not a time such as"),
        ({"fields": "fields: {type: 270}"}, "FX0512 `MDEntryPx` is taken for type and for price"),
        ({"fields": "fields: {processed: MDEntryPx}"}, "FX0512 `MDEntryPx` is taken for price and for processed"),
        ({"fields": "fields: {number: 52}"}, "FX0512 `number` is not named here"),
        (
            {
                "sequence": "sequence: {field: SendingTime, of: messages}",
                "skip": None,
                "templates": "templates: odd.xml",
            },
            "FX0512 `SendingTime` holds string, and a number of messages is a whole number",
        ),
        ({"kinds": "kinds: {01: none, 1: update}"}, "FX0512 `1` is the template of `01` again"),
        (
            {"sequence": "sequence: {offset: 1470, bytes: 4, of: datagrams}", "skip": None},
            "FX0512 the number would end at byte 1,474, and a datagram has 1,472",
        ),
        ({"channels": "channels: {s: {a: 239.1.1.1:1, b: 239.1.1.1:1}}"}, "FX0512 239.1.1.1:1 is written twice"),
        (
            {"channels": "channels: {s: {a: 239.1.1.1:1, recovery: {a: 239.1.1.1:1}}}"},
            "FX0512 239.1.1.1:1 is written twice",
        ),
        (
            {"channels": "channels: {s: {a: 239.1.1.1:1, source: 10.50.129.300}}"},
            "FX0504 `10.50.129.300` is not an address",
        ),
    ],
)
def test_what_does_not_go_together(tmp_path: Path, feed: dict[str, str | None], fault: str) -> None:
    time = '<uInt64 name="SendingTime" id="52"><delta/></uInt64>'
    text = TEMPLATES.read_text().replace(time, '<string name="SendingTime" id="52"/>')
    (tmp_path / "odd.xml").write_text(text.replace("<sequence", '<uInt32 name="Count"/><sequence', 1))
    found = faults(load(tmp_path, **feed))
    assert any(one.startswith(fault) for one in found), found
    assert len(found) == 1


@pytest.mark.parametrize(
    ("instruments", "fault"),
    [
        (MSFT.replace(", id: 4711", ""), "FX0512 the feed names instruments by number, and `MSFT` has no `id`"),
        (MSFT.replace("}", ", channel: stoks}"), "FX0512 the feed has no channel `stoks`"),
        (f"{MSFT}\n  AAPL: {MSFT}", "FX0512 `MSFT` has the number 4711 already"),
    ],
)
def test_instruments_must_fit(tmp_path: Path, instruments: str, fault: str) -> None:
    found = faults(load(tmp_path, instruments=instruments))
    assert any(one.startswith(fault) for one in found), found


@pytest.mark.parametrize(
    ("market_data", "fault"),
    [
        ("market_data: {}\n", "FX0511 `market_data` has neither"),
        ("market_data: {message: snapshot}\n", "FX0511 `id` belongs to a feed"),
    ],
)
def test_prices_have_one_origin(tmp_path: Path, market_data: str, fault: str) -> None:
    found = faults(load(tmp_path, market_data=market_data))
    assert any(one.startswith(fault) for one in found), found


def test_both_origins_are_refused(tmp_path: Path) -> None:
    keys = "".join(f"    {key}\n" for key in FEED.values())
    found = faults(load(tmp_path, market_data=f"market_data:\n  message: snapshot\n  feed:\n{keys}"))
    assert any(one.startswith("FX0511 `market_data` has both") for one in found), found


@pytest.mark.parametrize(
    ("feed", "fault"),
    [
        ({}, "FX0513 no rule fires on this feed"),
        ({"fields": "fields: {price: 1270}"}, "FX0512 no template has a field `1270`"),
        ({"templates": "templates: none.xml"}, "FX0101 cannot read"),
    ],
)
def test_a_venue_file_by_itself_is_checked_with_its_feed(
    tmp_path: Path, feed: dict[str, str | None], fault: str
) -> None:
    load(tmp_path, **feed)
    found = check_file(tmp_path / "venue.yaml")
    assert [f"{one.code.number} {one.message}"[: len(fault)] for one in found.diagnostics] == [fault]
    assert len(found.sources) == 2 - (feed.get("templates") is not None)


def test_keys_of_a_feed_are_refused_in_a_venue_file_without_one(tmp_path: Path) -> None:
    load(tmp_path, market_data="market_data: {message: snapshot}\n")
    found = check_file(tmp_path / "venue.yaml")
    assert [f"{one.code.number} {one.message}"[:29] for one in found.diagnostics] == ["FX0511 `id` belongs to a feed"]


def test_numbers_in_messages_are_told(tmp_path: Path) -> None:
    loaded = load(tmp_path, sequence="sequence: {field: MsgSeqNum, of: messages}", skip=None)
    assert loaded.strategy
    assert loaded.strategy.venue.feed
    program = from_bytes(loaded.strategy.venue.feed.image)
    roles = [getattr(word, "role", None) for word in program.words]
    assert roles.count(Role.NUMBER) == 2


def test_templates_with_faults_are_shown_at_their_place(tmp_path: Path) -> None:
    (tmp_path / "wrong.xml").write_text('<templates><template name="T" id="1"><uInt32/></template></templates>')
    loaded = load(tmp_path, templates="templates: wrong.xml")
    assert [(one.code.number, Path(one.span.file).name) for one in loaded.diagnostics] == [("FX1102", "wrong.xml")]


def test_a_template_without_a_kind_needs_one(tmp_path: Path) -> None:
    text = TEMPLATES.read_text().replace('<string name="MsgType" id="35"><constant value="X"/></string>', "")
    (tmp_path / "other.xml").write_text(text)
    found = faults(load(tmp_path, templates="templates: other.xml"))
    assert found == ["FX0512 nothing says what messages of template `Incremental` are"]
    assert faults(load(tmp_path, templates="templates: other.xml", kinds="kinds: {1: update}"))[0].startswith("FX0513")


def test_two_channels_have_no_group_in_common(tmp_path: Path) -> None:
    channels = "channels: {s: {a: 239.1.1.1:1, recovery: {a: 239.1.1.9:1}}, t: {a: 239.1.1.2:1, b: 239.1.1.1:1}}"
    loaded = load(tmp_path, channels=channels, instruments=MSFT.replace("}", ", channel: s}"))
    assert faults(loaded) == ["FX0512 239.1.1.1:1 is written twice"]
    (fault,) = loaded.diagnostics
    assert (fault.span.line, [(one.label, one.span.line) for one in fault.related]) == (11, [("the first", 11)])
    # Snapshots of several channels may come in one group.
    shared = channels.replace("b: 239.1.1.1:1", "recovery: {a: 239.1.1.9:1}")
    assert load(tmp_path, channels=shared, instruments=MSFT.replace("}", ", channel: s}")).strategy


def test_a_difference_of_feeds_is_told_as_the_language_writes_it(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        folder.mkdir()
    load(old, wait="wait: 20us", silence="silence: 0s")
    load(
        new,
        instruments=MSFT.replace("}", ", channel: stocks}"),
        sequence="sequence: {offset: 1, bytes: 4, order: little, of: datagrams}",
        channels="channels: {stocks: {a: 239.195.1.1:16001, recovery: {a: 239.195.1.2:16002}}}",
        kinds="kinds: {1: none}",
        fields="fields: {position: MDEntrySize}",
        export="export: all",
    )
    done = CliRunner().invoke(cli, ["diff", str(old / "strategy.yaml"), str(new / "strategy.yaml"), "--format", "json"])
    told = {one["key"]: (one["old"], one["new"]) for one in json.loads(done.stdout)["venue"]}
    programs = told.pop("market_data.feed.program")
    assert len(set(programs)) == 2
    assert told == {
        "market_data.feed.sequence.offset": ("0", "1"),
        "market_data.feed.sequence.order": ("big", "little"),
        "market_data.feed.channels.stocks.b": ("239.195.1.129:17001", None),
        "market_data.feed.channels.stocks.source": ("10.50.129.200", None),
        "market_data.feed.channels.stocks.recovery.a": (None, "239.195.1.2:16002"),
        "market_data.feed.fields.position": (None, "MDEntrySize"),
        "market_data.feed.kinds.1": (None, "none"),
        "market_data.feed.wait": ("20us", "50us"),
        "market_data.feed.silence": ("0s", "3s"),
        "market_data.feed.export": ("observations", "all"),
        "instruments.MSFT.channel": (None, "stocks"),
    }


def _compile(folder: Path, feed: str) -> Result:
    """The strategy for a board like the shipped one, with a `feed`."""
    board = folder / "board.yaml"
    board.write_text(f"{BOARD.read_text()}\nfeed: {{a: net, b: net, {feed}}}\n")
    arguments = [str(folder / "strategy.yaml"), "-o", str(folder / "bundle"), "--board", str(board)]
    return CliRunner().invoke(cli, ["compile", *arguments])


def test_a_board_has_room_for_the_feed(tmp_path: Path) -> None:
    load(tmp_path)
    done = _compile(tmp_path, "lines: 2, instructions: 25, numbers: 4, strings: 1")
    assert done.exit_code == 0, done.output
    assert "  feed instructions     25 of 25\n" in done.output
    report = json.loads((tmp_path / "bundle" / "report.json").read_text())
    taken = {name: sizes for name, sizes in report["capacity"].items() if name.startswith("feed")}
    assert taken == {
        "feed lines": {"used": 2, "of": 2},
        "feed instructions": {"used": 25, "of": 25},
        "feed numbers": {"used": 4, "of": 4},
        "feed strings": {"used": 1, "of": 1},
    }
    assert "feed instructions" in (tmp_path / "bundle" / "report.md").read_text()


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ("lines: 1, instructions: 25, numbers: 4, strings: 1", "has 1 lines of a feed, the venue's feed takes 2"),
        ("lines: 2, instructions: 24, numbers: 4, strings: 1", "has 24 words of a program, the venue's feed takes 25"),
        ("lines: 2, instructions: 25, numbers: 3, strings: 1", "has 3 slots for numbers, the venue's feed takes 4"),
    ],
)
def test_a_board_that_has_too_little_for_the_feed(tmp_path: Path, sizes: str, said: str) -> None:
    load(tmp_path)
    done = _compile(tmp_path, sizes)
    assert done.exit_code == 1
    assert f"error[FX0601]: board pynq-z1 {said}" in done.output
    assert "venue.yaml:7:" in done.output or "venue.yaml:11:" in done.output


def test_a_payload_that_is_not_decoded_takes_no_words(tmp_path: Path) -> None:
    load(tmp_path, export="export: raw")
    assert _compile(tmp_path, "lines: 2, instructions: 1, numbers: 1, strings: 1").exit_code == 0
