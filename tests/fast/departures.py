# SPDX-License-Identifier: Apache-2.0
"""Known departures of foreign decoders from the standard, a rule each: what a difference is excused by."""

from collections import Counter
from collections.abc import Mapping

from fixaccel.fast.decoder import Datagram
from fixaccel.fast.errors import Fault
from fixaccel.fast.messages import Message
from fixaccel.fast.model import Kind, Operator, Scalar, Templates, scalars

# Of ours alone, whoever is compared with us.
_OUR_BOUNDS = {Fault.U2, Fault.U3, Fault.U5}
_BIG = 1 << 63


def departure(oracle: str, found: Templates, ours: Datagram, theirs: Mapping[str, object], data: bytes) -> str | None:
    """The departure of ``oracle`` that explains a difference, None where there is none known."""
    fields = [field for template in found.all for field in scalars(template.items)]
    said = str(theirs.get("error", theirs))
    rules = {"our own bounds": bool(ours.error and ours.error.fault in _OUR_BOUNDS)}
    empty = any(template.id is not None and not template.items for template in found.all)
    rules |= (
        _fastlib(fields, said, data, ours, empty=empty) if oracle == "fastlib" else _openfast(fields, said, data, ours)
    )
    return next((name for name, holds in rules.items() if holds), None)


def _zeros_in_front(data: bytes) -> bool:
    return b"\x00\x80" in data or b"\x00\x00" in data


def _fastlib(fields: list[Scalar], said: str, data: bytes, ours: Datagram, *, empty: bool) -> dict[str, bool]:
    defaults = [field for field in fields if field.operator is Operator.DEFAULT]
    return {
        "`default` of an exponent without a value is refused": any(
            field.initial is None and field.kind is Kind.INT32 for field in defaults
        )
        and "initial value" in said.lower(),
        "`default` and `copy` of a whole decimal lose their initial value": any(
            field.kind is Kind.DECIMAL and field.initial is not None
            for field in fields
            if field.operator in {Operator.DEFAULT, Operator.COPY}
        ),
        "`default` of a whole decimal loses its value": any(field.kind is Kind.DECIMAL for field in defaults),
        "a sum that does not fit is wrapped": bool(ours.error and ours.error.fault in {Fault.R1, Fault.R4}),
        "`constant` with a decimal of 0 is refused": "constant operator has no initial value" in said.lower(),
        "`delta` of a string without characters panics": "panic" in said
        and any(field.operator is Operator.DELTA and field.kind.is_bytes for field in fields),
        "zeros in front of a string are misread": _zeros_in_front(data),
        "a template without fields behind a reference is told without its identifier": "templateRef" in said and empty,
    }


def _openfast(fields: list[Scalar], said: str, data: bytes, ours: Datagram) -> dict[str, bool]:
    operators = {field.operator for field in fields}
    return {
        "uInt64 from 2^63 is negative": any(field.kind is Kind.UINT64 for field in fields)
        and (_has_big(ours) or any(isinstance(field.initial, int) and field.initial >= _BIG for field in fields)),
        "an increment stops at the type's maximum": Operator.INCREMENT in operators,
        "zeros in front of a string are misread, or stop it (R9)": _zeros_in_front(data) or bool(ours.counts[Fault.R9]),
        "a map with a needless byte stops it (R7)": "Exception" in said and bool(ours.counts[Fault.R7]),
        "decimals of one name do not share the previous values of their parts": any(
            count > 1 for count in Counter(field.key for field in fields if field.key and field.key.part).values()
        ),
        "`delta` and `tail` of byte vectors and Unicode are taken for those of strings": "Exception" in said
        and any(
            field.operator in {Operator.DELTA, Operator.TAIL} and field.kind in {Kind.BYTES, Kind.UNICODE}
            for field in fields
        ),
    }


def _has_big(content: object) -> bool:
    """Whether a number of 64 bits is in it that a signed one cannot hold."""
    match content:
        case Datagram():
            return any(_has_big(message.fields) for message in content.messages)
        case Message():
            return _has_big(content.fields)
        case dict():
            return any(_has_big(one) for one in content.values())
        case list():
            return any(_has_big(one) for one in content)
        case int():
            return content >= _BIG
    return False
