// SPDX-License-Identifier: Apache-2.0
// Whether a number that writes the slot of the step is still under way, or the end of a block that has just begun: then the step
// waits. Which state the slot has is looked at meanwhile.
module slots_awaited
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic   clk,
    input  logic   advance,
    input  logic   valid,    // there is a step
    /* verilator lint_off UNUSEDSIGNAL */  // what a word says depends on its operation
    input  step_t  step,
    input  logic [FEED_WORD_BITS-1:0] next_word,  // the step behind it, if one is there
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [WRITE_CYCLES-2:0] writes,       // the operation of so many cycles ago may write this slot
    input  slot_t [WRITE_CYCLES-2:0] write_slots,
    input  state_t looked,
    output logic   hazard,
    output state_t state
);
  logic [WRITE_CYCLES-1:0] coming, coming_next;
  logic block_begins;
  /* verilator lint_off UNUSEDSIGNAL */  // its slot and whether it writes it
  word_field_t word, next_field;
  /* verilator lint_on UNUSEDSIGNAL */
  assign word = word_field_t'(step.word);
  always_comb begin
    next_field = word_field_t'(next_word);
    coming_next[0] = valid && step.keeps_number && word.slot == next_field.slot;
    for (int i = 1; i < WRITE_CYCLES; i++) coming_next[i] = writes[i-1] && write_slots[i-1] == slot_t'(next_field.slot);
    if (next_field.op != 3'(FEED_OP_FIELD) || next_field.field_operator < 3'(FEED_OPERATOR_COPY) || is_text_type(next_field))
      coming_next = '0;
  end
  // A block whose end follows at once: the stack is not written yet.
  assign block_begins = valid && next_field.op == 3'(FEED_OP_NEXT) && step.with_map && step.shape[SHAPE_GROUP];
  always_ff @(posedge clk) begin
    coming <= advance ? coming_next : coming << 1;
    hazard <= advance ? coming_next != '0 || block_begins : coming[WRITE_CYCLES-2:0] != '0;
    if (advance || hazard) state <= looked;
  end
endmodule
