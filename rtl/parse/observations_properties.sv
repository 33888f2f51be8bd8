// SPDX-License-Identifier: Apache-2.0
// The entry table has one reader at a time: while an entry is taken, nobody asks what the message came to.
module observations_properties (
    input logic clk,
    input logic rst,
    input logic update_reads,
    input logic update_read,
    input logic end_read
);
  always_ff @(posedge clk)
    if (!rst) begin
      one_reader : assert (!(update_reads && end_read));
      in_its_turn : assert (!update_read || update_reads);
    end
endmodule

bind observations observations_properties properties (.*);
