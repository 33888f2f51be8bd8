# SPDX-License-Identifier: Apache-2.0
"""Rules that follow fills, cancel orders, fire by the clock or have limits of their own, and executions for them."""

import re
from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal

from choices import Choices
from rule_text import FORMS, RuleText, RuleWriter, flow

from fixaccel.values import decimal_text

_QTY = re.compile(r"\bqty: \d+")
# Around the first event and what follows it, to the second: at once, soon, in hours, and just past, which is tomorrow.
_SECONDS = [0, 0, 1, 1, 2, 20, 21, 60, 61, 62, 122, 1800, 1861, 3600, -1, -60, -3600, 7200]
_KINDS = ["fill"] * 8 + ["done"] * 3 + ["reject"]


class EntryFirstWriter(RuleWriter):
    """Writes rules most of which follow the first one."""

    def _parent(self, is_list: bool) -> str | None:
        """Mostly that one, whose fills are told."""
        first = self.written[0] if self.written else None
        own = {instrument.symbol for instrument in self._alike}
        fits = first is not None and first.enabled and (not first.is_list or not is_list or own <= set(first.symbols))
        return first.id if first and fits and self._choices.chance(60) else super()._parent(is_list)


class ExitWriter(EntryFirstWriter):
    """Writes rules of every form, with all keys that these take."""

    def _forms(self) -> Sequence[str]:
        """First an entry that the market can reach."""
        return [*FORMS, *["at"] * 5] if self.written else ["when", "when", "ladder"]

    def _at(self) -> dict[str, str]:
        choices = self._choices
        time = self._local + timedelta(seconds=choices.pick(_SECONDS))
        price = self._instrument.price(choices.number(-3, 3)) if choices.chance(40) else None
        text = f"{time:%H:%M}" if choices.chance(20) else f"{time:%H:%M:%S}"
        return {"at": f'"{text}"', "order": self._order(None, price)}

    def _table(self, id_: str, rows: int, files: dict[str, str]) -> dict[str, str]:
        keys = super()._table(id_, rows, files)
        self._own_qty = "qty" in files[f"{id_}.csv"].splitlines()[0].split(",")
        return keys

    def _links(self, keys: dict[str, str], is_list: bool) -> None:
        choices = self._choices
        if choices.chance(20):
            keys["oco"] = choices.pick(["g1", "g2"])
        if choices.chance(50) and (parent := self._parent(is_list)):
            on = choices.pick(["", "sent", "first-fill", "first-fill", "filled"])
            keys["armed_by"] = f'{{rule: "{parent}", on: {on}}}' if on else parent
            rows_say = "table" in keys and self._own_qty
            if "decide" not in keys and not rows_say and choices.chance(60):
                keys["order"] = _QTY.sub("qty: filled", keys["order"])
        if choices.chance(30) and (cancelled := self._cancelled()):
            keys["cancels"] = f"[{', '.join(cancelled)}]" if len(cancelled) > 1 or choices.chance(50) else cancelled[0]
        if choices.chance(35) and (limits := self._own_limits("filled" in keys["order"] if "order" in keys else False)):
            keys["limits"] = flow(limits)

    def _cancelled(self) -> list[str]:
        there = [rule for rule in self.written if rule.enabled]
        if not there:
            return []
        some = self._choices.some(there, 3)
        return [f'"{self._choices.pick(r.parts)}"' if self._choices.chance(25) else r.id for r in some]

    def _own_limits(self, filled: bool) -> dict[str, str]:
        """So tight that they reject, but for what orders say without a market."""
        choices, one = self._choices, self._instrument
        limits = {}
        if choices.chance(60 if filled else 15):
            limits["order_qty"] = str(one.lot * choices.number(1, 8)) if filled else "1200"
        if choices.chance(20):
            guess = abs(one.ticks.to_price(one.centre)) * one.lot * choices.number(1, 12) * Decimal(one.multiplier)
            limits["order_notional"] = decimal_text(max(self._notional, guess, Decimal("0.01")))
        if choices.chance(30):
            limits["collar"] = choices.pick(["100%", "5%", "1%", "0.05%"])
            if choices.chance(50):
                limits["collar_breach"] = choices.pick(["ignore", "ignore", "reject"])
        if choices.chance(30):
            limits["self_trade"] = "reject"
        if choices.chance(20):
            limits["repeat"] = choices.pick(["1ms", "1s", "1m", "3h"])
        if choices.chance(40):
            limits["orders_per_second"] = "1"
        if choices.chance(30):
            limits["total_orders"] = str(choices.number(1, 2))
        if choices.chance(30):
            limits["per_instrument"] = f'{{"{one.symbol}": {{total_qty: {one.lot * choices.number(1, 12)}}}}}'
        return limits

    def _times(self, keys: dict[str, str]) -> None:
        super()._times(keys)
        if "at" in keys:
            keys.pop("during", None)
            if "reset" in keys.get("rearm", ""):
                del keys["rearm"]
        if "qty: filled" in keys.get("order", ""):
            keys.pop("rearm", None)


class FillWriter(EntryFirstWriter):
    """Writes rules that the fabric runs, many of them armed by the fills of an entry that the market can reach."""

    def _forms(self) -> Sequence[str]:
        return super()._forms() if self.written else ["when", "ladder"]

    def _links(self, keys: dict[str, str], is_list: bool) -> None:
        choices = self._choices
        if choices.chance(25):
            keys["oco"] = choices.pick(["g1", "g2"])
        if choices.chance(65) and (parent := self._parent(is_list)):
            on = choices.pick(["sent", "first-fill", "first-fill", "filled", "filled"])
            keys["armed_by"] = f'{{rule: "{parent}", on: {on}}}'


def with_executions(
    choices: Choices,
    rows: Sequence[str],
    sent: Sequence[tuple[int, str]],
    written: list[RuleText],
    lot: int,
    *,
    busts: bool = True,
) -> list[str]:
    """The rows of an event file with its last column, ``rule``, and executions between them.

    ``sent`` are orders that the rows alone lead to, by number of the row from 1 and part: most executions are of those.
    ``busts``: some fills are taken back, maybe more than there was.
    """
    others = [part for rule in written if rule.enabled for part in rule.parts]
    told = []
    for number, row in enumerate(rows, start=1):
        told.append(f"{row},")
        working = [part for event, part in sent if event <= number][-2:]
        while others and choices.chance(45 if working else 8):
            part = choices.pick(working) if working and choices.chance(85) else choices.pick(others)
            told.append(_execution(choices, row.partition(",")[0], part, lot, busts))
    return told


def _execution(choices: Choices, ts_ns: str, part: str, lot: int, busts: bool) -> str:
    kind = choices.pick(_KINDS)
    fills = [*(lot, lot, 2 * lot, 3 * lot, 4 * lot, 12 * lot, 12 * lot, 12 * lot, 30 * lot), 1]
    qty = choices.pick([*fills, -1, -lot] if busts else fills) if kind == "fill" else ""
    return f"{ts_ns},,{kind},,,,,{choices.pick(['', '1'])},{qty},{part}"
