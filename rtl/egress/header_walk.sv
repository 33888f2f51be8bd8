// SPDX-License-Identifier: Apache-2.0
// Walks the headers of a frame as its bytes come and says what the frame is: WALK_CYCLES after its last byte, until the
// cycle after `start`.
module header_walk
  import crc32_pkg::*;
  import egress_pkg::*;
  import fixaccel_types_pkg::*;
(
    input  logic              clk,
    input  flow_t             flow,
    input  flow_t             market,
    input  logic              start,   // forget the frame before
    input  logic              byte_valid,  // one byte of a frame with FCS
    input  logic       [ 7:0] byte_data,
    output cpu_frame_t        frame
);
  frame_length_t n;  // bytes seen, `data` among them
  logic valid;
  logic [7:0] data;
  logic in_macs;
  /* verilator lint_off UNUSEDSIGNAL */  // places between fields
  logic [33:13] at;  // place of `data` in the headers
  /* verilator lint_on UNUSEDSIGNAL */
  always_ff @(posedge clk) begin
    {valid, data} <= {byte_valid, byte_data};
    in_macs <= n < frame_length_t'(2 * MAC_BYTES);
    for (int i = 13; i < 34; i++) at[i] <= n == frame_length_t'(i);
  end

  logic too_long;
  logic [31:0] crc;
  logic [23:0] last3;
  logic [31:0] word;  // the last four bytes, this one among them
  assign word = {last3, data};

  logic [95:0] macs;
  logic ip_ok, fragment;
  logic [3:0] ihl, data_offset;
  logic [15:0] total;
  logic [5:0] ip_left;  // bytes of the IP header that are still to come
  logic [19:0] tcp_at;  // place of `data` in the TCP header's fixed part, a bit each

  logic [31:0] seq, ack;
  logic [15:0] window, checksum;
  logic [3:0] flags;  // ACK RST SYN FIN
  logic tcp_seen;

  always_ff @(posedge clk) begin
    if (byte_valid) begin
      if (n == frame_length_t'(MAX_FRAME_BYTES)) too_long <= 1'b1;
      else n <= n + 1;
    end
    if (valid) begin
      crc <= crc32_byte(crc, data);
      last3 <= word[23:0];
      if (in_macs) macs <= {macs[87:0], data};
      if (ip_left != '0) ip_left <= ip_left - 1;
      tcp_at <= {tcp_at[18:0], ip_left == 6'd1};
      if (at[13]) ip_ok <= word[15:0] == TYPE_IPV4;
      if (at[14]) begin
        {ip_ok, ihl} <= {ip_ok && data[7:4] == 4'd4 && data[3:0] >= 4'd5, data[3:0]};
        ip_left <= {data[3:0] - 4'd1, 2'd3};
      end
      if (at[17]) total <= word[15:0];
      if (at[21]) fragment <= word[13:0] != '0;  // more fragments, or an offset
      if (at[23]) ip_ok <= ip_ok && data == PROTOCOL_TCP;
      if (tcp_at[7]) seq <= word;
      if (tcp_at[11]) ack <= word;
      if (tcp_at[12]) data_offset <= data[7:4];
      if (tcp_at[13]) flags <= {data[4], data[2:0]};
      if (tcp_at[15]) window <= word[15:0];
      if (tcp_at[17]) checksum <= word[15:0];
      if (tcp_at[19]) tcp_seen <= 1'b1;
    end
    if (start) begin
      n <= '0;
      too_long <= 1'b0;
      crc <= CRC32_START;
      ip_ok <= 1'b0;
      fragment <= 1'b0;
      tcp_seen <= 1'b0;
      tcp_at <= '0;
      ip_left <= '0;
      ihl <= '0;
      data_offset <= '0;
    end
  end

  // Addresses and ports one after the other, each word with what either flow has there.
  logic [1:0] turn;
  logic [1:0][31:0] wanted;
  logic [1:0] same, unlike;  // the session's flow, the market flow
  logic compared, ports_seen;
  always_ff @(posedge clk) begin
    if (valid && (at[29] || at[33])) turn <= at[29] ? 2'd1 : 2'd2;
    wanted[0] <= turn[1] ? {flow.local_port, flow.remote_port} : turn[0] ? flow.remote_ip : flow.local_ip;
    wanted[1] <= turn[1] ? {market.local_port, market.remote_port} : turn[0] ? market.remote_ip : market.local_ip;
    compared <= valid && (at[29] || at[33] || tcp_at[3]);
    for (int i = 0; i < 2; i++) same[i] <= word == wanted[i];
    if (compared) unlike <= unlike | ~same;
    if (valid && tcp_at[3]) ports_seen <= 1'b1;
    if (start) {turn, compared, unlike, ports_seen} <= '0;
  end

  // Cycle 2: sums and comparisons of fields; 3: what they mean; 4: the frame.
  frame_length_t length;
  logic [15:0] headers, payload;
  logic [16:0] needed;
  logic good, may_be, like_ours, like_market, ours, of_market, whole, sound;
  assign whole = tcp_seen && !fragment && data_offset >= 4'd5;
  always_ff @(posedge clk) begin
    length <= n - frame_length_t'(FCS_BYTES);
    headers <= {10'b0, ihl, 2'b00} + {10'b0, data_offset, 2'b00};
    needed <= {1'b0, total} + 17'(ETHERNET_BYTES);
    good <= !too_long && n >= frame_length_t'(ETHERNET_BYTES + FCS_BYTES) && crc == CRC32_RESIDUE;
    may_be <= ip_ok && ports_seen;
    like_ours <= flow.valid && !unlike[0];
    like_market <= market.valid && !unlike[1];

    ours <= may_be && like_ours;
    of_market <= may_be && like_market;
    sound <= whole && total >= headers && !(17'(length) < needed);
    payload <= total - headers;

    frame.good <= good;
    frame.is_flow <= ours;
    frame.is_market <= of_market && !ours;
    frame.malformed <= (ours || of_market) && !sound;
    {frame.ack_flag, frame.rst, frame.syn, frame.fin} <= flags;
    frame.seq <= seq;
    frame.ack <= ack;
    frame.window <= window;
    frame.checksum <= checksum;
    frame.payload <= payload;
    frame.tcp_base <= 7'(ETHERNET_BYTES) + {1'b0, ihl, 2'b00};
    frame.length <= length;
    {frame.dst_mac, frame.src_mac} <= macs;
  end
endmodule
