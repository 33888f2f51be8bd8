// SPDX-License-Identifier: Apache-2.0
// Takes the flow's bytes in order, each once, and keeps `rcv_nxt`, `wire_nxt` and the sticky `gap`.
//
// A segment at rcv_nxt is parsed as it arrives, one that overlaps is trimmed, an old one ignored, one beyond rcv_nxt sets
// gap. All of that counts only with a good verdict. While gap is set nothing is parsed until a resync at wire_nxt.
module tcp_order
  import fixaccel_types_pkg::*, receive_pkg::*;
(
    input  logic         clk,
    input  logic         rst,
    input  logic         flow_valid,
    input  logic         flow_reset,
    input  logic         resync,        // pulse
    input  logic  [31:0] resync_seq,
    /* verilator lint_off UNUSEDSIGNAL */  // some fields are for the verdict only
    input  header_t      header,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic         payload,       // the byte is TCP payload
    input  logic  [7:0]  data,
    input  logic         done,          // verdict, the cycle after the frame's last byte
    input  logic         good,          // with done: the whole frame, checksums included
    input  logic         parser_lost,   // broken framing of the stream
    input  logic         overflow,      // pulse: a message found no room
    output stream_byte_t stream,
    output rollback_t    rollback,
    output logic         gap,
    output logic         synced,
    output logic  [31:0] rcv_nxt,
    output logic  [31:0] wire_nxt,
    output logic         segment_old,   // pulses
    output logic         segment_hole,
    output logic         desync
);
  logic fresh, hole, old;  // what the frame in progress is, if it turns out good
  logic skipping;
  logic [15:0] skip;       // bytes of this segment that were parsed before
  logic wire_known;

  // Differences are registered, so that no cycle holds a subtraction and a decision. The header is complete several bytes
  // before the first payload byte.
  logic complete_q, decided, newer;
  logic signed [31:0] distance;
  logic [31:0] segment_end;
  logic has_data;
  assign has_data = header.length != '0 && !header.syn && !header.rst;
  always_ff @(posedge clk) begin
    distance <= rcv_nxt - header.seq;
    segment_end <= header.seq + {16'b0, header.length};
    newer <= $signed(segment_end - wire_nxt) > 0;
    complete_q <= header.complete;
  end

  logic accepted, rejected, resynced, busy;
  assign accepted = done && good && header.is_flow;
  assign rejected = done && !accepted;
  // A segment that is half through cannot be parsed any more: the resync comes too early by that segment.
  assign busy = (header.complete || complete_q || done) && header.is_flow && has_data;
  assign resynced = resync && flow_valid && !busy && (!wire_known || resync_seq == wire_nxt);

  always_ff @(posedge clk) begin
    if (complete_q && header.complete && !decided) begin
      decided <= 1'b1;
      if (header.is_flow && has_data && !gap) begin
        hole <= distance < 0;
        old <= distance >= $signed({16'b0, header.length});
        fresh <= distance >= 0 && distance < $signed({16'b0, header.length});
        skip <= distance[15:0];
        skipping <= distance != 0;
      end
    end
    if (payload && skipping) begin
      skip <= skip - 16'd1;
      skipping <= skip != 16'd1;
    end

    if (accepted) begin
      if (has_data && (newer || !wire_known)) begin
        wire_nxt   <= segment_end;
        wire_known <= 1'b1;
      end
      if (fresh && !parser_lost) rcv_nxt <= segment_end;
      if (hole || (fresh && parser_lost)) gap <= 1'b1;
      if (header.syn) begin
        rcv_nxt <= header.seq + 32'd1;
        wire_nxt <= header.seq + 32'd1;
        wire_known <= 1'b1;
        gap <= 1'b1;
      end
    end
    if (resynced) begin
      rcv_nxt <= resync_seq;
      wire_nxt <= resync_seq;
      wire_known <= 1'b1;
      gap <= 1'b0;
    end
    if (overflow) gap <= 1'b1;

    if (done || flow_reset || rst) begin
      decided <= 1'b0;
      fresh <= 1'b0;
      hole <= 1'b0;
      old <= 1'b0;
      skipping <= 1'b0;
    end
    if (flow_reset || rst) begin
      gap <= 1'b1;
      wire_known <= 1'b0;
      rcv_nxt <= '0;
      wire_nxt <= '0;
    end
  end

  assign stream = '{valid: payload && fresh && !skipping, data: data};
  assign rollback = '{
          clear: flow_reset || resynced || (accepted && header.syn),
          keep: accepted && fresh,
          restore: rejected && fresh
      };
  assign synced = flow_valid && !gap && rcv_nxt == wire_nxt;
  assign segment_old = accepted && old;
  assign segment_hole = accepted && hole;
  assign desync = accepted && fresh && parser_lost && !gap;
endmodule
