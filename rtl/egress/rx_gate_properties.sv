// SPDX-License-Identifier: Apache-2.0
// The RX gate keeps order and loses nothing that it has accepted; what it tells the kernel the kernel has sent.
module rx_gate_properties
  import crc32_pkg::*;
  import egress_pkg::*;
  import fixaccel_types_pkg::*;
#(
    parameter int BYTES = 16384,
    parameter int FRAMES = 256,
    localparam int AW = $clog2(BYTES),
    localparam int FW = $clog2(FRAMES)
) (
    input logic               clk,
    input logic               rst,
    /* verilator lint_off UNUSEDSIGNAL */  // a few fields
    input flow_state_t        flow,
    /* verilator lint_on UNUSEDSIGNAL */
    input logic        [ 7:0] cpu_rx_data,
    input logic               cpu_rx_valid,
    input logic               cpu_rx_last,
    input logic               cpu_rx_ready,
    input logic               told,
    input logic        [31:0] told_ack,
    input logic               accept,
    input logic               pass,
    input logic               pass_low,
    input logic        [AW:0] first,
    input logic        [AW:0] rptr,
    input logic        [FW:0] fw,
    input logic        [FW:0] fr,
    input logic        [31:0] low_ack
);
  logic [31:0] accepted, started, ended, crc, crc_now;
  logic held, begun;
  logic [7:0] held_data;
  assign crc_now = crc32_byte(begun ? crc : CRC32_START, cpu_rx_data);
  always_ff @(posedge clk) begin
    accepted <= accepted + 32'(accept);
    started <= started + 32'(pass || pass_low);
    ended <= ended + 32'(cpu_rx_valid && cpu_rx_ready && cpu_rx_last);
    held <= cpu_rx_valid && !cpu_rx_ready;
    held_data <= cpu_rx_data;
    if (cpu_rx_valid && cpu_rx_ready) begin
      crc <= crc_now;
      begun <= !cpu_rx_last;
    end
    if (rst) {accepted, started, ended, held, begun} <= '0;
  end

  always_ff @(posedge clk)
    if (!rst) begin
      // 1. Frames start in the order in which they came, each once: notes and bytes never run ahead of what was accepted.
      assert (FW'(fw - fr) == FW'(accepted - started));
      assert ((fw - fr) <= (FW + 1)'(FRAMES) && (first - rptr) <= (AW + 1)'(BYTES));
      assert (ended <= started);
      // 2. A byte that the CPU has not taken stays; every frame has a right FCS, lowered or not.
      assert (!held || (cpu_rx_valid && cpu_rx_data == held_data));
      assert (!(cpu_rx_valid && cpu_rx_ready && cpu_rx_last) || crc_now == CRC32_RESIDUE);
      // 3. On a spliced flow the kernel is told of nothing beyond what it has sent.
      assert (!(pass_low && told) || low_ack == told_ack);
    end
endmodule

bind rx_gate rx_gate_properties #(.BYTES(BYTES), .FRAMES(FRAMES)) properties (.*);
