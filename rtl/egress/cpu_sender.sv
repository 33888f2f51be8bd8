// SPDX-License-Identifier: Apache-2.0
// Streams the waiting CPU frame to the arbiter without a bubble, with the guard's sequence number and checksum. Its first
// bytes are fetched while the guard judges it: they stand ready at `start`.
module cpu_sender
  import fixaccel_types_pkg::*;
(
    input  logic                clk,
    input  logic                rst,
    input  logic                frame_valid,  // a frame waits; low for a cycle at least between two of them
    input  frame_length_t       length,
    input  logic          [6:0] tcp_base,
    input  logic                start,      // pulse: it leaves, READY cycles or more behind frame_valid
    input  logic                rewrite,
    input  logic         [31:0] seq,
    input  logic         [15:0] checksum,
    output logic                read,       // of the memory, and on to the register behind it
    output frame_length_t       read_addr,
    input  logic          [7:0] read_data,  // two reads later
    output logic                active,     // from the cycle after `start` until the last byte is taken
    output logic                done,       // pulse with the last byte
    output logic          [7:0] data,
    output logic                last,
    input  logic                ready
);
  // Offsets of what is rewritten, from the start of the TCP header.
  localparam frame_length_t SEQ = 4;
  localparam frame_length_t CHECKSUM = 16;
  localparam frame_length_t BEYOND = ~frame_length_t'(7'h7F);  // bits that an offset of a TCP header does not have
  localparam int READY = 3;  // steps until the first byte is shown: memory, the register behind it, `data`

  frame_length_t end_n, t;  // t: offset of read_data from the TCP header on
  logic [READY-1:0] filled;
  // Bytes that are rewritten: which one comes next, a bit each, and then the byte itself, a step ahead of its place.
  logic [3:0] seq_next;
  logic [1:0] checksum_next;
  logic patches;
  logic [7:0] patch;
  assign read = (active && ready) || (frame_valid && !filled[READY-1]);
  assign done = active && ready && last;

  always_ff @(posedge clk) begin
    end_n <= length + 1;
    if (read) begin
      read_addr <= read_addr + 1;
      // Or -(tcp_base + 1); its highest bits are ones, but as a set they would hang on the read twice.
      t <= ((filled[0] ? t + 1 : ~frame_length_t'(tcp_base)) & ~BEYOND) | ((t + 1 | {$bits(t){!filled[0]}}) & BEYOND);
      filled <= {filled[READY-2:0], 1'b1};
      last <= read_addr == end_n;
      seq_next <= {seq_next[2:0], filled[0] && t == SEQ - 2};
      checksum_next <= {checksum_next[0], filled[0] && t == CHECKSUM - 2};
      patches <= rewrite && {seq_next, checksum_next} != '0;
      patch <= '0;
      for (int i = 0; i < 4; i++) if (seq_next[i]) patch <= seq[8*(3-i)+:8];
      for (int i = 0; i < 2; i++) if (checksum_next[i]) patch <= checksum[8*(1-i)+:8];
      data <= patches ? patch : read_data;
    end
    if (start) active <= 1'b1;
    if (done) active <= 1'b0;
    if (rst || !frame_valid) {read_addr, filled, last, seq_next, checksum_next, patches} <= '0;
    if (rst) active <= 1'b0;
  end

  always_ff @(posedge clk) assert (rst || !start || filled[READY-1]);
endmodule
