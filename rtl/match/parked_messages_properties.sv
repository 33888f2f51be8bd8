// SPDX-License-Identifier: Apache-2.0
// Parked messages: taken out in the order in which they were put in, never more than there is room for.
module parked_messages_properties #(
    parameter int AW    = 9,
    parameter int DEPTH = 512
) (
    input logic          clk,
    input logic          rst,
    input logic [  AW:0] oldest,
    input logic [  AW:0] behind,
    input logic          occupied,
    input logic          push,
    input logic          drop,
    input logic          resume,
    input logic          look
);
  logic [AW:0] held;
  assign held = behind - oldest;
  always_ff @(posedge clk)
    if (!rst) begin
      assert (32'(held) <= DEPTH && occupied == (held != '0));
      assert (!(push && 32'(held) == DEPTH) && !(drop && !occupied) && !(resume && look));
    end
endmodule
bind parked_messages parked_messages_properties #(.AW(AW), .DEPTH(DEPTH)) properties (.*);
