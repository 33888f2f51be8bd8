// SPDX-License-Identifier: Apache-2.0
// Every proof begins with a cycle in reset; what it leaves open is then anything.
module from_reset (
    input logic clk,
    input logic rst
);
  logic begun;
  initial begun = 1'b0;
  always_ff @(posedge clk) begun <= 1'b1;
  always_comb assume (begun || rst);
endmodule
