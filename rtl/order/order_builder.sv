// SPDX-License-Identifier: Apache-2.0
// Streams an order frame without FCS: headers, then the payload. The first byte needs nothing of the order and stands
// ready; the length is needed at byte 16, the checksums as order_sums says.
module order_builder
  import egress_pkg::*;
  import fixaccel_hwmap_pkg::*;
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
    output logic     [ 7:0] data,
    output logic            last,
    output logic            payload,      // `data` is a byte of the FIX message
    input  logic            ready
);
  localparam int HEADER_BYTES = ETHERNET_BYTES + IP_BYTES + TCP_BYTES;

  logic [7:0] upcoming;  // header byte that follows `data`
  logic [5:0] pos;       // the one behind that
  logic [TEMPLATE_SHAPE_LAST_BYTE_BITS:0] left;  // payload bytes, the next one among them
  logic step, in_payload;
  assign step = start || (streaming && ready);
  assign in_payload = pos == 6'(HEADER_BYTES + 1);
  assign pop = streaming && ready && in_payload && !last;

  logic [15:0] ip_length;
  always_ff @(posedge clk) ip_length <= length + 16'(IP_BYTES + TCP_BYTES);

  logic [8*HEADER_BYTES-1:0] header;
  segment_t segment;
  assign segment = leaving.segment;
  assign header = {
    segment.dst_mac, segment.src_mac, TYPE_IPV4,
    IP_VERSION_WORD, ip_length, segment.ip_id, IP_FRAGMENT_WORD, IP_PROTOCOL_WORD, ip_checksum,
    segment.src_ip, segment.dst_ip,
    segment.src_port, segment.dst_port, segment.seq, segment.ack, TCP_FLAGS_WORD, segment.window, tcp_checksum,
    16'h0000
  };

  always_ff @(posedge clk) begin
    if (streaming ? ready && last : !start) begin
      data <= segment.dst_mac[47:40];
      upcoming <= segment.dst_mac[39:32];
      pos <= 6'd2;
      payload <= 1'b0;
      last <= 1'b0;
    end else if (step) begin
      data <= in_payload ? fetched : upcoming;
      upcoming <= header[8*(HEADER_BYTES-1-int'(pos))+:8];
      payload <= in_payload;
      last <= in_payload && left == 1;
      if (in_payload) left <= left - 1'b1;
      else begin
        pos <= pos + 1'b1;
        left <= (TEMPLATE_SHAPE_LAST_BYTE_BITS + 1)'(length);
      end
    end
    if (start) streaming <= 1'b1;
    else if (streaming && ready && last) streaming <= 1'b0;
    if (rst) streaming <= 1'b0;
  end
endmodule
