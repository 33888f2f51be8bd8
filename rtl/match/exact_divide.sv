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

  // Stages 2 to 4: the product modulo 2^64 from pieces of 17 by 24 bits, the size of a DSP multiplier.
  logic [40:0] p00, p01, p02, p10, p11, p20;
  logic [5:0] p21;
  logic [12:0] p30;
  logic [63:0] sum0, sum1, product;
  logic [12:0] sum2;
  always_ff @(posedge clk) begin
    p00 <= 41'(x[16:0]) * 41'(y[23:0]);
    p01 <= 41'(x[16:0]) * 41'(y[47:24]);
    p02 <= 41'(x[16:0]) * 41'(y[63:48]);
    p10 <= 41'(x[33:17]) * 41'(y[23:0]);
    p11 <= 41'(x[33:17]) * 41'(y[47:24]);
    p20 <= 41'(x[50:34]) * 41'(y[23:0]);
    p21 <= 6'(41'(x[50:34]) * 41'(y[47:24]));
    p30 <= 13'(41'(x[59:51]) * 41'(y[23:0]));

    sum0 <= 64'(p00) + (64'(p01) << 24) + (64'(p02) << 48);
    sum1 <= (64'(p10) << 17) + (64'(p11) << 41) + (64'(p20) << 34);
    sum2 <= {p21, 7'b0} + p30;

    product <= sum0 + sum1 + {sum2, 51'b0};
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
