// SPDX-License-Identifier: Apache-2.0
// Price in 10^-8 to whole price units, exactly.
//
// unit = odd * 2^shift. The low `shift` bits of the price must be zero; what is above them is divided by odd:
// x / odd = x * inverse(odd) mod 2^64 if x is a multiple of odd. One that is not yields a quotient far beyond any price range
// (|x| < 10^18), so the range check rejects it. Seven cycles; `unit` is taken with `issue`. Prices under way at the same time
// are of one unit.
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
    output logic                done,      // pulse
    output logic         [2:0]  done_id,
    output observation_t        quotient   // valid: a whole number of units, in range
);
  localparam int STAGES = 7;

  logic [STAGES-1:0] stage, ok;
  logic [STAGES-1:0][2:0] ids;
  assign done = stage[STAGES-1];
  assign done_id = ids[STAGES-1];
  always_ff @(posedge clk) begin
    stage <= {stage[STAGES-2:0], issue};
    ids <= {ids[STAGES-2:0], issue_id};
    ok <= {ok[STAGES-2:0], price.ok};
    if (flush || rst) stage <= '0;
  end

  // Stage 0: the price, from where it is.
  logic negative;
  logic [2*PRICE_LIMB-1:0] magnitude;
  instrument_t in_use;
  always_ff @(posedge clk) begin
    {negative, magnitude} <= {price.negative, price.high, price.low};
    if (issue) in_use <= unit;
  end

  // Stages 1 and 2: the shift, by sixteens and the rest, and what it drops. The sign goes into the inverse, so no negation
  // follows.
  logic [2*PRICE_LIMB-1:0] nearly, x, dropped;
  logic [63:0] y, y_q;
  logic [3:0] exact;
  always_ff @(posedge clk) begin
    nearly <= magnitude >> {in_use.shift[5:4], 4'b0};
    dropped <= magnitude & ~({(2*PRICE_LIMB){1'b1}} << in_use.shift);
    y <= (in_use.inverse ^ {64{negative}}) + 64'(negative);

    x <= nearly >> in_use.shift[3:0];
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
  logic [12:0] sum3, saved, carried;
  logic [63:0] product;
  // sum1 has a bit beyond sum3's first: half adders for the part where all three meet.
  assign saved = sum2[29:17] ^ sum3;
  assign carried = {sum2[28:17] & sum3[11:0], sum1[34]};
  always_ff @(posedge clk) begin
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4 - i; j++) products[i][j] <= 34'(xs[i]) * 34'(ys[j]);

    sum0 <= products[0][0];
    sum1 <= 35'(products[0][1]) + 35'(products[1][0]);
    sum2 <= 30'(products[0][2]) + 30'(products[1][1]) + 30'(products[2][0]);
    sum3 <= 13'(products[0][3]) + 13'(products[1][2]) + 13'(products[2][1]) + 13'(products[3][0]);

    product <= {{saved, sum2[16:0], sum0[33:17]} + {carried, sum1[33:0]}, sum0[16:0]};
  end

  // Stage 6: the range.
  logic whole, fits, above, beneath;
  logic [PRICE_BITS-1:0] value, value_q;
  assign value = product[PRICE_BITS-1:0];
  always_ff @(posedge clk) begin
    whole <= ok[STAGES-2] && exact[3];
    fits <= product[63:PRICE_BITS] == {(64 - PRICE_BITS) {product[PRICE_BITS-1]}};
    above <= !below(value, in_use.price_min);
    beneath <= !below(in_use.price_max, value);
    value_q <= value;
  end
  assign quotient = '{valid: whole && fits && above && beneath, price: value_q};
endmodule
