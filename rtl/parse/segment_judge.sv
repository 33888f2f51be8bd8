// SPDX-License-Identifier: Apache-2.0
// Judges a segment of a flow as the CPU's kernel will when it has had everything before (RFC 9293, 5961 and what Linux
// does): an acknowledgement of bytes that were never sent, or one older than a window, makes the whole segment void; so
// do data beyond the advertised window, and so does a segment that ends before what the CPU has acknowledged. RST counts
// at the very next byte only, FIN when its data are next, SYN never once the connection is known. URG does not
// matter: the runtime keeps urgent data in the stream.
//
// Where bytes are missing the kernel still waits for them. Of the flow that is parsed there is a gap then, and neither FIN
// nor RST is next. Of one that is not nothing tells of it: doubt is against orders, so any FIN counts that the kernel would
// take or keep, and a RST behind the last byte seen, or at what the CPU has acknowledged.
//
// Differences and comparisons take a cycle each; all stand by `judge`, which is seven cycles behind the last field.
module segment_judge
  import fixaccel_types_pkg::*, receive_pkg::*;
(
    input  logic        clk,
    input  logic        rst,
    /* verilator lint_off UNUSEDSIGNAL */  // some fields are for the verdict only
    input  header_t     header,
    /* verilator lint_on UNUSEDSIGNAL */
    input  rx_window_t  window,
    input  logic        unparsed,    // of a flow that is not parsed
    input  logic        missing,     // bytes before rcv_nxt, of the parsed flow
    input  logic        known,       // rcv_nxt stands
    input  logic [31:0] rcv_nxt,
    input  logic        bounded,     // `window` has no edge: 65,536 << wscale bytes behind rcv_nxt is one
    input  logic [ 3:0] wscale,
    input  logic        payload,     // a byte of payload
    input  logic        ended,       // the cycle after the frame's last byte
    output judged_t     judged,
    output logic        skipping     // that byte was parsed before
);
  // Signed differences, then what they say.
  logic [31:0] distance, segment_end;
  /* verilator lint_off UNUSEDSIGNAL */  // the signs only
  logic [31:0] unsent, age, room, ahead;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [15:0] within_scale;
  logic near;
  logic reached, exact, at_ack, within_data, at_data_end, ack_sent, ack_young, in_window, has_data, acknowledged;
  always_ff @(posedge clk) begin
    distance <= rcv_nxt - header.seq;
    segment_end <= header.seq + {16'b0, header.length};
    has_data <= header.length != '0;
    reached <= !distance[31];
    exact <= distance == '0;
    at_ack <= window.edge_known && header.seq == window.rx_ack;
    within_data <= distance[31:16] == '0 && distance[15:0] < header.length;
    at_data_end <= distance == {16'b0, header.length};

    for (int i = 0; i < 16; i++) within_scale[i] <= i < int'(wscale);
    near <= !bounded || !known || !distance[31] || (distance[31:16] | within_scale) == '1;

    unsent <= window.snd_nxt - header.ack;
    ack_sent <= !unsent[31];
    age <= header.ack - window.snd_una + window.snd_max;
    ack_young <= !age[31];

    room <= window.rx_edge - segment_end;
    in_window <= !window.edge_known || !room[31];
    ahead <= segment_end - window.rx_ack;
    acknowledged <= window.edge_known && ahead[31];
  end

  logic ack_fits, acceptable, data, next, opens, fin_next, rst_next;
  assign ack_fits = header.ack_flag && (!window.known || (ack_sent && ack_young));
  assign acceptable = header.ours && !header.rst && !header.syn && in_window && near && !acknowledged && ack_fits;
  assign data = acceptable && has_data;
  assign opens = header.ours && header.syn && !header.rst && !known;
  assign next = known && reached;
  assign fin_next = unparsed || (!missing && next && (within_data || at_data_end));
  assign rst_next = (known && exact && (unparsed || !missing)) || (unparsed && at_ack);
  logic [15:0] skip;
  always_ff @(posedge clk) begin
    if (header.judge)
      judged <= '{
          acceptable: acceptable || opens,
          ack_fits: ack_fits,
          parsed: !unparsed,
          fresh: data && next && within_data,
          old: header.ours && !header.rst && !header.syn && has_data && next && !within_data,  // whatever it acknowledges
          hole: data && !next,
          fin: acceptable && header.fin && fin_next,
          rst: header.ours && header.rst && rst_next,
          syn: opens,
          segment_end: segment_end
      };
    if (header.judge) begin
      skip <= distance[15:0];
      skipping <= !exact;
    end else if (payload && skipping) begin
      skip <= skip - 16'd1;
      skipping <= skip != 16'd1;
    end
    // No frame leaves anything behind.
    if (header.first || ended || rst) judged <= '0;
  end
endmodule
