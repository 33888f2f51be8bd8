# SPDX-License-Identifier: Apache-2.0
"""What a sweep varies: `rules.stop.when=last <= {1170..1190 step 5}`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product

from fixaccel.values import decimal_text, parse_decimal

_SETTING = re.compile(r"([^={}]+)=(.*)\Z", re.DOTALL)
_BRACES = re.compile(r"\{([^{}]*)\}")
_RANGE = re.compile(r"\s*(\S+?)\.\.(\S+)(?:\s+step\s+(\S+))?\s*\Z")
# More than any run could take; keeps `{0..1e9 step 0.01}` from filling the memory.
_MOST_OF_ONE = 100_000


class SettingError(ValueError):
    """A setting cannot be read; the text says why and what would do."""


@dataclass(frozen=True)
class Setting:
    """One dimension: the text at ``path`` in the strategy takes ``texts``; ``values`` are what varies in them."""

    path: str
    values: tuple[str, ...]
    texts: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True)
class Variant:
    """One combination: the value of each setting, and the text by path."""

    values: tuple[str, ...]
    texts: dict[str, str]


def parse_setting(text: str) -> Setting:
    """Reads `PATH=TEXT`, TEXT having at most one `{LO..HI step S}` or `{A, B, ...}`. Raises SettingError."""
    match = _SETTING.match(text)
    if match is None:
        raise SettingError(f"`{text}` is no setting; write PATH=VALUES, as in `rules.stop.when=last <= {{1170..1190}}`")
    path, template = match[1].strip(), match[2].strip()
    found = list(_BRACES.finditer(template))
    rest = _BRACES.sub("", template)
    if "{" in rest or "}" in rest:
        raise SettingError(f"`{template}` has a brace without its other; write `{{A, B, C}}` or `{{LO..HI step S}}`")
    if len(found) > 1:
        raise SettingError(f"`{template}` has more than one `{{...}}`; give each dimension a --set of its own")
    if not found:
        return Setting(path, (template,), (template,))
    values = _values(found[0][1])
    begin, end = found[0].span()
    return Setting(path, values, tuple(template[:begin] + value + template[end:] for value in values))


def _values(text: str) -> tuple[str, ...]:
    if ".." in text and "," not in text:
        return _range(text)
    values = tuple(value.strip() for value in text.split(","))
    if not all(values):
        raise SettingError(f"`{{{text}}}` has an empty value; write `{{A, B, C}}` or `{{LO..HI step S}}`")
    if repeated := next((value for number, value in enumerate(values) if value in values[:number]), None):
        raise SettingError(f"`{{{text}}}` has `{repeated}` twice")
    return values


def _range(text: str) -> tuple[str, ...]:
    match = _RANGE.match(text)
    ends = [parse_decimal(match[place]) for place in (1, 2)] if match else [None]
    if match is None or None in ends:
        raise SettingError(f"`{{{text}}}` is no range; write `{{LO..HI step S}}`, as in `{{1170..1190 step 5}}`")
    low, high = (end for end in ends if end is not None)
    step = parse_decimal(match[3]) if match[3] else _default_step(low, high)
    if step is None or step <= 0:
        way = "a step is a number above zero" if match[3] else "prices need a step: `{LO..HI step S}`"
        raise SettingError(f"`{{{text}}}`: {way}")
    count = int(abs(high - low) / step) + 1
    if count > _MOST_OF_ONE:
        raise SettingError(f"`{{{text}}}` has {count:,} values; at most {_MOST_OF_ONE:,} are possible")
    signed = step if high >= low else -step
    return tuple(decimal_text(low + signed * number) for number in range(count))


def _default_step(low: Decimal, high: Decimal) -> Decimal | None:
    """Whole numbers go by one."""
    whole = low == low.to_integral_value() and high == high.to_integral_value()
    return Decimal(1) if whole else None


def variants(settings: Sequence[Setting]) -> Iterator[Variant]:
    """All combinations, the last setting varying fastest."""
    for chosen in product(*(range(len(setting)) for setting in settings)):
        pairs = list(zip(settings, chosen, strict=True))
        values = tuple(setting.values[place] for setting, place in pairs)
        yield Variant(values, {setting.path: setting.texts[place] for setting, place in pairs})
