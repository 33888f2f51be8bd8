# SPDX-License-Identifier: Apache-2.0
"""Pass `read`: the strategy file as a tree of keys and texts."""

from fixaccel.drafts.work import Work
from fixaccel.language.text.files import read_source
from fixaccel.language.text.reader import read_tree


def run(work: Work) -> None:
    """Fills ``tree``."""
    source = read_source(work.path, str(work.path), work.report, work.sources, given=work.given)
    if source is None:
        return
    work.inputs[work.path.name] = source.digest
    work.tree = read_tree(source, work.report)
