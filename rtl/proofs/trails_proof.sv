// SPDX-License-Identifier: Apache-2.0
// Trails with any tables, stops and messages. The matcher asks for a write only behind the verdict of a good frame
// (matcher_properties, proved with fires_proof); here a stop moves only if it was asked for.
//  1. A stop that is set moves towards the market only: upwards, where it is to sell, downwards, where it is to buy.
//  2. Nothing is written for a message that hits, nor while it has not been asked for.
// The rules of trails_properties say so.
module trails_proof
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, receive_pkg::*, match_pkg::*;
(
    input logic                                clk,
    input logic                                rst,
    input windows_t [1:0]                      windows_open,
    input logic                                forget, load, present, probed, probed_live, run, crossed, windows, write, next, picked,
    input logic                                taken, two_banks,
    input logic [15:0]                         load_instrument,
    input logic [OBSERVED-1:0]                 observed,
    input logic [OBSERVED-1:0][PRICE_BITS-1:0] prices
);
  logic [31:0] host_rdata;
  logic probe, fetch, ready, some, arms, hits, moves;
  logic [TRAIL_TRIGGER_BITS-1:0] probe_trigger;
  logic [1:0] source;
  trails #(.INSTRUMENTS(4)) dut (.*, .host_req('0));

  // What stands around it: a message and its prices stand while it is looked at; a hit is taken while nothing is written.
  logic ran, wrote;
  logic [OBSERVED-1:0] observed_before;
  logic [OBSERVED-1:0][PRICE_BITS-1:0] prices_before;
  logic crossed_before, windows_before;
  always_ff @(posedge clk) begin
    {ran, wrote} <= {run, dut.writes};
    {observed_before, prices_before, crossed_before, windows_before} <= {observed, prices, crossed, windows};
  end
  always_comb begin
    assume (!(taken && (dut.writes || wrote || write)));
    if (ran || wrote)
      assume ({observed, prices, crossed, windows} == {observed_before, prices_before, crossed_before, windows_before});
  end
  always_ff @(posedge clk) begin
    cover (dut.moves_now);
    cover (hits);
  end
endmodule
bind trails_proof from_reset reset (.*);
