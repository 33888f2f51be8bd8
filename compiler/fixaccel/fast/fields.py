# SPDX-License-Identifier: Apache-2.0
"""Fields with a value, and their operators."""

from dataclasses import dataclass

from fixaccel.diagnostics.codes import fast as codes
from fixaccel.diagnostics.report import Related, Report
from fixaccel.fast.forms import INTEGERS, OPERATORS
from fixaccel.fast.initial import InitialError, initial_value
from fixaccel.fast.model import EXPONENTS, Item, Key, Kind, Name, Operator, Scalar, SplitDecimal, Value
from fixaccel.fast.scope import Scope
from fixaccel.fast.xml_tree import Element

_WORDS = {
    Operator.INCREMENT: "integers",
    Operator.TAIL: "strings and byte vectors",
}


@dataclass(frozen=True)
class _What:
    """What an operator is read for."""

    name: Name
    kind: Kind
    optional: bool
    part: str = ""


class Fields:
    """Reads the elements of fields."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def id(self, element: Element) -> str | None:
        """The auxiliary identifier, by which FIX tags are told."""
        return element.attributes["id"].value.strip() if "id" in element.attributes else None

    def optional(self, element: Element) -> bool:
        """Whether the field may be absent."""
        return "presence" in element.attributes and element.attributes["presence"].value == "optional"

    def read(self, element: Element, outer: Scope) -> list[Item]:
        """The field, none if it has no name."""
        scope = outer.inside(element)
        name = scope.field_name(element)
        if name is None:
            return []
        optional = self.optional(element)
        parts = [child for child in element.children if child.tag in {"exponent", "mantissa"}]
        if parts:
            return [self._split(element, parts, name, scope)]
        return [self._scalar(element, _What(name, _kind(element), optional), scope, self.id(element))]

    def length(self, element: Element, of: Name, scope: Scope, *, optional: bool) -> Scalar:
        """The length of a sequence called ``of``; without an element for it, one without an operator."""
        for child in element.children:
            if child.tag == "length":
                inner = scope.inside(child)
                name = inner.field_name(child)
                what = _What(name or of, Kind.UINT32, optional, "" if name else "length")
                return self._scalar(child, what, inner, self.id(child))
        return Scalar(
            of, of.local, None, Kind.UINT32, optional, Operator.NONE, None, None, element.span, str(scope.template)
        )

    def _scalar(self, element: Element, what: _What, scope: Scope, number: str | None) -> Scalar:
        operator, initial, key = self._operator(element, what, scope)
        return Scalar(
            what.name, what.name.local, number, what.kind, what.optional, operator, initial, key, element.span,
            str(scope.template),
        )  # fmt: skip

    def _split(self, element: Element, parts: list[Element], name: Name, scope: Scope) -> SplitDecimal:
        found: dict[str, Element] = {}
        for child in element.children:
            if child.tag in OPERATORS:
                message = "a decimal has one operator, or operators for its parts (S2)"
                self._report.add(codes.TEMPLATE_OPERATOR, message, child.span)
            elif child.tag in found:
                self._report.add(codes.TEMPLATE_FORM, f"a second <{child.tag}> (S1)", child.span)
            else:
                found[child.tag] = child
        optional = self.optional(element)

        def part(tag: str, kind: Kind, *, may_miss: bool) -> Scalar:
            what = _What(name, kind, may_miss, tag)
            return self._scalar(found.get(tag, Element(tag, {}, [], element.span)), what, scope, None)

        del parts
        return SplitDecimal(
            name, name.local, self.id(element), optional,
            part("exponent", Kind.INT32, may_miss=optional), part("mantissa", Kind.INT64, may_miss=False),
            element.span,
        )  # fmt: skip

    def _operator(self, element: Element, what: _What, scope: Scope) -> tuple[Operator, Value | None, Key | None]:
        given = [child for child in element.children if child.tag in OPERATORS]
        if not given:
            return Operator.NONE, None, None
        child = given[0]
        for more in given[1:]:
            first = Related("the first", child.span)
            self._report.add(codes.TEMPLATE_FORM, "a field has one operator (S1)", more.span, related=[first])
        operator = OPERATORS[child.tag]
        fits = what.kind.is_integer if operator is Operator.INCREMENT else what.kind.is_bytes
        if operator in _WORDS and not fits:
            message = f"`{operator.value}` is for {_WORDS[operator]}, not for {what.kind.value} (S2)"
            self._report.add(codes.TEMPLATE_OPERATOR, message, child.span)
        initial = self._initial(child, operator, what)
        key = scope.key(child, what.name, what.part) if operator.has_entry else None
        if key and key.scope == "template" and scope.referred:
            message = f"`{what.name}` is in the dictionary `template` of `{scope.template}`, which others refer to"
            way_out = "implementations differ in whose dictionary that is"
            self._report.add(codes.TEMPLATE_DICTIONARY, message, child.span, help=way_out)
        return operator, initial, key

    def _initial(self, child: Element, operator: Operator, what: _What) -> Value | None:
        if "value" not in child.attributes:
            if operator is Operator.CONSTANT:
                self._report.add(codes.TEMPLATE_INITIAL, "`constant` has no `value` (S4)", child.span)
            elif operator is Operator.DEFAULT and not what.optional:
                message = "`default` of a mandatory field has no `value` (S5)"
                self._report.add(codes.TEMPLATE_INITIAL, message, child.span)
            return None
        given = child.attributes["value"]
        try:
            value = initial_value(given.value, what.kind)
        except InitialError as error:
            text = f"`{given.value}`" if given.value else "an empty text"
            self._report.add(
                codes.TEMPLATE_INITIAL, f"{text} is no {what.kind.value} (S3)", given.span, help=str(error)
            )
            return None
        if what.part == "exponent" and isinstance(value, int) and not EXPONENTS[0] <= value <= EXPONENTS[1]:
            message = f"an exponent is from {EXPONENTS[0]} to {EXPONENTS[1]} (S3)"
            self._report.add(codes.TEMPLATE_INITIAL, message, given.span)
        return value


def _kind(element: Element) -> Kind:
    if element.tag == "string":
        charset = element.attributes.get("charset")
        return Kind.UNICODE if charset and charset.value == "unicode" else Kind.ASCII
    return {**INTEGERS, "decimal": Kind.DECIMAL, "byteVector": Kind.BYTES}[element.tag]
