// SPDX-License-Identifier: Apache-2.0
// Which template the message has, and how deep in references it is.
//
// An identifier that is not in the stream is that of the message before, whose row is there.
module messages
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic    clk,
    input  logic    rst,
    input  load_t   load,
    /* verilator lint_off UNUSEDSIGNAL */  // most of what the engine does
    input  phases_t phase,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic    ends,          // a routine
    input  logic    calls,         // the message is one of a reference
    input  logic    whole,         // an entity ends
    input  logic    done,
    input  logic [6:0] head,       // of the entity's byte that is there
    input  logic    entity_first,
    /* verilator lint_off UNUSEDSIGNAL */  // an identifier has 32 bits, and what is above is looked at where it is one
    input  number_t value,         // of those before it
    /* verilator lint_on UNUSEDSIGNAL */
    output logic    id_known,
    output logic    id_given,      // in the stream
    output logic    lookup_done,   // for a cycle
    output logic    lookup_found,
    output at_t     found_target,
    output logic    same,          // the template of the last message
    output template_row_t last_row,
    output logic    in_message,
    output logic [2:0] depth,      // of dynamic references
    output logic    forgotten      // what the template makes forget
);
  logic last_known;
  template_row_t row;
  template_lookup lookup (
      .clk, .rst, .load, .start(phase[RESOLVE] && id_given && !same), .id(value[31:0]), .done(lookup_done), .found(lookup_found), .row
  );
  // It is compared as its last byte comes.
  logic equal;
  number_t read;
  assign read = {entity_first ? '0 : value[ENTITY_BITS-7:0], head};
  assign same = last_known && equal;
  assign found_target = row.target;
  always_ff @(posedge clk) begin
    if (phase[MAP]) id_given <= 1'b0;
    if (phase[ID] && whole) {id_given, id_known} <= 2'b11;
    if (phase[RESET]) id_known <= 1'b0;
    if (phase[LOOKUP] && lookup_done && lookup_found) {last_row, last_known, equal} <= {row, 2'b11};
    else if (phase[ID]) equal <= read == number_t'(last_row.id);
    if (ends) begin
      if (depth == '0) in_message <= 1'b0;
      else depth <= depth - 3'd1;
    end
    if (phase[RESOLVE] && done) begin
      in_message <= 1'b1;
      if (calls) depth <= depth + 3'd1;
    end
    forgotten <= !done && (forgotten || phase[FORGET]);
    if (phase[RESTART]) {id_known, in_message, depth, forgotten} <= '0;
    if (rst || phase[OFF]) last_known <= 1'b0;
  end
endmodule
