// SPDX-License-Identifier: Apache-2.0
// Trails.
//  1. A stop moves only where that was asked for, which is behind the verdict of a good frame (matcher_properties).
//  2. It moves towards the market only: a sell's rises, a buy's falls; and by an observation of its own source.
//  3. What hits was reached, and is of a live trail; nothing of it is written but that it is forgotten once it was taken.
//  4. Nothing is written while a message that hits is looked at.
module trails_properties
  import fixaccel_hwmap_pkg::*, receive_pkg::*, match_pkg::*;
#(
    parameter int AW = 6
) (
    input logic                         clk,
    input logic                         rst,
    input logic                         moves_now,
    input logic                         ends_now,
    input logic [AW-1:0]                moved_at,
    input stop_t                        moved_to,
    input logic [PRICE_BITS-1:0]        stops[TRAIL_SLOTS],
    input logic [1:0]                   standings[TRAIL_SLOTS],
    input logic                         write,
    input logic                         writing,
    input logic                         taken,
    input logic                         hits,
    input logic                         seen_all,
    input logic                         flags_sell,
    input logic                         flags_alive
);
  logic asked, taken_before, sells, alive;
  stop_t stood;
  assign stood = {standings[moved_at], stops[moved_at]};
  always_ff @(posedge clk) begin
    asked <= (asked && writing) || write;
    {taken_before, sells, alive} <= {taken && !rst, flags_sell, flags_alive};
    if (!rst) begin
      assert (!moves_now || (asked && alive && !ends_now));
      assert (!moves_now || moved_to.active);
      if (moves_now && stood.set && stood.active) begin
        assert (moved_to.set && (sells ? moved_to.price > stood.price : moved_to.price < stood.price));
      end
      assert (ends_now == taken_before);
      assert (!(hits && !seen_all) && !(hits && writing));
    end
  end
endmodule
bind trails trails_properties #(.AW(AW)) properties (
    .*, .writing(writes || moves_now), .flags_sell(flags.sell), .flags_alive(flags.alive)
);
