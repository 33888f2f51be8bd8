// SPDX-License-Identifier: Apache-2.0
// What the arbiter promises. That a number is taken once, and a gap is exact, is said where numbers are judged.
module feed_arbiter_properties
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input logic        clk,
    input logic        rst,
    /* verilator lint_off UNUSEDSIGNAL */  // parts of what is told
    input numbering_t  numbering,
    input verdict_t    told,
    input gap_t        gap,
    /* verilator lint_on UNUSEDSIGNAL */
    input logic [2:0]  state,
    input logic [LINE_BITS-1:0] at,
    input logic [CHANNEL_BITS-1:0] channel,
    input lines_t      present, tight, bad, take, rewind, waiting, quiet, moved, tries,
    input channels_t   over, still, begins,
    input feed_byte_t [FEED_LINES-1:0] heads,
    input sequence_t [FEED_LINES-1:0] away,
    input logic        permit, ended, frame_bad, faulty, vain, judged, ahead, some, news, commit,
    input channel_t [FEED_CHANNELS-1:0] channels,
    input logic [FEED_CHANNELS-1:0][15:0] epochs
);
  localparam logic [2:0] IDLE = 0;
  // Reasons to leave a gap: nothing that is missing can come any more, or not in time.
  lines_t reasons, was_reasons, may;
  always_comb
    for (int i = 0; i < FEED_LINES; i++)
      reasons[i] = !present[i^1] || (waiting[i] && (tight[i] || (!moved[i] && over[i/2] && quiet[i^1]) || (!moved[i] && !moved[i^1] &&
          waiting[i^1] && away[i] >= away[i^1])));

  logic counted, first_ahead, was_commit, was_rst, was_rst_before, begun;
  logic [CHANNEL_BITS-1:0] was_channel;
  channel_t [FEED_CHANNELS-1:0] was;
  logic [FEED_CHANNELS-1:0][15:0] was_epochs, older_epochs;
  channels_t astray, untold;
  lines_t at_end;
  always_comb begin
    for (int i = 0; i < FEED_LINES; i++) at_end[i] = heads[i].valid && heads[i].last;
    for (int c = 0; c < FEED_CHANNELS; c++) begin
      astray[c] = channels[c] != was[c] && !(was_commit && was_channel == CHANNEL_BITS'(c)) && channels[c].begun;
      untold[c] = was_epochs[c] != older_epochs[c] + 16'(gap.valid && gap.channel == CHANNEL_BITS'(c));
    end
  end
  initial begun = 1'b0;
  always_ff @(posedge clk) begin
    begun <= 1'b1;
    {was_rst, was_rst_before} <= {rst, was_rst};
    was_reasons <= reasons;
    if (tries != '0) may <= was_reasons;
    if (judged) first_ahead <= ahead;
    if (tries != '0) first_ahead <= 1'b0;
    {was_commit, was_channel, was} <= {commit, channel, channels};
    {was_epochs, older_epochs} <= {epochs, was_epochs};
    if (commit || (state == IDLE && !told.valid)) counted <= commit;
    if (begun && !rst && !was_rst) begin
      // 1. All or nothing: what counts was whole and right, without a fault, and has a number that is new where it has numbers.
      whole : assert (!commit || (ended && !frame_bad && !faulty && !vain && (!numbering.numbered || (some && news))));
      // 2. Only with what counts the number expected moves, in its channel alone; a start makes the channel forget it.
      moves : assert (astray == '0);
      // 3. A gap is one more epoch, and told in the cycle behind it; nothing else is.
      epoch : assert (untold == '0 || was_rst_before);
      // 4. A channel that stands still takes nothing.
      stands : assert (!commit || !still[channel]);
      // 5. What is ahead counts only if there was a reason to leave a gap when it was tried.
      permitted : assert (!commit || !first_ahead || (permit && may[at]));
      // 6. Only a datagram that is whole is read again, and not while it is taken.
      again : assert ((rewind & take) == '0);
      sound : assert ((rewind & ~(at_end & ~bad)) == '0);
      // 7. A channel begins anew between two datagrams.
      between : assert (begins == '0 || state == IDLE);
      // 8. It is told as good only if it has counted.
      good : assert (!told.valid || told.bad || told.vain || counted);
    end
  end
endmodule

bind feed_arbiter feed_arbiter_properties properties (.state(state), .*);
