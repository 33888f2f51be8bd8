// SPDX-License-Identifier: Apache-2.0
// Streams an order frame without FCS: headers, then the payload. The first byte needs nothing of the order and stands
// ready; the length is needed at byte 16, the checksums as order_sums says.
module order_builder
  import egress_pkg::*;
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
  import order_pkg::*;
(
    input  logic            clk,
    input  logic            rst,
    input  logic            start,        // the first byte is handed over
    /* verilator lint_off UNUSEDSIGNAL */  // headers
    input  leaving_t        leaving,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic     [15:0] length,       // payload bytes, a few cycles behind `start`
    input  logic     [15:0] ip_checksum,
    input  logic     [15:0] tcp_checksum,
    input  logic     [ 7:0] fetched,      // next payload byte
    output logic            pop,          // it is taken
    output logic            streaming,    // from the cycle after `start` to the last byte
    output logic            frozen,       // so too, for what many bits hang on
    output logic     [ 7:0] data,
    output logic            last,
    output logic            payload,      // `data` is a byte of the FIX message
    output logic            closing,      // a few bytes are left, or none
    input  logic            ready
);
  localparam logic [TEMPLATE_SHAPE_LAST_BYTE_BITS:0] CLOSING = 12;  // bytes in which a fire's record is written
  localparam int HEADER_BYTES = ETHERNET_BYTES + IP_BYTES + TCP_BYTES;

  // Header bytes on their way: one of each eight, the one of them that is meant, the byte shown.
  localparam int EIGHTS = (HEADER_BYTES + 7) / 8;
  localparam int FIRST = 8 * EIGHTS - 1;
  logic [5:0] pos;  // header byte that is fetched next
  (* keep = "true" *) logic [EIGHTS/2:0][2:0] places;  // its lowest bits, for each two: many bits hang on them
  (* keep = "true" *) logic [5:0] pos_next;  // but for `start`, which comes late in a cycle
  logic [EIGHTS-1:0][7:0] one_of_eight;
  logic [2:0] eight;
  logic [7:0] first, shown;  // apart, so that nothing but `pos` depends on `start`
  logic [7:0] upcoming;      // byte that follows `shown`
  logic in_payload;          // none does
  logic [TEMPLATE_SHAPE_LAST_BYTE_BITS:0] left;  // payload bytes, the next one among them
  // The same thrice: outside, for what leaves, and here.
  (* keep = "true" *) logic [2:0][0:0] streams;
  logic moves;  // here
  assign {moves, frozen, streaming} = streams;
  assign data = moves ? shown : first;
  assign pop = ready && in_payload && !last;  // while streaming only

  logic [15:0] ip_length;
  always_ff @(posedge clk) ip_length <= length + 16'(IP_BYTES + TCP_BYTES);

  logic [FIRST:0][7:0] header;  // the first byte uppermost
  segment_t segment;
  assign segment = leaving.segment;
  assign header = {
    segment.dst_mac, segment.src_mac, TYPE_IPV4,
    IP_VERSION_WORD, ip_length, segment.ip_id, IP_FRAGMENT_WORD, IP_PROTOCOL_WORD, ip_checksum,
    segment.src_ip, segment.dst_ip,
    segment.src_port, segment.dst_port, segment.seq, segment.ack, TCP_FLAGS_WORD, segment.window, tcp_checksum,
    16'h0000, (8 * (8 * EIGHTS - HEADER_BYTES))'(0)
  };

  always_comb begin
    pos_next = pos;
    if (ready) pos_next = pos + 1'b1;
    if (!moves || (ready && last)) pos_next = 6'd3;
  end
  always_ff @(posedge clk) begin
    if (!moves || ready) begin
      for (int i = 0; i < EIGHTS; i++) one_of_eight[i] <= header[{3'(EIGHTS-1-i), ~places[i/2]}];
      eight <= pos[5:3];
    end
    if (!moves || (ready && last)) begin
      first <= header[FIRST];
      shown <= header[FIRST-1];
      upcoming <= header[FIRST-2];
      {in_payload, payload, last, closing} <= '0;
    end else if (ready) begin
      shown <= in_payload ? fetched : upcoming;
      upcoming <= one_of_eight[eight];
      if (pos == 6'(HEADER_BYTES + 1)) in_payload <= 1'b1;
      payload <= in_payload;
      last <= in_payload && left == 1;
      closing <= in_payload && left <= CLOSING;
      left <= in_payload ? left - 1'b1 : (TEMPLATE_SHAPE_LAST_BYTE_BITS + 1)'(length);
    end
    pos <= (pos_next & ~{6{start}}) | (6'd4 & {6{start}});
    for (int i = 0; i <= EIGHTS / 2; i++) places[i] <= (pos_next[2:0] & ~{3{start}}) | (3'd4 & {3{start}});
    streams <= {3{start || (moves && !(ready && last))}};
    if (rst) {streams, in_payload, closing} <= '0;
  end
endmodule
