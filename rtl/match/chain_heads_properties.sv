// SPDX-License-Identifier: Apache-2.0
// Chains.
//  1. What a fire spends was live: a live bit ends with one fire.
//  2. Links of an order are carried out one order after the other.
module chain_heads_properties
  import fixaccel_hwmap_pkg::*;
#(
    parameter int TRIGGER_AW = 1
) (
    input logic                       clk,
    input logic                       rst,
    input logic                       clear,
    input logic                       clear_counts,
    /* verilator lint_off UNUSEDSIGNAL */  // its lowest bits
    input logic [TRIGGER_AW-1:0]      spent,
    /* verilator lint_on UNUSEDSIGNAL */
    input logic                       linked,
    input logic                       linking,
    input logic [LIVE_WORD_BITS-1:0]  near_q
);
  logic [1:0] clearing;
  logic [1:0][4:0] place;
  always_ff @(posedge clk) begin
    clearing <= {clearing[0], clear && clear_counts && !rst};
    place <= {place[0], spent[4:0]};
    assert (!clearing[1] || near_q[place[1]]);
    assert (rst || !(linked && linking));
  end
endmodule
bind chain_heads chain_heads_properties #(.TRIGGER_AW(TRIGGER_AW)) properties (.*, .near_q(live.near_q));
