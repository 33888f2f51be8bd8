// SPDX-License-Identifier: Apache-2.0
// Streams the waiting CPU frame to the arbiter without a bubble, with the guard's sequence number and checksum.
module cpu_sender
  import fixaccel_types_pkg::*;
(
    input  logic                clk,
    input  logic                rst,
    input  logic                start,      // pulse
    input  frame_length_t       length,
    input  logic          [6:0] tcp_base,
    input  logic                rewrite,
    input  logic         [31:0] seq,
    input  logic         [15:0] checksum,
    output frame_length_t       read_addr,
    input  logic          [7:0] read_data,
    output logic                active,     // from the cycle after `start` until the last byte is taken
    output logic                done,       // pulse with the last byte
    output logic          [7:0] data,
    output logic                last,
    input  logic                ready
);
  // Offsets of what is rewritten, from the start of the TCP header.
  localparam frame_length_t SEQ = 4;
  localparam frame_length_t CHECKSUM = 16;

  frame_length_t n, t, final_n;  // t: from the TCP header on
  // The memory answers one cycle later: ask for the byte that will be shown then.
  assign read_addr = (active && ready) ? n + 1 : n;
  assign last = n == final_n;
  assign done = active && ready && last;

  always_comb begin
    data = read_data;
    if (rewrite)
      case (t)
        SEQ: data = seq[31:24];
        SEQ + 1: data = seq[23:16];
        SEQ + 2: data = seq[15:8];
        SEQ + 3: data = seq[7:0];
        CHECKSUM: data = checksum[15:8];
        CHECKSUM + 1: data = checksum[7:0];
        default: ;
      endcase
  end

  always_ff @(posedge clk) begin
    if (start) begin
      active <= 1'b1;
      t <= -frame_length_t'(tcp_base);
      final_n <= length - 1;
    end
    if (active && ready) begin
      n <= n + 1;
      t <= t + 1;
    end
    if (done) begin
      active <= 1'b0;
      n <= '0;
    end
    if (rst) begin
      active <= 1'b0;
      n <= '0;
    end
  end
endmodule
