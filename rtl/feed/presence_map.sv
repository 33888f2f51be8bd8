// SPDX-License-Identifier: Apache-2.0
// The presence map: bits are taken from its left, zeros without end stand behind them.
//
// Bytes are put where they belong as they come, the first one in place of all that was there. `over` says whether bits are left
// that nobody has taken: one that is set, or a whole byte behind the first.
module presence_map
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic       clk,
    input  logic       put,        // a byte of a map
    input  logic       put_first,
    input  logic [6:0] data,
    input  logic       clear,      // a block without a map of its own
    input  logic [3:0] take,       // so many bits
    input  logic       restore,    // the map of the block around
    input  map_t       outer,
    output map_t       map,
    output logic       over
);
  localparam int MOST = FEED_ENTITY_BYTES;

  logic [MOST-1:0] place, at;  // of the byte, one bit
  bits_t near, far;
  assign at = put_first ? MOST'(1) : place;
  assign near = map.bits << take[1:0];
  assign far = near << {take[3:2], 2'b00};
  assign over = map.bits != '0 || (map.several && map.left >= 7'd7);

  logic empties;
  assign empties = clear || (put && put_first);
  always_ff @(posedge clk) begin
    for (int i = 0; i < ENTITY_BITS; i++) begin
      if (restore) map.bits[i] <= outer.bits[i];
      else if (put && at[(ENTITY_BITS-1-i)/7]) map.bits[i] <= data[i%7];
      else map.bits[i] <= far[i] && !empties;
    end
    if (restore) begin
      {map.left, map.several} <= {outer.left, outer.several};
    end else if (put) begin
      map.left <= put_first ? 7'd7 : map.left + 7'd7;
      map.several <= !put_first;
      place <= at << 1;
    end else if (clear) begin
      {map.left, map.several} <= '0;
    end else begin
      map.left <= (map.left < 7'(take)) ? '0 : map.left - 7'(take);
    end
  end
endmodule
