// SPDX-License-Identifier: Apache-2.0
// Lengths of sequences and exponents of decimals, which decide what a later step does; and the elements that are left.
//
// Where the operator makes a length or an exponent, it is `pending` until the operators have it.
module elements
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic        clk,
    input  logic        restart,
    /* verilator lint_off UNUSEDSIGNAL */  // what a word says depends on its operation
    input  step_t       step,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic        go,
    input  logic        done,
    input  logic        reads,
    input  logic        bit_now,
    input  logic        is_null,       // of the entity that ends
    input  logic        is_one,
    input  logic        is_zero,
    input  logic [31:0] value,
    input  logic        idle,          // the operators are
    input  logic        made_absent,
    input  logic        made_zero,
    input  logic [31:0] made_length,
    input  logic        push,          // of a block
    input  logic        pop,
    input  logic [31:0] around_left,
    input  logic        around_last,
    output logic        pending,
    output logic        absent,        // the exponent or the sequence is
    output logic [31:0] length,
    output logic        length_zero,
    output logic        length_lowers, // one less is meant
    output logic [31:0] left,
    output logic        at_last        // one is left
);
  /* verilator lint_off UNUSEDSIGNAL */
  word_field_t word;
  /* verilator lint_on UNUSEDSIGNAL */
  logic made;
  assign word = word_field_t'(step.word);
  assign length = made ? made_length : value;
  always_ff @(posedge clk) begin
    // Elements.
    at_last <= left == 32'd1;
    if (go && step.shape[SHAPE_NEXT] && !at_last) left <= left - 32'd1;
    if (push) begin
      left <= step.shape[SHAPE_LOOP] ? length - 32'(length_lowers) : 32'd1;
      at_last <= !step.shape[SHAPE_LOOP];
    end
    if (pop) {left, at_last} <= {around_left, around_last};

    // Lengths and exponents.
    if (pending && idle) begin
      pending <= 1'b0;
      absent <= made_absent;
      length_zero <= made_zero;
    end
    if (go && step.is_length && done) begin
      pending <= !reads || step.is_delta;
      made <= !reads || step.is_delta;
      absent <= is_null;
      length_zero <= word.may_miss != 0 ? is_one : is_zero;
      length_lowers <= word.may_miss != 0 && reads && !step.is_delta;
    end
    if (go && step.is_exponent && done) begin
      pending <= !reads && step.has_entry && word.may_miss != 0;
      absent <= reads ? is_null : step.is_constant ? !bit_now && step.takes_bit : step.is_default && !word.has_initial != 0;
    end
    if (restart) {pending, absent} <= '0;
  end
endmodule
