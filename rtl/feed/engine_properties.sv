// SPDX-License-Identifier: Apache-2.0
// What the engine keeps to, whatever bytes come.
module engine_properties
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input logic clk,
    input logic rst,
    input logic head_end,
    input logic take,
    input phases_t phase,
    input logic at_end,
    input logic number,
    input logic event_one,
    input logic done,
    input logic [2:0] depth,
    input logic stopped,
    /* verilator lint_off UNUSEDSIGNAL */  // what it tells
    input field_t field
    /* verilator lint_on UNUSEDSIGNAL */
);
  logic was_stopped;
  always_ff @(posedge clk) begin
    was_stopped <= stopped && !rst;
    if (!rst) begin
      // 1. It does one thing at a time.
      one_phase : assert ($onehot(phase));
      // 2. It never passes the end of a datagram but between two messages, or where nothing of it counts.
      never_beyond : assert (!(take && head_end) || at_end || phase[FLUSH] || phase[OFF]);
      // 3. What it has found is a value or an event, never both.
      one_thing : assert (!(number && event_one));
      // 4. A step that is done is followed by the start of another.
      steps : assert (!done || !phase[FLUSH]);
      // 5. References stand in each other as deep as the stack holds.
      shallow : assert (depth <= 3'(FEED_REFERENCES));
      // 6. Behind a fault nothing is told but the end of the datagram.
      nothing_behind : assert (!(was_stopped && stopped && field.valid) || field.tells == TELLS_DONE || field.tells == TELLS_FAULT);
    end
  end
endmodule

bind engine engine_properties properties (.*);
