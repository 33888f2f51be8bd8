# SPDX-License-Identifier: Apache-2.0
"""Limits that move rules into the runtime say so, with the rules and the reason."""

import pytest
from click.testing import CliRunner

from fixaccel.cli.main import cli

STOP = "- {id: stop, instrument: MSFT, when: last <= 1180, order: {side: sell, qty: 2, type: market}}\n"
OIL = "- {id: oil, instrument: CLZ6, when: last <= 80, order: {side: sell, qty: 2, type: market}}\n"
FOLLOW = "- {id: follow, instrument: MSFT, trail: {source: last, by: 1%}, order: {side: sell, qty: 2, type: market}}\n"
TRAILS = "the fabric keeps a stop at one distance from every extreme, and this `by` comes to different ones"


def warned(desk, rules: str, limits: str) -> list[str]:
    return [d.message for d in desk.load(rules, f"limits: {{{limits}}}\n")[1] if d.code.slug == "off-fabric"]


@pytest.mark.parametrize(
    "limits",
    [
        "collar: 5%", "orders_per_second: 5", "total_orders: 9", "self_trade: reject", "order_qty: 50",
        "per_instrument: {MSFT: {total_qty: 9}}", "order_notional: 100000000",
    ],
)  # fmt: skip
def test_limits_that_the_fabric_has_say_nothing(desk, limits: str) -> None:
    assert warned(desk, STOP + OIL, limits) == []


def test_a_limit_that_only_the_runtime_has(desk) -> None:
    (message,) = warned(desk, STOP + OIL, "repeat: 1s")
    why = "the fabric does not know yet when a rule sent its last order"
    assert message == f"`repeat` moves 2 of 2 rules (`stop`, `oil`) from the fabric into the runtime: {why}"


@pytest.mark.parametrize("limit", ["orders_per_second", "total_orders"])
def test_one_rule_takes_all_others_with_it(desk, limit: str) -> None:
    (message,) = warned(desk, STOP + OIL + FOLLOW, f"{limit}: 5")
    assert message == (
        f"`{limit}` moves 2 of 3 rules (`stop`, `oil`) from the fabric into the runtime: "
        f"counted together with `follow`, which runs there: {TRAILS}"
    )


def test_limits_that_count_the_same_are_told_together(desk) -> None:
    (message,) = warned(desk, STOP + FOLLOW, "orders_per_second: 5, total_orders: 9")
    assert message.startswith("`orders_per_second` and `total_orders` move 1 of 2 rules (`stop`)")


@pytest.mark.parametrize(
    "limit", ["self_trade: reject", "per_instrument: {MSFT: {total_qty: 9}, CLZ6: {total_qty: 9}}"]
)
def test_one_instrument_takes_only_its_own(desk, limit: str) -> None:
    (message,) = warned(desk, OIL + STOP + FOLLOW, limit)
    assert "moves 1 of 3 rules (`stop`)" in message
    assert message.endswith(f"counted together with `follow`, which runs there: {TRAILS}")


def test_more_digits_than_the_fabric_counts(desk) -> None:
    (message,) = warned(desk, STOP + OIL, f"per_instrument: {{MSFT: {{total_qty: {10**9}}}}}")
    assert "`total_qty` moves 1 of 2 rules (`stop`)" in message


def test_what_goes_with_a_rule_that_a_limit_moves_is_named(desk) -> None:
    joined = (STOP + OIL).replace("order:", "oco: x, order:")
    (message,) = warned(desk, joined, f"per_instrument: {{MSFT: {{total_qty: {10**9}}}}}")
    assert "`total_qty` moves 2 of 2 rules (`stop`, `oil`)" in message


def test_each_limit_has_its_own_share(desk) -> None:
    many = "".join(STOP.replace("stop", f"stop{n}").replace("1180", f"{1180 - n}") for n in range(7))
    (first, second) = warned(desk, many + OIL + FOLLOW, "self_trade: reject, total_orders: 9")
    assert first.startswith("`self_trade` moves 7 of 9 rules (`stop0`, `stop1`, `stop2`, `stop3`, `stop4`, 2 more)")
    assert second.startswith("`total_orders` moves 1 of 9 rules (`oil`)")


def test_compile_says_it_too(desk, tmp_path) -> None:
    desk.load(STOP + FOLLOW, "limits: {collar: 5%, total_orders: 9}\n")
    result = CliRunner().invoke(cli, ["compile", str(desk.folder / "test.yaml"), "-o", str(tmp_path / "bundle")])
    assert (result.exit_code, "FX0418" in result.stderr) == (0, True)
    assert (
        "off-fabric" in (tmp_path / "bundle" / "report.md").read_text()
        or "FX0418" in (tmp_path / "bundle" / "report.md").read_text()
    )
