// SPDX-License-Identifier: Apache-2.0
// Trips when the runtime has not kicked for longer than `limit_ns` while armed. A limit of 0 switches it off.
module watchdog (
    input  logic        clk,
    input  logic        rst,
    input  logic        enabled,
    input  logic        restart,     // pulse: kick or arm
    input  logic [31:0] elapsed_ns,
    input  logic [31:0] limit_ns,
    output logic        expired      // level while the limit is passed
);
  logic limited;
  logic [31:0] age, limit;
  logic [32:0] older;
  assign older = {1'b0, age} + {1'b0, elapsed_ns};

  always_ff @(posedge clk) begin
    age <= older[32] ? '1 : older[31:0];  // saturates: an old age never looks young
    limit <= limit_ns;
    limited <= limit_ns != '0;
    expired <= enabled && limited && age > limit;
    if (rst || restart || !enabled) begin
      age <= '0;
      expired <= 1'b0;
    end
  end
endmodule
