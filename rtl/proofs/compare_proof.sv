// SPDX-License-Identifier: Apache-2.0
// Comparisons of prices and times as the fabric makes them, for every pair of numbers.
//  1. `lower`, `below` and the stages of halves say whether the left number is the lower one.
//  2. The sign of what was `summed` says whether bid and ask add up to less than a bound, or to one that is not beyond it.
module compare_proof
  import compare_pkg::*, fixaccel_hwmap_pkg::*, receive_pkg::*, match_pkg::*;
(
    input logic                         clk,
    input logic                         rst,
    input logic signed [PRICE_BITS-1:0] bid,
    input logic signed [PRICE_BITS-1:0] ask,
    input halves_t                      left,
    input halves_t                      right,
    input logic        [LOWER_BITS-1:0] from,
    input logic        [LOWER_BITS-1:0] to
);
  // The widest collar about the widest mid (known_values): a bound is no further away, and neither is a threshold.
  localparam halves_t WIDEST = halves_t'(1) <<< (HALF_BITS - 2);
  logic bounded;
  halves_t sum;
  assign bounded = -WIDEST <= right && right <= WIDEST;
  assign sum = halves_t'(bid) + halves_t'(ask);
  always_ff @(posedge clk)
    if (!rst) begin
      assert (lower(from, to) == (from < to));                                            // 1
      assert (below(bid, ask) == (bid < ask));
      assert (carry_of(stages_halves_below(left, right)) == (left < right));
      assert (!bounded || is_negative(summed(bid, ask, right, 1'b0)) == (sum < right));   // 2
      assert (!bounded || is_negative(summed(bid, ask, right, 1'b1)) == (sum <= right));
      cover (bounded && sum == right);
      cover (below(bid, ask) && bid[PRICE_BITS-1] && !ask[PRICE_BITS-1]);
    end
endmodule
bind compare_proof from_reset reset (.*);
