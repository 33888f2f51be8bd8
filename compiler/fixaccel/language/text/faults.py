# SPDX-License-Identifier: Apache-2.0
"""What YAML does to a trader's text: turns the parser's errors into diagnostics with the quoted form as the way out."""

import re
from dataclasses import dataclass

import yaml

from fixaccel.diagnostics.codes import reading as codes
from fixaccel.diagnostics.report import Code, Related, Replacement, Report
from fixaccel.source import SourceFile, Span

# A key and its value on one line, perhaps behind dashes.
_BLOCK_ENTRY = re.compile(r"(?P<lead>[ ]*(?:- +)*)(?P<key>[^\s:#'\"{}\[\],&*!|>%@`][^:#]*?): +(?P<value>\S.*?)\s*\Z")
# The last `key: ` before a place inside braces.
_FLOW_KEY = re.compile(r"(?:\A|[{,\[])\s*(?P<key>[^\s{}\[\],:'\"][^{}\[\],:]*?): +(?P<value>[^{},]*)\Z")


_SHOWN = 40  # characters of a line that a way out repeats


@dataclass
class _Fault:
    """The parser's complaint with the line it is about; places count from 0.

    ``repair`` becomes the line with the text quoted, where that is the way out: the rest of the file can be read then.
    """

    source: SourceFile
    problem: str
    line: int
    column: int
    start_line: int  # where the construct began
    start_column: int
    repair: str | None = None

    @property
    def text(self) -> str:
        return self.source.line(self.line + 1)

    @property
    def character(self) -> str:
        return self.text[self.column : self.column + 1]

    def span(self, column: int | None = None, length: int = 1) -> Span:
        start = (self.column if column is None else column) + 1
        return Span(self.source.name, self.line + 1, start, self.line + 1, start + length)

    def start_span(self, length: int = 1) -> Span:
        line, column = self.start_line + 1, self.start_column + 1
        return Span(self.source.name, line, column, line, column + length)


def report_yaml_error(error: yaml.YAMLError, source: SourceFile, report: Report) -> tuple[int, str] | None:
    """Records the diagnostic for what the parser raised.

    Where quoting a text mends it, returns the line's number (from 1) and the line as mended.
    """
    fault = _fault(error, source)
    _explain(fault, report)
    return None if fault.repair is None else (fault.line + 1, fault.repair)


def _explain(fault: _Fault, report: Report) -> None:
    for explain in (
        _block_scalar,
        _bad_start,
        _text_after_quote,
        _colon_in_text,
        _unclosed_quote,
        _flow,
        _missing_colon,
        _indentation,
    ):
        if explain(fault, report):
            return
    report.add(codes.NOT_YAML, fault.problem, fault.span())


def _fault(error: yaml.YAMLError, source: SourceFile) -> _Fault:
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        problem = getattr(error, "reason", None) or getattr(error, "problem", None) or "the text cannot be read"
        return _Fault(source, str(problem), 0, 0, 0, 0)
    mark, start = error.problem_mark, error.context_mark or error.problem_mark
    return _Fault(source, error.problem or "", mark.line, mark.column, start.line, start.column)


def _mend(fault: _Fault, start: int, value: str) -> None:
    """Quotes ``value``, which begins at column ``start``, in the line."""
    escaped = value.replace("'", "''")
    fault.repair = f"{fault.text[:start]}'{escaped}'{fault.text[start + len(value) :]}"


def _quoted(key: str, value: str) -> str:
    """`key: "value"` as it can be pasted into the file."""
    return f"{key}: {_in_quotes(value)}"


