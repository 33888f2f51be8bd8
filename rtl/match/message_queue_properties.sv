// SPDX-License-Identifier: Apache-2.0
// The queue.
//  1. What is in memory fits it with a place to spare, and the committed messages lie ahead of the others.
//  2. The memory is not in use while the head is empty, so messages stay in order.
//  3. A message that does not fit is told.
module message_queue_properties #(
    parameter int AW    = 6,
    parameter int DEPTH = 64
) (
    input logic          clk,
    input logic          rst,
    input logic [  AW:0] first,
    input logic [  AW:0] uncommitted,
    input logic [  AW:0] behind,
    input logic          held_one,
    input logic          valid,
    input logic          unseen,
    input logic          stored,
    input logic          push,
    input logic          taken,
    input logic          overflow,
    input logic          pop
);
  logic [AW:0] held, good;
  assign held = behind - first;
  assign good = uncommitted - first;
  always_ff @(posedge clk)
    if (!rst) begin
      assert (32'(held) < DEPTH && good <= held);
      assert (stored == (held != '0) && (held_one || !stored));
      assert (held_one == (valid || unseen) && !(valid && unseen));
      assert (push == (taken || overflow));
      assert (!pop || valid);
    end
endmodule
bind message_queue message_queue_properties #(.AW(AW), .DEPTH(DEPTH)) properties (.*);
