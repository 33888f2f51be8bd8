# SPDX-License-Identifier: Apache-2.0
"""The semantic hash of a part is as good as the description of its meaning: equal for the same ones only."""

import tempfile
from pathlib import Path

import numpy as np
from changes import change
from choices import RandomChoices
from strategy_cases import Case, loads, make_case

from fixaccel.image.identity import hash_text, part_hashes
from fixaccel.image.parts import Parts
from fixaccel.language.rules import Strategy
from fixaccel.pipeline import load_strategy
from fixaccel.semantics.identity import meaning

STRATEGIES = 150


def strategy_of(case: Case) -> Strategy:
    with tempfile.TemporaryDirectory() as folder:
        return case.load(Path(folder))[0]


def identities(case: Case) -> list[tuple[str, tuple[int, int]]]:
    """Description and hash of each part."""
    strategy = strategy_of(case)
    low, high = part_hashes(strategy, Parts.of(strategy)).T.tolist()
    return [
        (meaning(strategy, rule), pair) for rule, pair in zip(strategy.rules, zip(low, high, strict=True), strict=True)
    ]


def test_equal_hashes_are_equal_meanings() -> None:
    hash_of: dict[str, tuple[int, int]] = {}
    kept = 0
    for seed in range(STRATEGIES):
        choices = RandomChoices(seed)
        case = make_case(choices)
        changed = change(choices, case)
        for some in (case, changed) if loads(changed) else (case,):
            for description, value in identities(some):
                kept += description in hash_of
                assert hash_of.setdefault(description, value) == value, description
    assert len(set(hash_of.values())) == len(hash_of)
    assert kept > STRATEGIES, "too few rules survive a change to say anything"
    assert len(hash_of) > 2 * STRATEGIES


def test_no_hash_says_that_a_part_is_like_no_other() -> None:
    for seed in range(20):
        assert all(any(value) for _, value in identities(make_case(RandomChoices(seed))))


def test_each_lane_alone_tells_parts_apart() -> None:
    strategy = strategy_of(make_case(RandomChoices(7)))
    hashes = part_hashes(strategy, Parts.of(strategy))
    assert all(len(np.unique(lane)) == len(strategy.rules) for lane in hashes.T)


VENUE = """fixaccel-venue: 1
name: v
time_zone: ZONE
session: {begin_string: FIX.4.4, sender_comp_id: A, target_comp_id: B, connect: 10.0.0.1:9878, heartbeat: 30s}
market_data: {message: snapshot}
instruments:
  A: {tick: TICK, lot: 1, price_range: 0..1000}
  B: {tick: TICK, lot: 1, price_range: 0..1000}
"""
STOP = "{id: stop, instrument: A, when: last <= 50, MORE, order: {side: sell, qty: 2, type: limit, price: 40}}"
OTHER = "  - {id: other, instrument: A, when: last >= 90, order: {side: sell, qty: 1, type: market}}\n"
VARIANTS = [
    ("", ""), ("stop", "stopp"), ("instrument: A", "instrument: B"), ("<=", ">="), ("last", "bid"), ("50", "51"),
    ("MORE", "confirm: 2"), ("MORE", "if_already_through: wait"), ("MORE", "if_already_through: reject"),
    ("MORE", 'during: ["09:00-10:00"]'), ("MORE", 'during: ["09:00-10:01"]'),
    ("MORE", "oco: one"), ("MORE", "oco: two"),
    ("MORE", "armed_by: other"), ("MORE", "rearm: {after: 5s, times: 1}"), ("MORE", "rearm: {after: 6s, times: 1}"),
    ("MORE", "rearm: {after: 5s, times: 2}"), ("MORE", "rearm: {reset: last >= 60, times: 1}"),
    ("MORE", "ladder: {step: -1, count: 1}"),
    ("side: sell", "side: buy"), ("qty: 2", "qty: 3"), ("price: 40", "price: 41"),
    ("type: limit, price: 40", "type: market"), ("price: 40", "price: 40, tif: ioc"),
    ("price: 40", "price: 40, account: X"), ("price: 40", 'price: 40, fields: {58: "X"}'),
]  # fmt: skip


def first_hash(folder: Path, old: str = "", new: str = "", tick: str = "1", zone: str = "UTC", head: str = "") -> str:
    (folder / "venue.yaml").write_text(VENUE.replace("TICK", tick).replace("ZONE", zone), encoding="utf-8")
    rule = STOP.replace(old, new, 1) if old else STOP
    rule = rule.replace("MORE, ", "")
    text = f"fixaccel: 1\nvenue: venue.yaml\n{head}rules:\n  - {rule}\n{OTHER}"
    (folder / "strategy.yaml").write_text(text, encoding="utf-8")
    loaded = load_strategy(folder / "strategy.yaml")
    assert loaded.strategy is not None, loaded.diagnostics
    return hash_text(*part_hashes(loaded.strategy, Parts.of(loaded.strategy))[0].tolist())


def test_each_term_counts(tmp_path: Path) -> None:
    hashes = [first_hash(tmp_path, *variant) for variant in VARIANTS]
    hashes += [first_hash(tmp_path, tick="0.5"), first_hash(tmp_path, *VARIANTS[9], zone="Asia/Tokyo")]
    assert len(set(hashes)) == len(hashes)


def test_what_does_not_count(tmp_path: Path) -> None:
    base = first_hash(tmp_path)
    assert first_hash(tmp_path, "MORE", "note: other words") == base
    assert first_hash(tmp_path, head="limits: {order_qty: 100}\n") == base
    assert first_hash(tmp_path, zone="Asia/Tokyo") == base
    assert first_hash(tmp_path, "price: 40", "price: trigger - 10 ticks") == base
