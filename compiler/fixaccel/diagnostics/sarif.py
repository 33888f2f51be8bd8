# SPDX-License-Identifier: Apache-2.0
"""Diagnostics as SARIF 2.1.0, which code hosts and editors read: one run, its rules, results and fixes."""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fixaccel.diagnostics.replacements import applicable
from fixaccel.diagnostics.report import Code, Diagnostic, Related, Replacement
from fixaccel.source import SourceFile, Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
BASE = "WORKINGFOLDER"
# Where YAML, and so the compiler, ends a line.
_LINE_ENDS = ["\r\n", "\n", "\r", "\u0085", "\u2028", "\u2029"]

Json = dict[str, Any]


@dataclass(frozen=True)
class Failure:
    """A rule test that failed, and where it stands."""

    message: str
    span: Span


_TEST_FAILED: Json = {
    "id": "test-failed",
    "shortDescription": {"text": "A rule test failed."},
    "fullDescription": {"text": "The rules fired otherwise than the test expects."},
    "help": {"text": "`fixaccel test` shows what was expected and what came."},
    "defaultConfiguration": {"level": "error"},
}


def sarif(
    diagnostics: Sequence[Diagnostic],
    sources: Mapping[str, SourceFile],
    dropped: int = 0,
    failures: Sequence[Failure] = (),
) -> str:
    """The document. Addresses are relative to the working folder; those of files outside it are whole."""
    codes = sorted({diagnostic.code.number: diagnostic.code for diagnostic in diagnostics}.items())
    rules = [_rule(code) for _, code in codes] + ([_TEST_FAILED] if failures else [])
    index = {rule["id"]: number for number, rule in enumerate(rules)}
    writer = _Writer(sources, index)
    run: Json = {
        "tool": {"driver": {"name": "fixaccel", "version": version("fixaccel"), "rules": rules}},
        "columnKind": "utf16CodeUnits",
        "newlineSequences": _LINE_ENDS,
        "originalUriBaseIds": {BASE: {"description": {"text": "The working folder of the command."}}},
        "invocations": [_invocation(dropped)],
        "results": [*map(writer.result, diagnostics), *map(writer.failure, failures)],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _invocation(dropped: int) -> Json:
    told = [{"level": "warning", "message": {"text": f"{dropped:,} more were found and are not listed"}}]
    return {"executionSuccessful": True, **({"toolExecutionNotifications": told} if dropped else {})}


def _rule(code: Code) -> Json:
    example = code.example.text.rstrip("\n")
    wrong = f"\n\nA wrong example:\n\n```yaml\n{example}\n```" if example else ""
    return {
        "id": code.number,
        "name": "".join(word.capitalize() for word in code.slug.split("-")),
        "shortDescription": {"text": f"{code.title}."},
        "fullDescription": {"text": code.explanation},
        "help": {"text": code.explanation, "markdown": f"**{code.title}.** {code.explanation}{wrong}"},
        "defaultConfiguration": {"level": code.severity.value},
    }


class _Writer:
    """Places need the text: columns count UTF-16 units."""

    def __init__(self, sources: Mapping[str, SourceFile], index: Mapping[str, int]) -> None:
        self._sources = sources
        self._index = index

    def result(self, diagnostic: Diagnostic) -> Json:
        """One diagnostic; its help is part of the message."""
        help_ = f"\nhelp: {diagnostic.help}" if diagnostic.help else ""
        related = [self._related(number, one) for number, one in enumerate(diagnostic.related, start=1)]
        fixes = [self._fix(one) for one in applicable(diagnostic, self._sources)]
        known = self._result(
            diagnostic.code.number, diagnostic.severity.value, diagnostic.message, help_, diagnostic.span
        )
        return known | ({"relatedLocations": related} if related else {}) | ({"fixes": fixes} if fixes else {})

    def failure(self, failure: Failure) -> Json:
        """A test that failed."""
        return self._result(_TEST_FAILED["id"], "error", failure.message, "", failure.span)

    def _result(self, rule: str, level: str, message: str, more: str, span: Span) -> Json:
        # Says which result it is in the next run too, whatever lines come before it.
        print_ = hashlib.sha256("\n".join([rule, _address(span.file)["uri"], message]).encode("utf-8", "replace"))
        return {
            "ruleId": rule,
            "ruleIndex": self._index[rule],
            "level": level,
            "message": {"text": message + more},
            "locations": [self._location(span)],
            "partialFingerprints": {"message/v1": print_.hexdigest()},
        }

    def _related(self, number: int, related: Related) -> Json:
        return {"id": number, **self._location(related.span), "message": {"text": related.label}}

    def _fix(self, one: Replacement) -> Json:
        replacement = {"deletedRegion": self._region(one.span), "insertedContent": {"text": one.text}}
        return {
            "description": {"text": f"write `{one.text}`"},
            "artifactChanges": [{"artifactLocation": _address(one.span.file), "replacements": [replacement]}],
        }

    def _location(self, span: Span) -> Json:
        return {"physicalLocation": {"artifactLocation": _address(span.file), "region": self._region(span)}}

    def _region(self, span: Span) -> Json:
        return {
            "startLine": span.line,
            "startColumn": self._column(span.file, span.line, span.column),
            "endLine": span.end_line,
            "endColumn": self._column(span.file, span.end_line, span.end_column),
        }

    def _column(self, file: str, line: int, column: int) -> int:
        source = self._sources.get(file)
        before = source.line(line)[: column - 1] if source else ""
        return column + sum(ord(character) > 0xFFFF for character in before)


def _address(file: str) -> Json:
    place = os.path.relpath(file) if Path(file).is_absolute() else os.path.normpath(file)
    if place.startswith(os.pardir):
        return {"uri": Path(os.path.abspath(file)).as_uri()}  # noqa: PTH100 - no link is followed
    return {"uri": quote(place.replace(os.sep, "/")), "uriBaseId": BASE}
