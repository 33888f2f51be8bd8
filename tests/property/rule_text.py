# SPDX-License-Identifier: Apache-2.0
"""Rules of every form, as a trader writes them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import ROUND_CEILING, Decimal
from zoneinfo import ZoneInfo

from choices import Choices
from instruments import Instrument

SOURCES = ["last", "bid", "ask", "mid"]
PLAIN_FORMS = ["when"] * 4 + ["ladder", "table", "decide"]
FORMS = ["when"] * 9 + ["ladder"] * 2 + ["table"] * 2 + ["trail"] * 4 + ["decide"] * 3
GROUPS = ["g1", "g2"]
IN_TIME = ["1ms", "7ms", "20ms", "99ms", "100ms", "300ms", "1s", "1s", "20s", "2m"]
PLAIN_COLUMNS = ["side", "qty", "type", "price", "id", "oco"]
TABLE_COLUMNS = [*PLAIN_COLUMNS, "confirm"]


@dataclass(frozen=True)
class RuleText:
    """One entry of `rules`, and the files that it names."""

    id: str
    text: str
    symbols: tuple[str, ...]
    is_list: bool
    enabled: bool
    parts: tuple[str, ...]  # names that `armed_by` may use
    notional: Decimal  # most that a limit price of it can be worth
    files: Mapping[str, str] = field(default_factory=dict)


class RuleWriter:
    """Writes one rule after the other; later ones refer to earlier ones. ``plain``: only what the fabric runs."""

    def __init__(
        self, choices: Choices, instruments: list[Instrument], start_ns: int, zone: str, plain: bool = False
    ) -> None:
        self._choices = choices
        self._instruments = instruments
        self._plain = plain
        # The fabric has one `during` for all rules of a source and direction: by these, if they have any.
        self._windows: dict[str, str] | None = {} if plain and choices.chance(40) else None
        # By source, which of its two chains take two observations: a price that satisfies both would fire out of turn.
        self._confirms: dict[str, str] | None = {"mid": ""} if plain and choices.chance(40) else None
        self._local = datetime.fromtimestamp(start_ns // 10**9, ZoneInfo(zone))
        self.written: list[RuleText] = []

    def write(self, python: bool = False) -> None:
        """Appends a rule; ``python``: a decision by a function, which starts a process when it is compiled."""
        choices = self._choices
        self._alike = self._bound_to()
        self._instrument = self._alike[0]
        self._notional = Decimal(0)
        self._own_names: dict[str, str] = {}
        id_ = f"r{len(self.written)}"
        is_list = len(self._alike) > 1 or choices.chance(5)
        names = [f'"{instrument.symbol}"' for instrument in self._alike]
        keys = {"id": id_, "instrument": f"[{', '.join(names)}]" if is_list else names[0]}
        form = "python" if python else choices.pick(self._forms())
        files: dict[str, str] = {}
        rows = 1
        match form:
            case "trail":
                keys |= self._trail()
            case "decide":
                keys |= self._decide()
            case "at":
                keys |= self._at()
            case "python":
                keys |= self._python(id_, files)
            case "table":
                rows = choices.number(1, 4)
                keys |= self._table(id_, rows, files)
            case _:
                offset = choices.number(-3, 3)
                keys["when"] = self._condition(offset)
                if self._confirms is not None:
                    offset = self._confirm(keys, self._confirms, offset)
                if form == "ladder":
                    rows = choices.number(2, 3)
                    keys["ladder"] = f"{{step: {self._step()}, count: {rows}}}"
                keys["order"] = self._order(offset)
        self._links(keys, is_list)
        self._times(keys)
        if form in {"when", "ladder", "table"}:
            self._sight(keys)
        if choices.chance(3):
            keys["enabled"] = "false"
        if choices.chance(3):
            keys["note"] = "for the desk"
        lists = [f"{id_}@{instrument.symbol}" for instrument in self._alike] if is_list else [id_]
        many = form in {"ladder", "table"}
        numbers = [f"[{row + 1}]" for row in range(rows)] if many else [""]
        parts = [self._part(id_, name, number) for name in lists for number in numbers]
        text = "  - " + "\n    ".join(f"{key}: {value}" for key, value in keys.items()) + "\n"
        symbols = tuple(instrument.symbol for instrument in self._alike)
        enabled = keys.get("enabled") != "false"
        self.written.append(RuleText(id_, text, symbols, is_list, enabled, tuple(parts), self._notional, files))

    def _part(self, id_: str, name: str, number: str) -> str:
        """Name of a part of the rule ``id_``, ``name`` being that or ID@SYMBOL."""
        own = self._own_names.get(id_ + number)
        return name + number if own is None else own + name.removeprefix(id_)

    def _forms(self) -> Sequence[str]:
        if self._windows is not None or self._confirms is not None:  # a table is of many sources and directions
            return [form for form in PLAIN_FORMS if form != "table"]
        return PLAIN_FORMS if self._plain else FORMS

    def _bound_to(self) -> list[Instrument]:
        """One instrument, or several whose prices are alike."""
        one = self._choices.pick(self._instruments)
        alike = [other for other in self._instruments if (other.ticks, other.centre) == (one.ticks, one.centre)]
        return alike if len(alike) > 1 and self._choices.chance(50) else [one]

    def _confirm(self, keys: dict[str, str], confirms: dict[str, str], offset: int) -> int:
        """Adds `confirm` as the chain has it; the condition's offset, moved apart from the other chain's."""
        choices = self._choices
        source, operator, _ = keys["when"].split()
        if source not in confirms:
            confirms[source] = choices.pick(["", "<", ">", "<>", "<>"])
        if confirms[source] == "<":
            offset = choices.number(-3, -2) if "<" in operator else choices.number(1, 3)
            keys["when"] = f"{source} {operator} {self._instrument.price(offset)}"
        if operator[0] in confirms[source]:
            keys["confirm"] = "2"
        return offset

    # Prices and orders.

    def _condition(self, offset: int) -> str:
        choices = self._choices
        zeros = choices.pick(["", "", "", "0", "000"])
        price = self._instrument.price(offset)
        price += f".{zeros}" if zeros and "." not in price else zeros
        return f"{choices.pick(SOURCES)} {choices.pick(['<=', '>=', '<', '>'])} {price}"

    def _step(self) -> str:
        sign, steps = self._choices.pick(["", "-"]), self._instrument.ticks.steps
        if len(steps) == 1 and self._choices.chance(50):
            return f"{sign}{self._instrument.text(1)}"
        return f"{sign}1 ticks"

    def _qty(self) -> int:
        return self._choices.number(1, 12) * max(instrument.lot for instrument in self._alike)

    def _limit_price(self, offset: int | None) -> str | None:
        """None: a market order. A condition ``offset`` ticks from the centre can lend its price."""
        choices = self._choices
        if choices.chance(40):
            return None
        away = choices.number(-2, 2)
        if offset is not None and choices.chance(50):
            return f"trigger {'+' if away > 0 else '-'} {abs(away)} ticks" if away else "trigger"
        return self._instrument.price((offset or 0) + away)

    def _count(self, qty: int, price: str | None) -> None:
        """Remembers what the order can be worth, whichever grid price near the centre a `trigger` stands for."""
        if price is None:
            return
        ends = [self._instrument.ticks.to_price(self._instrument.at(offset)) for offset in (-9, 9)]
        for instrument in self._alike:
            worth = max(map(abs, ends)) * qty * Decimal(instrument.multiplier)
            self._notional = max(self._notional, worth)

    def _order(self, offset: int | None, price: str | None = "") -> str:
        """A flow mapping; ``price`` "": of any kind."""
        choices = self._choices
        qty = self._qty()
        price = self._limit_price(offset) if price == "" else price
        self._count(qty, price)
        order = {"side": choices.pick(["buy", "sell"]), "qty": str(qty)}
        order |= {"type": "market"} if price is None else {"type": "limit", "price": price}
        if choices.chance(15):
            order["tif"] = choices.pick(["day", "ioc", "fok", "gtc"])
        if choices.chance(10):
            order["account"] = choices.pick(["ACC", "A"])
        if choices.chance(10):
            order["fields"] = choices.pick(["{58: odd}", "{58: even text, 18: G}"])
        return flow(order)

    # Forms.

    def _trail(self) -> dict[str, str]:
        choices, instrument = self._choices, self._instrument
        trail = {"source": choices.pick(SOURCES), "by": self._distance()}
        if choices.chance(40):
            trail["activate"] = self._condition(choices.number(-3, 3))
        away = choices.number(-2, 2)
        follows = f"trigger {'+' if away > 0 else '-'} {abs(away)} ticks" if away else "trigger"
        price = choices.pick([None, None, instrument.price(away), follows, follows])
        return {"trail": flow(trail), "order": self._order(None, price)}

    def _distance(self) -> str:
        choices, instrument = self._choices, self._instrument
        match choices.pick(["ticks", "price", "percent"]):
            case "ticks":
                return f"{choices.number(1, 3)} ticks"
            case "price":
                return instrument.text(instrument.at(1) - instrument.centre if choices.chance(70) else 1)
            case _:
                centre = abs(instrument.ticks.to_price(instrument.centre))
                near = instrument.ticks.to_price(instrument.at(1) - instrument.centre) * 100 / (centre or 1)
                percent = near * choices.number(1, 3)
                return (
                    f"{min(max(percent, Decimal('0.0001')), Decimal(60)).quantize(Decimal('0.0001'), ROUND_CEILING)}%"
                )

    def _decide(self) -> dict[str, str]:
        choices, instrument = self._choices, self._instrument
        at, intervals = choices.number(-6, 0), []
        for _ in range(choices.number(1, 3)):
            end = min(at + choices.number(0, 3), 6)
            order = self._order(None, instrument.price(choices.number(-2, 2)) if choices.chance(50) else None)
            intervals.append(f"{{from: {instrument.price(at)}, to: {instrument.price(end)}, order: {order}}}")
            at = end + choices.number(1, 3)
            if at > 6:
                break
        over = f"over: {instrument.price(-6)}..{instrument.price(6)}, " if choices.chance(50) else ""
        joined = ",\n        ".join(intervals)
        return {"decide": f"{{source: {choices.pick(SOURCES)}, {over}intervals: [\n        {joined}]}}"}

    def _python(self, id_: str, files: dict[str, str]) -> dict[str, str]:
        choices, instrument = self._choices, self._instrument
        files[f"{id_}.py"] = (
            "# SPDX-License-Identifier: Apache-2.0\n"
            "from fixaccel.decide import Order\n\n\n"
            "def decide(price, instrument):\n"
            f"    if price <= {instrument.ticks.to_price(instrument.at(choices.number(-3, 3)))!r}:\n"
            '        return Order(side="buy")\n'
            f"    if price >= {instrument.ticks.to_price(instrument.at(choices.number(-3, 3)))!r}:\n"
            '        return Order(side="sell")\n'
            "    return None\n"
        ).replace("Decimal('", "type(price)('")
        over = f"{instrument.price(-6)}..{instrument.price(6)}"
        decide = {"source": choices.pick(SOURCES), "over": over, "python": f"{id_}.py:decide"}
        return {"decide": flow(decide), "order": self._order(None, None)}

    def _table(self, id_: str, rows: int, files: dict[str, str]) -> dict[str, str]:
        """A table file; what its rows leave out stands in the rule's `order`."""
        choices = self._choices
        columns = [
            "when",
            *(name for name in (PLAIN_COLUMNS if self._plain else TABLE_COLUMNS) if choices.chance(50)),
        ]
        if "price" in columns and "type" not in columns:
            columns.append("type")
        lines = [",".join(columns)]
        for row in range(rows):
            own = f"{id_}-own{row}" if "id" in columns and choices.chance(50) and len(self._alike) == 1 else ""
            if own:
                self._own_names[f"{id_}[{row + 1}]"] = own
            offset = choices.number(-3, 3)
            qty, price = self._qty(), self._limit_price(offset)
            if "type" in columns and "price" in columns:
                self._count(qty if "qty" in columns else 12 * 100, price)
            cells = {
                "when": self._condition(offset),
                "side": choices.pick(["buy", "sell", ""]),
                "qty": str(qty),
                "type": "market" if price is None else "limit",
                "price": price or "",
                "id": own,
                "confirm": choices.pick(["", "1", "2"]),
                "oco": choices.pick(["", *GROUPS]),
            }
            if "price" not in columns:
                cells["type"] = "market"
            lines.append(",".join(cells[name] for name in columns))
        files[f"{id_}.csv"] = "\n".join([*lines, ""])
        return {"table": f"{id_}.csv", "order": self._order(None, None)}

    def _at(self) -> dict[str, str]:
        """Fires by the clock; among the forms of other writers only."""
        raise NotImplementedError

    # Keys that any form takes.

    def _links(self, keys: dict[str, str], is_list: bool) -> None:
        choices = self._choices
        if choices.chance(25):
            keys["oco"] = choices.pick(GROUPS)
        if choices.chance(30) and (parent := self._parent(is_list)):
            keys["armed_by"] = parent

    def _times(self, keys: dict[str, str]) -> None:
        choices = self._choices
        if self._windows is not None:
            condition = keys["when"] if "when" in keys else keys["decide"]
            source = next(source for source in SOURCES if re.search(rf"\b{source}\b", condition))
            chain = source + ("<" if "<" in condition else ">")  # a decision has the place of `>=`
            if chain not in self._windows:
                self._windows[chain] = self._during() if choices.chance(75) else ""
            if during := self._windows[chain]:
                keys["during"] = during
        elif not self._plain and choices.chance(15):
            keys["during"] = self._during()
        if choices.chance(25):
            times = choices.number(1, 3)
            if choices.chance(50):
                keys["rearm"] = f"{{after: {choices.pick(IN_TIME)}, times: {times}}}"
            else:
                keys["rearm"] = f"{{reset: {self._condition(choices.number(-3, 3))}, times: {times}}}"

    def _sight(self, keys: dict[str, str]) -> None:
        """What only conditions take."""
        choices = self._choices
        if not self._plain and choices.chance(20):
            keys["confirm"] = "2"
        judged_later = "rearm" in keys or "armed_by" in keys
        if self._plain and judged_later:  # what the known value at that time decides does not run in the fabric
            return
        if choices.chance(60 if "rearm" in keys else 30):
            keys["if_already_through"] = choices.pick(["wait", "reject", "reject", "fire"])

    def _during(self) -> str:
        return f"[{', '.join(self._window() for _ in range(self._choices.number(1, 2)))}]"

    def _window(self) -> str:
        """Near the first event: around it, just before or after, across midnight, nearly the whole day."""
        start, end = self._choices.pick([(-1, 1), (0, 2), (1, 3), (-2, 0), (30, 90), (-5, -10), (2, 1), (-700, 1)])
        ends = [self._local + timedelta(minutes=minutes) for minutes in (start, end)]
        return "-".join(f"{time:%H:%M}" for time in ends)

    def _parent(self, is_list: bool) -> str | None:
        """An earlier rule, or one part of it. Between lists every symbol must have its parent."""
        own = {instrument.symbol for instrument in self._alike}
        fit = [
            rule
            for rule in self.written
            if rule.enabled and not (is_list and rule.is_list and not own <= set(rule.symbols))
        ]
        if not fit:
            return None
        rule = self._choices.pick(fit)
        return self._choices.pick(rule.parts) if self._choices.chance(20) and not rule.is_list else rule.id


def flow(values: Mapping[str, str]) -> str:
    """A mapping in one line."""
    return "{" + ", ".join(f"{key}: {value}" for key, value in values.items()) + "}"
