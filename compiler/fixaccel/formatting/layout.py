# SPDX-License-Identifier: Apache-2.0
"""Pieces to text: two spaces a level, keys in the schema's order, brackets kept where they fit on a line."""

from dataclasses import dataclass

from fixaccel.formatting.kinds import inner, shape_of
from fixaccel.formatting.tree import Collection, Element, Node, Scalar
from fixaccel.language.keys.schema import Shape

WIDTH = 120
STEP = 2
# Elements of these lists stand apart by a blank line, unless each fits on a line.
_APART = {"rules", "tests"}


@dataclass
class _Line:
    text: str
    comment: str = ""


class Layout:
    """Writes one file. ``text`` is the file as it was, for what stays as it is."""

    def __init__(self, text: str) -> None:
        self._source = text
        self._lines: list[_Line] = []

    def document(self, root: Node, shape: Shape, head: list[str], foot: list[str]) -> str:
        """The whole file."""
        self._comments(head, 0)
        if isinstance(root, Collection) and not root.flow:
            elements = _ordered(root, shape)
            if head and elements and root.elements[0].blank:
                self._lines.append(_Line(""))
                root.elements[0].blank = False  # it has been used, also where another key comes first now
            self._block(root, elements, shape, 0)
        else:
            self._lines.append(_Line(self._inline(root, shape) or self._verbatim(root, 0)))
        if foot:
            self._comments(["", *foot], 0)
        return "\n".join(_aligned(self._lines)) + "\n"

    def _comments(self, comments: list[str], indent: int) -> None:
        for comment in comments:
            if comment or (self._lines and self._lines[-1].text):
                self._lines.append(_Line(f"{' ' * indent}{comment}" if comment else ""))

    def _block(self, node: Collection, elements: list[Element], kind: object, indent: int, name: str = "") -> None:
        apart = name in _APART and any(self._long(element, inner(kind), indent) for element in elements)
        for number, element in enumerate(elements):
            self._space(element, number, apart)
            self._comments(element.before, indent)
            if element.key:
                self._entry(element, inner(kind, element.key.value), indent)
            else:
                self._item(element, inner(kind), indent)
        self._comments(node.after, indent)

    def _space(self, element: Element, number: int, apart: bool) -> None:
        if number and (apart or element.blank) and self._lines[-1].text:
            self._lines.append(_Line(""))

    def _long(self, element: Element, kind: object, indent: int) -> bool:
        """Whether an item takes more than a line."""
        one = self._inline(element.value, kind)
        return one is None or indent + STEP + len(one) > WIDTH

    def _entry(self, element: Element, kind: object, indent: int) -> None:
        assert element.key
        self._value(f"{' ' * indent}{element.key.anchor}{element.key.raw}:", element, kind, indent)

    def _item(self, element: Element, kind: object, indent: int) -> None:
        value = element.value
        if isinstance(value, Collection) and not value.anchor and not self._fits(value, kind, indent + STEP):
            elements = _ordered(value, kind)
            if elements:
                self._nested_item(element, value, elements, kind, indent)
                return
        self._value(f"{' ' * indent}-", element, kind, indent)

    def _nested_item(
        self, element: Element, value: Collection, elements: list[Element], kind: object, indent: int
    ) -> None:
        """A mapping or a list behind a dash: its first element stands in the dash's line."""
        self._comments(elements[0].before, indent)
        elements[0].before = []
        if element.beside:
            self._comments([element.beside], indent)
        at = len(self._lines)
        self._block(value, elements, kind, indent + STEP)
        first = self._lines[at]
        first.text = f"{' ' * indent}- {first.text[indent + STEP :]}"

    def _value(self, start: str, element: Element, kind: object, indent: int) -> None:
        """What follows a key's colon or an item's dash."""
        value = element.value
        if isinstance(value, Scalar):
            self._scalar(start, element, value, indent)
            return
        if value.verbatim:
            self._lines.append(_Line(f"{start} {value.anchor}{self._verbatim(value, indent)}", element.beside))
        elif self._fits(value, kind, len(start) + 1):
            self._lines.append(_Line(f"{start} {self._inline(value, kind)}", element.beside))
        else:
            self._lines.append(_Line(f"{start} {value.anchor}".rstrip(), element.beside))
            name = element.key.value if element.key else ""
            self._block(value, _ordered(value, kind), kind, indent + STEP, name)

    def _scalar(self, start: str, element: Element, value: Scalar, indent: int) -> None:
        raw = value.raw.rstrip("\n") if value.raw[:1] in {"|", ">"} else value.raw
        first, *rest = raw.split("\n")
        text = f"{start} {value.anchor}{first}".rstrip()
        if not rest:
            self._lines.append(_Line(text, element.beside))
            return
        self._lines.append(_Line(text))
        self._lines += [_Line(line) for line in _continued(rest, first[:1] in {"|", ">"}, indent + STEP)]
        self._lines[-1].comment = element.beside

    def _fits(self, value: Collection, kind: object, column: int) -> bool:
        """Whether it is in brackets and may stay so."""
        if not value.elements:
            return True
        if not value.flow:
            return False
        text = self._inline(value, kind)
        return value.verbatim or (text is not None and column + len(text) <= WIDTH)

    def _inline(self, node: Node, kind: object) -> str | None:
        """``node`` on one line, None if it cannot be."""
        if isinstance(node, Scalar):
            return None if "\n" in node.raw else f"{node.anchor}{node.raw}"
        if not node.flow or node.verbatim:
            return None
        parts = [self._inline_element(element, kind) for element in _ordered(node, kind)]
        if any(part is None for part in parts):
            return None
        inside = ", ".join(part for part in parts if part is not None)
        return node.anchor + (f"{{{inside}}}" if node.is_mapping else f"[{inside}]")

    def _inline_element(self, element: Element, kind: object) -> str | None:
        if element.key is None:
            return self._inline(element.value, inner(kind))
        value = self._inline(element.value, inner(kind, element.key.value))
        return None if value is None else f"{element.key.anchor}{element.key.raw}: {value}".rstrip()

    def _verbatim(self, node: Node, indent: int) -> str:
        """As it was, moved as a whole."""
        raw = self._source[node.start : node.end]
        if node.anchor:
            raw = raw.removeprefix(node.anchor.rstrip()).lstrip()
        first, *rest = raw.split("\n")
        return "\n".join([first, *(f"{' ' * (indent + STEP)}{line.strip()}".rstrip() for line in rest)])


def _continued(lines: list[str], block: bool, indent: int) -> list[str]:
    """Further lines of a text: a block keeps its own indentation within, of other texts YAML ignores it."""
    if not block:
        return [f"{' ' * indent}{line.strip()}".rstrip() for line in lines]
    own = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    return [f"{' ' * indent}{line[own:]}".rstrip(" ") if line.strip() else "" for line in lines]


def _ordered(node: Collection, kind: object) -> list[Element]:
    """Keys of the schema in its order, unknown ones behind them; everything else as written."""
    shape = shape_of(kind)
    if shape is None or not node.is_mapping:
        return node.elements
    places = {name: number for number, name in enumerate(shape.keys)}
    return sorted(node.elements, key=lambda e: places.get(e.key.value if e.key else "", len(places)))


def _aligned(lines: list[_Line]) -> list[str]:
    """Comments beside neighbouring lines begin in one column."""
    texts: list[str] = []
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and lines[end].comment:
            end += 1
        if end == at:
            texts.append(lines[at].text)
            at += 1
            continue
        width = max(len(line.text) for line in lines[at:end])
        texts += [f"{line.text.ljust(width)}  {line.comment}" for line in lines[at:end]]
        at = end
    return texts
