// SPDX-License-Identifier: Apache-2.0
// The rules are those of arbiter_properties; the FCS, its third, needs a whole frame and is left to simulation.
module arbiter_proof (
    input logic clk,
    input logic rst,
    input logic order_valid,
    input logic order_last,
    input logic order_ready,
    input logic cpu_valid,
    input logic cpu_ready
);
  always_ff @(posedge clk)
    if (!rst) begin
      cover (order_valid && order_ready && order_last);
      cover (cpu_valid && cpu_ready && order_valid);
    end
endmodule
bind arbiter arbiter_proof proof (.*);
bind arbiter from_reset reset (.*);
