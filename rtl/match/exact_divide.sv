// SPDX-License-Identifier: Apache-2.0
// Price in 10^-8 to whole price units, exactly.
//
// unit = odd * 2^shift. The low `shift` bits of the price must be zero; what is above them is divided by odd:
// x / odd = x * inverse(odd) mod 2^64 if x is a multiple of odd. One that is not yields a quotient far beyond any price range
// (|x| < 10^18), so the range check rejects it. Seven cycles; `unit` stands with `issue` and a cycle longer. Prices under way at
// the same time are of one unit.
module exact_divide
  import fixaccel_hwmap_pkg::*, receive_pkg::*;
(
    input  logic                clk,
    input  logic                rst,
    input  logic                flush,
    input  logic                issue,
    input  logic         [2:0]  issue_id,
    input  decimal_t            price,
    input  instrument_t         unit,
    input  logic                unit_changes,  // level: the host writes tables; what comes of a unit nobody uses
    output logic                done,      // pulse
    output logic         [2:0]  done_id,
    output observation_t        quotient,  // valid: a whole number of units, in range
    // What these will be in the next cycle, but for what is flushed now.
    output logic                next_done,
    output logic         [2:0]  next_id,
    output logic [PRICE_BITS-1:0] next_price
);
  localparam int STAGES = 7;

  logic [STAGES-1:0] stage, ok;
  logic [STAGES-1:0][2:0] ids;
  assign done = stage[STAGES-1];
  assign done_id = ids[STAGES-1];
  assign next_done = stage[STAGES-2];
  assign next_id = ids[STAGES-2];
  always_ff @(posedge clk) begin
    stage <= {stage[STAGES-2:0], issue};
    ids <= {ids[STAGES-2:0], issue_id};
    ok <= {ok[STAGES-2:0], price.ok};
    if (flush || rst) stage <= '0;
  end

  // Stage 0: the price, from where it is.
  logic negative;
  logic [2*PRICE_LIMB-1:0] magnitude;
  logic [$bits(unit.shift)-1:0] shift;
  logic [63:0] inverse;
  logic [3:0] changes;  // from the directory's register to the unit
  always_ff @(posedge clk) begin
    changes <= {changes[2:0], unit_changes};
    {negative, magnitude} <= {price.negative, price.high, price.low};
    {shift, inverse} <= {unit.shift, unit.inverse};
    assert (rst || changes != '0 || !stage[0] || (unit.shift == shift && unit.inverse == inverse));
  end

  // Stages 1 and 2: the shift, by eights and the rest, and what it drops. The sign goes into the inverse, so no negation
  // follows. That is odd, so its own negation has no carry: every bit but the lowest is inverted.
  logic [2*PRICE_LIMB-1:0] nearly, x, dropped;
  logic [63:0] y, y_q;
  logic [2:0] shift_rest;
  logic [6:0] kept;  // of the highest bits; zeros from a shift would be a reset, which the multipliers' registers have not
  logic [3:0] exact;
  always_ff @(posedge clk) begin
    nearly <= magnitude >> {shift[5:3], 3'b0};
    dropped <= magnitude & ~({(2*PRICE_LIMB){1'b1}} << shift);
    y <= {inverse[63:1] ^ {63{negative}}, inverse[0]};
    shift_rest <= shift[2:0];
    kept <= 7'h7f >> shift[2:0];

    x <= (2*PRICE_LIMB)'({nearly[6:0], nearly} >> shift_rest) & {kept, {(2*PRICE_LIMB - 7){1'b1}}};
    y_q <= y;
    exact <= {exact[2:0], dropped == '0};
  end

  // Stages 3 to 5: the product modulo 2^64 from limbs of 17 bits, which any multiplier takes.
  localparam int LIMB = 17;
  logic [3:0][LIMB-1:0] xs, ys;
  assign xs = 68'(x);
  assign ys = 68'(y_q);
  logic [3:0][3:0][2*LIMB-1:0] products;  // xs[i] * ys[j] for i + j < 4
  logic [33:0] sum0;
  logic [34:0] sum1;
  logic [29:0] sum2;
  logic [1:0][12:0] sum3;
  logic [12:0] saved, carried;
  logic [63:0] product;
  // sum1 has a bit beyond sum3's first: full adders for the part where all of them meet.
  assign saved = sum2[29:17] ^ sum3[0] ^ sum3[1];
  assign carried = {(sum2[28:17] & sum3[0][11:0]) | (sum2[28:17] & sum3[1][11:0]) | (sum3[0][11:0] & sum3[1][11:0]), sum1[34]};
  always_ff @(posedge clk) begin
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4 - i; j++) products[i][j] <= 34'(xs[i]) * 34'(ys[j]);

    sum0 <= products[0][0];
    sum1 <= 35'(products[0][1]) + 35'(products[1][0]);
    sum2 <= 30'(products[0][2]) + 30'(products[1][1]) + 30'(products[2][0]);
    sum3[0] <= 13'(products[0][3]) + 13'(products[1][2]);
    sum3[1] <= 13'(products[2][1]) + 13'(products[3][0]);

    product <= {{saved, sum2[16:0], sum0[33:17]} + {carried, sum1[33:0]}, sum0[16:0]};
  end

  // Stage 6: the range. A plain borrow: `below` would have a LUT before its shorter carry chain.
  function automatic logic less(logic [PRICE_BITS-1:0] left, logic [PRICE_BITS-1:0] right);
    /* verilator lint_off UNUSEDSIGNAL */  // the borrow only
    logic [PRICE_BITS:0] difference;
    /* verilator lint_on UNUSEDSIGNAL */
    difference = {1'b0, !left[PRICE_BITS-1], left[PRICE_BITS-2:0]} - {1'b0, !right[PRICE_BITS-1], right[PRICE_BITS-2:0]};
    return difference[PRICE_BITS];
  endfunction
  logic whole, fits, too_low, too_high;
  logic [PRICE_BITS-1:0] value, value_q, price_min, price_max;
  assign value = product[PRICE_BITS-1:0];
  assign next_price = value;
  always_ff @(posedge clk) begin
    whole <= ok[STAGES-2] && exact[3];
    fits <= product[63:PRICE_BITS] == {(64 - PRICE_BITS) {product[PRICE_BITS-1]}};
    if (stage[0]) {price_min, price_max} <= {unit.price_min, unit.price_max};
    too_low <= less(value, price_min);
    too_high <= less(price_max, value);
    value_q <= value;
  end
  assign quotient = '{valid: whole && fits && !too_low && !too_high, price: value_q};
endmodule
