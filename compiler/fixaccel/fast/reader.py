# SPDX-License-Identifier: Apache-2.0
"""A file of templates: from its text to `Templates`, with every fault at its place."""

from dataclasses import dataclass, replace
from pathlib import Path

from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.codes import fast as codes
from fixaccel.diagnostics.report import Related, Report
from fixaccel.fast.entries import check_entries
from fixaccel.fast.fields import Fields
from fixaccel.fast.forms import check_form
from fixaccel.fast.layout import NESTING
from fixaccel.fast.model import Group, Item, Key, Name, Reference, Repeated, Template, Templates, takes_bytes
from fixaccel.fast.scope import Scope, labels
from fixaccel.fast.xml_tree import Element, read_xml
from fixaccel.language.keys.schema import suggest
from fixaccel.language.text.files import read_source
from fixaccel.source import SourceFile, Span

INSTRUCTIONS = 65_536  # of a file: few references can stand for very many
_IDS = (1 << 32) - 1
_YES = {"y", "yes", "true", "1"}
TEMPLATE_ID = Key("identifier", Name(""), Name(""))  # the previous value of the identifier in front of messages


@dataclass(frozen=True)
class LoadedTemplates(Checked):
    """``templates`` is None exactly if there is an error."""

    templates: Templates | None = None


def load_templates(path: Path, name: str | None = None) -> LoadedTemplates:
    """Reads ``path``, called ``name`` (default: as it is written) in diagnostics."""
    report = Report()
    sources: dict[str, SourceFile] = {}
    source = read_source(path, name or str(path), report, sources)
    templates = read_templates(source, report) if source else None
    return LoadedTemplates(report.sorted(), sources, report.dropped, None if report.failed else templates)


def read_templates(source: SourceFile, report: Report) -> Templates | None:
    """The templates of ``source``; None, or some of them, where ``report`` has errors."""
    root = read_xml(source, report)
    if root is None:
        return None
    check_form(root, report)
    templates = _Reader(root, report).read()
    check_entries(templates, report)
    return templates


class _Reader:
    def __init__(self, root: Element, report: Report) -> None:
        self._report = report
        self._fields = Fields(report)
        outer = Scope() if root.tag == "template" else Scope().inside(root)
        self._elements: dict[Name, tuple[Element, Scope]] = {}
        self._order: list[tuple[Name, Element, Scope]] = []
        for element in [root] if root.tag == "template" else root.children:
            if "name" in element.attributes:
                self._enter(element, outer)
        self._count = 0

    def _enter(self, element: Element, outer: Scope) -> None:
        name = outer.template_name(element)
        scope = replace(outer.inside(element), template=name)
        first = self._elements.setdefault(name, (element, scope))[0]
        if first is not element:
            message = f"a second template `{name}`"
            self._twice(message, element.attributes["name"].span, first.attributes["name"].span)
            return
        self._order.append((name, element, scope))

    def read(self) -> Templates:
        """All of them; a template with a fault has the items that could be read."""
        seen: dict[int, Span] = {}
        return Templates(tuple(self._template(*one, self._id(one[1], seen)) for one in self._order))

    def _id(self, element: Element, seen: dict[int, Span]) -> int | None:
        text = element.attributes["id"].value.strip() if "id" in element.attributes else ""
        if not text:
            return None
        if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= _IDS):
            message = f"`{text}` is no identifier"
            way_out = f"a whole number from 0 to {_IDS}"
            self._report.add(codes.TEMPLATE_TWICE, message, element.attributes["id"].span, help=way_out)
            return None
        place = element.attributes["id"].span
        if int(text) in seen:
            self._twice(f"a second template with identifier {int(text)}", place, seen[int(text)])
        seen.setdefault(int(text), place)
        return int(text)

    def _twice(self, message: str, place: Span, first: Span) -> None:
        self._report.add(codes.TEMPLATE_TWICE, message, place, related=[Related("the first", first)])

    def _template(self, name: Name, element: Element, scope: Scope, number: int | None) -> Template:
        reset = "reset" in element.attributes and element.attributes["reset"].value.strip().lower() in _YES
        items = labels(self._items(element, scope.typed(element), (name,), 0))
        return Template(name, number, reset, tuple(items), element.span)

    def _items(self, element: Element, scope: Scope, inside: tuple[Name, ...], depth: int) -> list[Item]:
        found: list[Item] = []
        for child in element.children:
            self._count += 1
            if self._count > INSTRUCTIONS:
                if self._count == INSTRUCTIONS + 1:
                    message = f"the file has more than {INSTRUCTIONS:,} instructions"
                    self._report.add(codes.TEMPLATE_DEPTH, message, child.span)
                break
            match child.tag:
                case "templateRef":
                    found += self._reference(child, scope, inside, depth)
                case "group" | "sequence":
                    found += self._block(child, scope, inside, depth)
                case "typeRef" | "length":
                    pass
                case _:
                    found += self._fields.read(child, scope)
        return found

    def _block(self, element: Element, outer: Scope, inside: tuple[Name, ...], depth: int) -> list[Item]:
        if depth >= NESTING:
            message = f"this {element.tag} stands in {depth} others; {NESTING} in all may stand in each other"
            self._report.add(codes.TEMPLATE_DEPTH, message, element.span)
            return []
        scope = outer.inside(element).typed(element)
        name = scope.field_name(element)
        if name is None:
            return []
        items = tuple(labels(self._items(element, scope, inside, depth + 1)))
        number, optional = self._fields.id(element), self._fields.optional(element)
        if element.tag == "group":
            return [Group(name, name.local, number, optional, items, element.span)]
        if not any(map(takes_bytes, items)):
            message = f"an element of `{name}` takes no byte, so four thousand million of them would fit anywhere"
            self._report.add(codes.TEMPLATE_DEPTH, message, element.span, help="a field without `constant` takes bytes")
        length = self._fields.length(element, name, scope, optional=optional)
        return [Repeated(name, name.local, number, optional, length, items, element.span)]

    def _reference(self, element: Element, scope: Scope, inside: tuple[Name, ...], depth: int) -> list[Item]:
        if "name" not in element.attributes:
            return [Reference(element.tag, element.span)]
        name = scope.template_name(element)
        place = element.attributes["name"].span
        if name in inside:
            way = " -> ".join(map(str, (*inside[inside.index(name) :], name)))
            self._report.add(codes.TEMPLATE_REFERENCE, f"template `{name}` contains itself: {way}", place)
            return []
        if name not in self._elements:
            close = suggest(name.local, [known.local for known in self._elements])
            way_out = f"did you mean `{close}`?" if close else "templates that are referred to stand in the same file"
            message = f"there is no template `{name}` (D8)"
            self._report.add(codes.TEMPLATE_REFERENCE, message, place, help=way_out, instead=[close] if close else [])
            return []
        target, its_scope = self._elements[name]
        merged = replace(its_scope, type=scope.type, referred=True).typed(target)
        return self._items(target, merged, (*inside, name), depth)
