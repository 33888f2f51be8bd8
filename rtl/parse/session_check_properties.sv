// SPDX-License-Identifier: Apache-2.0
// The session's count moves by one with each message that is taken in its turn, and by nothing else but verdicts.
module session_check_properties
  import receive_pkg::*;
(
    input logic        clk,
    input logic        rst,
    input rollback_t   rollback,
    input logic        closed,
    input logic        checksum_ok,
    input logic        observe,
    input logic        repeated,
    input logic        refused,
    input logic        taken,
    input logic        sound,
    input logic        fit,
    input logic        following,
    input logic        anchor,
    input logic        gap,
    input logic [31:0] expected
);
  logic began, taken_q, back_q, kept, following_q, gap_q;
  logic [31:0] expected_q, expected_kept;
  always_ff @(posedge clk) begin
    began <= !rst;
    taken_q <= taken;
    back_q <= rollback.restore || rollback.clear;
    expected_q <= expected;
    following_q <= following;
    gap_q <= gap;
    if (rollback.keep) expected_kept <= expected;
    kept <= !rst && !rollback.clear && (kept || rollback.keep);

    if (began && !rst) begin
      assert (expected == expected_q || taken_q || back_q || !following_q);
      // A bad frame takes the count back to what it was.
      assert (!(kept && back_q) || expected == expected_kept);
      assert (!(taken && refused));
      assert (observe == (taken && fit && !gap_q) && !(observe && repeated));
      // In a gap nothing is observed, and only what is followed is refused.
      assert (!(observe && gap_q));
      assert (!(refused && !following));
      assert (!anchor || (taken && !following && !repeated));
      assert (taken == (closed && checksum_ok && sound) && refused == (closed && checksum_ok && !sound && following));
    end
  end
endmodule

bind session_check session_check_properties properties (.*);
