// SPDX-License-Identifier: Apache-2.0
// Walks the headers of a frame as its bytes come and says what the frame is. Valid after the last byte until `start`.
module header_walk
  import crc32_pkg::*;
  import egress_pkg::*;
  import fixaccel_types_pkg::*;
(
    input  logic              clk,
    input  flow_t             flow,
    input  logic              start,   // forget the frame before
    input  logic              valid,   // one byte of a frame with FCS
    input  logic       [ 7:0] data,
    output cpu_frame_t        frame
);
  localparam int MAX_BYTES = 2047;

  logic [10:0] n;  // bytes seen
  logic too_long;
  logic [31:0] crc;
  logic [23:0] last3;
  logic [31:0] word;  // the last four bytes, this one among them
  assign word = {last3, data};

  logic [95:0] macs;
  logic ip_ok, fragment;
  logic [3:0] ihl, data_offset;
  logic [15:0] total;
  logic [31:0] src_ip, dst_ip, ports;
  logic [6:0] base;
  assign base = 7'(ETHERNET_BYTES) + {1'b0, ihl, 2'b00};

  // Offset inside the TCP header; only looked at once the IP header is known.
  logic [10:0] t;
  assign t = n - {4'b0, base};

  logic [31:0] seq, ack;
  logic [15:0] window, checksum;
  logic [3:0] flags;  // ACK RST SYN FIN
  logic tcp_seen;

  always_ff @(posedge clk) begin
    if (valid) begin
      if (n == 11'(MAX_BYTES)) too_long <= 1'b1;
      else n <= n + 1;
      crc <= crc32_byte(crc, data);
      last3 <= word[23:0];
      if (n < 11'(2 * MAC_BYTES)) macs <= {macs[87:0], data};
      case (n)
        11'd13: ip_ok <= word[15:0] == TYPE_IPV4;
        11'd14: {ip_ok, ihl} <= {ip_ok && data[7:4] == 4'd4 && data[3:0] >= 4'd5, data[3:0]};
        11'd17: total <= word[15:0];
        11'd21: fragment <= word[13:0] != '0;  // more fragments, or an offset
        11'd23: ip_ok <= ip_ok && data == PROTOCOL_TCP;
        11'd29: src_ip <= word;
        11'd33: dst_ip <= word;
        default: ;
      endcase
      if (n >= {4'b0, base} && n >= 11'd34)
        case (t)
          11'd3: ports <= word;
          11'd7: seq <= word;
          11'd11: ack <= word;
          11'd12: data_offset <= data[7:4];
          11'd13: flags <= {data[4], data[2:0]};
          11'd15: window <= word[15:0];
          11'd17: checksum <= word[15:0];
          11'd19: tcp_seen <= 1'b1;
          default: ;
        endcase
    end
    if (start) begin
      n <= '0;
      too_long <= 1'b0;
      crc <= CRC32_START;
      ip_ok <= 1'b0;
      fragment <= 1'b0;
      tcp_seen <= 1'b0;
      ports <= '0;
      ihl <= '0;
      data_offset <= '0;
    end
  end

  logic [10:0] length;
  logic [15:0] headers;
  logic sound;
  assign length = n - 11'(FCS_BYTES);
  assign headers = {10'b0, ihl, 2'b00} + {10'b0, data_offset, 2'b00};
  assign sound = tcp_seen && !fragment && data_offset >= 4'd5 && total >= headers &&
      {1'b0, total} + 17'(ETHERNET_BYTES) <= {6'b0, length};

  always_comb begin
    frame = '0;
    frame.good = !too_long && n >= 11'(ETHERNET_BYTES + FCS_BYTES) && crc == CRC32_RESIDUE;
    frame.is_flow = flow.valid && ip_ok && src_ip == flow.local_ip && dst_ip == flow.remote_ip &&
        ports == {flow.local_port, flow.remote_port};
    frame.malformed = frame.is_flow && !sound;
    {frame.ack_flag, frame.rst, frame.syn, frame.fin} = flags;
    frame.seq = seq;
    frame.ack = ack;
    frame.window = window;
    frame.checksum = checksum;
    frame.payload = total - headers;
    frame.tcp_base = base;
    frame.length = length;
    {frame.dst_mac, frame.src_mac} = macs;
  end
endmodule
