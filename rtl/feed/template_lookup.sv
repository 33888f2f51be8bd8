// SPDX-License-Identifier: Apache-2.0
// From the identifier of a template to its routine.
//
// The row is the top byte of the product with a multiplier that gives each identifier of the program a row of its own, so one
// row is looked at. One multiplier of half the width makes the product, three halves one behind the other. The answer comes
// a fixed number of cycles behind `start`; the row stays until the next one.
module template_lookup
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic          clk,
    input  logic          rst,
    input  load_t         load,
    input  logic          start,
    input  logic [31:0]   id,
    output logic          done,   // for a cycle
    output logic          found,
    output template_row_t row     // with `done`
);
  localparam int STEPS = 9;
  localparam int ROW_BITS = $clog2(FEED_TEMPLATE_SLOTS);

  logic [31:0] multiplier;
  always_ff @(posedge clk) if (load.write && load.into == INTO_MULTIPLIER) multiplier <= load.data[31:0];

  logic [STEPS-1:0] at;
  logic [15:0] left, right;
  /* verilator lint_off UNUSEDSIGNAL */  // only the highest byte counts
  logic [31:0] product, sum;
  /* verilator lint_on UNUSEDSIGNAL */
  always_ff @(posedge clk) begin
    at <= {at[STEPS-2:0], start};
    if (rst) at <= '0;
    left <= at[2] ? id[31:16] : id[15:0];
    right <= at[1] ? multiplier[31:16] : multiplier[15:0];
    product <= left * right;
    if (at[2]) sum <= product;
    else if (at[3] || at[4]) sum[31:16] <= sum[31:16] + product[15:0];
  end

  // Two words a row: the identifier, then the rest.
  localparam int ROW_WORD = 32;
  typedef logic [ROW_WORD-1:0] half_t;
  half_t half, first, second;
  logic [ROW_BITS-1:0] place;
  assign place = sum[31-:ROW_BITS];
  simple_ram #(
      .BITS(ROW_WORD), .DEPTH(2 * FEED_TEMPLATE_SLOTS)
  ) memory (
      .clk, .write(load.write && load.into == INTO_ROWS), .write_addr(load.at[ROW_BITS:0]), .wdata(load.data[ROW_WORD-1:0]),
      .enable(1'b1), .read_addr({place, at[6]}), .rdata(half)
  );
  always_ff @(posedge clk) begin
    second <= half;
    first <= second;
  end
  assign row = template_row_t'({second[$bits(template_row_t)-ROW_WORD-1:0], first});
  assign done = at[STEPS-1];
  assign found = row.valid != 0 && row.id == id;
endmodule
