# SPDX-License-Identifier: Apache-2.0
"""The quantity of an order: a number, or what another rule has filled."""

from dataclasses import dataclass
from decimal import Decimal

from fixaccel.diagnostics.report import Report
from fixaccel.language.keys.kinds import Number, number_schema
from fixaccel.language.keys.schema import JsonSchema
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
        return Number(self.form).read(node, key, report)
