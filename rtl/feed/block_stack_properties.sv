// SPDX-License-Identifier: Apache-2.0
// The stack holds what a sound program puts on it, and nothing is taken from it that is not there.
module block_stack_properties #(
    parameter int DEPTH = 24,
    parameter int AW    = 5
) (
    input logic          clk,
    input logic          clear,
    input logic          push,
    input logic          pop,
    input logic [AW-1:0] count
);
  logic known;
  always_ff @(posedge clk) begin
    if (clear) known <= 1'b1;
    if (known === 1'b1 && !clear) begin
      has_room : assert (!push || int'(count) < DEPTH);
      has_one : assert (!pop || count != '0);
      one_way : assert (!(push && pop));
    end
  end
endmodule

bind block_stack block_stack_properties #(.DEPTH(DEPTH), .AW(AW)) properties (.*);
