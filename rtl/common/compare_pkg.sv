// SPDX-License-Identifier: Apache-2.0
// Which of two numbers is the lower one, as the carry of a chain that takes three bits a stage: two LUTs for three bits
// where a subtraction's borrow takes three, and a chain a third as long.
package compare_pkg;
  localparam int STAGE_BITS = 3;
  localparam int STAGES = 22;
  localparam int LOWER_BITS = STAGES * STAGE_BITS;  // wide enough for a time in nanoseconds

  // What the carry's stages see: a register between this and the carry makes of the comparison two cycles.
  typedef struct packed {
    logic [STAGES-1:0] less;
    logic [STAGES-1:0] less_or_equal;
  } stages_t;

  // Of unsigned numbers. Narrower ones stand at the upper end, zeros behind them: stages of zeros fall away.
  function automatic stages_t stages_of(logic [LOWER_BITS-1:0] left, logic [LOWER_BITS-1:0] right);
    for (int i = 0; i < STAGES; i++) begin
      stages_of.less[i] = left[STAGE_BITS*i+:STAGE_BITS] < right[STAGE_BITS*i+:STAGE_BITS];
      stages_of.less_or_equal[i] = left[STAGE_BITS*i+:STAGE_BITS] <= right[STAGE_BITS*i+:STAGE_BITS];
    end
  endfunction

  // Where one is less, a carry is made; where they are equal, it goes on.
  function automatic logic carry_of(stages_t stages);
    /* verilator lint_off UNUSEDSIGNAL */  // the carry only
    logic [STAGES:0] sum;
    /* verilator lint_on UNUSEDSIGNAL */
    sum = {1'b0, stages.less} + {1'b0, stages.less_or_equal};
    return sum[STAGES];
  endfunction

  // left < right.
  function automatic logic lower(logic [LOWER_BITS-1:0] left, logic [LOWER_BITS-1:0] right);
    return carry_of(stages_of(left, right));
  endfunction
endpackage
