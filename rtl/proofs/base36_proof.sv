// SPDX-License-Identifier: Apache-2.0
// Base 36 of any fire count, or of any rule's index, begun in any state.
//  1. While a number is being converted, the digits are those of its bits so far; at the end, of the number: divided by 36
//     again and again, it leaves them, and nothing in the end.
//  2. A digit is below 36.
//  3. It ends, BITS cycles behind `start`.
module base36_proof
  import order_pkg::*;
#(
    parameter int BITS   = 15,
    parameter int DIGITS = 3
) (
    input logic            clk,
    input logic            rst,
    input logic            start,
    input logic [BITS-1:0] value
);
  logic done;
  logic [DIGITS-1:0][5:0] digits;
  base36 #(.BITS(BITS), .DIGITS(DIGITS)) convert (.*);

  logic begun;
  logic [BITS-1:0] number, so_far;
  logic [$clog2(BITS+1)-1:0] since;
  always_ff @(posedge clk) begin
    since <= since + 1'b1;
    if (start) {begun, number, since} <= {1'b1, value, ($clog2(BITS + 1))'(0)};
    if (rst) begun <= 1'b0;
  end
  assign so_far = number >> convert.left;

  // The number's quotients by the powers of 36: each doubles as the digits do, with the carry of the one below.
  logic [DIGITS:0][BITS-1:0] quotient;
  logic [DIGITS:1][BITS-1:0] quotients;
  assign quotient = {quotients, so_far};
  always_ff @(posedge clk) begin
    for (int i = 1; i <= DIGITS; i++) if (!done) quotients[i] <= {quotients[i][BITS-2:0], digits[i-1] > 6'd17};
    if (start) quotients <= '0;
  end
  always_ff @(posedge clk)
    if (!rst && begun) begin
      for (int i = 0; i < DIGITS; i++) begin
        assert (quotient[i] == BITS'(36) * quotient[i+1] + BITS'(digits[i]));      // 1
        assert (digits[i] < 6'd36);                                                // 2
        assert (quotient[i+1] <= quotient[i] >> 5);                                // with it, nothing overflows
      end
      assert (quotient[DIGITS] == '0);                                             // 1
      assert (done || 32'(since) + 32'(convert.left) == BITS);                     // 3
      assert (32'(convert.left) <= BITS);
      assert (done || convert.rest == number << (BITS - 32'(convert.left)));       // with it, 1 is inductive
      cover (digits[1] == 6'd3 && digits[0] == 6'd35);
    end
endmodule
bind base36_proof from_reset reset (.*);
