// SPDX-License-Identifier: Apache-2.0
// Base 36 of any fire count, or of any rule's index, begun in any state.
//  1. While a number is being converted, the digits are those of its bits so far; at the end, of the number.
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

  localparam int WORTH_BITS = $clog2(36 ** DIGITS);
  logic [WORTH_BITS-1:0] worth;
  logic digital;
  always_comb begin
    worth = '0;
    digital = 1'b1;
    for (int i = DIGITS - 1; i >= 0; i--) begin
      worth = worth * WORTH_BITS'(36) + WORTH_BITS'(digits[i]);
      digital &= digits[i] < 6'd36;
    end
  end
  always_ff @(posedge clk)
    if (!rst && begun) begin
      assert (worth == WORTH_BITS'(so_far));                                              // 1
      assert (digital);                                                           // 2
      assert (done || 32'(since) + 32'(convert.left) == BITS);                    // 3
      assert (32'(convert.left) <= BITS);
      assert (done || convert.rest == number << (BITS - 32'(convert.left)));      // with it, 1 is inductive
      cover (digits[1] == 6'd3 && digits[0] == 6'd35);
    end
endmodule
bind base36_proof from_reset reset (.*);
