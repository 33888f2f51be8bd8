// SPDX-License-Identifier: Apache-2.0
// The entry table has one reader at a time: while an entry is taken, nobody asks what the message came to, nor while copies
// are moved. A message that may be pushed begins with the first slot in sight.
module observations_properties
  import receive_pkg::*;
(
    input logic  clk,
    input logic  rst,
    input logic  update_reads,
    input logic  table_busy,
    input logic  read_kept,
    input slot_t read_next,
    input logic  cancel,
    input logic  rolls,
    input logic  begins
);
  slot_t reading;   // but for a placed one
  logic cancelled;  // nothing of the frame is pushed any more
  always_ff @(posedge clk) begin
    reading <= rolls ? '0 : read_next;
    cancelled <= (cancelled || cancel) && !rolls && !rst;
    if (!rst) begin
      one_reader : assert (!(update_reads || table_busy) || read_next == '0);
      from_the_first : assert (!begins || cancelled || (!read_kept && reading == '0));
    end
  end
endmodule

bind observations observations_properties properties (
    .begins(pusher.idle && pusher.begins), .*
);
