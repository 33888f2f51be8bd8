// SPDX-License-Identifier: Apache-2.0
// Whether a table may not be written: while `locked` all are in use, but of two banks the one that is not evaluated. The
// upper bank is the upper half of each window. What locks is a cycle old: it sets in with an access ahead of this one.
module table_lock
  import fixaccel_hwmap_pkg::*;
#(
    parameter int INSTRUMENTS = 16,
    parameter int TRIGGERS    = 64,
    parameter int ORDERS      = 16,
    parameter int TEMPLATES   = 16,
    parameter int GROUPS      = 16
) (
    input  logic     clk,
    input  address_t addr,
    input  logic     locked,
    input  logic     two_banks,
    input  logic     bank,      // the one that is evaluated
    input  logic     flipping,  // the other one is about to be
    output logic     in_use     // two cycles behind the address
);
  // Of which table the address is, and of which half, then whether of any.
  logic [TABLES-1:0] lower, upper;
  for (genvar i = 0; i < TABLES; i++) begin : gen_table
    localparam int SPAN_BITS = $clog2(4 * table_words(i, INSTRUMENTS, TRIGGERS, ORDERS, TEMPLATES, GROUPS));
    logic here;
    assign here = addr[ADDRESS_BITS-1:SPAN_BITS] == TABLE_BASE[i][ADDRESS_BITS-1:SPAN_BITS];
    always_ff @(posedge clk) begin
      lower[i] <= here && !addr[SPAN_BITS-1];
      upper[i] <= here && addr[SPAN_BITS-1];
    end
  end
  logic of_lower, of_upper;
  always_ff @(posedge clk) {of_lower, of_upper} <= {lower != '0, upper != '0};
  logic locked_q, lower_free, upper_free;
  always_ff @(posedge clk) begin
    locked_q <= locked;
    lower_free <= two_banks && !flipping && bank;
    upper_free <= two_banks && !flipping && !bank;
  end
  assign in_use = locked_q && !((lower_free && of_lower) || (upper_free && of_upper));
endmodule
