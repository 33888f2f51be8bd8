# SPDX-License-Identifier: Apache-2.0
"""YAML text to a node tree, within bounds on depth, size and aliases.

The tree is composed here from the C parser's events rather than by `yaml.compose`: a bound must hold before the memory
is spent, and the C composer neither has bounds nor keeps the places of duplicate keys.
"""

import re
from typing import TYPE_CHECKING, Any, Never, TypeAlias

import yaml

from fixaccel.diagnostics.codes import reading as codes
from fixaccel.diagnostics.report import Code, Related, Report
from fixaccel.language.text.faults import report_yaml_error
from fixaccel.source import Entry, MappingNode, Node, ScalarNode, SequenceNode, SourceFile, Span

if TYPE_CHECKING:
    from collections.abc import Callable

# The stubs describe the Python parser's events: marks that may be missing, and no fields.
_Event: TypeAlias = Any

DEPTH = 32
VALUES = 500_000
MENDS = 20  # faults mended to look for further ones; each costs a reading of the file
ANCHORS = 1_000

# The parser is C and cannot be interrupted: what makes it slow (directives) or is plainly wrong (tabs) is found before.
_DIRECTIVE = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?[\r\n])*+(%[^\r\n]*)")
_TAB = re.compile(r"^ *\t", re.MULTILINE)
_NUMBER_AT_END = re.compile(r"(?<![^\s<>=])-?[0-9]+(?:\.[0-9]{3})*\Z")
_THOUSANDS = re.compile(r"[0-9]{3}(?![0-9])")
_REST = re.compile(r"(?:\.\.\.)?(?:\s|#[^\r\n]*)*+\Z")


class _StopError(Exception):
    """Reading cannot go on; the diagnostic has been recorded."""


def read_tree(source: SourceFile, report: Report) -> Node | None:
    """The one document in ``source``, or None with a diagnostic in ``report``."""
    try:
        _check_start(source, report)
        return _Composer(source, report).document()
    except _StopError:
        return None
    except yaml.YAMLError as error:
        _report_faults(error, source, report)
        return None


def _report_faults(error: yaml.YAMLError, source: SourceFile, report: Report) -> None:
    """The fault that stopped the parser and, as long as quoting a text mends it, those behind it."""
    lines = list(source.lines)
    mended: set[int] = set()
    for _ in range(MENDS):
        repair = report_yaml_error(error, source, report)
        if repair is None or repair[0] in mended:
            return
        mended.add(repair[0])
        lines[repair[0] - 1] = repair[1]
        trial = SourceFile.of(source.name, "\n".join(lines))
        further = _first_fault(trial)
        if further is None:
            return
        error = further


def _first_fault(trial: SourceFile) -> yaml.YAMLError | None:
    """What stops the parser in ``trial``. Nothing else is reported: the values there are not what the file says."""
    try:
        _Composer(trial, Report()).document()
    except _StopError:
        return None
    except yaml.YAMLError as error:
        return error
    return None


def _check_start(source: SourceFile, report: Report) -> None:
    directive = _DIRECTIVE.match(source.text)
    if directive:
        place = source.span_at(directive.start(1), len(directive.group(1)))
        report.add(
            codes.DIRECTIVE, "YAML directives are not used here", place, help="delete this line and the `---` below it"
        )
        raise _StopError
    tab = _TAB.search(source.text)
    if tab and not source.line(source.span_at(tab.start()).line).lstrip().startswith("#"):
        place = source.span_at(tab.end() - 1)
        report.add(codes.TAB, "a tab in the indentation", place, help="indent with spaces")
        raise _StopError


