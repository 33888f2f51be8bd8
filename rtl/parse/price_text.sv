// SPDX-License-Identifier: Apache-2.0
// Reads the text of a price, `-?digits[.digits]`, as it arrives.
//
// The whole part is a binary number in two limbs of 17 bits: the low limb takes the digit, the high limb takes the low
// one's carry a cycle later, so no carry chain is longer than a limb. The fraction is a sum of looked-up digit weights.
// The price is complete in the cycle after the field's `done` and stays until the next price begins.
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

  // Weight of digit d at decimal place p (0 is the first after the point) at index 16 * p + d.
  typedef logic [26:0] weight_t;
  function automatic weight_t weight_of(int index);
    int unsigned scale;
    scale = 1;
    for (int i = index / 16 + 1; i < WIRE_DECIMALS; i++) scale = scale * 10;
    return (index % 16 < 10) ? weight_t'(scale * (index % 16)) : '0;
  endfunction
  weight_t weights[16*WIRE_DECIMALS];
  always_comb for (int i = 0; i < 16 * WIRE_DECIMALS; i++) weights[i] = weight_of(i);

  typedef struct packed {
    logic        bad;       // a character or a digit too many
    logic        negative;
    logic        point;     // past the decimal point
    logic        digit;     // the last character was a digit
    logic [3:0]  whole;     // significant digits before the point
    logic [3:0]  places;    // digits after the point, stops at WIRE_DECIMALS
    logic [16:0] low;
    logic [3:0]  carry;     // of the low limb, a cycle late
    logic        step;      // the high limb takes the carry now
    logic [16:0] high;
    logic        adds;      // the fraction takes the weight now
    weight_t     weight;
    weight_t     fraction;
  } state_t;

  // The character, a cycle before it counts.
  logic take, first, digit, point, minus;
  logic [3:0] figure;
  always_ff @(posedge clk) begin
    // The SOH of an empty value is taken too: not a digit, so not a price.
    take <= value.valid && selected && (value_first || !value.soh);
    first <= value_first;
    digit <= value.digit;
    point <= value.data == ".";
    minus <= value.data == "-";
    figure <= value.data[3:0];
  end

  state_t s, n, saved;
  logic [20:0] low;
  logic [16:0] high;
  assign low = {1'b0, s.low, 3'b000} + {3'b000, s.low, 1'b0} + {17'b0, figure};
  assign high = {s.high[13:0], 3'b000} + {s.high[15:0], 1'b0} + {13'b0, s.carry};

  logic whole_full, places_full;
  assign whole_full = s.whole == 4'(WHOLE_DIGITS);
  assign places_full = s.places == 4'(WIRE_DECIMALS);
  always_comb begin
    n = s;
    n.step = 1'b0;
    n.adds = 1'b0;
    n.weight = weights[{s.places[2:0], figure}];
    if (s.step) n.high = high;
    if (s.adds) n.fraction = s.fraction + s.weight;

    if (take && first) begin
      n = '0;
      n.negative = minus;
      n.digit = digit;
      n.bad = !digit && !minus;
      n.low = digit ? {13'b0, figure} : '0;
      n.whole = {3'b000, digit && figure != '0};
    end else if (take) begin
      n.digit = digit;
      if (point) begin
        if (s.point || !s.digit) n.bad = 1'b1;
        n.point = 1'b1;
      end else if (!digit) begin
        n.bad = 1'b1;
      end else if (!s.point) begin
        n.low = low[16:0];
        n.carry = low[20:17];
        n.step = 1'b1;
        // Leading zeros are not significant.
        if (whole_full) n.bad = 1'b1;
        else if (s.whole != '0 || figure != '0) n.whole = s.whole + 4'd1;
      end else if (places_full) begin
        // Beyond the kept places only zeros leave the price a multiple of any unit.
        if (figure != '0) n.bad = 1'b1;
      end else begin
        n.adds   = 1'b1;
        n.places = s.places + 4'd1;
      end
    end
  end

  always_ff @(posedge clk) begin
    s <= rollback.restore ? saved : n;
    if (rollback.keep) saved <= n;
  end

  assign price = '{
          ok: !s.bad && s.digit,
          negative: s.negative,
          high: s.high,
          low: s.low,
          fraction: s.fraction
      };
endmodule
