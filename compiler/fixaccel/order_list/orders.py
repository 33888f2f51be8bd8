# SPDX-License-Identifier: Apache-2.0
"""Rows of an order list as the orders that they mean: each cell read once, whatever is wrong with it said there."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from fixaccel.diagnostics.codes import order_list as codes
from fixaccel.diagnostics.codes.strategy import UNKNOWN_INSTRUMENT
from fixaccel.diagnostics.report import Code, Report
from fixaccel.language.keys.order import ACCOUNT
from fixaccel.language.keys.rule import NOTE
from fixaccel.language.keys.schema import Located, clip, nearest
from fixaccel.language.rows.cells import CellPlace
from fixaccel.language.terms import Instrument, Side, Source, TimeInForce, Venue
from fixaccel.order_list.headers import Columns
from fixaccel.order_list.numerals import NumberError, Numerals
from fixaccel.order_list.words import (
    AT_ONCE,
    KINDS,
    SHORT,
    SIDES,
    SOURCES,
    TIFS,
    TRAIL_LIMITS,
    Form,
    Kind,
    plain,
)
from fixaccel.passes.meaning.orders import price_fits, whole_lots
from fixaccel.passes.meaning.ticks import grid_units
from fixaccel.source import Node, Span

T = TypeVar("T")


@dataclass(frozen=True)
class Distance:
    """How far a trailing stop follows: a price, or a percentage."""

    value: Decimal
    percent: bool


@dataclass(frozen=True)
class ListedOrder:
    """One order that waits for a price: ``stop`` is where it is triggered, ``limit`` None for a market order.

    Texts are as the list has them; ``parent`` and ``oco`` are None where it says nothing.
    """

    line: int
    place: Span
    id: str | None
    instrument: Instrument
    side: Side
    qty: int
    kind: Kind
    source: Source
    stop: Decimal | None
    trail: Distance | None
    limit: Decimal | None
    tif: TimeInForce
    account: str | None
    oco: str | None
    parent: CellPlace | None
    note: str | None


@dataclass(frozen=True)
class Reading:
    """How cells are read. ``trigger`` stands for methods that are none of the language's."""

    venue: Venue
    columns: Columns
    numerals: Numerals
    trigger: Source | None

    def order(self, line: int, cells: Sequence[CellPlace], report: Report) -> ListedOrder | None:
        """What one row means; None after reporting all that is wrong with it."""
        return _Cells(self, cells, report).order(line)


