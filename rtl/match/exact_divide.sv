// SPDX-License-Identifier: Apache-2.0
// Price in 10^-8 to whole price units, exactly.
//
// unit = odd * 2^shift. x / odd = x * inverse(odd) mod 2^64 if x is a multiple of odd; the low `shift` bits of that must be
// zero. A price that is not a multiple yields a quotient far beyond any price range (|x| < 10^18), so the range check
// rejects it. Seven cycles; `unit` is taken with `issue`. Prices under way at the same time are of one unit.
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
  // 10^8 = 5^8 * 2^8.
  localparam logic [18:0] FIVES = 19'd390625;

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

  // Stage 0: the whole part times 5^8, by limbs. The sign goes into the inverse, so no negation follows.
  logic [35:0] low, high;
  logic [26:0] fraction;
  logic [63:0] y;
  instrument_t in_use;
  always_ff @(posedge clk) begin
    low <= 36'(price.low) * 36'(FIVES);
    high <= 36'(price.high) * 36'(FIVES);
    fraction <= price.fraction;
    if (issue) in_use <= unit;
  end

  // Stage 1: the magnitude in 10^-8.
  logic negative;
  logic [59:0] x;
  always_ff @(posedge clk) begin
    negative <= price.negative;
    x <= (60'(high) << 25) + (60'(low) << 8) + 60'(fraction);
    y <= (in_use.inverse ^ {64{negative}}) + 64'(negative);
  end

  // Stages 2 to 4: the product modulo 2^64 from limbs of 17 bits, which any multiplier takes.
  localparam int LIMB = 17;
  logic [3:0][LIMB-1:0] xs, ys;
  assign xs = 68'(x);
  assign ys = 68'(y);
  logic [3:0][3:0][2*LIMB-1:0] products;  // xs[i] * ys[j] for i + j < 4
  logic [33:0] sum0;
  logic [34:0] sum1;
  logic [29:0] sum2;
  logic [12:0] sum3;
  logic [63:0] product;
  always_ff @(posedge clk) begin
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4 - i; j++) products[i][j] <= 34'(xs[i]) * 34'(ys[j]);

    sum0 <= products[0][0];
    sum1 <= 35'(products[0][1]) + 35'(products[1][0]);
    sum2 <= 30'(products[0][2]) + 30'(products[1][1]) + 30'(products[2][0]);
    sum3 <= 13'(products[0][3]) + 13'(products[1][2]) + 13'(products[2][1]) + 13'(products[3][0]);

    product <= {sum2, sum0} + 64'({sum3, 34'(sum1)} << LIMB) + (64'(sum1[34]) << 51);
  end

  // Stage 5: the shift. The unit has stood long enough to know which bits it drops.
  logic [63:0] dropped;
  logic signed [63:0] shifted;
  logic exact;
  always_ff @(posedge clk) begin
    dropped <= ~(64'hFFFF_FFFF_FFFF_FFFF << in_use.shift);
    shifted <= $signed(product) >>> in_use.shift;
    exact <= (product & dropped) == '0;
  end

  // Stage 6: the range.
  always_ff @(posedge clk) begin
    quotient.price <= shifted[PRICE_BITS-1:0];
    quotient.valid <= ok[STAGES-2] && exact && shifted[63:PRICE_BITS] == {(64 - PRICE_BITS) {shifted[PRICE_BITS-1]}} &&
        $signed(shifted[PRICE_BITS-1:0]) >= in_use.price_min && $signed(shifted[PRICE_BITS-1:0]) <= in_use.price_max;
  end
endmodule
