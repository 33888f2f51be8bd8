// SPDX-License-Identifier: Apache-2.0
// Trips when more than `limit_ns` have passed since the last restart.
module age_limit #(
    parameter bit ZERO_IS_NONE = 0  // a limit of 0 is none; otherwise it trips at once
) (
    input  logic        clk,
    input  logic        restart,     // level: nothing has passed yet
    input  logic [31:0] elapsed_ns,
    input  logic [31:0] limit_ns,
    output logic        expired      // level, until the next restart
);
  // The highest bit stays: an old age never looks young.
  logic [32:0] age, older;
  logic [31:0] limit;
  logic none;  // as the limit's highest bit: nothing stands behind the comparison
  assign older = {1'b0, age[31:0]} + {1'b0, elapsed_ns};

  always_ff @(posedge clk) begin
    limit <= limit_ns;
    none <= ZERO_IS_NONE && limit_ns == '0;
    age <= {age[32] || older[32], older[31:0]};
    expired <= {none, 1'b0, limit} < {1'b0, age};
    if (restart) {age, expired} <= '0;
  end
endmodule
