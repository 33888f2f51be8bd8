// SPDX-License-Identifier: Apache-2.0
// What the ring promises the host.
module feed_ring_properties
  import feed_hwmap_pkg::*;
(
    input logic        clk,
    input logic        rst,
    input logic        pops,
    input logic        drops,
    input logic        tells_lost,
    input logic [1:0]  closing,
    input logic        ends,
    input logic [31:0] head,
    input logic [31:0] tail
);
  always_ff @(posedge clk)
    if (!rst) begin
      // 1. A line is written only while the host has taken what was in it.
      untaken : assert (!((pops && !drops) || tells_lost) || head - tail < 32'(FEED_RING_LINES));
      // 2. One line is closed at a time.
      one_line : assert (!(ends && closing != '0));
    end
endmodule

bind feed_ring feed_ring_properties properties (.*);
