// SPDX-License-Identifier: Apache-2.0
// How far from the reference the collar reaches: |reference| x collar / 2^62, rounded down.
//
// With collar = ceil(basis points x 2^62 / 10^4) and |reference| <= 2^48 that is |reference| x basis points / 10^4, rounded down:
// what the ceiling adds stays below 2^48 / 2^62, which is less than the 10^-4 that a fraction lacks to the next whole number.
// The product is made a column of limbs a cycle: no limb of 17 bits meets more than three of the other side.
module collar_distance
  import receive_pkg::*, match_pkg::*;
(
    input  logic        clk,
    input  logic        rst,
    input  logic        start,      // pulse; ends what is under way
    input  logic [63:0] collar,
    input  halves_t     reference,  // two cycles after start, and two cycles longer
    output logic        done,       // pulse, eleven cycles after start
    output halves_t     distance    // with it
);
  localparam int LIMB = 17;
  localparam int SHIFT = 62 - 3 * LIMB;  // below the fourth limb nothing counts
  localparam int CYCLES = 11;

  logic [CYCLES:1] step;  // step[n]: n cycles after start
  assign done = step[CYCLES];
  always_ff @(posedge clk) begin
    step <= {step[CYCLES-1:1], 1'b0};
    if (start) step <= CYCLES'(1);
    if (rst) step <= '0;
  end

  // Cycle 3 on: a limb of the collar passes those of the reference, one after the other. Of the reference the magnitude is
  // made limb by limb, for each meets its first limb a cycle later than the one below it; until then it meets zeros.
  logic [2:0][LIMB-1:0] xs, passing, reference_limbs;
  logic [3:0][LIMB-1:0] ys;
  logic [1:0] carry;
  assign passing[0] = ys[0];
  assign reference_limbs = (3 * LIMB)'(unsigned'(reference ^ {HALF_BITS{reference[HALF_BITS-1]}}));
  always_ff @(posedge clk) begin
    ys <= step[2] ? (4 * LIMB)'(collar) : ys >> LIMB;
    if (start) ys <= '0;
    if (step[2]) {carry[0], xs[0]} <= (LIMB + 1)'(reference_limbs[0]) + (LIMB + 1)'(reference[HALF_BITS-1]);
    if (step[3]) {carry[1], xs[1]} <= (LIMB + 1)'(reference_limbs[1]) + (LIMB + 1)'(carry[0]);
    if (step[4]) xs[2] <= reference_limbs[2] + LIMB'(carry[1]);
    passing[2:1] <= passing[1:0];
  end

  logic [2:0][2*LIMB-1:0] products;
  logic [2*LIMB+1:0] products_sum, products_xor, products_carry;  // of three numbers, two are made, for one chain
  always_comb begin
    products_xor = '0;
    products_carry = '0;
    for (int i = 0; i < 2 * LIMB; i++) begin
      products_xor[i] = products[0][i] ^ products[1][i] ^ products[2][i];
      products_carry[i+1] = (products[0][i] && products[1][i]) || (products[0][i] && products[2][i]) || (products[1][i] && products[2][i]);
    end
  end
  logic [2*LIMB+2:0] sum;
  logic [1:0][LIMB-1:0] low;  // of the two columns before
  always_ff @(posedge clk) begin
    for (int i = 0; i < 3; i++) products[i] <= (2 * LIMB)'(xs[i]) * (2 * LIMB)'(passing[i]);
    products_sum <= products_xor + products_carry;
    sum <= (2 * LIMB + 3)'(products_sum) + (step[5] ? '0 : (2 * LIMB + 3)'(sum[2*LIMB+2:LIMB]));
    low <= {sum[LIMB-1:0], low[1]};
  end
  assign distance = halves_t'({sum, low} >> SHIFT);
endmodule
