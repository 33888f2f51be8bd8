// SPDX-License-Identifier: Apache-2.0
// Walks Ethernet, IPv4 and TCP headers of a frame and marks the TCP payload.
//
// A frame is walked part by part; part, place within it and all that follows from them are known with the byte on the
// port, so a byte is looked at one cycle later, with a strobe of its own. Everything begins with the frame: `first`
// clears what a former frame has left. Only untagged Ethernet to the CPU's address, IPv4 and unfragmented TCP can be of
// a flow; both flows are looked for at once. IP and TCP options are skipped. Bytes beyond the IP total length are padding and FCS.
module frame_headers
  import fixaccel_types_pkg::*, receive_pkg::*;
(
    input  logic         clk,
    input  logic         rst,
    input  logic  [7:0]  data,
    input  logic         valid,
    input  logic         last,
    input  flow_t        flow,
    input  flow_t        market,
    input  logic [47:0]  local_mac,
    input  logic         local_mac_known,
    input  logic [COMMIT_BITS-1:0] commit_ahead,
    output header_t      header,
    output logic         ending,          // no more of the packet than `commit_ahead` is to come, and COMMIT_LEAST at least
    output stream_byte_t payload          // a byte of TCP payload, one cycle after the port
);
  // ---- On the port: where the byte stands.
  typedef enum logic [1:0] {ETHERNET, IP, TCP, PAYLOAD} part_t;
  typedef logic [5:0] place_t;
  localparam int ETHERNET_END = 13;
  localparam int PLACES = 20;
  // Places in the IP header.
  localparam int IP_VERSION = 0, IP_TOTAL = 2, IP_IDENT = 4, IP_FRAGMENT = 6, IP_PROTOCOL = 9,
      IP_SOURCE = 12, IP_TARGET = 16;
  // Places in the TCP header.
  localparam int TCP_SOURCE = 0, TCP_TARGET = 2, TCP_SEQ = 4, TCP_ACK = 8, TCP_OFFSET = 12,
      TCP_FLAGS = 13, TCP_WINDOW = 14, TCP_END = 19;

  part_t part;
  place_t place;
  logic [PLACES-1:0] here;    // the same, a bit each, up to where a byte's place says what it is
  logic first;                // the byte on the port begins a frame
  logic [3:0] ihl, offset;    // lengths of the headers in words
  place_t ip_end, tcp_end;    // and their last places
  logic part_ends;
  always_comb
    unique case (part)
      ETHERNET: part_ends = here[ETHERNET_END];
      IP: part_ends = place == ip_end;
      TCP: part_ends = place == tcp_end;
      default: part_ends = 1'b0;
    endcase
  always_ff @(posedge clk) begin
    if (valid) begin
      first <= last;
      place <= (last || part_ends) ? '0 : place + place_t'(1);
      here <= (last || part_ends) ? PLACES'(1) : here << 1;
      if (last) part <= ETHERNET;
      else if (part_ends) part <= part_t'(part + 2'd1);
    end
    if (rst) begin
      first <= 1'b1;
      part  <= ETHERNET;
      place <= '0;
      here  <= PLACES'(1);
    end
  end

  // Bytes of the IP packet to come, counted from where its length is known; then those behind it, up to four.
  localparam int COUNT_FROM = IP_IDENT + 1;
  localparam logic [15:0] COUNTED = 16'(COUNT_FROM) + 16'd1;
  logic [15:0] total, left;
  logic begin_count, counting, in_ip;
  logic [2:0] trailer;
  always_ff @(posedge clk)
    if (valid) begin
      begin_count <= part == IP && here[COUNT_FROM-1];
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
      ending <= !first && counting && in_ip && left <= 16'(commit_ahead) && left >= 16'(COMMIT_LEAST);
    end

  // ---- One cycle later: the byte itself.
  // What a byte must be in a frame of the session's flow. In one of the market flow only values differ.
  typedef struct packed {
    logic       flags;   // its highest two bits matter
    logic       middle;  // the two behind them
    logic       low;     // the lowest four
    logic [7:0] value;
  } demand_t;
  localparam logic [2:0] ALL = 3'b111, LENGTH_FREE = 3'b110, FLAGS_FREE = 3'b011;
  typedef struct packed {
    logic version, total, ports, seq, ack, offset, flags, window, last;
  } strobes_t;
  strobes_t at;
  logic now, now_first, now_last, now_payload, odd, take_ip, take_tcp, replace;
  logic [7:0] now_data, replacement;
  part_t now_part;
  demand_t [PAYLOAD-1:0] demands, demanded;  // of the byte's place, by part
  demand_t demanded_here;
  logic [PAYLOAD-1:0][7:0] others, other;    // the values that the market flow demands
  logic [7:0] mask;
  logic [23:0] recent;
  logic [31:0] word;
  assign word = {recent, now_data};

  always_comb begin
    demands = '0;
    for (int i = 0; i < 6; i++)
      if (here[i]) demands[ETHERNET] |= {{3{local_mac_known}}, local_mac[8*(5-i)+:8]};
    if (here[ETHERNET_END-1]) demands[ETHERNET] |= {ALL, TYPE_IPV4[15:8]};
    if (here[ETHERNET_END]) demands[ETHERNET] |= {ALL, TYPE_IPV4[7:0]};
    if (here[IP_VERSION]) demands[IP] |= {LENGTH_FREE, 8'h40};
    if (here[IP_FRAGMENT]) demands[IP] |= {FLAGS_FREE, 8'h00};  // more fragments and offset; "do not fragment" is fine
    if (here[IP_FRAGMENT+1]) demands[IP] |= {ALL, 8'h00};
    if (here[IP_PROTOCOL]) demands[IP] |= {ALL, PROTOCOL_TCP};
    for (int i = 0; i < int'(PAYLOAD); i++) others[i] = demands[i].value;
    for (int i = 0; i < 4; i++) begin
      if (here[IP_SOURCE+i]) demands[IP] |= {ALL, flow.remote_ip[8*(3-i)+:8]};
      if (here[IP_TARGET+i]) demands[IP] |= {ALL, flow.local_ip[8*(3-i)+:8]};
      if (here[IP_SOURCE+i]) others[IP] |= market.remote_ip[8*(3-i)+:8];
      if (here[IP_TARGET+i]) others[IP] |= market.local_ip[8*(3-i)+:8];
    end
    for (int i = 0; i < 2; i++) begin
      if (here[TCP_SOURCE+i]) demands[TCP] |= {ALL, flow.remote_port[8*(1-i)+:8]};
      if (here[TCP_TARGET+i]) demands[TCP] |= {ALL, flow.local_port[8*(1-i)+:8]};
      if (here[TCP_SOURCE+i]) others[TCP] |= market.remote_port[8*(1-i)+:8];
      if (here[TCP_TARGET+i]) others[TCP] |= market.local_port[8*(1-i)+:8];
    end
  end

  always_ff @(posedge clk) begin
    now <= valid && !rst;
    if (valid) begin
      now_data <= data;
      recent <= word[23:0];
      now_first <= first;
      now_last <= last;
      now_payload <= part == PAYLOAD && in_ip;
      odd <= place[0];
      now_part <= part;
      demanded <= demands;
      other <= others;
      at <= '{
          version: part == IP && here[IP_VERSION],
          total: part == IP && here[IP_TOTAL+1],
          ports: part == TCP && here[TCP_TARGET+1],
          seq: part == TCP && here[TCP_SEQ+3],
          ack: part == TCP && here[TCP_ACK+3],
          offset: part == TCP && here[TCP_OFFSET],
          flags: part == TCP && here[TCP_FLAGS],
          window: part == TCP && here[TCP_WINDOW+1],
          last: part == TCP && here[TCP_END] && in_ip
      };
      // The pseudo header counts addresses, protocol and the TCP length. The sum takes the IP total length; the two bytes
      // behind it are replaced so that they take off the IP header: 16'hFFFF - 4 * ihl.
      take_ip <= part == IP;
      take_tcp <= in_ip && (part == TCP || part == PAYLOAD || (part == IP &&
          (here[IP_PROTOCOL] || here[IP_TOTAL+:4] != '0 || here[IP_SOURCE+:8] != '0)));
      replace <= part == IP && (here[IP_IDENT] || here[IP_IDENT+1]);
      replacement <= here[IP_IDENT] ? 8'hFF : ~{2'b00, ihl, 2'b00};
    end
  end
  assign payload = '{valid: now && now_payload, data: now_data};
  assign demanded_here = (now_part == PAYLOAD) ? '0 : demanded[now_part];
  assign mask = {{2{demanded_here.flags}}, {2{demanded_here.middle}}, {4{demanded_here.low}}};

  // Match and fields. What is sticky begins anew with the frame's first byte.
  localparam logic [3:0] LEAST_WORDS = 4'd5;
  localparam place_t LEAST_END = {LEAST_WORDS - 4'd1, 2'b11};
  logic compared, compared_first, equal, equal_other;  // a byte was, a cycle ago
  logic matched, matched_other, reached, whole, short_header;
  logic [5:0] words;        // of both
  logic syn, fin, reset, ack_flag;
  logic [31:0] seq, ack;
  logic [15:0] window;
  logic [16:0] rest;        // TCP payload bytes; negative: the headers are longer than the packet
  always_ff @(posedge clk) begin
    words <= 6'(ihl) + 6'(offset);
    rest <= {1'b0, total} - {9'b0, words, 2'b00};
    {compared, compared_first} <= {now, now_first};
    equal <= ((now_data ^ demanded_here.value) & mask) == '0;
    equal_other <= ((now_data ^ other[now_part]) & mask) == '0;
    if (compared) matched <= (compared_first || matched) && equal;
    if (compared) matched_other <= (compared_first || matched_other) && equal_other;
    if (now) begin
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
  logic ip_ok, tcp_ok, well;  // well: in the cycle after the last byte it is of that byte's frame
  ones_sum ip_sum (
      .clk, .clear(now && now_first), .take(now && take_ip), .odd, .data(now_data), .ok(ip_ok)
  );
  ones_sum tcp_sum (
      .clk, .clear(now && now_first), .take(now && take_tcp), .odd, .data(replace ? replacement : now_data), .ok(tcp_ok)
  );

  always_ff @(posedge clk) well <= whole && !short_header && ip_ok && tcp_ok;

  logic is_flow;
  assign is_flow = flow.valid && matched && reached;
  assign header = '{
          first: now && now_first,
          ports: now && at.ports,
          judge: now && at.last,
          is_flow: is_flow,
          is_market: market.valid ? matched_other && reached && !is_flow : is_flow,
          ours: reached && ((flow.valid && matched) || (market.valid && matched_other)),
          sound: well && !in_ip && trailer == 3'd4,
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
