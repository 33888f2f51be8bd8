# SPDX-License-Identifier: Apache-2.0
"""Which column of an order list is what."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fixaccel.diagnostics.codes import order_list as codes
from fixaccel.diagnostics.report import Related, Report
from fixaccel.language.keys.schema import clip
from fixaccel.language.rows.cells import CellPlace

# Field -> names of columns, without what is no letter or digit and in lower case.
NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "orderid", "ordid", "clordid", "orderno", "ordernumber", "ordernr"),
    "symbol": ("symbol", "ticker", "instrument", "security", "sym"),
    "side": ("side", "buysell", "bs", "action", "ordside", "orderside"),
    "qty": ("qty", "quantity", "size", "shares", "contracts", "orderqty", "orderquantity", "totalqty", "totalquantity"),
    "type": ("type", "ordertype", "ordtype"),
    "stop": ("stop", "stopprice", "stoppx", "trigger", "triggerprice", "touchprice", "aux", "auxprice"),
    "limit": ("limit", "limitprice", "lmt", "lmtprice", "price"),
    "trail": ("trail", "trailamount", "trailingamount", "trailamt", "trailingamt", "trailstopamount"),
    "trail_percent": ("trailpercent", "trailingpercent", "trailpct", "trailingpct"),
    "tif": ("tif", "timeinforce", "validity"),
    "method": ("triggermethod", "triggertype", "triggerby", "stopmethod"),
    "account": ("account", "acct", "accountid"),
    "oco": ("oco", "oca", "ocogroup", "ocagroup", "ocogroupid", "ocagroupid"),
    "parent": ("parent", "parentid", "parentorder", "parentorderid"),
    "note": ("note", "notes", "comment", "comments", "remark", "remarks", "memo"),
}
NEEDED = ("symbol", "side", "qty", "type")
IGNORE = "ignore"


@dataclass(frozen=True)
class Columns:
    """Place of each field's column, from 0; ``unknown`` columns are taken for nothing, ``ignored`` ones by wish."""

    width: int
    places: Mapping[str, int]
    unknown: tuple[int, ...]
    header: Sequence[CellPlace]


class MappingError(ValueError):
    """A `--column` that cannot be followed."""


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9%]", "", text.lower()).replace("%", "percent")


def _field_of(text: str) -> str:
    """The field that a column of this name is; empty if none is known."""
    return next((field for field, names in NAMES.items() if _plain(text) in names), "")


def columns_of(header: Sequence[CellPlace], given: Sequence[tuple[str, str]], report: Report) -> Columns | None:
    """The columns; None after reporting what is not clear. ``given`` are pairs of field and name.

    Raises MappingError for a name that no column has.
    """
    places: dict[str, int] = {}
    taken: set[int] = set()
    for field, name in given:
        found = _find(header, name)
        taken.add(found)
        if field != IGNORE:
            places[field] = found
    sound = True
    for at, cell in enumerate(header):
        field = _field_of(cell.text)
        if at in taken or not field or any(field == one for one, _ in given):
            continue
        if field in places:
            before = header[places[field]]
            report.add(
                codes.LIST_HEADER,
                f"two columns could be the {_words(field)}: `{clip(before.text)}` and `{clip(cell.text)}`",
                cell.span,
                related=[Related("the other one", before.span)],
                help=f'say which: --column "{field}={clip(before.text)}"',
            )
            sound = False
            continue
        places[field] = at
        taken.add(at)
    for field in NEEDED:
        if field not in places:
            left = ", ".join(f"`{clip(cell.text)}`" for at, cell in enumerate(header) if at not in taken)
            report.add(
                codes.LIST_HEADER,
                f"no column is the {_words(field)}" + (f", and {left} is not known" if left else ""),
                header[0].span.until(header[-1].span),
                help=f'name it: --column "{field}=NAME"',
            )
            sound = False
    unknown = tuple(at for at in range(len(header)) if at not in taken)
    return Columns(len(header), places, unknown, header) if sound else None


def _find(header: Sequence[CellPlace], name: str) -> int:
    texts = [cell.text for cell in header]
    if name in texts:
        return texts.index(name)
    like = [at for at, text in enumerate(texts) if _plain(text) == _plain(name) != ""]
    if len(like) == 1:
        return like[0]
    names = ", ".join(f"`{clip(text)}`" for text in texts)
    raise MappingError(f"the list has no column `{clip(name)}`; it has {names}")


def _words(field: str) -> str:
    return {
        "qty": "quantity",
        "type": "order type",
        "stop": "stop price",
        "limit": "limit price",
        "tif": "time in force",
        "method": "trigger method",
        "oco": "`oco` group",
        "parent": "parent id",
        "id": "order id",
        "note": "comment",
        "trail": "trailing amount",
        "trail_percent": "trailing percentage",
    }.get(field, field)
