# SPDX-License-Identifier: Apache-2.0
"""Small designs, elaborated as the fabric is."""

from collections.abc import Callable
from pathlib import Path

import pytest

from synth import design
from synth.design import Elaborated

Read = Callable[..., Elaborated]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Elaborates the module `top` of SystemVerilog texts by file name; `top.sv` if there is one text alone."""

    def elaborate(text: str, **more: str) -> Elaborated:
        files = {"top.sv": text} | more
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        return design.read(tmp_path, tmp_path / "build", "small", "top", " ".join(reversed(files)))

    return elaborate
