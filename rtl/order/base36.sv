// SPDX-License-Identifier: Apache-2.0
// Binary to base 36, a bit a cycle from the top: every digit doubles, takes the carry of the one below, and keeps what
// is below 36. Takes BITS cycles after `start`; `digits` are least significant first.
module base36
  import order_pkg::*;
#(
    parameter int BITS   = 24,
    parameter int DIGITS = 5
) (
    input  logic                         clk,
    input  logic                         rst,
    input  logic                         start,
    input  logic [  BITS-1:0]            value,
    output logic                         done,    // level from the end until the next start
    output logic [DIGITS-1:0][5:0]       digits
);
  localparam int COUNT_BITS = $clog2(BITS + 1);

  logic [BITS-1:0] rest;
  logic [COUNT_BITS-1:0] left;
  assign done = left == 0;

  // A digit from 18 on carries, whatever comes in from below: nothing ripples.
  function automatic logic [DIGITS-1:0][5:0] double(logic [DIGITS-1:0][5:0] from, logic carry_in);
    logic carry;
    carry = carry_in;
    for (int i = 0; i < DIGITS; i++) begin
      double[i] = {5'(BY_18.rest[from[i]]), carry};
      carry = BY_18.quotient[from[i]] != '0;
    end
  endfunction

  always_ff @(posedge clk) begin
    if (start) begin
      rest <= value;
      digits <= '0;
      left <= COUNT_BITS'(BITS);
    end else if (!done) begin
      rest <= rest << 1;
      digits <= double(digits, rest[BITS-1]);
      left <= left - 1;
    end
    if (rst) left <= '0;
  end
endmodule
