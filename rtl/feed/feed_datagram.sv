// SPDX-License-Identifier: Apache-2.0
// Finds datagrams of lines in the frames of a port, and says of each whether it is one.
//
// Untagged Ethernet, IPv4 without options, unfragmented UDP to a line's group and port and from its sender: these are known
// before the first byte of the payload, which leaves as it comes. Lengths, both checksums (that of UDP may be absent) and the FCS
// are known at the frame's end, a cycle behind its last byte: `ends`, with `good`.
module feed_datagram
  import feed_hwmap_pkg::*, feed_pkg::*;
#(
    parameter lines_t ONLY = '1  // lines that may come here
) (
    input  logic       clk,
    input  logic       rst,
    input  logic       run,       // else there are no datagrams; one that has begun is none either
    input  load_t      load,
    input  logic [7:0] data,
    input  logic       valid,
    input  logic       last,
    input  logic       err,
    output lines_t     present,   // lines that there are
    output lines_t     lines,     // whose it is, one bit; from before the first byte to `ends`
    output logic       put,       // a byte of the payload
    output logic [7:0] put_data,
    output logic       ends,
    output logic       good
);
  // Places in a frame without VLAN tag and IP options.
  localparam int TYPE = 12, VERSION = 14, TOTAL = 16, IDENTIFIER = 18, FRAGMENT = 20, PROTOCOL = 23, SOURCE = 26,
      GROUP = 30, PORT = 36, LENGTH = 38, CHECKSUM = 40, PAYLOAD = 42;
  localparam int IP_BYTES = 20, UDP_BYTES = 8, FCS_BYTES = 4;
  localparam logic [15:0] TYPE_IPV4 = 16'h0800;
  localparam logic [7:0] PROTOCOL_UDP = 8'd17, VERSION_4_WORDS_5 = 8'h45;
  localparam logic [15:0] LESS_IP = ~16'(IP_BYTES);  // added, takes them away in one's complement

  // On the port: where the byte stands.
  typedef logic [5:0] place_t;
  place_t place, now_place;
  logic now, now_first, now_payload, first, odd;
  logic [7:0] now_data;
  logic [3:0] now_backwards;  // from the last byte that a filter names
  always_ff @(posedge clk) begin
    now <= valid;
    now_first <= valid && first;
    now_data <= data;
    now_place <= place;
    now_backwards <= 4'(place_t'(PORT + 1) - place);
    now_payload <= valid && place == place_t'(PAYLOAD);
    if (valid) begin
      first <= last;
      place <= last ? '0 : (place == place_t'(PAYLOAD)) ? place : place + place_t'(1);
    end
    if (rst) begin
      {now, now_first} <= '0;
      {first, place} <= {1'b1, place_t'(0)};
    end
  end

  // A cycle later: what it must be.
  function automatic logic is_at(place_t here, int from, int bytes);
    return here >= place_t'(from) && here < place_t'(from + bytes);
  endfunction
  logic [15:0] total, udp_length, left;
  logic mismatch, wrong, begun, absent, absent_high, counts, payload_odd, ended, was_good;
  logic [2:0] trailer;  // bytes behind the payload, up to those of an FCS
  lines_t fit, fits, equal, any_source;

  // What each line's datagrams have, byte by byte, in the order in which the host's words have them: of the record's words the
  // last one first, each from its lowest byte on. Of the last word the upper half says whether there is such a line.
  localparam int FLAGS = 2;
  for (genvar i = 0; i < FEED_LINES; i++) begin : gen_filters
    (* ram_style = "distributed" *) logic [7:0] bytes[16];
    logic write;
    assign write = load.write && load.into == INTO_FILTERS && load.at[5:4] == 2'(i);
    assign equal[i] = now_data == bytes[now_backwards];
    always_ff @(posedge clk) begin
      if (write) bytes[load.at[3:0]] <= load.data[7:0];
      if (write && load.at[3:0] == 4'(FLAGS)) {present[i], any_source[i]} <= {load.data[1] && ONLY[i], load.data[0]};
      if (rst) present[i] <= 1'b0;
    end
  end

  logic at_source, at_target;
  always_comb begin
    mismatch = 1'b0;
    case (int'(now_place))
      TYPE: mismatch = now_data != TYPE_IPV4[15:8];
      TYPE + 1: mismatch = now_data != TYPE_IPV4[7:0];
      VERSION: mismatch = now_data != VERSION_4_WORDS_5;
      // "Do not fragment" is fine; the highest bit is reserved.
      FRAGMENT: mismatch = now_data[5:0] != '0;
      FRAGMENT + 1: mismatch = now_data != '0;
      PROTOCOL: mismatch = now_data != PROTOCOL_UDP;
      LENGTH: mismatch = now_data != udp_length[15:8] || udp_length < 16'(UDP_BYTES);
      LENGTH + 1: mismatch = now_data != udp_length[7:0];
      default: mismatch = 1'b0;
    endcase
    at_source = is_at(now_place, SOURCE, 4);
    at_target = is_at(now_place, GROUP, 4) || is_at(now_place, PORT, 2);
    for (int i = 0; i < FEED_LINES; i++)
      fits[i] = (fit[i] || now_first) && run && present[i] && (equal[i] || !(at_target || (at_source && !any_source[i])));
  end

  // The sum of UDP takes its pseudo header where it stands in front: both addresses and the protocol as they are, the length as
  // that of the packet less its header.
  logic take_ip, take_udp, ip_ok, udp_ok;
  logic [7:0] udp_byte;
  assign counts = now_payload && left != '0;
  assign take_ip = now && is_at(now_place, VERSION, IP_BYTES);
  assign take_udp = now && (is_at(now_place, TOTAL, 4) || now_place == place_t'(PROTOCOL) ||
      is_at(now_place, SOURCE, PAYLOAD - SOURCE) || counts);
  assign udp_byte = now_place == place_t'(IDENTIFIER) ? LESS_IP[15:8] : now_place == place_t'(IDENTIFIER + 1) ? LESS_IP[7:0] : now_data;
  ones_sum ip_sum (
      .clk, .clear(now && now_place == place_t'(VERSION)), .take(take_ip), .odd(now_place[0]), .data(now_data), .ok(ip_ok)
  );
  ones_sum udp_sum (
      .clk, .clear(now && now_place == place_t'(TOTAL)), .take(take_udp), .odd(odd), .data(udp_byte), .ok(udp_ok)
  );
  assign odd = now_payload ? payload_odd : now_place[0];
  logic frame_ended, frame_good;
  /* verilator lint_off UNUSEDSIGNAL */  // nobody asks when
  logic [31:0] end_cycle;
  /* verilator lint_on UNUSEDSIGNAL */
  frame_check check (
      .clk, .rst, .data, .valid, .last, .err, .cycle('0), .ended(frame_ended), .good(frame_good), .end_cycle
  );

  always_ff @(posedge clk) begin
    if (now) begin
      wrong <= (wrong && !now_first) || mismatch;
      fit <= fits;
      if (is_at(now_place, TOTAL, 2)) total <= {total[7:0], now_data};
      udp_length <= total - 16'(IP_BYTES);
      if (now_place == place_t'(CHECKSUM)) absent_high <= now_data == '0;
      if (now_place == place_t'(CHECKSUM + 1)) begin
        absent <= absent_high && now_data == '0;
        // Of lines that are the same the first one has it.
        lines <= fit & (~fit + lines_t'(1));
        begun <= fit != '0 && !wrong;
        if (wrong) lines <= '0;
        left <= udp_length - 16'(UDP_BYTES);
        payload_odd <= 1'b0;
      end
      if (now_first) {begun, absent, trailer} <= '0;
      if (now_payload && left == '0 && trailer != 3'(FCS_BYTES)) trailer <= trailer + 3'd1;
      if (counts) begin
        left <= left - 16'd1;
        payload_odd <= !payload_odd;
      end
    end
    put <= now && counts && begun;
    put_data <= now_data;
    // All sums are complete: behind the payload stood the FCS.
    ended <= frame_ended;
    ends <= ended && begun;
    good <= was_good && ip_ok && (udp_ok || absent) && trailer == 3'(FCS_BYTES);
    was_good <= frame_good;
    if (ended || !run) begun <= 1'b0;
    if (ends || !run) lines <= '0;
    if (rst) {begun, lines, put, ends, ended} <= '0;
  end
endmodule
