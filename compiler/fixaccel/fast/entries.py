# SPDX-License-Identifier: Apache-2.0
"""Entries of dictionaries over all templates: each has one type."""

from fixaccel.diagnostics.codes import fast as codes
from fixaccel.diagnostics.report import Related, Report
from fixaccel.fast.model import Key, Scalar, Templates, scalars


def check_entries(templates: Templates, report: Report) -> None:
    """Reports operators that share an entry and differ in type (D4)."""
    first: dict[Key, Scalar] = {}
    for template in templates.all:
        for field in scalars(template.items):
            if field.key is None:
                continue
            other = first.setdefault(field.key, field)
            if other.kind is not field.kind:
                message = (
                    f"`{field.name}` ({field.kind.value}) shares the previous value of "
                    f"`{other.name}` ({other.kind.value}) (D4)"
                )
                related = [Related("which has the other type", other.span)]
                way_out = "give one of the operators a `key` or a `dictionary` of its own"
                report.add(codes.TEMPLATE_ENTRY, message, field.span, related=related, help=way_out)
