// SPDX-License-Identifier: Apache-2.0
// No frame of the CPU is lost but by the guard's word, and no fire is taken while one is about to leave.
module cpu_path_properties (
    input logic clk,
    input logic rst,
    input logic cpu_start,
    input logic cpu_received,
    input logic damaged,
    input logic stop,
    input logic done,
    input logic claim,
    input logic active,
    input logic order_busy,
    input logic wire_ready
);
  logic [1:0] stored;  // taken whole, not yet gone
  always_ff @(posedge clk) begin
    stored <= stored + 2'(cpu_received && !damaged) - 2'(done || stop);
    if (rst) stored <= '0;
  end

  always_ff @(posedge clk)
    if (!rst) begin
      // 1. A frame that was stored leaves or is stopped, and only such a one; there are never more than two.
      assert (!(done || stop) || stored != 2'd0);
      assert (stored != 2'd3);
      assert (!(done && stop));
      // 2. A frame starts when nothing leaves, no order is under way, and none could be taken in that cycle.
      assert (!cpu_start || (claim && !active && !order_busy));
      assert (!(claim || active) || !wire_ready);
    end
endmodule

bind cpu_path cpu_path_properties properties (.*);
