// SPDX-License-Identifier: Apache-2.0
// The queue.
//  1. What is in memory fits it with a place to spare, and the committed messages lie ahead of the others.
//  2. The memory is not in use while the head is empty, so messages stay in order.
//  3. A message that does not fit is told.
//  4. What is seen at the head ahead of a message is what comes, but for its number and end, unless it is taken back.
//  5. A source with an observation is one that the message touches.
//  6. A frame is good or bad. Which bank the first in memory is of is what memory says.
module message_queue_properties
  import receive_pkg::*;
#(
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
    input logic          pop,
    input logic          good,
    input logic          bad,
    input logic          first_bank,
    input logic          stored_banks[DEPTH],
    input logic          clear,
    input logic          preview,
    /* verilator lint_off UNUSEDSIGNAL */  // number and end play no part
    input message_t      message
    /* verilator lint_on UNUSEDSIGNAL */
);
  logic [AW:0] held, sure;
  assign held = behind - first;
  assign sure = uncommitted - first;
  typedef struct packed {
    logic [15:0] instrument;
    logic windows;
    logic [SOURCES-1:0] touched;
    observation_t [SOURCES-1:0] observed;
  } said_t;
  said_t says, said;
  logic foreseen;
  assign says = '{message.instrument, message.windows, message.touched, message.observed};
  always_ff @(posedge clk) begin
    said <= says;
    foreseen <= preview && !held_one && !bad && !clear && !rst;
    if (!rst) begin
      assert (32'(held) < DEPTH && sure <= held);
      assert (stored == (held != '0) && (held_one || !stored));
      assert (held_one == (valid || unseen) && !(valid && unseen));
      assert (push == (taken || overflow));
      assert (!pop || (valid && !bad));
      assert (!(good && bad));
      assert (!stored || first_bank == stored_banks[first[AW-1:0]]);
      assert (!foreseen || !(preview || held_one) || says == said);
      for (int i = 0; i < SOURCES; i++) assert (!(valid || preview) || !message.observed[i].valid || message.touched[i]);
    end
  end
endmodule
bind message_queue message_queue_properties #(.AW(AW), .DEPTH(DEPTH)) properties (.*);
