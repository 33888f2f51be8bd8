// SPDX-License-Identifier: Apache-2.0
// What gem_to_cpu promises the CPU.
module gem_to_cpu_properties #(
    parameter int SLOTS = 8
) (
    input logic        clk,
    input logic        rst,
    input logic        clear,
    input logic        store,
    input logic        spoilt,
    input logic [31:0] head,
    input logic [31:0] tail
);
  always_ff @(posedge clk)
    if (!rst && !clear) begin
      // 1. A box is written only while it is the fabric's: the CPU has taken what was in it.
      if (store && !spoilt) assert (head - tail < SLOTS);
    end
endmodule

bind gem_to_cpu gem_to_cpu_properties #(.SLOTS(SLOTS)) properties (.*);
