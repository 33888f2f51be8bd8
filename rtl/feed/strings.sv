// SPDX-License-Identifier: Apache-2.0
// What a step does with a string: its characters as they come, those that its slot or the program has, and what becomes of the slot.
module strings
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic       clk,
    input  load_t      load,
    input  logic       forget,
    /* verilator lint_off UNUSEDSIGNAL */  // most of what the engine does, and of what a word says
    input  phases_t    phase,
    input  step_t      step,
    input  slot_t      initial_slot,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic       advance,
    input  logic       begins,       // the step: `given` counts
    input  logic       given,        // its bit is set, or it has none
    input  logic       takes,        // a byte
    input  logic       whole,        // an entity ends with it
    input  logic [7:0] head,
    input  logic       entity_first,
    input  logic       is_null,
    input  logic       takes_away,   // how many characters a delta does is there in the next cycle
    input  logic       lowers,       // one less is meant
    input  number_t    value,
    output logic       text_now,     // the entity is one of characters
    // What the stream has.
    output logic       text_ends,
    output logic       text_null,    // with that, if it is one of characters
    output logic       text_long,    // more than a slot holds
    // What is implied where it has nothing.
    output state_t     state,
    output logic       text_absent,
    output logic       text_value,   // it is, and here is something
    output logic       value_empty,
    output logic       value_single,
    // What is put together.
    output logic       measured_all, // how it is, is known
    output logic       too_far,
    output logic       too_long,
    output logic       made_empty,
    input  logic       text_read,
    input  logic       text_run,
    output logic       made_valid,
    output logic       made_last,
    // For the field bus.
    output logic [7:0] character,
    output logic       gathered,
    output logic       needless,
    output logic [2:0] chunk_count,
    output logic       chunk_first,
    output logic       chunk_full,
    // A byte vector: its length, and whether bytes are left.
    output logic       length_null,
    output logic       length_wide,
    output logic       vector_some
);
  localparam int LENGTH_BITS = 17;  // more than a datagram has is too much in any case
  typedef logic [LENGTH_BITS-1:0] vector_t;
  /* verilator lint_off UNUSEDSIGNAL */  // what a word says depends on its operation
  word_field_t word;
  /* verilator lint_on UNUSEDSIGNAL */
  logic may_miss, has_initial, passed, nullable;
  assign word = word_field_t'(step.word);
  assign may_miss = word.may_miss != 0;
  assign has_initial = word.has_initial != 0;
  assign passed = word.passed != 0;
  assign nullable = may_miss && !step.is_delta;

  logic keep, gathers, take_single, given_kept, away_due, away_lowers, reading;
  logic assign_new, assign_made, assign_initial, assign_empty;
  logic [1:0] measured;  // cycles
  logic [7:0] made_data, single;
  assign text_now = (phase[START] && step.shape[SHAPE_TEXT]) || phase[CHARACTERS];
  always_comb begin
    character = phase[MAKE] ? made_data : phase[IMPLY] ? single : phase[RAW_PAD] ? '0 : head;
    if (text_now) character[7] = 1'b0;
  end
  assign gathers = step.told && (phase[MAKE] || phase[IMPLY] || step.plain_text);
  assign gathered = keep && gathers;
  assign take_single = phase[IMPLY] && text_value && value_single;
  characters text (
      .clk, .clear(advance), .take(takes && text_now), .take_vector(takes && phase[VECTOR] && !passed),
      .take_made((phase[MAKE] && made_valid) || take_single), .first(entity_first), .nullable, .data(head[6:0]), .gathers,
      .keep, .needless, .count(chunk_count), .chunk_first, .full(chunk_full)
  );
  texts slots (
      .clk, .load, .forget, .slot(word.slot[TEXT_SLOT_BITS-1:0]), .initial_slot(initial_slot[TEXT_SLOT_BITS-1:0]),
      .has_entry(step.has_entry), .has_initial, .is_tail(step.is_tail), .is_delta(step.is_delta), .clear(advance),
      .put(keep && !phase[MAKE] && !phase[IMPLY] && step.has_entry), .put_data(character), .put_apart(step.is_tail || step.is_delta),
      .exceeds(text_long), .away(value), .away_lowers, .take_away(away_due), .state, .is_none(value_empty), .is_single(value_single),
      .single, .measure(phase[MEASURE] && measured == '0), .too_far, .too_long, .is_empty(made_empty), .read(text_read), .run(text_run),
      .valid(made_valid), .data(made_data), .last(made_last), .assign_new, .assign_made, .assign_initial, .assign_empty
  );
  assign text_null = text_now && entity_first && is_null && !step.is_delta;
  assign text_ends = (whole && text_now) || (phase[VECTOR] && !vector_some);
  assign measured_all = phase[MEASURE] && measured == 2'd3;
  // Of a string that is not in the stream: what its slot or the program has for it.
  assign text_absent = step.has_entry ? state == STATE_EMPTY || (state == STATE_UNDEFINED && !has_initial) :
      step.is_constant ? !given_kept : !has_initial;
  assign text_value = phase[IMPLY] && !text_absent;

  // What becomes of the slot of a string.
  assign assign_new = text_ends && step.plain_text && !passed && step.has_entry && !text_null;
  assign assign_made = (measured_all && made_empty) || (phase[MAKE] && made_valid && made_last && !reading);
  assign assign_initial = text_value && step.has_entry && state == STATE_UNDEFINED;
  assign assign_empty = step.has_entry && !passed &&
      ((text_ends && text_null) || (phase[VECTOR_CHECK] && length_null) || (phase[IMPLY] && text_absent));

  vector_t vector_left, all;
  assign length_wide = value[ENTITY_BITS:32] != '0 && !(nullable && value == number_t'(33'h1_0000_0000));
  assign all = (value[31:LENGTH_BITS-1] != '0) ? '1 : value[LENGTH_BITS-1:0] - vector_t'(nullable);
  always_ff @(posedge clk) begin
    if (begins) given_kept <= given;
    reading <= !advance && (reading || text_read);
    measured <= phase[MEASURE] ? measured + 2'd1 : '0;
    away_due <= takes_away;
    away_lowers <= lowers;
    if (phase[START] || phase[VECTOR_LENGTH]) length_null <= is_null;
    if (phase[VECTOR_CHECK]) begin
      vector_left <= all;
      vector_some <= value[ENTITY_BITS:1] != '0 || (value[0] && !nullable);
    end else if (takes && phase[VECTOR]) begin
      vector_left <= vector_left - vector_t'(1);
      vector_some <= vector_left != vector_t'(1);
    end
  end
endmodule
