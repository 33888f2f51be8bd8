# SPDX-License-Identifier: Apache-2.0
"""Small designs, elaborated as the fabric is."""

from collections.abc import Callable
from pathlib import Path

import pytest

from synth import design
from synth.design import Elaborated

_BESIDE_A_CHAIN = """
module top (
    input logic clk, input logic [47:0] d, input logic [47:0] e, output logic chosen_q, output logic [1023:0] sum
);
  logic [47:0] which, word;
  logic chosen;
  logic [1023:0] left, right;
  always_comb begin
    chosen = '0;
    for (int i = 0; i < 48; i++) if (which[i]) chosen = word[i];
  end
  always_ff @(posedge clk) begin
    which <= d;
    word <= e;
    chosen_q <= chosen;
    left <= {left, d};
    right <= {right, e};
    sum <= left + right;
  end
endmodule
"""

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


@pytest.fixture
def beside_a_chain() -> tuple[str, int]:
    """A module `top`, and the levels that its `chosen_q` needs at most.

    The last of forty-eight that is set, beside a sum whose chain takes longer than all LUTs in a row: a mapper that
    saves area up to that time needs 24 of them.
    """
    return _BESIDE_A_CHAIN, 16
