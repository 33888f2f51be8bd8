// SPDX-License-Identifier: Apache-2.0
// The entry table has one reader at a time: while an entry is taken, nobody asks what the message came to, nor while copies
// are moved.
module observations_properties
  import receive_pkg::*;
(
    input logic  clk,
    input logic  rst,
    input logic  update_reads,
    input logic  table_busy,
    input logic  read,
    input logic  read_kept,
    input slot_t read_next
);
  always_ff @(posedge clk)
    if (!rst) begin
      one_reader : assert (!(update_reads || table_busy) || read_next == '0);
      in_its_turn : assert (!(update_reads || table_busy) || read == !read_kept);
    end
endmodule

bind observations observations_properties properties (.*);
