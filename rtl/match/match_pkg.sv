// SPDX-License-Identifier: Apache-2.0
// Bundles between the modules that match messages against triggers.
package match_pkg;
  import compare_pkg::*, fixaccel_hwmap_pkg::*, receive_pkg::*;

  // The first live trigger of a chain, or its decision.
  typedef struct packed {
    logic [CHAIN_FIRST_BITS-1:0]      index;
    trigger_t                         trigger;
    logic [FIRE_COUNT_FIRES_BITS-1:0] fires;      // with the one to come
    logic                             exhausted;  // there is no such count: it stays
  } head_t;
  typedef struct packed {
    logic       live;     // there is one
    logic       arms;     // the chain has one whose order arms or revives others
    logic       decides;  // a decision: once it is `decided` for a message, the order is the interval's
    logic       misses;   // and the price is in none
    logic       confirms; // the observation just before has to satisfy it, too
    logic [1:0] open;     // whether the chain's window of time is, by set of windows
  } chain_flags_t;

  // Half units, in which prices and the mid are both whole: room for the distance of a mid from the end of the widest collar.
  localparam int HALF_BITS = PRICE_BITS + 3;
  typedef logic signed [HALF_BITS-1:0] halves_t;
  function automatic halves_t halves(logic signed [PRICE_BITS-1:0] price);
    return halves_t'(price) <<< 1;
  endfunction

  function automatic stages_t stages_halves_below(halves_t left, halves_t right);
    logic [HALF_BITS-1:0] from, to;
    from = {!left[HALF_BITS-1], left[HALF_BITS-2:0]};
    to = {!right[HALF_BITS-1], right[HALF_BITS-2:0]};
    return stages_of({from, (LOWER_BITS - HALF_BITS)'(0)}, {to, (LOWER_BITS - HALF_BITS)'(0)});
  endfunction

  // bid + ask - bound, or one less, as two numbers to be added: a register between this and the carry makes of the
  // comparison two cycles, as with prices.
  typedef struct packed {
    halves_t sum;
    halves_t carry;
  } summed_t;
  function automatic summed_t summed(
      logic signed [PRICE_BITS-1:0] bid, logic signed [PRICE_BITS-1:0] ask, halves_t bound, logic one_less);
    halves_t a, b, c;
    {a, b, c} = {halves_t'(bid), halves_t'(ask), ~bound};
    summed.sum = a ^ b ^ c;
    summed.carry = {(HALF_BITS - 1)'((a & b) | (a & c) | (b & c)), !one_less};
  endfunction
  function automatic logic is_negative(summed_t numbers);
    halves_t total;
    total = numbers.sum + numbers.carry;
    return total[HALF_BITS-1];
  endfunction

  // What is known of an instrument ahead of a message.
  typedef struct packed {
    logic [SOURCES-1:0]         known;   // the newest observation still holds
    observation_t [SOURCES-1:0] newest;  // of each source, whatever was said since; none behind a gap
  } market_t;
  function automatic observation_t known_of(market_t market, int source);
    return '{valid: market.known[source], price: market.newest[source].price};
  endfunction
  // The collar, from its reference.
  typedef struct packed {
    logic    admits;  // there is something to compare with, or no collar: observations are eligible
    halves_t low;     // lowest and highest price that is not beyond it
    halves_t high;
  } collar_t;

  // How far a search spans: which pair of bits of a size is the highest that is not zero, and whether it is one bit.
  localparam int SPAN_PAIRS = CHAIN_FIRST_BITS / 2;
  typedef struct packed {
    logic                  odd;
    logic [SPAN_PAIRS-1:0] top;
  } span_t;
  function automatic span_t span_of(logic [CHAIN_FIRST_BITS-1:0] size);
    logic higher;
    higher = 1'b0;
    span_of = '0;
    for (int i = SPAN_PAIRS - 1; i >= 0; i--) begin
      span_of.top[i] = !higher && size[2*i+:2] != '0;
      span_of.odd |= span_of.top[i] && !size[2*i+1];
      higher |= size[2*i+:2] != '0;
    end
  endfunction

  // A message of a good frame.
  typedef struct packed {
    message_t    message;  // prices of bid and ask are those behind it, observed or not
    observation_t [SOURCES-1:0] previous;  // the newest observations ahead of it
    logic        has_mid;  // it observes one
    logic [SOURCES:0] outside;  // observations beyond the collar, that of the mid last
    logic [31:0] frame_end_cycle;
    logic [63:0] time_ns;  // clock at the end of the frame
  } committed_t;

  // Lowest bit that is set, halves joined pairwise: five short steps instead of a chain of 32. Or of each eight first, to be
  // joined behind a register.
  typedef struct packed {
    logic       any;
    logic [4:0] place;
  } lowest_t;
  typedef struct packed {
    logic       any;
    logic [2:0] place;
  } lowest_of_eight_t;
  typedef lowest_of_eight_t [3:0] eights_t;
  function automatic eights_t lowest_of_eights(logic [31:0] bits);
    logic [31:0] any;
    logic [31:0][2:0] place;
    any = bits;
    place = '0;
    for (int level = 0; level < 3; level++)
      for (int i = 0; i < (16 >> level); i++) begin
        place[i] = any[2*i] ? place[2*i] : place[2*i+1] | 3'(1 << level);
        any[i] = any[2*i] || any[2*i+1];
      end
    for (int i = 0; i < 4; i++) lowest_of_eights[i] = '{any: any[i], place: place[i]};
  endfunction
  function automatic lowest_t lowest_among(eights_t eights);
    logic low;
    low = eights[0].any || eights[1].any;
    lowest_among.any = low || eights[2].any || eights[3].any;
    lowest_among.place = eights[0].any ? {2'd0, eights[0].place} : {2'd1, eights[1].place};
    if (!low) lowest_among.place = eights[2].any ? {2'd2, eights[2].place} : {2'd3, eights[3].place};
  endfunction
  function automatic lowest_t lowest(logic [31:0] bits);
    return lowest_among(lowest_of_eights(bits));
  endfunction

  // Bits from a place on, behind it.
  function automatic logic [31:0] bits_from(logic [4:0] place);
    for (int i = 0; i < 32; i++) bits_from[i] = 5'(i) >= place;
  endfunction
  function automatic logic [31:0] bits_behind(logic [4:0] place);
    for (int i = 0; i < 32; i++) bits_behind[i] = 5'(i) > place;
  endfunction
endpackage
