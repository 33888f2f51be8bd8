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
    input  halves_t     reference,  // two cycles after start
    output logic        done,       // pulse, eleven cycles after start
    output halves_t     distance    // with it
);
  localparam int LIMB = 17;
  localparam int SHIFT = 62 - 3 * LIMB;  // below the fourth limb nothing counts
  localparam int COLUMNS = 6;
  localparam int CYCLES = 11;

  logic [CYCLES:1] step;  // step[n]: n cycles after start
  logic [2:0] column;
  assign done = step[CYCLES];
  always_ff @(posedge clk) begin
    step <= {step[CYCLES-1:1], 1'b0};
    if (column != 3'(COLUMNS)) column <= column + 3'd1;
    if (step[2]) column <= '0;
    if (start) begin
      step <= CYCLES'(1);
      column <= 3'(COLUMNS);
    end
    if (rst) step <= '0;
  end

  // Cycle 3 on: a limb of the collar passes those of the reference, one after the other.
  logic [2:0][LIMB-1:0] xs, passing;
  logic [7:0][LIMB-1:0] ys;
  assign ys = (8 * LIMB)'(collar);
  assign passing[0] = ys[column];
  halves_t magnitude;
  assign magnitude = (reference ^ {HALF_BITS{reference[HALF_BITS-1]}}) + halves_t'({1'b0, reference[HALF_BITS-1]});
  always_ff @(posedge clk) begin
    if (step[2]) xs <= (3 * LIMB)'(unsigned'(magnitude));
    passing[2:1] <= passing[1:0];
  end

  logic [2:0][2*LIMB-1:0] products;
  logic [2*LIMB+1:0] products_sum;
  logic [2*LIMB+2:0] sum;
  logic [1:0][LIMB-1:0] low;  // of the two columns before
  always_ff @(posedge clk) begin
    for (int i = 0; i < 3; i++) products[i] <= (2 * LIMB)'(xs[i]) * (2 * LIMB)'(passing[i]);
    products_sum <= (2 * LIMB + 2)'(products[0]) + (2 * LIMB + 2)'(products[1]) + (2 * LIMB + 2)'(products[2]);
    sum <= (2 * LIMB + 3)'(products_sum) + (step[5] ? '0 : (2 * LIMB + 3)'(sum[2*LIMB+2:LIMB]));
    low <= {sum[LIMB-1:0], low[1]};
  end
  assign distance = halves_t'({sum, low} >> SHIFT);
endmodule