class _Composer:
    """Builds nodes from events. ``_values`` counts what the document stands for, aliases expanded."""

    def __init__(self, source: SourceFile, report: Report) -> None:
        self._source = source
        self._name = source.name
        self._report = report
        # A hundred thousand events come from it: without the generator of `yaml.parse` around each.
        self._next: Callable[[], _Event] = yaml.CSafeLoader(source.text).get_event
        self._anchors: dict[str, tuple[Node, int] | None] = {}  # None while the anchored value is being read
        self._values = 0

    def document(self) -> Node | None:
        self._next()  # the stream begins
        if not isinstance(self._next(), yaml.DocumentStartEvent):
            place = Span(self._source.name, 1, 1, 1, 1)
            self._report.add(codes.EMPTY_FILE, "the file holds nothing", place)
            return None
        root = self._node(self._next(), 0)
        end = self._next()
        rest = self._source.text[end.start_mark.index :]
        if not _REST.match(rest):
            offset = end.start_mark.index + len(rest) - len(rest.lstrip())
            place = self._source.span_at(offset, len(self._source.text[offset:].split("\n", 1)[0]))
            self._report.add(
                codes.SEVERAL_DOCUMENTS, "another document begins here", place, help="keep one document in a file"
            )
            return None
        if isinstance(root, ScalarNode) and not root.text and not root.style:
            self._report.add(codes.EMPTY_FILE, "the file holds nothing", root.span)
            return None
        return root

    def _node(self, event: _Event, depth: int) -> Node:
        span = self._span(event)
        self._values += 1
        if depth > DEPTH:
            self._stop(codes.TOO_DEEP, f"nested more than {DEPTH} deep", span)
        if self._values > VALUES:
            self._stop(codes.TOO_MANY_VALUES, f"more than {VALUES:,} values", span, "move triggers into a table file")
        if type(event) is yaml.ScalarEvent and event.anchor is None and event.tag is None:
            return ScalarNode(event.value, event.style or "", span)  # nearly all of them
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event, span)
        tag, anchor = event.tag, event.anchor
        if tag is not None:
            self._report.add(
                codes.TAG, f"the tag {_short_tag(tag)} is not used here", span, help="delete it, or quote the text"
            )
        first = self._values
        if anchor is not None:
            self._open_anchor(anchor, span)
        node = self._content(event, span, depth)
        if anchor is not None:
            self._anchors[anchor] = (node, self._values - first + 1)
        return node

    def _content(self, event: _Event, span: Span, depth: int) -> Node:
        if isinstance(event, yaml.ScalarEvent):
            return ScalarNode(event.value, event.style or "", span)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(event, span, depth)
        return self._mapping(event, span, depth)

    def _sequence(self, start: yaml.SequenceStartEvent, span: Span, depth: int) -> Node:
        items: list[Node] = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            items.append(self._node(event, depth + 1))
        end = self._span(event) if start.flow_style or not items else items[-1].span
        return SequenceNode(items, span.until(end))

    def _mend_twice(self, key: ScalarNode, first: str, span: Span) -> str:
        """What to do with a second ``key``: where that begins an item of a list, a dash may be missing."""
        before = self._source.line(span.line)[: span.column - 1]
        if key.text == first and before.rstrip().endswith("-") and key.span.column == span.column:
            return f"begin it with a dash if it is another item: `- {_clip(key.text)}: ...`; else delete one of the two"
        return "delete one of the two"

    def _mapping(self, start: _Event, span: Span, depth: int) -> Node:
        entries: list[Entry] = []
        seen: dict[str, ScalarNode] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = self._node(event, depth + 1)
            value = self._node(self._next(), depth + 1)
            if not isinstance(key, ScalarNode) or key.style in {"|", ">"}:
                self._report.add(codes.KEY_NOT_TEXT, "a key must be a plain text", key.span)
            elif key.text in seen:
                first = Related("first here", seen[key.text].span)
                self._report.add(
                    codes.DUPLICATE_KEY,
                    f"`{_clip(key.text)}` stands twice",
                    key.span,
                    related=[first],
                    help=self._mend_twice(key, next(iter(seen)), span),
                )
            else:
                seen[key.text] = key
                if start.flow_style and self._lacks_value(key, value, entries[-1] if entries else None):
                    continue
                entries.append(Entry(key, value))
        end = self._span(event) if start.flow_style or not entries else entries[-1].value.span
        return MappingNode(entries, span.until(end))

    def _lacks_value(self, key: ScalarNode, value: Node, before: Entry | None) -> bool:
        """`{0:0.1}`: one key called `0:0.1`; `{price: 1,599}`: a key `599`."""
        if not isinstance(value, ScalarNode) or value.text or value.style:
            return False
        name, colon, rest = key.text.partition(":")
        way_out = (
            f"put a space after the colon: `{_clip(name)}: {_clip(rest)}`"
            if colon and rest
            else f"write `{_clip(key.text)}: VALUE`"
        )
        left = before.value.text if before and isinstance(before.value, ScalarNode) else ""
        if before and key.text[:1].isdigit() and (number := _NUMBER_AT_END.search(left)):
            whole = left[: number.start()] + _joined(number[0], key.text)
            way_out = f"a comma ends a value in brackets: write `{_clip(before.key.text)}: {_clip(whole)}`"
        self._report.add(codes.KEY_WITHOUT_VALUE, f"the key `{_clip(key.text)}` has no value", key.span, help=way_out)
        return True

    def _open_anchor(self, name: str, span: Span) -> None:
        if len(self._anchors) >= ANCHORS:
            self._stop(
                codes.TOO_MANY_ANCHORS, f"more than {ANCHORS:,} anchors", span, "use `defaults` for what orders share"
            )
        self._anchors[name] = None

    def _alias(self, event: yaml.AliasEvent, span: Span) -> Node:
        name = event.anchor
        if name not in self._anchors:
            self._stop(
                codes.UNKNOWN_ALIAS, f"there is no `&{name}` before this", span, f'if this is text, quote it: "*{name}"'
            )
        known = self._anchors[name]
        if known is None:
            self._stop(codes.ALIAS_LOOP, f"`*{name}` stands inside the value that it names", span)
        node, size = known
        self._values += size - 1
        if self._values > VALUES:
            self._stop(
                codes.TOO_MANY_VALUES,
                f"more than {VALUES:,} values once aliases are counted",
                span,
                "write fewer aliases",
            )
        return node

    def _stop(self, code: Code, message: str, span: Span, way_out: str | None = None) -> Never:
        self._report.add(code, message, span, help=way_out)
        raise _StopError

    def _span(self, event: _Event) -> Span:
        start, end = event.start_mark, event.end_mark
        # Straight to the tuple: a call of the class would go through another function each time.
        return tuple.__new__(Span, (self._name, start.line + 1, start.column + 1, end.line + 1, end.column + 1))


def _joined(left: str, right: str) -> str:
    """The number that a comma has torn apart: it stood between thousands, or where others write a point."""
    if "." in left:
        return f"{left.replace('.', '')}.{right}"
    return f"{left}{right}" if _THOUSANDS.match(right) else f"{left}.{right}"


def _short_tag(tag: str) -> str:
    return _clip(tag.replace("tag:yaml.org,2002:", "!!"))


def _clip(text: str) -> str:
    """Text of a key for a message: one line, not long."""
    line = text.replace("\n", " ")
    return line if len(line) <= 40 else line[:39] + "…"
