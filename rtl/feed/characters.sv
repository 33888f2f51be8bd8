// SPDX-License-Identifier: Apache-2.0
// Characters of a string as the stream has them, and chunks of them for the field bus.
//
// Zeros that only say that the string is empty, or that it begins with a zero, are no characters.
module characters
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic       clk,
    input  logic       clear,        // the field is done
    input  logic       take,         // a character
    input  logic       take_vector,  // a byte of a vector, which is one in any case
    input  logic       take_made,    // one of a value that is put together
    input  logic       first,        // of the entity
    input  logic       nullable,
    input  logic [6:0] data,
    input  logic       gathers,      // for the field bus
    output logic       keep,         // it belongs to the string
    output logic       needless,     // the string began with a zero that it need not: R9, of all so far
    output logic [2:0] count,        // gathered since the last chunk
    output logic       chunk_first,
    output logic       full          // the chunk, with this one
);
  logic is_zero, dropped, second, was_needless, begins_late;
  assign is_zero = data == '0;
  // The first character, a zero, is none; nor is the second one of a string that could be null.
  assign keep = take_vector || take_made || (take && !(is_zero && (first || (second && nullable))));
  assign begins_late = take && dropped && keep && !is_zero;
  assign needless = begins_late || was_needless;
  assign full = keep && gathers && count == 3'(CHUNK_BYTES - 1);
  always_ff @(posedge clk) begin
    if (take) begin
      second <= first && is_zero;
      dropped <= !keep;
      was_needless <= needless;
    end
    if (keep && gathers) count <= count + 3'd1;
    if (full) {count, chunk_first} <= '0;
    if (clear) {second, dropped, was_needless, count, chunk_first} <= {6'd0, 1'b1};
  end
endmodule
