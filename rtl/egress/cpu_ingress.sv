// SPDX-License-Identifier: Apache-2.0
// Stores whole frames from the CPU, two at most, and offers the older one with its header walked.
// A frame with a bad FCS or an impossible length is dropped here: a fresh FCS must not launder it.
module cpu_ingress
  import egress_pkg::*;
  import fixaccel_types_pkg::*;
(
    input  logic                clk,
    input  logic                rst,
    input  flow_t               flow,
    input  flow_t               market,
    input  logic          [7:0] cpu_tx_data,
    input  logic                cpu_tx_valid,
    input  logic                cpu_tx_last,
    output logic                cpu_tx_ready,
    output logic                frame_valid,   // `frame` waits
    output cpu_frame_t          frame,
    input  logic                frame_done,    // pulse: give its room back
    input  logic                read,
    input  frame_length_t       read_addr,     // byte of the waiting frame
    output logic          [7:0] read_data,     // two reads later
    output logic                received,      // pulse
    output logic                dropped        // pulse
);
  localparam int SLOT_BYTES = 2 ** $bits(frame_length_t);

  logic [7:0] mem[2*SLOT_BYTES];
  logic [7:0] mem_data;
  cpu_frame_t info[2];
  logic [1:0] used;
  logic fill, drain;                 // slot that is written, slot that leaves
  logic [WALK_CYCLES-1:0] complete;  // cycles since the last byte; in the last of them the frame is looked at
  logic judge;
  frame_length_t n;

  logic take;
  assign judge = complete[WALK_CYCLES-1];
  assign take = cpu_tx_valid && cpu_tx_ready;

  cpu_frame_t walked;
  header_walk walk (
      .clk, .flow, .market, .start(rst || judge), .byte_valid(take), .byte_data(cpu_tx_data), .frame(walked)
  );

  always_ff @(posedge clk) begin
    if (take) mem[{fill, n}] <= cpu_tx_data;
    if (read) begin
      mem_data <= mem[{drain, read_addr}];
      read_data <= mem_data;
    end
    if (judge) info[fill] <= walked;
    frame <= info[drain];
  end

  always_ff @(posedge clk) begin
    complete <= {complete[WALK_CYCLES-2:0], take && cpu_tx_last};
    cpu_tx_ready <= complete == '0 && !used[fill] && !(take && cpu_tx_last);
    if (take && n != '1) n <= n + 1;  // what does not fit is dropped at the end
    if (judge) begin
      n <= '0;
      if (walked.good) begin
        used[fill] <= 1'b1;
        fill <= !fill;
      end
    end
    frame_valid <= used[drain] && !frame_done;
    if (frame_done) begin
      used[drain] <= 1'b0;
      drain <= !drain;
    end
    if (rst) begin
      n <= '0;
      used <= '0;
      fill <= 1'b0;
      drain <= 1'b0;
      complete <= '0;
      cpu_tx_ready <= 1'b0;
      frame_valid <= 1'b0;
    end
  end

  assign received = judge;
  assign dropped = judge && !walked.good;
endmodule
