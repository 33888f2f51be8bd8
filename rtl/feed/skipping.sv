// SPDX-License-Identifier: Apache-2.0
// How many entities a `skip` passes over: those that are there in any case first, then those that bits of the map stand for.
//
// The map is looked at in the first cycle. Whether its bits stand for none or for one is known there, how many they are two
// cycles later: so long they are not counted off.
module skipping
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic       clk,
    /* verilator lint_off UNUSEDSIGNAL */  // its operation, and how many bits it takes
    input  word_skip_t word,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [11:0] window,  // bits of the map, the next one at the left
    input  logic       start,    // the first cycle
    input  logic       whole,    // an entity ends
    output logic       at_once,  // it is the last one, or there is none, in the first cycle
    output logic       at_last   // it is the last one, in those behind
);
  localparam int WINDOW = 12;
  logic [WINDOW-1:0] ones, twos, ones_kept, twos_kept;
  always_comb
    for (int i = 0; i < WINDOW; i++) begin
      ones[i] = window[WINDOW-1-i] && word.taken[i];
      twos[i] = window[WINDOW-1-i] && word.twice[i];
    end
  logic none, single;
  assign none = ones == '0;
  assign single = (ones & (ones - WINDOW'(1))) == '0 && twos == '0 && !none;
  assign at_once = none && (word.entities == '0 || (word.entities == 5'd1 && whole));

  logic [4:0] always_left, some_left;
  logic begun, was_single, was_none, counts, none_always;
  logic [4:0] all;
  assign all = 5'($countones(ones_kept)) + 5'($countones(twos_kept));
  assign none_always = always_left == '0;
  assign at_last = (always_left == 5'd1 && was_none) || (none_always && (counts ? some_left == 5'd1 : was_single));
  always_ff @(posedge clk) begin
    begun <= start;
    counts <= begun || (counts && !start);
    if (start) begin
      {ones_kept, twos_kept} <= {ones, twos};
      {was_none, was_single} <= {none, single};
      always_left <= whole ? word.entities - 5'd1 : word.entities;
    end else if (whole && !none_always) begin
      always_left <= always_left - 5'd1;
    end
    // An entity that ends while they are counted is one of those counted.
    if (begun) some_left <= (whole && none_always) ? all - 5'd1 : all;
    else if (whole && none_always) some_left <= some_left - 5'd1;
    if (start) counts <= 1'b0;
  end
endmodule
