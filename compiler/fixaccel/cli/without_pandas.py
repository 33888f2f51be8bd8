# SPDX-License-Identifier: Apache-2.0
"""Commands have no use for pandas, which Arrow imports wherever it is installed; only Bokeh draws with it.

That takes a second, and a Ctrl-C meanwhile ends in pandas' own traceback, or in nothing at all.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class _NotFound(MetaPathFinder):
    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - the protocol's signature
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """Nothing for other names: the next finder is asked."""
        if fullname == "pandas" and "bokeh" not in sys.modules:
            raise ModuleNotFoundError("commands do without pandas", name=fullname)
        return None


def leave_pandas_alone() -> None:
    """From now on this process does not find it but for Bokeh."""
    sys.meta_path.insert(0, _NotFound())
