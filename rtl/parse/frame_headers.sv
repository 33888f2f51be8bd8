// SPDX-License-Identifier: Apache-2.0
// Walks Ethernet, IPv4 and TCP headers of a frame and marks the TCP payload.
//
// Only untagged Ethernet, IPv4 without options and unfragmented TCP can be of the flow; TCP options are skipped. Bytes
// beyond the IP total length are padding and FCS.
module frame_headers
  import fixaccel_types_pkg::*, receive_pkg::*;
(
    input  logic       clk,
    input  logic       rst,
    input  logic [7:0] data,
    input  logic       valid,
    input  logic       last,
    input  flow_t      flow,
    output header_t    header,
    output logic       payload  // this byte is TCP payload
);
  // Offsets in the frame; the IP header starts at 14 and the TCP header at 34.
  localparam logic [6:0] ETHERTYPE = 7'd12, VERSION = 7'd14, TOTAL_LENGTH = 7'd16, FRAGMENT = 7'd20, PROTOCOL = 7'd23,
      SOURCE_IP = 7'd26, TARGET_IP = 7'd30, TCP = 7'd34, TARGET_PORT = 7'd36, SEQ = 7'd38, ACK = 7'd42, OFFSET = 7'd46,
      FLAGS = 7'd47, WINDOW = 7'd48, URGENT = 7'd52, BEYOND = 7'd64;
  // The pseudo header counts the TCP length, the sum takes the IP total length: 20 less.
  localparam logic [15:0] PSEUDO_START = 16'hFFFF - 16'd20;

  logic [6:0] position;  // of this byte, stops at BEYOND
  logic odd, closing;
  assign closing = valid && last;
  always_ff @(posedge clk) begin
    if (valid) begin
      position <= last ? '0 : (position == BEYOND) ? BEYOND : position + 7'd1;
      odd <= last ? 1'b0 : !odd;
    end
    if (rst) begin
      position <= '0;
      odd <= 1'b0;
    end
  end

  // Flow match, byte by byte.
  logic differs, matched, reached;
  always_comb begin
    case (position)
      ETHERTYPE: differs = data != 8'h08;
      ETHERTYPE + 7'd1: differs = data != 8'h00;
      VERSION: differs = data != 8'h45;
      FRAGMENT: differs = data[5:0] != 6'h00;  // more fragments and offset; "do not fragment" is fine
      FRAGMENT + 7'd1: differs = data != 8'h00;
      PROTOCOL: differs = data != 8'h06;
      SOURCE_IP: differs = data != flow.remote_ip[31:24];
      SOURCE_IP + 7'd1: differs = data != flow.remote_ip[23:16];
      SOURCE_IP + 7'd2: differs = data != flow.remote_ip[15:8];
      SOURCE_IP + 7'd3: differs = data != flow.remote_ip[7:0];
      TARGET_IP: differs = data != flow.local_ip[31:24];
      TARGET_IP + 7'd1: differs = data != flow.local_ip[23:16];
      TARGET_IP + 7'd2: differs = data != flow.local_ip[15:8];
      TARGET_IP + 7'd3: differs = data != flow.local_ip[7:0];
      TCP: differs = data != flow.remote_port[15:8];
      TCP + 7'd1: differs = data != flow.remote_port[7:0];
      TARGET_PORT: differs = data != flow.local_port[15:8];
      TARGET_PORT + 7'd1: differs = data != flow.local_port[7:0];
      default: differs = 1'b0;
    endcase
  end
  always_ff @(posedge clk)
    if (valid) begin
      matched <= (position == '0 || matched) && !differs;
      reached <= position >= TARGET_PORT + 7'd1;
    end

  // Fields and lengths. `ip_left` counts IP bytes to come, `header_left` TCP header bytes to come.
  logic [15:0] total_length, ip_left;
  logic [3:0] offset;
  logic [6:0] header_left;
  logic in_ip, in_payload, short_header;
  logic complete, syn, fin, reset, ack_flag;
  logic [31:0] seq, ack;
  logic [15:0] window, length;
  logic [2:0] trailer;  // bytes since the end of the IP packet, stops at 4
  logic [16:0] rest;
  assign rest = {1'b0, total_length} - 17'd20 - {11'b0, offset, 2'b00};
  logic [23:0] recent;
  logic [31:0] word;
  assign word = {recent, data};
  always_ff @(posedge clk) begin
    if (valid) begin
      recent <= word[23:0];
      if (in_ip) begin
        ip_left <= ip_left - 16'd1;
        if (ip_left == 16'd1) in_ip <= 1'b0;
      end else if (trailer != 3'd4) begin
        trailer <= trailer + 3'd1;
      end
      if (header_left != '0) begin
        header_left <= header_left - 7'd1;
        if (header_left == 7'd1) in_payload <= 1'b1;
      end
      case (position)
        '0: begin
          in_ip <= 1'b0;
          header_left <= '0;
          short_header <= 1'b0;
        end
        TOTAL_LENGTH + 7'd1: begin
          total_length <= word[15:0];
          ip_left <= word[15:0] - 16'd4;
          in_ip <= word[15:2] > 14'd1;
          trailer <= '0;
        end
        SEQ + 7'd3: seq <= word;
        ACK + 7'd3: ack <= word;
        OFFSET: begin
          offset <= data[7:4];
          header_left <= {1'b0, data[7:4], 2'b00} - 7'd13;
          if (data[7:4] < 4'd5) begin
            short_header <= 1'b1;
            header_left  <= '0;
          end
        end
        FLAGS: begin
          fin <= data[0];
          syn <= data[1];
          reset <= data[2];
          ack_flag <= data[4];
        end
        WINDOW: begin
          length <= rest[15:0];
          if (rest[16]) short_header <= 1'b1;
        end
        WINDOW + 7'd1: begin
          window <= word[15:0];
          complete <= !short_header;
        end
        default: ;
      endcase
    end
    // The frame is over: what follows is the next frame's header.
    if (closing) begin
      complete <= 1'b0;
      in_payload <= 1'b0;
    end
    if (rst) begin
      complete <= 1'b0;
      in_payload <= 1'b0;
    end
  end
  assign payload = valid && in_payload && in_ip;

  // Checksums.
  logic in_ip_header, in_pseudo, ip_ok, tcp_ok, first;
  assign first = valid && position == '0;
  assign in_ip_header = position >= VERSION && position < TCP;
  assign in_pseudo = position == TOTAL_LENGTH || position == TOTAL_LENGTH + 7'd1 || position == PROTOCOL
      || (position >= SOURCE_IP && position < TCP);
  ones_sum ip_sum (
      .clk, .clear(first), .take(valid && in_ip_header), .odd, .data, .ok(ip_ok)
  );
  ones_sum #(
      .START(PSEUDO_START)
  ) tcp_sum (
      .clk, .clear(first), .take(valid && (in_pseudo || (position >= TCP && in_ip))), .odd, .data, .ok(tcp_ok)
  );

  // A frame that ends inside its headers is not sound.
  logic whole_header;
  always_ff @(posedge clk) if (valid) whole_header <= position > URGENT + 7'd1;

  assign header = '{
          complete: complete,
          is_flow: flow.valid && matched && reached,
          sound: whole_header && !short_header && !in_ip && trailer == 3'd4 && ip_ok && tcp_ok,
          syn: syn,
          fin: fin,
          rst: reset,
          ack_flag: ack_flag,
          seq: seq,
          ack: ack,
          window: window,
          length: length
      };
endmodule