def _in_quotes(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _quoting(fault: _Fault, start: int, value: str, text: str | None = None) -> list[Replacement]:
    """``text`` in quotes, or else ``value``, in place of ``value``, which begins at column ``start``."""
    return [Replacement(fault.span(start, len(value)), _in_quotes(value if text is None else text))]


def _block_scalar(fault: _Fault, report: Report) -> bool:
    """`when: >= 1180`."""
    entry = _BLOCK_ENTRY.match(fault.text)
    if not entry or entry["value"][0] not in ">|" or fault.start_line != fault.line:
        return False
    if fault.column < entry.start("value"):
        return False
    return _report_block_scalar(fault, report, entry["key"], entry["value"], entry.start("value"))


def _report_block_scalar(fault: _Fault, report: Report, key: str, value: str, column: int) -> bool:
    way_out, text = f"quote it: `{_quoted(key, value)}`", value
    if key == "when":
        text = f"last {value}"
        way_out = f"quote it and name the price source: `{_quoted(key, text)}`"
    _mend(fault, column, value)
    message = f"YAML reads `{value[0]}` at the start of a value as a block of text"
    instead = [_in_quotes(text)]
    report.add(codes.BLOCK_SCALAR, message, fault.span(column, len(value)), help=way_out, instead=instead)
    return True


def _bad_start(fault: _Fault, report: Report) -> bool:
    """`note: @desk`, and characters that open an anchor, alias or tag by accident."""
    if "cannot start any token" in fault.problem:
        if fault.character == "\t":
            report.add(codes.TAB, "a tab where YAML wants spaces", fault.span(), help="use spaces")
            return True
        return _quote_value(
            fault, report, codes.RESERVED_START, f"YAML reserves `{fault.character}` at the start of a text"
        )
    if "anchor" in fault.problem or "alias" in fault.problem or "alphabetic or numeric" in fault.problem:
        return _quote_value(
            fault, report, codes.UNKNOWN_ALIAS, "YAML reads `&` or `*` at the start of a text as an anchor or alias"
        )
    return False


def _quote_value(fault: _Fault, report: Report, code: Code, message: str) -> bool:
    entry = _BLOCK_ENTRY.match(fault.text)
    if entry and entry.start("value") <= fault.column:
        _mend(fault, entry.start("value"), entry["value"])
        place = fault.span(entry.start("value"), len(entry["value"]))
        way_out = f"quote it: `{_quoted(entry['key'], entry['value'])}`"
        report.add(code, message, place, help=way_out, instead=[_in_quotes(entry["value"])])
    else:
        report.add(code, message, fault.span(), help="quote the text")
    return True


def _text_after_quote(fault: _Fault, report: Report) -> bool:
    """`when: 'last' <= 1180`, `note: 'it's'`."""
    entry = _BLOCK_ENTRY.match(fault.text)
    if not entry or entry["value"][0] not in "'\"" or fault.column <= entry.start("value"):
        return False
    if "did not find expected" not in fault.problem:
        return False
    start = entry.start("value")
    _mend(fault, start, entry["value"])
    whole = re.sub(r"\A(['\"])(.*)\1\Z", r"\2", entry["value"])
    inner = re.sub(r"\A(['\"])(.*?)\1", r"\2", whole).replace('"', "'")
    place = fault.span(fault.column, max(entry.end("value") - fault.column, 1))
    way_out = f"quote the whole: `{_quoted(entry['key'], inner)}`"
    mended = _quoting(fault, start, entry["value"], inner)
    report.add(codes.TEXT_AFTER_QUOTE, "the quote has ended before this", place, help=way_out, replacements=mended)
    return True


def _colon_in_text(fault: _Fault, report: Report) -> bool:
    """`note: stop: x`."""
    if "mapping values are not allowed" not in fault.problem:
        return False
    entry = _BLOCK_ENTRY.match(fault.text)
    if not entry or fault.column < entry.start("value"):
        # The colon closes the first key of its line: the line is indented under a value.
        report.add(
            codes.INDENTATION,
            "a key where YAML does not expect one",
            fault.span(),
            help="line it up with the key above",
        )
        return True
    _mend(fault, entry.start("value"), entry["value"])
    way_out = f"quote it: `{_quoted(entry['key'], entry['value'])}`"
    message = "YAML reads this colon as the end of a key"
    mended = _quoting(fault, entry.start("value"), entry["value"])
    report.add(codes.COLON_IN_TEXT, message, fault.span(), help=way_out, replacements=mended)
    return True


def _unclosed_quote(fault: _Fault, report: Report) -> bool:
    if "unexpected end of stream" not in fault.problem and "unexpected document indicator" not in fault.problem:
        return False
    report.add(codes.UNCLOSED_QUOTE, "this quote is never closed", fault.start_span(), help="close the quote")
    return True


def _flow(fault: _Fault, report: Report) -> bool:
    """`{rule: scale-in[1]}`, `note: [urgent] sell`, and brackets that are left open."""
    if re.search(r"expected ',' or '[\]}]'", fault.problem):
        return _inside_flow(fault, report)
    # A value that begins with a bracket, closes it and goes on.
    entry = _BLOCK_ENTRY.match(fault.text)
    if entry and entry["value"][0] in "[{" and fault.column > entry.start("value"):
        message = f"YAML reads `{entry['value'][0]}` at the start of a value as its own"
        return _quote_value(fault, report, codes.FLOW_INDICATOR, message)
    if fault.character in {"]", "}", ","} and fault.character:
        report.add(
            codes.FLOW_INDICATOR, f"YAML reads this `{fault.character}` as its own", fault.span(), help="quote the text"
        )
        return True
    return False


def _inside_flow(fault: _Fault, report: Report) -> bool:
    before = _FLOW_KEY.search(fault.text[: fault.column])
    if before and before["value"] and fault.character in {"[", "]", "{"}:
        rest = re.match(r"[^,}]*", fault.text[fault.column :])
        value = before["value"] + (rest.group() if rest else "")
        _mend(fault, before.start("value"), value)
        place = fault.span(before.start("value"), len(value))
        message = f"YAML reads `{fault.character}` inside brackets as its own"
        way_out = f"quote it: `{_quoted(before['key'], value)}`"
        report.add(codes.FLOW_INDICATOR, message, place, help=way_out, instead=[_in_quotes(value)])
        return True
    opening = fault.source.line(fault.start_line + 1)[fault.start_column : fault.start_column + 1]
    closing = {"{": "}", "[": "]"}.get(opening, "}")
    report.add(
        codes.UNCLOSED_BRACKET, f"this `{opening or '{'}` is not closed", fault.start_span(),
        related=[Related(f"`,` or `{closing}` was expected here at the latest", fault.span())],
        help=f"close it with `{closing}`, or put a comma between two entries",
    )  # fmt: skip
    return True


def _missing_colon(fault: _Fault, report: Report) -> bool:
    if "could not find expected ':'" not in fault.problem:
        return False
    line = fault.source.line(fault.start_line + 1)
    place = fault.start_span(max(len(line.rstrip()) - fault.start_column, 1))
    report.add(
        codes.MISSING_COLON,
        "this line is neither a key with a value nor part of a text",
        place,
        help="write `key: value`",
    )
    return True


def _indentation(fault: _Fault, report: Report) -> bool:
    if not re.search(
        r"did not find expected (key|'-' indicator|<document start>)|block (sequence|mapping) entries", fault.problem
    ):
        return False
    item = _item_above(fault) if "'-' indicator" in fault.problem else None
    if item is not None:
        line, key = item
        what = Span(fault.source.name, line, key + 1, line, key + 2)
        message = "this line is neither a new item of the list nor part of the one above"
        way_out = _shift(fault.column, key)
        if fault.column == fault.start_column:
            way_out += f" if it belongs to that item, or begin it with a dash: `- {_start(fault)}`"
        where = Related("to line up with this", what)
        mended = _indented(fault, key)
        report.add(codes.INDENTATION, message, fault.span(), related=[where], help=way_out, replacements=mended)
        return True
    same = (fault.start_line, fault.start_column) == (fault.line, fault.column)
    report.add(
        codes.INDENTATION,
        "this line does not line up with its neighbours",
        fault.span(),
        related=[] if same else [Related("to line up with this", fault.start_span())],
        help="begin it in the same column" if same else _shift(fault.column, fault.start_column),
        replacements=[] if same else _indented(fault, fault.start_column),
    )
    return True


def _indented(fault: _Fault, wanted: int) -> list[Replacement]:
    """The line begun at another column (from 0)."""
    if fault.text[: fault.column].strip(" "):
        return []
    return [Replacement(fault.span(0, fault.column), " " * wanted)]


def _item_above(fault: _Fault) -> tuple[int, int] | None:
    """Line (from 1) and column (from 0) of the text behind the last dash of the list above; None without one."""
    for number in range(fault.line, fault.start_line, -1):
        dash = re.match(r"( *)-( +)[^\s#]", fault.source.line(number))
        if dash and len(dash[1]) == fault.start_column:
            return number, dash.end() - 1
    return None


def _start(fault: _Fault) -> str:
    text = fault.text.strip()
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _shift(column: int, wanted: int) -> str:
    """`begin it 2 columns further right`."""
    away = abs(wanted - column)
    columns = "a column" if away == 1 else f"{away} columns"
    return f"begin it {columns} further {'right' if wanted > column else 'left'}"
