// SPDX-License-Identifier: Apache-2.0
// What tcp_order promises to the parser behind it, checked in every simulation.
module tcp_order_properties
  import fixaccel_types_pkg::*, receive_pkg::*;
(
    input logic         clk,
    input logic         rst,
    input logic         flow_reset,
    input logic         ended,
    input logic         fcs_good,
    /* verilator lint_off UNUSEDSIGNAL */  // a few fields of each
    input stream_byte_t stream,
    input rollback_t    rollback,
    input rx_verdict_t  verdict,
    input judged_t      last,
    /* verilator lint_on UNUSEDSIGNAL */
    input logic         accepted,
    input logic         resynced,
    input logic         gap,
    input logic         missed,
    input logic         broken,
    input logic         overflow,
    input logic         confirmed,
    input logic         found,
    input logic  [31:0] found_seq,
    input logic  [31:0] rcv_nxt
);
  logic [31:0] given;  // bytes handed to the parser since the last frame's end
  logic ended_q, fcs_good_q, began, gap_q, moved, doubt_q, ended_gap_q;
  logic [31:0] rcv_nxt_q;
  always_ff @(posedge clk) begin
    ended_q <= ended;
    fcs_good_q <= fcs_good;
    gap_q <= gap;
    doubt_q <= missed || broken || overflow;
    ended_gap_q <= resynced || confirmed;
    rcv_nxt_q <= rcv_nxt;
    moved <= accepted || resynced;
    given <= ended ? 32'd0 : given + {31'b0, stream.valid};
    began <= !rst && !flow_reset;

    if (began && !rst && !flow_reset) begin
      // Whatever is in doubt is a gap, and only a resync ends it.
      assert (gap || !doubt_q);
      assert (gap || !gap_q || ended_gap_q);
      // A boundary stands in a gap only, and not beyond what has been read.
      assert (!(confirmed && !gap));
      assert (!(confirmed && !found));
      assert (!found || $signed(rcv_nxt - found_seq) >= 0);
      // A frame is kept or taken back, once, in the cycle after its verdict was made.
      assert (!(rollback.keep && rollback.restore));
      assert (!(rollback.keep || rollback.restore) || ended_q);
      assert (!rollback.keep || fcs_good_q);
      // Of a frame that is kept the parser has had every new byte, each once.
      assert (!(accepted && last.fresh) || rcv_nxt + given_at_end == last.segment_end || moved);
      // The next byte moves with a verdict or a resync only.
      assert (rcv_nxt == rcv_nxt_q || moved);
      // What moves the stream is a frame whose every check was good.
      assert (!accepted || (verdict.done && verdict.good && verdict.is_market));
    end
  end

  logic [31:0] given_at_end;
  always_ff @(posedge clk) if (ended) given_at_end <= given + {31'b0, stream.valid};
endmodule

bind tcp_order tcp_order_properties properties (.*);
