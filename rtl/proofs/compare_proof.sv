// SPDX-License-Identifier: Apache-2.0
// Comparisons of prices and times as the fabric makes them, for every pair of numbers.
//  `lower`, `below` and the stages of halves say whether the left number is the lower one.
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
  always_ff @(posedge clk)
    if (!rst) begin
      assert (lower(from, to) == (from < to));
      assert (below(bid, ask) == (bid < ask));
      assert (carry_of(stages_halves_below(left, right)) == (left < right));
      cover (below(bid, ask) && bid[PRICE_BITS-1] && !ask[PRICE_BITS-1]);
    end
endmodule
bind compare_proof from_reset reset (.*);
