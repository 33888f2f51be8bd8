# SPDX-License-Identifier: Apache-2.0
"""FX09: several strategies that run beside each other."""

from fixaccel.diagnostics.report import Code, Example, Severity

E, W = Severity.ERROR, Severity.WARNING


def _strategy(rules: str, head: str = "", venue: str = "simulator.yaml") -> str:
    return f"fixaccel: 1\nvenue: {venue}\n{head}rules:\n{rules}"


def _rule(name: str, when: str, order: str, instrument: str = "MSFT") -> str:
    return f"  - {{id: {name}, instrument: {instrument}, when: {when}, order: {{{order}}}}}\n"


def _venue(**changed: str) -> str:
    keys = {
        "fixaccel-venue": "1",
        "name": "simulator",
        "time_zone": "UTC",
        "session": "{begin_string: FIX.4.4, sender_comp_id: CLIENT1, target_comp_id: SIMULATOR, "
        "connect: 10.77.0.1:9878, heartbeat: 30s}",
        "market_data": "{message: snapshot}",
        "instruments": "{MSFT: {tick: 0.01, lot: 1, price_range: 0.01..10000}}",
    }
    return "".join(f"{key}: {value}\n" for key, value in (keys | changed).items())


def _desk(first: str, second: str, *more: tuple[str, str]) -> Example:
    return Example("desk", first, files=(("second.yaml", second), *more))


def _many_templates(account: str) -> bytes:
    order = "side: sell, qty: 1, type: market, account: " + account + "{0}"
    rules = "".join(_rule(f"{account.lower()}{n}", f"last <= {1000 + n}", order.format(n)) for n in range(40))
    return _strategy(rules).encode("ascii")


_SELL = _strategy(_rule("stop", "last <= 1180", "side: sell, qty: 2, type: limit, price: 1100"))
_OTHER = _strategy(_rule("dip", "ask <= 1150", "side: buy, qty: 1, type: limit, price: trigger"))

DESK_SESSION = Code(
    "FX0901", "desk-session", W, "Strategies that are checked together trade on different sessions",
    "A board keeps one session. Strategies of another CompID, host or port need another board, so capacity is counted "
    "for each session by itself. Whether orders of two counterparties can meet behind them is not known.",
    _desk(_SELL, _OTHER.replace("simulator.yaml", "other.yaml"), ("other.yaml", _venue(
        session="{begin_string: FIX.4.4, sender_comp_id: CLIENT2, target_comp_id: SIMULATOR, connect: 10.77.0.1:9878, "
        "heartbeat: 30s}"))),
)  # fmt: skip
DESK_VENUE = Code(
    "FX0902", "desk-venue", W, "Two venue files describe the same thing differently",
    "One of them is out of date. Prices and quantities are compared as each file has them; strategies whose venue "
    "files disagree about an instrument that both trade are not counted on one board.",
    _desk(_SELL, _strategy(_rule("dip", "ask <= 1150", "side: buy, qty: 1, type: limit, price: trigger"), "",
                           "other.yaml"),
          ("other.yaml", _venue(instruments="{MSFT: {tick: 0.05, lot: 1, price_range: 0.05..10000}}"))),
)  # fmt: skip
DESK_SELF_TRADE = Code(
    "FX0903", "desk-self-trade", W, "One price can fire a buy of one strategy and a sell of another",
    "The two orders may trade with each other, which many venues forbid. `self_trade: reject` in `limits` knows only "
    "the orders of its own strategy, so that it does not help here.",
    _desk(_SELL, _strategy(_rule("dip", "last <= 1150", "side: buy, qty: 1, type: limit, price: trigger, tif: ioc"))),
)  # fmt: skip
DESK_MEETS = Code(
    "FX0904", "desk-meets-resting", W, "An order of one strategy can meet a resting limit order of another",
    "A limit order with `tif: day` or `gtc` may rest at the venue until something fills or cancels it; one whose limit "
    "is beyond its own trigger is taken to trade at once. An order of the other side, at market or at a price that "
    "crosses it, then trades with it. Whether the one still rests when the other is sent is not known; the pair whose "
    "prices cross furthest is shown for each instrument.",
    _desk(_SELL, _OTHER),
)  # fmt: skip
DESK_SAME_RULE = Code(
    "FX0905", "desk-same-rule", W, "The same rule stands in two strategies",
    "Both fire on the same price and send the same order: the quantity is doubled. Rules are compared by what they "
    "mean, whatever they are called.",
    _desk(_SELL, _SELL.replace("id: stop", "id: protect")),
)  # fmt: skip
DESK_SAME_ID = Code(
    "FX0906", "desk-same-id", W, "A rule of another strategy has the same id",
    "Reports, journals and metrics name rules by id. Loaded one after the other on one board, a rule keeps its state "
    "where name and meaning are the same, and starts afresh where the meaning differs.",
    _desk(_SELL, _strategy(_rule("stop", "ask <= 1150", "side: buy, qty: 100, type: limit, price: trigger", "'7203'"))),
)  # fmt: skip
DESK_CAPACITY = Code(
    "FX0907", "desk-capacity", E, "The strategies together need more of a memory than the board has",
    "Counted as if the rules of all files stood in one: instruments, orders and templates that they share count once. "
    "A daemon loads one bundle, so that strategies on one board are one strategy.",
    Example("desk", "# 80 rules with 80 accounts in two files, on a board with 64 templates\n",
            lambda: _many_templates("A"), (("second.yaml", lambda: _many_templates("B")),)),
)  # fmt: skip
DESK_LIMIT = Code(
    "FX0908", "desk-limit", W, "A limit that the strategies exceed together",
    "Limits count the orders of their own strategy. Where several trade, all of them together may send more than any "
    "one limit lets pass.",
    _desk(_strategy(_rule("stop", "last <= 1180", "side: sell, qty: 2, type: market"),
                    "limits: {per_instrument: {MSFT: {total_qty: 2}}}\n"),
          _strategy(_rule("floor", "last <= 1170", "side: sell, qty: 1, type: market"))),
)  # fmt: skip
