// SPDX-License-Identifier: Apache-2.0
// When a frame's verdict comes, all that its bytes do to the number has been done.
module price_text_properties
  import receive_pkg::*;
(
    input logic      clk,
    /* verilator lint_off UNUSEDSIGNAL */  // one of its fields
    input rollback_t rollback,
    /* verilator lint_on UNUSEDSIGNAL */
    input logic      take,
    input logic      adds,
    input logic      step
);
  always_ff @(posedge clk) begin
    at_rest : assert (!(rollback.keep || rollback.restore) || !(take || adds || step));
  end
endmodule

bind price_text price_text_properties properties (.*);
