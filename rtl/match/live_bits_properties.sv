// SPDX-License-Identifier: Apache-2.0
// Live bits.
//  1. Host and fabric never write in the same cycle.
//  2. A change changes its range alone, and makes only dormant triggers live, unless it revives.
//  3. The bits above a word tell whether it is zero, and of a group which is its first (looked at word after word, while no
//     update is under way).
module live_bits_properties
  import match_pkg::*;
#(
    parameter int WORDS    = 2,
    parameter int GROUPS   = 2,
    parameter int WORD_AW  = 1,
    parameter int GROUP_AW = 1
) (
    input logic        clk,
    /* verilator lint_off UNUSEDSIGNAL */  // its first step does nothing
    input logic [ 2:0] steps,
    /* verilator lint_on UNUSEDSIGNAL */
    input logic [ 4:0] from,
    input logic [ 4:0] to,
    input logic        revives,
    input logic [31:0] near,
    input logic [31:0] near_dormant,
    input logic [31:0] changed,
    input logic        host_write,
    input logic        written,
    input logic        marking,
    input logic        grouping,
    input logic        placing,
    input logic [31:0] copy[WORDS],
    input logic [31:0] groups[GROUPS],
    input logic [GROUPS-1:0] top,
    input lowest_t     group_firsts[GROUPS]
);
  logic [WORD_AW-1:0] at;
  logic [9:0] place;
  assign place = 10'(at);
  lowest_t first_word;
  assign first_word = group_firsts[GROUP_AW'(place[9:5])];
  always_ff @(posedge clk) begin
    at <= at + 1'b1;
    assert (!(steps[2] && host_write));
    if (steps[2]) begin
      assert (revives || (changed & ~near & ~near_dormant) == '0);
      for (int i = 0; i < 32; i++) assert ((5'(i) >= from && 5'(i) <= to) || changed[i] == near[i]);
    end
    if (!written && !marking && !grouping && !placing) begin
      assert (groups[GROUP_AW'(place[9:5])][place[4:0]] == (copy[at] != '0));
      assert (top[GROUP_AW'(place[9:5])] == (groups[GROUP_AW'(place[9:5])] != '0));
      assert (first_word.any == (groups[GROUP_AW'(place[9:5])] != '0));
      assert (!first_word.any || first_word == lowest(groups[GROUP_AW'(place[9:5])]));
    end
  end
endmodule
bind live_bits live_bits_properties #(
    .WORDS(WORDS), .GROUPS(GROUPS), .WORD_AW(WORD_AW), .GROUP_AW(GROUP_AW)
) properties (.*);
