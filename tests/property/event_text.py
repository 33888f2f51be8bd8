# SPDX-License-Identifier: Apache-2.0
"""Market data to run a strategy over, as rows of an event file."""

from choices import Choices
from instruments import Instrument

from fixaccel.semantics.messages import Kind

S = 10**9
USUAL_KINDS = [Kind.UPDATE] * 14 + [Kind.SNAPSHOT] * 4 + [Kind.OPEN] * 3 + [Kind.GAP, Kind.HALT]
# From one message to the next: at once, backwards (time is a running maximum), fractions of seconds to hours. Some add
# up to what `rearm: {after}` says, and to one less.
STEPS_NS = [
    *(1, 0, 0, 0, 1000, S // 10, S // 10, S // 10 - 1),
    *(S // 3, S, S, S, 20 * S, 61 * S, 61 * S, 1800 * S, -S, -7200 * S),
]

_WITHOUT_PRICES = {Kind.GAP, Kind.HALT, Kind.OPEN}


def events(
    choices: Choices, instruments: list[Instrument], start_ns: int, kinds: list[Kind] | None = None, most: int = 30
) -> list[str]:
    """One to ``most`` rows."""
    rows, now = [], start_ns
    for _ in range(choices.number(1, most)):
        now = max(now + choices.pick(STEPS_NS), 0)
        rows.append(_event(choices, choices.pick(instruments), choices.pick(kinds or USUAL_KINDS), now))
    return rows


def _event(choices: Choices, instrument: Instrument, kind: Kind, now: int) -> str:
    if kind in _WITHOUT_PRICES:
        symbol = "" if choices.chance(30) else instrument.symbol
        return f"{now},{symbol},{kind.value},,,,,,"
    name = "" if kind is Kind.UPDATE and choices.chance(50) else kind.value
    bid = choices.number(-6, 6)
    # Mostly a market: crossed ones have no mid.
    ask = bid + choices.number(0, 3) if choices.chance(75) else choices.number(-6, 6)
    cells = [_cells(choices, instrument, offset) for offset in (bid, ask, choices.number(-6, 6))]
    return f"{now},{instrument.symbol},{name},{','.join(cells)}"


def _cells(choices: Choices, instrument: Instrument, offset: int) -> str:
    """Price and size columns of one source: nothing, an unknown side, or a price near ``offset``."""
    if choices.chance(35):
        return ","
    if choices.chance(4):
        return "-,"
    units = instrument.at(offset)
    odd = choices.number(0, 24)
    if odd > 21:
        units += choices.number(-2, 2)  # on the unit, perhaps off the tick
    if odd == 21:
        units = choices.pick([instrument.low - 1, instrument.low, instrument.high, instrument.high + 1])
    return f"{_written(choices, instrument, units, odd)},{choices.pick(['1', '250', ''])}"


def _written(choices: Choices, instrument: Instrument, units: int, odd: int) -> str:
    text = instrument.text(units)
    match odd:
        case 20:  # off the unit: by a half, a quarter, a tenth, the least that a text can say
            text = format(instrument.ticks.to_price(units), f".{instrument.ticks.places}f")
            return text + ("" if "." in text else ".") + choices.pick(["5", "25", "1", "75", "0000000001"])
        case 19:
            return text + ("0000" if "." in text else ".000000000000")
        case 18:
            return "-000" + text[1:] if text.startswith("-") else "000" + text
        case 17 if choices.chance(30):
            return choices.pick(["0", "-0", "-0.00", "99999999999", "-12345678901.5", "9999999999.99999999"])
        case _:
            return text
