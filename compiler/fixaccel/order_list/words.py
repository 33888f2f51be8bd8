# SPDX-License-Identifier: Apache-2.0
"""The words of order lists: sides, order types, times in force, trigger methods."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from fixaccel.language.terms import Side, Source, TimeInForce


class Form(Enum):
    """What makes an order leave; the value names it in messages and in ids."""

    STOP = "stop"
    TOUCH = "touch"
    TRAIL = "trail"


@dataclass(frozen=True)
class Kind:
    """An order type: ``limit`` whether it sends a limit order."""

    form: Form
    limit: bool


def plain(text: str) -> str:
    """A word for comparison: upper case, letters and digits only."""
    return re.sub(r"[^A-Z0-9]", "", text.upper())


SIDES: Mapping[str, Side] = {
    "B": Side.BUY, "BUY": Side.BUY, "BOT": Side.BUY, "S": Side.SELL, "SELL": Side.SELL, "SLD": Side.SELL,
}  # fmt: skip
SHORT = {"SS", "SHORT", "SELLSHORT", "SSHORT", "SHORTSELL", "SLDSHORT", "SSHT"}

_STOP, _STOP_LIMIT = Kind(Form.STOP, limit=False), Kind(Form.STOP, limit=True)
KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(("STP", "STOP", "STPMKT", "STOPMKT", "STOPMARKET", "STPMARKET", "STOPLOSS"), _STOP),
    **dict.fromkeys(("STPLMT", "STOPLMT", "STOPLIMIT", "STPLIMIT", "STOPLOSSLIMIT"), _STOP_LIMIT),
    **dict.fromkeys(("LIT", "LIMITIFTOUCHED"), Kind(Form.TOUCH, limit=True)),
    **dict.fromkeys(("MIT", "MARKETIFTOUCHED"), Kind(Form.TOUCH, limit=False)),
    **dict.fromkeys(("TRAIL", "TRAILSTOP", "TRAILINGSTOP", "TRAILSTP"), Kind(Form.TRAIL, limit=False)),
}
AT_ONCE = {"MKT", "MARKET", "LMT", "LIMIT", "MOC", "LOC", "MOO", "LOO", "MTL", "REL", "PEG"}
TRAIL_LIMITS = {"TRAILLIMIT", "TRAILLMT", "TRAILINGSTOPLIMIT", "TRAILSTOPLIMIT", "TRAILINGLIMIT"}

TIFS: Mapping[str, TimeInForce] = {tif.name: tif for tif in TimeInForce}

SOURCES: Mapping[str, Source] = {
    "LAST": Source.LAST, "LASTPRICE": Source.LAST, "TRADE": Source.LAST, "BID": Source.BID, "ASK": Source.ASK,
    "MID": Source.MID, "MIDPOINT": Source.MID,
}  # fmt: skip
