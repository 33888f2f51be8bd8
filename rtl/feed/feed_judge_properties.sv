// SPDX-License-Identifier: Apache-2.0
// What becomes of the number expected.
module feed_judge_properties
  import feed_pkg::*;
(
    input logic      clk,
    input logic      load,
    input channel_t  channel,
    input logic      told,
    input sequence_t asked_number,
    input sequence_t mask,
    input sequence_t high,
    input logic      some,
    input logic      counts,
    input logic      gap,
    input channel_t  after
);
  // As the rules say it: how far the number is ahead.
  sequence_t distance;
  logic behind;
  assign distance = (asked_number - after.expected) & mask;
  assign behind = after.begun && (distance & high) != '0 && distance != high;

  logic begun, was_told, was_asked, was_load, was_behind, was_gap;
  sequence_t was_number, was_distance, was_mask;
  channel_t was, was_channel;
  initial {begun, was_told, was_asked, was_load} = '0;
  always_ff @(posedge clk) begin
    {begun, was_told, was_asked, was_load} <= {1'b1, begun && told && !load, was_told && !load, begun && load};
    {was_behind, was_number, was_distance, was_mask, was, was_gap, was_channel} <= {behind, asked_number, distance, mask, after, gap, channel};
    if (was_asked) begin
      // 1. A number below the one expected changes nothing: none is taken twice.
      below_changes_nothing : assert (!was_behind || after == was);
      // 2. Any other one is taken, and the one behind it is expected.
      taken : assert (was_behind || (some && counts && after.begun && ((after.expected - was_number - 32'd1) & was_mask) == '0));
      // 3. The one expected, or the first one, leaves no gap; another one leaves what is between as a gap that begins where
      //    nothing was taken.
      no_gap : assert (was_behind || (was.begun && was_distance != '0) || (gap == was_gap && after.gap_first == was.gap_first));
      exact : assert (was_behind || !was.begun || was_distance == '0 || was_gap || (gap && after.gap_first == was.expected &&
          ((after.gap_less + was_distance) & was_mask) == '0));
    end
    // 4. A datagram begins where its channel stands.
    if (was_load) copied : assert (after == was_channel && !some && !counts && !gap);
  end
endmodule

bind feed_judge feed_judge_properties properties (.*);
