// SPDX-License-Identifier: Apache-2.0
// Price in 10^-8 to whole price units, exactly.
//
// unit = odd * 2^shift. x / odd = x * inverse(odd) mod 2^64 if x is a multiple of odd; the low `shift` bits of that must be
// zero. A price that is not a multiple yields a quotient far beyond any price range (|x| < 10^18), so the range check
// rejects it. Six cycles, one price a cycle; `unit` stands while a division is under way.
module exact_divide
  import fixaccel_hwmap_pkg::*, receive_pkg::*;
(
    input  logic                                clk,
    input  logic                                rst,
    input  logic                                flush,
    input  logic                                issue,
    input  logic        [1:0]                   issue_source,
    input  decimal_t                            price,
    input  instrument_t                         unit,
    input  logic        [63:0]                  negative_inverse,
    output logic                                busy,
    output logic                                done,              // pulse
    output logic        [1:0]                   done_source,
    output logic signed [PRICE_BITS-1:0]        quotient,
    output logic                                valid              // with done: a whole number of units, in range
);
  localparam int STAGES = 6;
  // 10^8 = 5^8 * 2^8.
  localparam logic [18:0] FIVES = 19'd390625;

  logic [STAGES-1:0] stage;
  logic [1:0] sources[STAGES];
  assign busy = stage != '0;
  assign done = stage[STAGES-1];
  assign done_source = sources[STAGES-1];
  always_ff @(posedge clk) begin
    stage <= {stage[STAGES-2:0], issue};
    sources[0] <= issue_source;
    for (int i = 1; i < STAGES; i++) sources[i] <= sources[i-1];
    if (flush || rst) stage <= '0;
  end

  // Stage 0: the whole part times 5^8, by limbs.
  logic [35:0] low, high;
  logic [26:0] fraction;
  logic [1:0] negative;
  logic [STAGES-1:0] ok;
  // Stage 1: the magnitude in 10^-8.
  logic [59:0] x;
  always_ff @(posedge clk) begin
    ok <= {ok[STAGES-2:0], price.ok};
    negative <= {negative[0], price.negative};
    low <= 36'(price.low) * 36'(FIVES);
    high <= 36'(price.high) * 36'(FIVES);
    fraction <= price.fraction;
    x <= (60'(high) << 25) + (60'(low) << 8) + 60'(fraction);
  end

  // Stages 2 to 4: the product modulo 2^64 from pieces of 17 by 24 bits, the size of a DSP multiplier. The sign sits in the
  // inverse, so no negation follows.
  logic [63:0] y;
  assign y = negative[1] ? negative_inverse : unit.inverse;
  logic [40:0] p00, p01, p02, p10, p11, p20, p21, p30;
  logic [63:0] sum0, sum1, sum2, product;
  always_ff @(posedge clk) begin
    p00 <= 41'(x[16:0]) * 41'(y[23:0]);
    p01 <= 41'(x[16:0]) * 41'(y[47:24]);
    p02 <= 41'(x[16:0]) * 41'(y[63:48]);
    p10 <= 41'(x[33:17]) * 41'(y[23:0]);
    p11 <= 41'(x[33:17]) * 41'(y[47:24]);
    p20 <= 41'(x[50:34]) * 41'(y[23:0]);
    p21 <= 41'(x[50:34]) * 41'(y[47:24]);
    p30 <= 41'(x[59:51]) * 41'(y[23:0]);

    sum0 <= 64'(p00) + (64'(p01) << 24) + (64'(p02) << 48);
    sum1 <= (64'(p10) << 17) + (64'(p11) << 41) + (64'(p20) << 34);
    sum2 <= (64'(p21) << 58) + (64'(p30) << 51);

    product <= sum0 + sum1 + sum2;
  end

  // Stage 5: the shift. The comparisons with the range belong to the cycle after it.
  logic signed [63:0] shifted;
  logic exact;
  always_ff @(posedge clk) begin
    shifted <= $signed(product) >>> unit.shift;
    exact <= (product & ~(64'hFFFF_FFFF_FFFF_FFFF << unit.shift)) == '0;
  end

  assign quotient = shifted[PRICE_BITS-1:0];
  assign valid = ok[STAGES-1] && exact && shifted[63:PRICE_BITS] == {(64 - PRICE_BITS) {shifted[PRICE_BITS-1]}}
      && quotient >= unit.price_min && quotient <= unit.price_max;
endmodule
