// SPDX-License-Identifier: Apache-2.0
// Trips when one fire has been held back for longer than `limit_ns`: what it would send is too old by then.
module hold_limit (
    input  logic        clk,
    input  logic        rst,
    input  logic        waiting,     // level: the same fire, all the time
    input  logic [31:0] elapsed_ns,
    input  logic [31:0] limit_ns,
    output logic        expired      // level while it waits
);
  logic [31:0] age;
  logic [32:0] older;
  assign older = {1'b0, age} + {1'b0, elapsed_ns};

  always_ff @(posedge clk) begin
    age <= older[32] ? '1 : older[31:0];  // saturates: an old age never looks young
    expired <= age > limit_ns;
    if (rst || !waiting) {age, expired} <= '0;
  end
endmodule
