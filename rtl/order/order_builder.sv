// SPDX-License-Identifier: Apache-2.0
// Streams an order frame without FCS: headers, then the template with its patches. The first byte is shown the cycle
// after `start` and needs nothing of the order; the payload length is needed at byte 16, the checksums as order_sums says.
module order_builder
  import egress_pkg::*;
  import fixaccel_hwmap_pkg::*;
  import order_pkg::*;
(
    input  logic                  clk,
    input  logic                  rst,
    input  logic                  start,
    input  logic                  abort,          // level before byte ABORT_AT: end there with `error`
    input  segment_t              segment,        // holds still from `start` on
    input  logic           [15:0] length,         // payload bytes
    input  logic           [15:0] ip_checksum,
    input  logic           [15:0] tcp_checksum,
    input  fields_t               fields,
    /* verilator lint_off UNUSEDSIGNAL */  // the texts only
    input  order_t                order,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic           [ 8:0] template_offset,  // answered one cycle later
    input  template_byte_t        template_byte,
    output logic                  valid,
    output logic           [ 7:0] data,
    output logic                  last,
    output logic                  error,          // with last
    output logic                  payload,        // `data` is a byte of the FIX message
    input  logic                  ready
);
  localparam int HEADER_BYTES = ETHERNET_BYTES + IP_BYTES + TCP_BYTES;
  localparam logic [5:0] ABORT_AT = 20;

  logic active;  // bytes are left to load
  logic [5:0] pos;  // header byte to load next, then HEADER_BYTES
  logic [8:0] offset;  // payload byte to load next
  logic load, in_payload, ends;
  assign load = start || (active && (!valid || ready));
  assign in_payload = pos == 6'(HEADER_BYTES);
  assign ends = in_payload && {7'b0, offset} == length - 1;

  // The memory answers one cycle later: ask for the byte that will be loaded then.
  assign template_offset = (load && in_payload) ? offset + 1 : offset;

  logic [15:0] ip_length;
  assign ip_length = length + 16'(IP_BYTES + TCP_BYTES);

  function automatic logic [7:0] header_byte();
    logic [8*HEADER_BYTES-1:0] header;
    header = {
      segment.dst_mac, segment.src_mac, TYPE_IPV4,
      IP_VERSION_WORD, ip_length, segment.ip_id, IP_FRAGMENT_WORD, IP_PROTOCOL_WORD, ip_checksum,
      segment.src_ip, segment.dst_ip,
      segment.src_port, segment.dst_port, segment.seq, segment.ack, TCP_FLAGS_WORD, segment.window, tcp_checksum,
      16'h0000
    };
    return header[8*(HEADER_BYTES-1-int'(pos))+:8];
  endfunction

  function automatic logic [7:0] payload_byte();
    logic [4:0] index;
    index = template_byte.value[4:0];
    if (!template_byte.patch) return template_byte.value;
    case (template_byte.value[7:5])
      3'(PATCH_SEQ_NUM): return seq_num_char(fields.seq_num, index[2:0]);
      3'(PATCH_TIME): return time_char(fields.utc, index);
      3'(PATCH_CL_ORD_ID): return cl_ord_id_char(fields.epoch, fields.rule, fields.fires, index);
      3'(PATCH_CHECKSUM): return checksum_char(fields.checksum, index[1:0]);
      3'(PATCH_PRICE): return order.price[{index[3:0], 3'b000}+:8];
      default: return qty_char(order.qty, index[3:0]);
    endcase
  endfunction

  always_ff @(posedge clk) begin
    if (valid && ready) valid <= 1'b0;
    if (load) begin
      valid <= 1'b1;
      active <= 1'b1;
      data <= in_payload ? payload_byte() : header_byte();
      payload <= in_payload;
      last <= ends;
      error <= 1'b0;
      if (in_payload) offset <= offset + 1;
      else pos <= pos + 1;
      if (abort && pos == ABORT_AT) {last, error} <= 2'b11;
      if (ends || (abort && pos == ABORT_AT)) begin
        active <= 1'b0;
        pos <= '0;
        offset <= '0;
      end
    end
    if (rst) begin
      {valid, active} <= '0;
      pos <= '0;
      offset <= '0;
    end
  end
endmodule
