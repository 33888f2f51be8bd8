// SPDX-License-Identifier: Apache-2.0
// Walks Ethernet, IPv4 and TCP headers of a frame and marks the TCP payload.
//
// A frame is walked part by part; part, place within it and all that follows from them are known with the byte on the
// port, so a byte is looked at one cycle later, with a strobe of its own. Everything begins with the frame: `first`
// clears what a former frame has left. Only untagged Ethernet to the CPU's address, IPv4 and unfragmented TCP can be of
// the flow; IP and TCP options are skipped. Bytes beyond the IP total length are padding and FCS.
module frame_headers
  import fixaccel_types_pkg::*, receive_pkg::*;
(
    input  logic         clk,
    input  logic         rst,
    input  logic  [7:0]  data,
    input  logic         valid,
    input  logic         last,
    input  flow_t        flow,
    input  logic [47:0]  local_mac,
    input  logic         local_mac_known,
    output header_t      header,
    output stream_byte_t payload          // a byte of TCP payload, one cycle after the port
);
  // ---- On the port: where the byte stands.
  typedef enum logic [1:0] {ETHERNET, IP, TCP, PAYLOAD} part_t;
  typedef logic [5:0] place_t;
  localparam place_t ETHERNET_END = 6'd13;
  // Places in the IP header.
  localparam place_t IP_VERSION = 6'd0, IP_TOTAL = 6'd2, IP_IDENT = 6'd4, IP_FRAGMENT = 6'd6, IP_PROTOCOL = 6'd9,
      IP_SOURCE = 6'd12, IP_TARGET = 6'd16, IP_FIXED = 6'd20;
  // Places in the TCP header.
  localparam place_t TCP_SOURCE = 6'd0, TCP_TARGET = 6'd2, TCP_SEQ = 6'd4, TCP_ACK = 6'd8, TCP_OFFSET = 6'd12,
      TCP_FLAGS = 6'd13, TCP_WINDOW = 6'd14, TCP_END = 6'd19;

  part_t part;
  place_t place;
  logic first;                // the byte on the port begins a frame
  logic [3:0] ihl, offset;    // lengths of the headers in words
  place_t ip_end, tcp_end;    // and their last places
  logic part_ends;
  always_comb
    unique case (part)
      ETHERNET: part_ends = place == ETHERNET_END;
      IP: part_ends = place == ip_end;
      TCP: part_ends = place == tcp_end;
      default: part_ends = 1'b0;
    endcase
  always_ff @(posedge clk) begin
    if (valid) begin
      first <= last;
      place <= (last || part_ends) ? '0 : place + place_t'(1);
      if (last) part <= ETHERNET;
      else if (part_ends) part <= part_t'(part + 2'd1);
    end
    if (rst) begin
      first <= 1'b1;
      part  <= ETHERNET;
      place <= '0;
    end
  end

  // Bytes of the IP packet to come, counted from where its length is known; then those behind it, up to four.
  localparam place_t COUNT_FROM = IP_IDENT + place_t'(1);
  localparam logic [15:0] COUNTED = 16'(COUNT_FROM) + 16'd1;
  logic [15:0] total, left;
  logic begin_count, counting, in_ip;
  logic [2:0] trailer;
  always_ff @(posedge clk)
    if (valid) begin
      begin_count <= part == IP && place == COUNT_FROM - place_t'(1);
      if (first) {in_ip, counting, trailer} <= {2'b10, 3'd0};
      else if (begin_count) begin
        left <= total - COUNTED;
        in_ip <= total > COUNTED;
        counting <= 1'b1;
      end else if (counting && in_ip) begin
        left  <= left - 16'd1;
        in_ip <= left != 16'd1;
      end
      if (!first && !in_ip && trailer != 3'd4) trailer <= trailer + 3'd1;
    end

  // ---- One cycle later: the byte itself.
  typedef struct packed {
    logic version, total, ports, seq, ack, offset, flags, window, last;
  } strobes_t;
  strobes_t at;
  logic now, now_first, now_last, now_payload, odd, take_ip, take_tcp, replace;
  logic [7:0] now_data, expected, mask, replacement;
  logic [23:0] recent;
  logic [31:0] word;
  assign word = {recent, now_data};

  // What a byte must be in a frame of the flow: {bits that matter, value}.
  function automatic logic [15:0] demand(part_t in, place_t index);
    demand = '0;
    unique case (in)
      ETHERNET:
      case (index)
        6'd0: demand = {{8{local_mac_known}}, local_mac[47:40]};
        6'd1: demand = {{8{local_mac_known}}, local_mac[39:32]};
        6'd2: demand = {{8{local_mac_known}}, local_mac[31:24]};
        6'd3: demand = {{8{local_mac_known}}, local_mac[23:16]};
        6'd4: demand = {{8{local_mac_known}}, local_mac[15:8]};
        6'd5: demand = {{8{local_mac_known}}, local_mac[7:0]};
        6'd12: demand = 16'hFF08;
        6'd13: demand = 16'hFF00;
        default: ;
      endcase
      IP:
      case (index)
        IP_VERSION: demand = 16'hF040;
        IP_FRAGMENT: demand = 16'h3F00;  // more fragments and offset; "do not fragment" is fine
        IP_FRAGMENT + 6'd1: demand = 16'hFF00;
        IP_PROTOCOL: demand = 16'hFF06;
        IP_SOURCE: demand = {8'hFF, flow.remote_ip[31:24]};
        IP_SOURCE + 6'd1: demand = {8'hFF, flow.remote_ip[23:16]};
        IP_SOURCE + 6'd2: demand = {8'hFF, flow.remote_ip[15:8]};
        IP_SOURCE + 6'd3: demand = {8'hFF, flow.remote_ip[7:0]};
        IP_TARGET: demand = {8'hFF, flow.local_ip[31:24]};
        IP_TARGET + 6'd1: demand = {8'hFF, flow.local_ip[23:16]};
        IP_TARGET + 6'd2: demand = {8'hFF, flow.local_ip[15:8]};
        IP_TARGET + 6'd3: demand = {8'hFF, flow.local_ip[7:0]};
        default: ;
      endcase
      TCP:
      case (index)
        TCP_SOURCE: demand = {8'hFF, flow.remote_port[15:8]};
        TCP_SOURCE + 6'd1: demand = {8'hFF, flow.remote_port[7:0]};
        TCP_TARGET: demand = {8'hFF, flow.local_port[15:8]};
        TCP_TARGET + 6'd1: demand = {8'hFF, flow.local_port[7:0]};
        default: ;
      endcase
      default: ;
    endcase
  endfunction

  always_ff @(posedge clk) begin
    now <= valid && !rst;
    if (valid) begin
      now_data <= data;
      recent <= word[23:0];
      now_first <= first;
      now_last <= last;
      now_payload <= part == PAYLOAD && in_ip;
      odd <= place[0];
      {mask, expected} <= demand(part, place);
      at <= '{
          version: part == IP && place == IP_VERSION,
          total: part == IP && place == IP_TOTAL + 6'd1,
          ports: part == TCP && place == TCP_TARGET + 6'd1,
          seq: part == TCP && place == TCP_SEQ + 6'd3,
          ack: part == TCP && place == TCP_ACK + 6'd3,
          offset: part == TCP && place == TCP_OFFSET,
          flags: part == TCP && place == TCP_FLAGS,
          window: part == TCP && place == TCP_WINDOW + 6'd1,
          last: part == TCP && place == TCP_END && in_ip
      };
      // The pseudo header counts addresses, protocol and the TCP length. The sum takes the IP total length; the two bytes
      // behind it are replaced so that they take off the IP header: 16'hFFFF - 4 * ihl.
      take_ip <= part == IP;
      take_tcp <= in_ip && (part == TCP || part == PAYLOAD || (part == IP && place < IP_FIXED &&
          (place >= IP_SOURCE || place == IP_PROTOCOL || (place >= IP_TOTAL && place < IP_FRAGMENT))));
      replace <= part == IP && (place == IP_IDENT || place == IP_IDENT + 6'd1);
      replacement <= (place == IP_IDENT) ? 8'hFF : ~{2'b00, ihl, 2'b00};
    end
  end
  assign payload = '{valid: now && now_payload, data: now_data};

  // Match and fields. What is sticky begins anew with the frame's first byte.
  localparam logic [3:0] LEAST_WORDS = 4'd5;
  localparam place_t LEAST_END = {LEAST_WORDS - 4'd1, 2'b11};
  logic matched, reached, whole, short_header;
  logic [5:0] words;        // of both
  logic syn, fin, reset, ack_flag;
  logic [31:0] seq, ack;
  logic [15:0] window;
  logic [16:0] rest;        // TCP payload bytes; negative: the headers are longer than the packet
  always_ff @(posedge clk) begin
    words <= 6'(ihl) + 6'(offset);
    rest <= {1'b0, total} - {9'b0, words, 2'b00};
    if (now) begin
      matched <= (now_first || matched) && ((now_data ^ expected) & mask) == '0;
      if (now_first) begin
        {reached, whole, short_header} <= '0;
        {ip_end, tcp_end} <= {2{LEAST_END}};
      end
      if (at.version) begin
        ihl <= now_data[3:0];
        if (now_data[3:0] < LEAST_WORDS) short_header <= 1'b1;
        else ip_end <= {now_data[3:0] - 4'd1, 2'b11};
      end
      if (at.total) total <= word[15:0];
      if (at.ports) reached <= 1'b1;
      if (at.seq) seq <= word;
      if (at.ack) ack <= word;
      if (at.offset) begin
        offset <= now_data[7:4];
        if (now_data[7:4] < LEAST_WORDS) short_header <= 1'b1;
        else tcp_end <= {now_data[7:4] - 4'd1, 2'b11};
      end
      if (at.flags) {ack_flag, reset, syn, fin} <= {now_data[4], now_data[2:0]};
      if (at.window) window <= word[15:0];
      if (at.last) whole <= !rest[16];
      if (now_last) {reached, whole} <= '0;
    end
    if (rst) {reached, whole} <= '0;
  end

  // Checksums.
  logic ip_ok, tcp_ok;
  ones_sum ip_sum (
      .clk, .clear(now && now_first), .take(now && take_ip), .odd, .data(now_data), .ok(ip_ok)
  );
  ones_sum tcp_sum (
      .clk, .clear(now && now_first), .take(now && take_tcp), .odd, .data(replace ? replacement : now_data), .ok(tcp_ok)
  );

  assign header = '{
          first: now && now_first,
          ports: now && at.ports,
          judge: now && at.last,
          is_flow: flow.valid && matched && reached,
          sound: whole && !short_header && !in_ip && trailer == 3'd4 && ip_ok && tcp_ok,
          syn: syn,
          fin: fin,
          rst: reset,
          ack_flag: ack_flag,
          seq: seq,
          ack: ack,
          window: window,
          length: rest[15:0]
      };
endmodule
