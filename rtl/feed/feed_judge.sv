// SPDX-License-Identifier: Apache-2.0
// Where the numbers of a datagram stand, and where its channel will if it counts.
//
// It works on a copy of the channel, which is put back when all of the datagram is known to count. Numbers are compared modulo
// 2^(8 x bytes); half of that away is ahead. What a number is said to be stands two cycles behind it.
module feed_judge
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic       clk,
    input  logic       load,        // a datagram begins
    input  channel_t   channel,     // as it stands
    input  numbering_t numbering,
    input  logic       told,
    input  sequence_t  number,
    output logic       judged,      // pulse: the first number is
    output logic       ahead,       // of the one expected; with `judged`
    output logic       below,
    output logic       late,        // it is below, and was given up
    output sequence_t  away,        // of one ahead: how far, below zero
    output logic       some,        // number was told
    output logic       counts,      // and one of them is new
    output logic       gap,         // in front of one numbers are missing
    output channel_t   after
);
  sequence_t mask, high;  // the highest bit of a number
  assign mask = mask_of(numbering);
  assign high = mask ^ (mask >> 1);

  logic asked;
  sequence_t asked_number, less, since, now_less, now_since;
  logic same, is_ahead, in_gap;
  /* verilator lint_off UNUSEDSIGNAL */  // only its carry counts
  logic [32:0] beyond;
  /* verilator lint_on UNUSEDSIGNAL */
  assign now_less = less & mask;
  assign now_since = since & mask;
  assign same = now_less == '0 || !after.begun;
  assign is_ahead = !same && (now_less & high) != '0;
  // As many as the gap has, or more, behind its first one.
  assign beyond = {1'b0, now_since} + {1'b0, after.gap_less};
  assign in_gap = after.gap && !beyond[32];
  always_ff @(posedge clk) begin
    asked <= told;
    asked_number <= number;
    less <= after.expected - number;
    since <= number - after.gap_first;
    judged <= asked && !some;
    if (asked) begin
      some <= 1'b1;
      {ahead, below, late} <= {is_ahead, !same && !is_ahead, !same && !is_ahead && in_gap};
      away <= now_less | ~mask;
      if (same || is_ahead) begin
        counts <= 1'b1;
        {after.begun, after.expected} <= {1'b1, (asked_number + sequence_t'(1)) & mask};
      end
      // Of a datagram with several of them what is between the first and the last one is one gap.
      if (is_ahead) begin
        {gap, after.gap} <= 2'b11;
        after.gap_less <= (gap ? -now_since : now_less) | ~mask;
        if (!gap) after.gap_first <= after.expected;
      end
    end
    if (load) begin
      {asked, judged, some, counts, gap} <= '0;
      after <= channel;
    end
  end
endmodule
