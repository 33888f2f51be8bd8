// SPDX-License-Identifier: Apache-2.0
// Reads the text of a price, `-?digits[.digits]`, as it arrives.
//
// It is kept in 10^-8 in two limbs: the low one takes the digit, the high one takes the low one's carry a cycle later, so no
// carry chain is longer than a limb. A digit before the point multiplies by ten what is there; one behind it adds its weight,
// which is looked up in a cycle of its own. What stands behind the point carries into the high limb once at most: what that
// makes of it is known before, and so the high limb is either multiplied or comes back: it stays where nothing of that is due.
// The price is complete in the cycle after the field's `done` and stays until the next price begins. After a bad frame both
// limbs come back by way of their adders, as something added to zero: nothing stands between an adder and its register.
module price_text
  import fixaccel_hwmap_pkg::*, receive_pkg::*;
(
    input  logic       clk,
    /* verilator lint_off UNUSEDSIGNAL */  // a price begins anew by itself
    input  text_byte_t value,
    input  logic       value_first,
    input  logic       selected,     // the value is a price
    input  rollback_t  rollback,
    /* verilator lint_on UNUSEDSIGNAL */
    output decimal_t   price
);
  localparam int WHOLE_DIGITS = WIRE_DIGITS - WIRE_DECIMALS;

  localparam int W = PRICE_LIMB;
  typedef logic [W-1:0] limb_t;

  // Weight of digit d at decimal place p (0 is the first after the point) at index 16 * p + d. Beyond 9, where there is no
  // digit, it is what makes the tables small.
  typedef logic [26:0] weight_t;
  function automatic int digit_of(int index);
    return (index % 16 < 8) ? index % 16 : 8 + index % 2;
  endfunction
  function automatic weight_t weight_of(int index);
    int unsigned scale;
    scale = 1;
    for (int i = index / 16 + 1; i < WIRE_DECIMALS; i++) scale = scale * 10;
    return weight_t'(scale * digit_of(index));
  endfunction
  // Not as a table with an index: tools would make a block RAM of one that is read into a register.
  function automatic weight_t weight_at(int place, logic [3:0] figure);
    weight_at = '0;
    for (int d = 0; d < 16; d++) if (figure == 4'(d)) weight_at |= weight_of(16 * place + d);
  endfunction
  // Of a digit before the point.
  limb_t ones[16];
  always_comb for (int i = 0; i < 16; i++) ones[i] = limb_t'(digit_of(i) * 10 ** WIRE_DECIMALS);

  typedef struct packed {
    logic        bad;       // a character or a digit too many
    logic        negative;
    logic        point;     // past the decimal point
    logic        digit;     // the last character was a digit
    logic [3:0]  whole;     // significant digits before the point
    logic [WIRE_DECIMALS:0] place;     // the one bit that is set: of the next digit after the point, the last for all beyond
  } state_t;
  localparam state_t BEGUN = '{place: 1, default: '0};

  // The character, a cycle before it counts.
  logic take, first, digit, point, minus;
  logic [3:0] figure;
  state_t s, n, saved;
  logic begins, grows;
  assign begins = value.valid && selected && value_first;
  assign grows = take && digit && !s.point;
  logic adds;             // the low limb takes the weight
  logic step, scales;     // the high limb takes the carry; it is multiplied by ten before
  logic [3:0] carry;
  limb_t low, high, saved_low, saved_high, next_high;
  limb_t term;            // what the low limb takes: of the character before the point, of the one before it behind the point
  logic [1:0] back;       // the price comes back: its low limb, its high limb
  logic carried, saved_carried;  // what stands behind the point has carried into the high limb, which does not show it
  logic carries;          // it does so now
  // What the character before weighs at each place; one of them counts.
  weight_t [WIRE_DECIMALS-1:0] at_places;
  weight_t at_place;
  always_comb begin
    at_place = '0;
    for (int i = 0; i < WIRE_DECIMALS; i++) if (s.place[i]) at_place |= at_places[i];
  end
  always_ff @(posedge clk) begin
    // The SOH of an empty value is taken too: not a digit, so not a price.
    take <= value.valid && selected && (value_first || !value.soh);
    first <= value_first;
    digit <= value.digit;
    point <= value.data == ".";
    minus <= value.data == "-";
    figure <= value.data[3:0];
    for (int i = 0; i < WIRE_DECIMALS; i++) at_places[i] <= weight_at(i, value.data[3:0]);
    term <= rollback.restore ? saved_low : s.point ? limb_t'(at_place) : ones[value.data[3:0]];
  end

  logic [W+3:0] sum, by_eight, by_two;
  limb_t sum_high;
  assign by_eight = adds ? (W + 4)'(low) : {1'b0, low, 3'b000};
  assign by_two = adds ? '0 : {3'b000, low, 1'b0};
  assign sum = by_eight + by_two + (W + 4)'(term);
  // It is zero where it comes back.
  assign sum_high = {high[W-4:0], 3'b000} + {high[W-2:0], 1'b0} + (back[1] ? saved_high : W'(carry));
  assign carries = step && !scales && carry[0];

  logic whole_full, places_full;
  assign whole_full = s.whole == 4'(WHOLE_DIGITS);
  assign places_full = s.place[WIRE_DECIMALS];
  always_comb begin
    n = s;
    if (take) begin
      n.digit = digit;
      if (first && minus) begin
        n.negative = 1'b1;
      end else if (point) begin
        if (s.point || !s.digit) n.bad = 1'b1;
        n.point = 1'b1;
      end else if (!digit) begin
        n.bad = 1'b1;
      end else if (!s.point) begin
        // Leading zeros are not significant.
        if (whole_full) n.bad = 1'b1;
        else if (s.whole != '0 || figure != '0) n.whole = s.whole + 4'd1;
      end else if (places_full) begin
        // Beyond the kept places only zeros leave the price a multiple of any unit.
        if (figure != '0) n.bad = 1'b1;
      end else n.place = s.place << 1;
    end
    // A price begins before its point, wherever the one before it was: ahead of it there is a SOH, or a field of another kind.
    if (!selected || (value.valid && value.soh)) n.point = 1'b0;
  end

  always_ff @(posedge clk) begin
    s <= rollback.restore ? saved : n;
    if (begins) s <= BEGUN;
    // All that the frame has brought is in.
    if (rollback.keep) {saved, saved_low, saved_high, saved_carried} <= {s, low, high, carried};
  end

  always_ff @(posedge clk) begin
    adds <= (take && digit && s.point && !places_full) || rollback.restore;
    if (adds || grows) low <= sum[W-1:0];
    if (begins || rollback.restore) low <= '0;

    {step, scales} <= {adds || grows, !adds};
    carry <= sum[W+3:W];
    if (step && (scales || back[1])) high <= sum_high;
    if (begins || rollback.restore) high <= '0;
    carried <= rollback.restore ? saved_carried : (carried || carries) && !begins;
    back <= {back[0], rollback.restore};
    next_high <= high + W'(1);
  end

  assign price = '{
          ok: !s.bad && s.digit,
          negative: s.negative,
          high: (carried || carries) ? next_high : high,
          low: low
      };
endmodule
