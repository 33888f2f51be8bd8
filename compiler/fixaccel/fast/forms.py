# SPDX-License-Identifier: Apache-2.0
"""What may stand where: the standard's schema as a table, and the check of a tree against it (S1)."""

from dataclasses import dataclass

from fixaccel.diagnostics.codes import fast as codes
from fixaccel.diagnostics.report import Report
from fixaccel.fast.model import Kind, Operator
from fixaccel.fast.xml_tree import Element
from fixaccel.language.keys.schema import suggest

INTEGERS = {kind.value: kind for kind in Kind if kind.is_integer}
OPERATORS = {operator.value: operator for operator in Operator if operator is not Operator.NONE}
FIELDS = (*INTEGERS, "decimal", "string", "byteVector")
INSTRUCTIONS = (*FIELDS, "group", "sequence", "templateRef")


@dataclass(frozen=True)
class Form:
    """``needed`` are attributes that must be there, ``first`` children that stand ahead of all others."""

    attributes: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    children: tuple[str, ...] = ()
    first: tuple[str, ...] = ()


_NAME = ("name", "ns", "id")
_FIELD = Form((*_NAME, "presence"), ("name",), tuple(OPERATORS))
_ENTRY = Form(("dictionary", "key", "ns", "value"))
_PART = Form(children=tuple(OPERATORS))
_BLOCK = (*_NAME, "presence", "dictionary")
FORMS = {
    "templates": Form(("ns", "templateNs", "dictionary"), children=("template",)),
    "template": Form(
        ("name", "templateNs", "id", "ns", "dictionary", "reset"),
        ("name",),
        ("typeRef", *INSTRUCTIONS),
        ("typeRef",),
    ),
    "typeRef": Form(("name", "ns"), ("name",)),
    "templateRef": Form(("name", "templateNs")),
    **dict.fromkeys(INTEGERS, _FIELD),
    "decimal": Form(_FIELD.attributes, ("name",), (*OPERATORS, "exponent", "mantissa"), ("exponent",)),
    "exponent": _PART,
    "mantissa": _PART,
    "string": Form((*_FIELD.attributes, "charset"), ("name",), ("length", *OPERATORS), ("length",)),
    "byteVector": Form(_FIELD.attributes, ("name",), ("length", *OPERATORS), ("length",)),
    "group": Form(_BLOCK, ("name",), ("typeRef", *INSTRUCTIONS), ("typeRef",)),
    "sequence": Form(_BLOCK, ("name",), ("typeRef", "length", *INSTRUCTIONS), ("typeRef", "length")),
    "length": Form(_NAME, children=tuple(OPERATORS)),
    **dict.fromkeys(OPERATORS, _ENTRY),
    "constant": Form(("value",)),
    "default": Form(("value",)),
}
_WORDS = {"presence": ("mandatory", "optional"), "charset": ("ascii", "unicode")}


def check_form(root: Element, report: Report) -> None:
    """Reports every departure of the tree from the schema and takes what does not belong out of it."""
    if root.tag not in {"templates", "template"}:
        message = f"<{root.tag}> is no file of templates (S1)"
        report.add(codes.TEMPLATE_FORM, message, root.span, help="it begins with <templates> or <template>")
        root.children.clear()
        root.attributes.clear()
        return
    todo = [root]
    while todo:
        element = todo.pop()
        _attributes(element, report)
        _children(element, report)
        todo += reversed(element.children)


def _attributes(element: Element, report: Report) -> None:
    form = FORMS[element.tag]
    for name in [name for name in element.attributes if name not in form.attributes]:
        attribute = element.attributes.pop(name)
        close = suggest(name, form.attributes)
        known = ", ".join(form.attributes) or "none"
        way_out = f"did you mean `{close}`?" if close else f"its attributes are: {known}"
        instead = [f'{close}="{attribute.value}"'] if close else []
        message = f"<{element.tag}> has no attribute `{name}` (S1)"
        report.add(codes.TEMPLATE_FORM, message, attribute.whole, help=way_out, instead=instead)
    for name in form.needed:
        if name not in element.attributes:
            report.add(codes.TEMPLATE_FORM, f"<{element.tag}> has no `{name}` (S1)", element.span)
        elif not element.attributes[name].value.strip():
            report.add(codes.TEMPLATE_FORM, f"`{name}` is empty (S1)", element.attributes[name].whole)
    for name, words in _WORDS.items():
        if name in element.attributes and element.attributes[name].value not in words:
            attribute = element.attributes.pop(name)
            message = f"`{name}` is {words[0]} or {words[1]} (S1)"
            report.add(codes.TEMPLATE_FORM, message, attribute.span, instead=words)


def _children(element: Element, report: Report) -> None:
    form = FORMS[element.tag]
    good: list[Element] = []
    for child in element.children:
        if child.tag in form.children:
            good.append(child)
            continue
        close = suggest(child.tag, form.children)
        if close:
            way_out = f"did you mean <{close}>?"
        else:
            way_out = f"what may stand there: {', '.join(form.children)}" if form.children else "nothing stands in it"
        message = f"<{child.tag}> does not belong into <{element.tag}> (S1)"
        report.add(codes.TEMPLATE_FORM, message, child.span, help=way_out, instead=[close] if close else [])
    seen: set[str] = set()
    place = 0
    for child in good:
        if child.tag in form.first:
            if child.tag in seen:
                report.add(codes.TEMPLATE_FORM, f"a second <{child.tag}> (S1)", child.span, help="one is enough")
            rank = form.first.index(child.tag)
            if place > rank:
                before = "what stands before it" if place >= len(form.first) else f"<{form.first[place]}>"
                message = f"<{child.tag}> must stand ahead of {before} (S1)"
                report.add(codes.TEMPLATE_FORM, message, child.span)
            place = max(place, rank)
            seen.add(child.tag)
        elif child.tag not in OPERATORS and child.tag != "mantissa":
            place = len(form.first)
    element.children = good
