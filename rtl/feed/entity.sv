// SPDX-License-Identifier: Apache-2.0
// The entity stage: seven bits a byte up to the one with the stop bit become an integer, and what is to be said of it.
//
// The same register gathers raw bytes and the characters of a string, eight bits each. What counts of an entity counts in the
// cycle in which its last byte is taken; its value is there a cycle later and stays until the next byte.
module entity
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic       clk,
    input  logic       restart,    // what comes next is a first byte
    input  logic       take,       // a byte of an entity, or a character
    input  logic [7:0] data,
    input  logic       is_signed,
    // What the register takes: at most one of these.
    input  logic       gather,       // seven bits of the entity
    input  logic       gather_raw,   // a byte behind the others
    input  logic       gather_low,   // a byte above the others
    input  logic       raw_first,    // nothing is in front of it
    input  logic [7:0] raw,
    output logic       first,        // no byte of the entity was taken yet
    output logic       is_zero,      // it says zero
    output logic       is_one,
    output logic       is_negative,
    output logic       is_longer,    // than it need be: R6
    output logic       is_full,      // the byte is the last one that an integer or a map may have
    output number_t    value
);
  localparam int MOST = FEED_ENTITY_BYTES;

  logic [MOST-1:0] place;  // of the byte, one bit
  logic negative, longer, padded, some;
  assign first = place[0];
  assign is_negative = first ? is_signed && data[6] : negative;
  assign is_zero = !some && data[6:0] == '0;
  assign is_one = !some && data[6:0] == 7'd1;
  assign is_full = place[MOST-1];
  // The first byte only repeats the sign that the second one shows.
  assign is_longer = place[1] ? padded && (!is_signed || data[6] == negative) : longer && !first;

  number_t prior;
  always_comb begin
    prior = value;
    if (gather && first) prior = {$bits(number_t) {is_signed && data[6]}};
    if (!gather && raw_first) prior = '0;
  end
  always_ff @(posedge clk) begin
    if (gather) value <= {prior[ENTITY_BITS-7:0], data[6:0]};
    else if (gather_raw) value <= {prior[ENTITY_BITS-8:0], raw};
    else if (gather_low) value <= {prior[ENTITY_BITS:64], raw, prior[63:8]};
    if (take) begin
      place <= data[7] ? MOST'(1) : place << 1;
      some <= !data[7] && (some || data[6:0] != '0);
      negative <= is_negative;
      padded <= first && data[6:0] == {7{is_signed && data[6]}};
      longer <= is_longer;
    end
    if (restart) {place, some} <= {MOST'(1), 1'b0};
  end
endmodule
