# SPDX-License-Identifier: Apache-2.0
"""Venue files: what is refused, and that it is said once."""

from dataclasses import replace
from pathlib import Path

import pytest

from fixaccel.hwmap import load_hwmap
from fixaccel.language.placements import PLACEMENTS, Placement
from fixaccel.pipeline import check_file


def test_a_faulty_venue_is_reported_once(desk) -> None:
    (desk.folder / "venue.yaml").write_text(
        desk.venue.replace("lot: 1, price_range: 0.01", "lot: 0, price_range: 0.01")
    )
    assert desk.rule_slugs() == ["bad-number"]


@pytest.mark.parametrize(
    ("old", "new", "slug"),
    [
        ("MSFT: {tick: 0.01", "MSFT: {tick: 0.000000001", "bad-tick"),
        ("MSFT: {tick: 0.01", "MSFT: {tick: 0", "bad-tick"),
        ("0.01..10000", "0.01..10000000000", "bad-range"),
        ("0.01..10000", "0.005..10000", "bad-range"),
        (
            "{tick: 0.01, lot: 1, price_range: 0.01..10000}",
            "{tick: 0.00000001, lot: 1, price_range: 0.01..9999999999}",
            "bad-range",
        ),
        ("MSFT:", "MSFT1234567890:", "bad-symbol"),
        ("127.0.0.1:9878", "127.0.0.1:99999", "bad-address"),
        ("30s", "1500ms", "bad-duration"),
        ("30s", "30", "bad-duration"),
        ("FIX.4.4", "FIX.4.2", "not-supported"),
        ("time_zone: UTC", "time_zone: Mars/Olympus", "bad-time-zone"),
        ("multiplier: 1000", "multiplier: 0", "bad-number"),
        ("sender_comp_id: A", "sender_comp_id: a b", "bad-text"),
        ("name: test\n", "name: test\nfees: 3\n", "unknown-key"),
    ],
)
def test_venues_that_are_none(desk, tmp_path: Path, old: str, new: str, slug: str) -> None:
    assert old in desk.venue
    path = tmp_path / "venue.yaml"
    path.write_text(desk.venue.replace(old, new, 1))
    assert [diagnostic.code.slug for diagnostic in check_file(path).diagnostics] == [slug]


def test_limits_of_prices_come_from_the_hardware_map(desk) -> None:
    """The highest price that the venue may allow packs into an instrument record."""
    strategy = desk.rule()
    for instrument in strategy.venue.instruments.values():
        load_hwmap().records["instrument"].pack({"price_min": instrument.price_min, "price_max": instrument.price_max})


def test_increments_run_in_the_fabric(desk) -> None:
    text = desk.venue.replace("message: snapshot", "message: incremental")
    (desk.folder / "venue.yaml").write_text(text)
    strategy = desk.rule()
    assert strategy.venue.market_data == "incremental"
    assert PLACEMENTS[strategy.placement[0]] is Placement.FABRIC


_OWN = """market_data:
  message: snapshot
  session:
    begin_string: FIX.4.4
    sender_comp_id: A-MD
    target_comp_id: B
    connect: 127.0.0.1:9879
    heartbeat: 10s
"""


def test_market_data_with_a_session_of_their_own(desk) -> None:
    venue = desk.folder / "venue.yaml"
    assert desk.rule().venue.market_session is None
    venue.write_text(desk.venue.replace("market_data: {message: snapshot}\n", _OWN))
    both = desk.rule().venue
    assert both.session.sender_comp_id == "A"
    assert both.market_session == replace(both.session, sender_comp_id="A-MD", port=9879, heartbeat_s=10)
    venue.write_text(desk.venue.replace("market_data: {message: snapshot}\n", _OWN.replace("10s", "1.5s")))
    assert desk.rule_slugs() == ["bad-duration"]
