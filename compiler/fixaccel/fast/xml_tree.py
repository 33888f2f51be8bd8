# SPDX-License-Identifier: Apache-2.0
"""XML to a tree that knows the place of each element and attribute. Nothing outside the file is ever read."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from xml.parsers import expat

from fixaccel.diagnostics.codes import fast as codes
from fixaccel.diagnostics.report import Related, Report
from fixaccel.source import LINE_END, SourceFile, Span

SESSION_NAMESPACE = "http://www.fixprotocol.org/ns/fast/scp/1.1"  # of the session control protocol
NAMESPACE = "http://www.fixprotocol.org/ns/fast/td/1.1"
_DEPTH = 32
_SEPARATOR = " "  # in no namespace and no name
_ATTRIBUTE = re.compile(r"""\s+([^\s=<>/'"]+)\s*=\s*("[^"]*"|'[^']*')""")


@dataclass(frozen=True)
class Attribute:
    """``span`` is that of the value between its quotes, ``whole`` that of name and value."""

    value: str
    span: Span
    whole: Span


@dataclass
class Element:
    """One of the standard's elements; those of other namespaces are left out with all that is in them."""

    tag: str
    attributes: dict[str, Attribute]
    children: list["Element"]
    span: Span  # of its name


class _StopError(Exception):
    """What was reported makes the rest useless."""


class _Builder:
    def __init__(self, source: SourceFile, report: Report) -> None:
        self._source, self._report = source, report
        self._data = source.text.encode()
        self._parser = expat.ParserCreate("utf-8", _SEPARATOR)
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._passed = 0, 0  # bytes and characters, up to where it was last asked
        self._starts = [0, *(match.end() for match in LINE_END.finditer(source.text))]
        self._open: list[Element] = []
        self._foreign = 0  # depth inside elements of other namespaces
        self.root: Element | None = None

    def parse(self) -> Element | None:
        """The root; None after reporting why there is none."""
        try:
            self._parser.Parse(self._data, True)
        except _StopError:
            return None
        except expat.ExpatError as error:
            related = [Related("not closed", self._open[-1].span)] if self._open and _is_unclosed(error) else []
            message = f"this is not XML: {expat.ErrorString(error.code)}"
            way_out = "write `/>` at the end of the element, or its end tag" if related else None
            self._report.add(codes.TEMPLATE_XML, message, self._here(1), related=related, help=way_out)
            return None
        return self.root

    def _offset(self) -> int:
        """Where the parser stands, in characters."""
        byte, characters = self._passed
        here = self._parser.CurrentByteIndex
        self._passed = here, characters + len(self._data[byte:here].decode())
        return self._passed[1]

    def _here(self, length: int) -> Span:
        line = self._parser.ErrorLineNumber
        text = self._source.line(line)
        # The column counts bytes.
        column = len(text.encode()[: self._parser.ErrorColumnNumber].decode("utf-8", "ignore"))
        return Span(self._source.name, line, column + 1, line, column + 1 + length)

    def _stop(self, message: str, span: Span, way_out: str | None = None) -> None:
        self._report.add(codes.TEMPLATE_XML, message, span, help=way_out)
        raise _StopError

    def _doctype(self, name: str, *_: object) -> None:
        del name
        offset = self._offset()
        self._stop("a document type must not stand here", self._span(offset, offset + 9), "remove it")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if self._foreign:
            self._foreign += 1
            return
        namespace, _, local = name.rpartition(_SEPARATOR)
        offset = self._offset()
        text = self._source.text
        tag = re.compile(r"<([^\s/>]*)").match(text, offset)
        assert tag
        span = self._span(*tag.span(1))
        # Without a namespace at all it is taken for the standard's: most files that venues publish have none.
        if namespace not in {NAMESPACE, ""}:
            if self.root is None:
                self._stop(f"<{tag[1]}> is of the namespace {namespace}, not of {NAMESPACE}", span)
            self._foreign = 1
            return
        if len(self._open) >= _DEPTH:
            self._stop(f"elements stand more than {_DEPTH} deep", span)
        element = Element(local, self._attributes(attributes, tag.end()), [], span)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def _attributes(self, attributes: dict[str, str], begin: int) -> dict[str, Attribute]:
        # By local name: two of one name differ in their namespaces, and only one is the standard's.
        places: dict[str, list[tuple[Span, Span]]] = {}
        while match := _ATTRIBUTE.match(self._source.text, begin):
            begin = match.end()
            if match[1] != "xmlns" and not match[1].startswith("xmlns:"):
                inner, whole = self._span(match.start(2) + 1, match.end(2) - 1), self._span(match.start(1), match.end())
                places.setdefault(match[1].rpartition(":")[2], []).append((inner, whole))
        found = {}
        for name, value in attributes.items():
            namespace, _, local = name.rpartition(_SEPARATOR)
            if namespace in {"", NAMESPACE, SESSION_NAMESPACE}:
                found[local] = Attribute(value, *places[local][0])
        return found

    def _span(self, start: int, end: int) -> Span:
        """Of the characters from ``start`` to before ``end``."""
        (line, column), (end_line, end_column) = self._place(start), self._place(end)
        return Span(self._source.name, line, column, end_line, end_column)

    def _place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def _end(self, name: str) -> None:
        del name
        if self._foreign:
            self._foreign -= 1
        else:
            self._open.pop()

    def _characters(self, text: str) -> None:
        if not self._foreign and text.strip():
            offset = self._offset()
            shown = text.split(maxsplit=1)[0]
            place = max(self._source.text.rfind(shown, 0, offset), 0)
            span = self._span(place, place + len(shown))
            self._report.add(codes.TEMPLATE_FORM, "text must not stand between elements (S1)", span, help="remove it")


def read_xml(source: SourceFile, report: Report) -> Element | None:
    """The tree of ``source``; None after reporting that it is not XML."""
    return _Builder(source, report).parse()


def _is_unclosed(error: expat.ExpatError) -> bool:
    return expat.ErrorString(error.code) in {expat.errors.XML_ERROR_TAG_MISMATCH, expat.errors.XML_ERROR_NO_ELEMENTS}
