// SPDX-License-Identifier: Apache-2.0
// Which of two numbers is the lower one, as the carry of a chain that takes three bits a stage: two LUTs for three bits
// where a subtraction's borrow takes three, and a chain a third as long.
package compare_pkg;
  localparam int STAGE_BITS = 3;
  localparam int STAGES = 22;
  localparam int LOWER_BITS = STAGES * STAGE_BITS;  // wide enough for a time in nanoseconds

  // left < right of unsigned numbers. Narrower ones stand at the upper end, zeros behind them: stages of zeros fall away.
  function automatic logic lower(logic [LOWER_BITS-1:0] left, logic [LOWER_BITS-1:0] right);
    logic [STAGES-1:0] less, less_or_equal;
    /* verilator lint_off UNUSEDSIGNAL */  // the carry only
    logic [STAGES:0] sum;
    /* verilator lint_on UNUSEDSIGNAL */
    for (int i = 0; i < STAGES; i++) begin
      less[i] = left[STAGE_BITS*i+:STAGE_BITS] < right[STAGE_BITS*i+:STAGE_BITS];
      less_or_equal[i] = left[STAGE_BITS*i+:STAGE_BITS] <= right[STAGE_BITS*i+:STAGE_BITS];
    end
    // Where one is less, a carry is made; where they are equal, it goes on.
    sum = {1'b0, less} + {1'b0, less_or_equal};
    return sum[STAGES];
  endfunction
endpackage
