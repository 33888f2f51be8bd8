# SPDX-License-Identifier: Apache-2.0
"""The quantity of an order: a number, or what another rule has filled."""

from dataclasses import dataclass
from decimal import Decimal

from fixaccel.diagnostics.codes import language as codes
from fixaccel.diagnostics.report import Report
from fixaccel.language.keys.kinds import Number, number_schema
from fixaccel.language.keys.schema import JsonSchema, clip, nearest
from fixaccel.language.written import Filled
from fixaccel.source import Node, ScalarNode

FILLED = "filled"


@dataclass(frozen=True)
class QuantityKind:
    """A number, or the word `filled`."""

    form: str = "a quantity such as `100`, or `filled`"

    def json_schema(self) -> JsonSchema:
        """A number, its text in quotes, or the word."""
        return {"anyOf": [*number_schema()["anyOf"], {"enum": [FILLED]}]}

    def read(self, node: Node, key: str, report: Report) -> Decimal | Filled | None:
        """The number, or that it is the other rule's."""
        if isinstance(node, ScalarNode) and node.text == FILLED:
            return Filled()
        if isinstance(node, ScalarNode) and (close := nearest(node.text, (FILLED,), report)):
            message = f"`{clip(node.text)}` is not {self.form}"
            report.add(codes.BAD_NUMBER, message, node.span, help=f"did you mean `{close}`?", instead=[close])
            return None
        return Number(self.form).read(node, key, report)
