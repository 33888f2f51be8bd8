# SPDX-License-Identifier: Apache-2.0
"""The one table of all diagnostics, a chapter a file. A code's number is never used for anything else."""

from fixaccel.diagnostics.codes import (
    bus,
    checks,
    decide,
    desk,
    events,
    fast,
    image,
    language,
    order_list,
    reading,
    strategy,
    tables,
    testing,
    tune,
    venue,
)
from fixaccel.diagnostics.report import Code

CHAPTERS = (
    reading,
    language,
    strategy,
    tables,
    decide,
    checks,
    venue,
    image,
    events,
    testing,
    desk,
    order_list,
    fast,
    tune,
    bus,
)


def _collect() -> dict[str, Code]:
    table: dict[str, Code] = {}
    for chapter in CHAPTERS:
        for code in vars(chapter).values():
            if isinstance(code, Code):
                assert code.number not in table, code.number
                table[code.number] = code
    return dict(sorted(table.items()))


CODES = _collect()


def find_code(name: str) -> Code | None:
    """The code with this number or slug, upper or lower case alike."""
    wanted = name.strip().lower()
    return next((code for code in CODES.values() if wanted in {code.number.lower(), code.slug}), None)
