// SPDX-License-Identifier: Apache-2.0
// What the arbiter promises to the wire: whole frames, one after the other, each with the FCS of its bytes.
module arbiter_properties
  import crc32_pkg::*;
  import egress_pkg::*;
(
    input logic       clk,
    input logic       rst,
    input logic       order_valid,
    input logic       order_last,
    input logic       order_ready,
    input logic       cpu_valid,
    input logic       cpu_last,
    input logic       cpu_ready,
    input logic [7:0] net_tx_data,
    input logic       net_tx_valid,
    input logic       net_tx_last,
    input logic       net_tx_err,
    input logic       net_tx_ready
);
  logic begun, of_order;  // a frame has begun and has not been taken whole; whose it is
  logic held, first;
  logic [7:0] held_data;
  logic [31:0] crc, crc_now;
  logic [15:0] length;
  assign crc_now = crc32_byte(first ? CRC32_START : crc, net_tx_data);
  always_ff @(posedge clk) begin
    if (order_valid && order_ready) {begun, of_order} <= {!order_last, 1'b1};
    if (cpu_valid && cpu_ready) {begun, of_order} <= {!cpu_last, 1'b0};
    held <= net_tx_valid && !net_tx_ready;
    held_data <= net_tx_data;
    if (net_tx_valid && net_tx_ready) begin
      crc <= crc_now;
      first <= net_tx_last;
      length <= net_tx_last ? '0 : length + 16'(length != '1);
    end
    if (rst) {begun, held, first, length} <= {3'b001, 16'd0};
  end

  always_ff @(posedge clk)
    if (!rst) begin
      // 1. No byte of the other side inside a frame, and never two at once.
      assert (!(order_valid && order_ready && cpu_valid && cpu_ready));
      assert (!(begun && of_order && cpu_valid && cpu_ready));
      assert (!(begun && !of_order && order_valid && order_ready));
      // 2. A byte that the wire has not taken stays.
      assert (!held || (net_tx_valid && net_tx_data == held_data));
      // 3. A frame ends with the FCS of its bytes, unless it says that it is wrong; then it has a wrong one.
      if (net_tx_valid && net_tx_ready && net_tx_last) begin
        assert ((crc_now == CRC32_RESIDUE) == !net_tx_err);
        assert (length >= 16'(MIN_FRAME_BYTES + FCS_BYTES - 1));
      end
    end
endmodule

bind arbiter arbiter_properties properties (.*);
