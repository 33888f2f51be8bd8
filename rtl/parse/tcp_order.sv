// SPDX-License-Identifier: Apache-2.0
// Takes the flow's bytes in order, each once, and keeps `rcv_nxt`, `wire_nxt` and the sticky `gap`.
//
// A segment at rcv_nxt is parsed as it arrives, one that overlaps is trimmed, an old one ignored, one beyond rcv_nxt sets
// gap. All of that counts only with a good verdict, two cycles after the frame's last byte. While gap is set nothing is
// parsed until a resync at wire_nxt.
module tcp_order
  import fixaccel_types_pkg::*, receive_pkg::*;
(
    input  logic         clk,
    input  logic         rst,
    input  logic         flow_valid,
    input  logic         flow_reset,
    input  logic         resync,        // pulse
    input  logic  [31:0] resync_seq,
    input  rx_window_t   window,
    input  header_t      header,
    input  stream_byte_t payload,
    input  logic         ended,         // the cycle after a frame's last byte
    input  logic         fcs_good,      // with ended
    input  logic  [31:0] end_cycle,     // with ended
    input  logic         parser_lost,   // broken framing of the stream
    input  logic         overflow,      // pulse: a message found no room
    output stream_byte_t stream,
    output rollback_t    rollback,
    output rx_verdict_t  verdict,
    output logic         gap,
    output logic         synced,
    output logic  [31:0] rcv_nxt,
    output logic  [31:0] wire_nxt,
    output logic         segment_old,   // pulses
    output logic         segment_hole,
    output logic         desync
);
  logic wire_known;
  judged_t judged;
  logic skipping;
  segment_judge judge (
      .clk, .rst, .header, .window, .gap, .wire_known, .rcv_nxt, .wire_nxt, .payload(payload.valid), .ended, .judged,
      .skipping
  );

  // The last byte of a frame belongs to its FCS, whatever the headers claim: it would follow the verdict.
  always_ff @(posedge clk) stream <= '{valid: payload.valid && judged.fresh && !skipping && !ended, data: payload.data};

  // The verdict. What it does to the stream is decided a cycle earlier, to be a register.
  logic good, keep, restore;
  assign good = fcs_good && (header.sound || !header.is_flow);
  assign keep = ended && good && judged.fresh;
  assign restore = ended && !good && judged.fresh;
  /* verilator lint_off UNUSEDSIGNAL */  // the verdict takes the rest
  judged_t last;
  /* verilator lint_on UNUSEDSIGNAL */
  logic accepted;
  always_ff @(posedge clk) begin
    verdict <= '{
        done: ended && !rst,
        good: good,
        is_flow: header.is_flow,
        acceptable: judged.acceptable,
        syn: judged.syn,
        fin: judged.fin,
        rst: judged.rst,
        ack_flag: header.ack_flag,
        seq: header.seq,
        ack: header.ack,
        window: header.window,
        length: header.length,
        cycle: end_cycle
    };
    last <= judged;
    accepted <= ended && good && header.is_flow && !rst;
  end

  // A segment that is half through cannot be parsed any more: the resync comes too early by that segment.
  logic open, asked, at_wire, resynced;
  logic [31:0] asked_seq;
  always_ff @(posedge clk) begin
    asked <= resync && !rst;
    asked_seq <= resync_seq;
    at_wire <= !wire_known || resync_seq == wire_nxt;
    if (header.ports) open <= 1'b1;
    if (ended || rst) open <= 1'b0;
  end
  assign resynced = asked && at_wire && flow_valid && !(open && header.is_flow) && !accepted;

  always_ff @(posedge clk) begin
    if (accepted) begin
      if (last.newer) begin
        wire_nxt   <= last.segment_end;
        wire_known <= 1'b1;
      end
      if (last.fresh && !parser_lost) rcv_nxt <= last.segment_end;
      if (last.hole || (last.fresh && parser_lost)) gap <= 1'b1;
      if (last.syn) begin
        rcv_nxt <= verdict.seq + 32'd1;
        wire_nxt <= verdict.seq + 32'd1;
        wire_known <= 1'b1;
        gap <= 1'b1;
      end
    end
    if (resynced) begin
      rcv_nxt <= asked_seq;
      wire_nxt <= asked_seq;
      wire_known <= 1'b1;
      gap <= 1'b0;
    end
    if (overflow) gap <= 1'b1;
    if (flow_reset || rst) begin
      gap <= 1'b1;
      wire_known <= 1'b0;
    end
  end

  always_ff @(posedge clk) begin
    rollback.clear <= flow_reset || resynced || (accepted && last.syn);
    rollback.keep <= keep;
    rollback.restore <= restore;
    synced <= flow_valid && !gap && rcv_nxt == wire_nxt;
    segment_old <= accepted && last.old;
    segment_hole <= accepted && last.hole;
    desync <= accepted && last.fresh && parser_lost && !gap;
    if (rst) {rollback, synced} <= '0;
  end
endmodule
