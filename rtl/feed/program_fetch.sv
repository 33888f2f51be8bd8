// SPDX-License-Identifier: Apache-2.0
// The program, and its words one behind the other.
//
// A word passes the memory, a register behind it, and is taken apart into the step that the engine executes: one a cycle where
// the engine takes one a cycle. A jump costs the three cycles that its target needs to come, one where it is a `next`: of that
// the fetch supposes, as soon as it sees it, that it goes to another element unless the block is at its last one. What was
// supposed goes with the step; the engine finds out.
//
// The word behind a field that is apart only names a slot: it is no step, and the field waits for it.
module program_fetch
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic  clk,
    input  logic  rst,
    input  load_t load,
    input  logic  at_last,     // no element of the block follows
    input  logic  advance,     // the step is done, or there is none
    input  logic  redirect,    // from now on the words at `target`; the step stays unless it is done
    input  at_t   target,
    output logic  valid,
    output step_t step,
    output slot_t initial_slot,
    output logic  apart,       // the slot is still to come
    output logic [FEED_WORD_BITS-1:0] next_word  // it follows, if one is there
);
  // The memory reads in each cycle, so that nothing but its address decides what comes: what comes out while nobody takes it waits
  // beside it, and the word behind that stays at its output.
  at_t read_at, addr, front_at, word_at;
  logic out_valid, waits, front_valid, loads;
  logic [FEED_WORD_BITS-1:0] read_word, waiting, front, word;
  simple_ram #(
      .BITS(FEED_WORD_BITS), .DEPTH(FEED_INSTRUCTIONS)
  ) memory (
      .clk, .write(load.write && load.into == INTO_PROGRAM), .write_addr(load.at), .wdata(load.data[FEED_WORD_BITS-1:0]),
      .enable(1'b1), .read_addr(addr), .rdata(read_word)
  );
  assign front = waits ? waiting : read_word;
  assign front_valid = waits || out_valid;

  // The register behind it.
  logic word_valid, fresh, guess, guessed, names, moves;
  /* verilator lint_off UNUSEDSIGNAL */  // what is looked at ahead
  word_field_t field;
  word_block_t block;
  word_initial_t named;
  /* verilator lint_on UNUSEDSIGNAL */
  assign field = word_field_t'(word);
  assign block = word_block_t'(word);
  assign named = word_initial_t'(word);
  assign guess = word_valid && fresh && block.op == 3'(FEED_OP_NEXT) && !at_last;
  assign names = valid && apart && word_valid;
  assign moves = advance || names;
  assign loads = moves || !word_valid;
  assign addr = guess ? block.target : read_at;

  always_ff @(posedge clk) begin
    out_valid <= !redirect;
    if (guess || loads || !front_valid) begin
      {read_at, front_at} <= {addr + AT_BITS'(1), addr};
      waits <= 1'b0;
    end else if (!waits) begin
      {waits, waiting} <= {1'b1, read_word};
    end
    if (redirect) {read_at, waits} <= {target, 1'b0};
    if (loads) begin
      word_valid <= front_valid && !guess;
      word <= front;
      word_at <= front_at;
      fresh <= 1'b1;
    end else begin
      fresh <= 1'b0;
    end
    if (fresh) guessed <= guess;
    if (advance) begin
      valid <= word_valid;
      step <= step_of(word, word_at, fresh ? guess : guessed);
      initial_slot <= slot_t'(field.slot);
      apart <= field.op == 3'(FEED_OP_FIELD) && field.apart != 0;
    end
    if (names) {initial_slot, apart} <= {slot_t'(named.slot), 1'b0};
    if (redirect) begin
      word_valid <= 1'b0;
      if (advance) valid <= 1'b0;
    end
    if (rst) {valid, word_valid, out_valid, waits} <= '0;
  end

  assign next_word = word;
endmodule
