// SPDX-License-Identifier: Apache-2.0
// Pointers of a line never cross.
module feed_line_properties
  import feed_hwmap_pkg::*;
#(
    parameter int AW = 12
) (
    input logic        clk,
    input logic        rst,
    input logic        put,
    input logic        put_end,
    input logic [AW:0] written,
    input logic [AW:0] read,
    input logic [AW:0] start,
    input logic [AW:0] out_at
);
  typedef logic [AW:0] place_t;
  always_ff @(posedge clk)
    if (!rst) begin
      // 1. What can be read again was not written over.
      kept : assert (place_t'(written - start) <= place_t'(FEED_LINE_BYTES));
      // 2. The reader is behind the writer, and not behind the datagram that it may read again.
      behind : assert (place_t'(read - start) <= place_t'(written - start));
      inner : assert (place_t'(out_at - start) <= place_t'(read - start));
      // 3. A byte and an end do not come at once.
      apart : assert (!(put && put_end));
    end
endmodule

bind feed_line feed_line_properties #(.AW(AW)) properties (.*);
