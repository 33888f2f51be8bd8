// SPDX-License-Identifier: Apache-2.0
// The rules are those of feed_arbiter_properties and feed_judge_properties, for any bytes of any lines, any decoder that tells the
// end of a datagram behind its last byte, and whatever the host does.
module feed_arbiter_proof
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input logic        clk,
    input logic        rst,
    input logic        run,
    input numbering_t  numbering,
    input logic [2:0]  state,
    input logic        ended, judged, vain, commit, gapped, good, counts, frame_bad, faulty, some, news, is_number, is_done, permit, in_vain,
    input logic [2:0]  done,
    input logic [LINE_BITS-1:0] at,
    input logic [CHANNEL_BITS-1:0] channel,
    input lines_t      wants, permits,
    input channels_t   still,
    input field_t      field,
    // of the judge, and of the rules
    input logic        asked, first_ahead, counted,
    input lines_t      was_reasons, may
);
  localparam logic [2:0] IDLE = 0, BEGIN = 1, FEED = 2, DECIDE = 3, TELL = 4;
  // The decoder: an end is told when it was taken, behind it nothing; numbers come two cycles apart.
  logic told, told_end, was_running;
  numbering_t was_numbering;
  initial told = 1'b0;
  always_ff @(posedge clk) begin
    told <= is_number;
    told_end <= (told_end || is_done) && state == FEED;
    {was_numbering, was_running} <= {numbering, run};
    if (rst) told_end <= 1'b0;
  end
  logic busy;
  lines_t still_lines;
  assign busy = state == BEGIN || state == FEED || state == DECIDE;
  always_comb begin
    for (int i = 0; i < FEED_LINES; i++) still_lines[i] = still[i/2];
    assume (!is_done || ended);
    assume (!(field.valid && told_end));
    assume (!(is_number && told));
    // The host writes how datagrams are numbered while the unit is off, its accesses are some cycles apart.
    assume (!(run || was_running) || numbering == was_numbering);
    assume (numbering.bytes >= 3'd1 && numbering.bytes <= 3'd4);
  end
  always_ff @(posedge clk)
    if (!rst) begin
      cover (commit && !gapped);
      cover (commit && gapped);
      cover (in_vain);
      // With these, the rules are inductive. A try: none of a channel that stands still, none that may leave a gap without reason.
      if (busy) assert (!still[channel] && (!permit || may[at]));
      if (state == IDLE) assert ((wants & still_lines) == '0);
      assert ((permits & ~was_reasons) == '0);
      // The end behind the last byte, and behind it nothing but what is being judged.
      if (state == FEED && done != '0) assert (ended && told_end);
      if (state == DECIDE) assert (ended && !asked && !judged);
      if (state == DECIDE) assert (good == (!frame_bad && !faulty && (!numbering.numbered || some)));
      if (state == DECIDE) assert (counts == (!frame_bad && !faulty && (!numbering.numbered || news)));
      if (state == FEED) assert (!(done[1] || done[2]) || !asked);
      if (state == FEED) assert (!done[2] || !judged);
      if (state == FEED && told_end) assert (ended);
      // What is ahead without leave is in vain; what is in vain has not counted.
      if (busy && state != BEGIN && first_ahead && numbering.numbered) assert (permit || vain);
      if (busy) assert (was_running && (state == BEGIN || !news || some));
      if (busy && !numbering.numbered) assert (!first_ahead && (state == BEGIN || !(asked || judged)));
      if (state == BEGIN) assert (!first_ahead);
      if (state == TELL && good && !vain) assert (counted);
    end
endmodule
bind feed_arbiter feed_arbiter_proof proof (
    .state(state), .asked(judge.asked), .first_ahead(properties.first_ahead), .counted(properties.counted),
    .was_reasons(properties.was_reasons), .may(properties.may), .*
);
bind feed_arbiter from_reset reset (.*);
