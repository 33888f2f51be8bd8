// SPDX-License-Identifier: Apache-2.0
// Takes the bytes of the parsed flow in order, each once, and keeps `rcv_nxt` and the sticky `gap`. Segments of the
// session's flow, where that is another one, are judged here too, with what is known of that flow.
//
// A segment at rcv_nxt is parsed as it arrives, one that overlaps is trimmed, an old one ignored. One beyond rcv_nxt sets gap,
// and the stream goes on behind it. All of that counts only with a good verdict, two cycles after the frame's last byte.
//
// While gap is set nothing is evaluated, and the parser hunts for the stream. A resync ends it: at rcv_nxt, where the parser
// then starts, or at the boundary that the parser has found, from which it goes on.
module tcp_order
  import fixaccel_types_pkg::*, receive_pkg::*;
(
    input  logic         clk,
    input  logic         rst,
    input  logic         flow_valid,    // of the parsed flow, and the two below
    input  logic         flow_reset,
    input  logic         resync,        // pulse
    input  logic  [31:0] resync_seq,
    input  logic  [31:0] resync_number, // BCD, stands for cycles before
    input  rx_window_t   window,        // of the session's flow
    input  logic         session_reset, // likewise
    input  logic         apart,         // the parsed flow is the market flow
    /* verilator lint_off UNUSEDSIGNAL */  // the numbers only
    input  market_flow_t market,        // as far as it has come
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic  [3:0]  market_wscale,
    input  header_t      header,
    input  stream_byte_t payload,
    input  logic         ended,         // the cycle after a frame's last byte
    input  logic         fcs_good,      // with ended
    input  logic  [31:0] end_cycle,     // with ended
    input  logic         parser_lost,   // broken framing of the stream
    input  logic         overflow,      // pulse: a message found no room
    input  logic         boundary,      // pulse: the parser has followed a message to its end, in a frame that was kept
    input  frame_length_t behind,       // with boundary: bytes that the frame has behind it
    input  logic  [31:0] number,        // with boundary, BCD: the next message's
    output stream_byte_t stream,
    output rollback_t    rollback,
    output rx_verdict_t  verdict,
    output logic         gap,
    output logic         synced,
    output logic         found,         // in a gap: `found_seq` is a boundary that a resync may name
    output logic  [31:0] found_seq,
    output logic  [31:0] rcv_nxt,
    output logic         segment_old,   // pulses
    output logic         segment_hole,
    output logic         desync
);
  logic known, missing;
  judged_t judged;
  logic skipping;
  // Of the session's flow, if that is not parsed, the highest end of payload is kept.
  logic session_known;
  logic [31:0] session_rcv_nxt;

  // What the segment is judged by: chosen once its flow is known, many cycles ahead of `judge`. Of the market flow it is what the
  // CPU has sent and seen acknowledged; its segments reach as far as any window of its scale could.
  rx_window_t its_window;
  logic unparsed, of_market, its_known, chosen_known;
  logic [31:0] its_rcv_nxt, chosen_snd_nxt, chosen_una, chosen_max;
  always_ff @(posedge clk) begin
    of_market <= apart && header.is_market;
    unparsed <= !header.is_market;
    its_known <= header.is_market ? known : session_known;
    its_rcv_nxt <= header.is_market ? rcv_nxt : session_rcv_nxt;
    chosen_known <= of_market ? market.snd_known : window.known;
    chosen_snd_nxt <= of_market ? market.snd_nxt : window.snd_nxt;
    chosen_una <= !of_market ? window.snd_una : market.una_known ? market.snd_una : market.snd_nxt;
    chosen_max <= of_market ? '0 : window.snd_max;
  end
  assign its_window = '{
          known: chosen_known, snd_nxt: chosen_snd_nxt, snd_una: chosen_una, snd_max: chosen_max,
          edge_known: window.edge_known && !of_market, rx_ack: window.rx_ack, rx_edge: window.rx_edge
      };
  segment_judge judge (
      .clk, .rst, .header, .window(its_window), .unparsed, .missing, .known(its_known), .rcv_nxt(its_rcv_nxt),
      .bounded(of_market), .wscale(market_wscale), .payload(payload.valid), .ended, .judged, .skipping
  );
  logic fresh;  // what is new in it is the parser's
  assign fresh = judged.fresh && judged.parsed;

  // The last byte of a frame belongs to its FCS, whatever the headers claim: it would follow the verdict.
  always_ff @(posedge clk) stream <= '{valid: payload.valid && fresh && !skipping && !ended, data: payload.data};

  // The verdict. What it does to the stream is decided a cycle earlier, to be a register.
  logic good, keep, restore;
  assign good = fcs_good && (header.sound || !header.ours);
  assign keep = ended && good && fresh;
  assign restore = ended && !good && fresh;
  /* verilator lint_off UNUSEDSIGNAL */  // the verdict takes the rest
  judged_t last;
  /* verilator lint_on UNUSEDSIGNAL */
  logic accepted, session_accepted;
  always_ff @(posedge clk) begin
    verdict <= '{
        done: ended && !rst,
        good: good,
        is_flow: header.is_flow,
        is_market: header.is_market,
        acceptable: judged.acceptable,
        ack_fits: judged.ack_fits,
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
    accepted <= ended && good && header.is_market && !rst;
    session_accepted <= ended && good && header.is_flow && !rst;
  end
  always_ff @(posedge clk) begin
    if (session_accepted && (last.fresh || last.hole || last.syn)) begin
      session_known <= 1'b1;
      session_rcv_nxt <= last.segment_end;
    end
    if (session_reset || rst) session_known <= 1'b0;
  end
  logic missed, broken;  // by this frame: what came before it, the parser
  assign missed = accepted && (last.hole || last.syn);
  assign broken = accepted && last.fresh && parser_lost;

  // The parser can start at rcv_nxt only between segments: with one that is half through, the resync comes too early by it.
  logic open, asked, at_wire, resynced, confirmed;
  logic [31:0] asked_seq;
  always_ff @(posedge clk) begin
    asked <= resync && flow_valid && !rst;
    asked_seq <= resync_seq;
    at_wire <= (!known || resync_seq == rcv_nxt) && !accepted;  // then rcv_nxt is about to move
    if (header.ports) open <= 1'b1;
    if (ended || rst) open <= 1'b0;
  end
  assign resynced = asked && at_wire && !(open && header.is_market) && !accepted;
  resync_point point (
      .clk, .rst, .gap, .lost(missed || broken || overflow || flow_reset), .boundary, .behind, .rcv_nxt, .number,
      .word_seq(resync_seq), .word_number(resync_number), .asked, .confirmed, .valid(found), .seq(found_seq)
  );

  always_ff @(posedge clk) begin
    if (accepted && (last.fresh || last.hole)) rcv_nxt <= last.segment_end;
    if (accepted && last.syn) rcv_nxt <= verdict.seq + 32'd1;
    if (missed) known <= 1'b1;
    if (resynced) begin
      rcv_nxt <= asked_seq;
      known   <= 1'b1;
    end
    // Where the runtime has read to, the kernel has all that came before.
    if (resynced || confirmed || (accepted && last.syn)) missing <= 1'b0;
    if (accepted && last.hole) missing <= 1'b1;
    // Doubt wins over a resync in the same cycle.
    if (resynced || confirmed) gap <= 1'b0;
    if (missed || broken || overflow) gap <= 1'b1;
    if (flow_reset || rst) begin
      gap   <= 1'b1;
      known <= 1'b0;
      missing <= 1'b0;
    end
  end

  always_ff @(posedge clk) begin
    rollback.clear <= flow_reset || resynced || missed;
    rollback.keep <= keep;
    rollback.restore <= restore;
    synced <= flow_valid && !gap;
    segment_old <= accepted && last.old && !gap;
    segment_hole <= accepted && last.hole && !gap;
    desync <= broken && !gap;
    if (rst) {rollback, synced} <= '0;
  end
endmodule