class _Cells:
    """One row."""

    def __init__(self, reading: Reading, cells: Sequence[CellPlace], report: Report) -> None:
        self._reading = reading
        self._cells = cells
        self._report = report

    def order(self, line: int) -> ListedOrder | None:
        instrument, side, kind = self._instrument(), self._side(), self._kind()
        tif, source = self._tif(), self._source()
        qty = self._qty(instrument)
        stop = limit = trail = None
        if kind:
            stop, limit, trail = self._prices(kind, instrument)
        account = self._text("account", ACCOUNT.kind.read)
        note = self._text("note", NOTE.kind.read)
        if self._report.failed:
            return None
        assert instrument
        assert side
        assert kind
        assert qty
        parent = self._given("parent")
        return ListedOrder(
            line=line,
            place=self._cells[0].span.until(self._cells[-1].span),
            id=self._word("id"),
            instrument=instrument,
            side=side,
            qty=qty,
            kind=kind,
            source=source or Source.LAST,
            stop=stop,
            trail=trail,
            limit=limit,
            tif=tif or TimeInForce.DAY,
            account=account,
            oco=self._word("oco"),
            parent=parent if parent and parent.text != "0" else None,
            note=note,
        )

    def _cell(self, field: str) -> CellPlace | None:
        place = self._reading.columns.places.get(field)
        return None if place is None else self._cells[place]

    def _given(self, field: str) -> CellPlace | None:
        """The cell, None where it says nothing."""
        cell = self._cell(field)
        return cell if cell and cell.text else None

    def _word(self, field: str) -> str | None:
        cell = self._given(field)
        return cell.text if cell else None

    def _text(self, field: str, read: Callable[[Node, str, Report], str | None]) -> str | None:
        cell = self._given(field)
        return read(cell.node, field, self._report) if cell else None

    def _wrong(self, code: Code, message: str, cell: CellPlace, way_out: str) -> None:
        self._report.add(code, message, cell.span, help=way_out)

    def _needed(self, field: str, what: str) -> CellPlace | None:
        cell = self._cell(field)
        if cell and not cell.text:
            self._wrong(codes.LIST_VALUE, f"this row has no {what}", cell, "an order needs one")
            return None
        return cell

    def _instrument(self) -> Instrument | None:
        cell = self._needed("symbol", "symbol")
        if cell is None:
            return None
        venue = self._reading.venue
        instrument = venue.instruments.get(cell.text)
        if instrument is None:
            close = nearest(cell.text, venue.instruments, self._report)
            message = f"the venue {venue.name} has no instrument `{clip(cell.text)}`"
            way_out = f"did you mean `{close}`?" if close else "add it to the venue file"
            self._wrong(UNKNOWN_INSTRUMENT, message, cell, way_out)
        return instrument

    def _side(self) -> Side | None:
        cell = self._needed("side", "side")
        if cell is None:
            return None
        if plain(cell.text) in SHORT:
            message = "a short sale is no order of the language: rules buy and sell"
            self._wrong(codes.LIST_ORDER, message, cell, "write `Sell` if the shares are held, or leave the order out")
            return None
        return self._known(SIDES, cell, "side", ("Buy", "Sell", "B", "S"))

    def _known(self, words: Mapping[str, T], cell: CellPlace, what: str, shown: Iterable[str]) -> T | None:
        found = words.get(plain(cell.text))
        if found is None:
            self._wrong(codes.LIST_VALUE, f"`{clip(cell.text)}` is no {what}", cell, f"it is one of {', '.join(shown)}")
        return found

    def _kind(self) -> Kind | None:
        cell = self._needed("type", "order type")
        if cell is None:
            return None
        word = plain(cell.text)
        if word in AT_ONCE:
            message = f"`{clip(cell.text)}` waits for no trigger: such an order goes to the venue at once"
            self._wrong(codes.LIST_ORDER, message, cell, "leave it out, and send it with `fixaccel order`")
        elif word in TRAIL_LIMITS:
            message = "a trailing stop whose limit keeps an offset of its own is not taken"
            way_out = "leave it out, and write it with `trail` and `price: trigger - N ticks`"
            self._wrong(codes.LIST_ORDER, message, cell, way_out)
        else:
            return self._known(KINDS, cell, "order type that is taken", ("STP", "STP LMT", "LIT", "MIT", "TRAIL"))
        return None

    def _tif(self) -> TimeInForce | None:
        cell = self._given("tif")
        return self._known(TIFS, cell, "time in force that is taken", TIFS) if cell else None

    def _source(self) -> Source | None:
        cell = self._given("method")
        if cell is None:
            return self._reading.trigger
        found = SOURCES.get(plain(cell.text))
        if found is None and self._reading.trigger is None:
            message = f"the trigger method `{clip(cell.text)}` is not one price: brokers mean different things by it"
            way_out = "choose what is to be watched: --trigger last, or bid, ask, mid"
            self._wrong(codes.LIST_ORDER, message, cell, way_out)
        return found or self._reading.trigger

    def _number(self, cell: CellPlace) -> Located[Decimal] | None:
        try:
            return Located(self._reading.numerals.read(cell.text), cell.span)
        except NumberError as error:
            self._wrong(codes.LIST_VALUE, f"`{clip(cell.text)}` {error}", cell, error.help)
            return None

    def _qty(self, instrument: Instrument | None) -> int | None:
        cell = self._needed("qty", "quantity")
        value = self._number(cell) if cell else None
        if cell and value and value.value <= 0:
            self._wrong(codes.LIST_VALUE, f"`{clip(cell.text)}` is no quantity", cell, "the side says buy or sell")
            return None
        return whole_lots(value, instrument, self._report) if value and instrument else None

    def _prices(
        self, kind: Kind, instrument: Instrument | None
    ) -> tuple[Decimal | None, Decimal | None, Distance | None]:
        """Stop, limit and trailing distance: those that the type needs, and no others."""
        fields = ["trail", "trail_percent"] if kind.form is Form.TRAIL else ["stop"]
        fields += ["limit"] if kind.limit else []
        used = {self._reading.columns.places.get(field) for field in fields}
        for field in ("stop", "limit", "trail", "trail_percent"):
            # One column may be stop price and trailing amount, as the type says.
            if field not in fields and self._reading.columns.places.get(field) not in used:
                self._refuse(field, kind)
        if kind.form is Form.TRAIL:
            return None, None, self._distance()
        limit = self._price("limit", "limit price", instrument) if kind.limit else None
        cell = self._cell("limit")
        if limit is not None and instrument and cell:
            price_fits(instrument.ticks.to_units(limit) or 0, instrument, cell.span, self._report)
        return self._price("stop", "stop price", instrument), limit, None

    def _price(self, field: str, what: str, instrument: Instrument | None) -> Decimal | None:
        cell = self._cell(field)
        if cell is None or not cell.text:
            place = cell or self._cell("type")
            assert place
            way_out = "fill the cell" if cell else f'name its column: --column "{field}=NAME"'
            self._wrong(codes.LIST_VALUE, f"this order needs a {what}", place, way_out)
            return None
        value = self._number(cell)
        if value is None or instrument is None:
            return None
        return value.value if grid_units(value, instrument, self._report) is not None else None

    def _distance(self) -> Distance | None:
        given = []
        for field in ("trail", "trail_percent"):
            cell = self._given(field)
            percent = field == "trail_percent" or bool(cell and cell.text.endswith("%"))
            value = self._number(cell._replace(text=cell.text.removesuffix("%").rstrip())) if cell else None
            if cell and value is None:
                return None
            if cell and value and value.value != 0:
                given.append((cell, Distance(value.value, percent)))
        if len(given) == 1:
            return given[0][1]
        place = given[1][0] if given else self._cell("trail") or self._cell("trail_percent") or self._cell("type")
        assert place
        if given:
            self._wrong(codes.LIST_VALUE, "this row has a trailing amount and a percentage", place, "empty one of them")
        else:
            way_out = 'say which column has it: --column "trail=NAME" or --column "trail_percent=NAME"'
            self._wrong(codes.LIST_VALUE, "this trailing stop has no amount", place, way_out)
        return None

    def _refuse(self, field: str, kind: Kind) -> None:
        """A cell that the type has no use for: empty or zero, or somebody meant something by it."""
        cell = self._given(field)
        value = self._number(cell) if cell else None
        if cell is None or value is None or value.value == 0:
            return
        name = clip(self._reading.columns.header[self._reading.columns.places[field]].text)
        message = f"`{name}` is {clip(cell.text)}, which this order type has no place for"
        ways = {
            ("limit", Form.STOP): "empty the cell, or write `STP LMT`",
            ("limit", Form.TOUCH): "empty the cell, or write `LIT`",
            (
                "stop",
                Form.TRAIL,
            ): "empty the cell: a trail begins at the first price that is seen; if this is the "
            f'distance, write --column "trail={name}"',
        }
        self._wrong(codes.LIST_ORDER, message, cell, ways.get((field, kind.form), "empty the cell"))
