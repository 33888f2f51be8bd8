// SPDX-License-Identifier: Apache-2.0
// price_text and exact_divide in a row: characters in, price units out.
module price_harness
  import fixaccel_hwmap_pkg::*, receive_pkg::*;
(
    input  logic         clk,
    input  logic         rst,
    input  logic         valid,
    input  logic  [7:0]  data,
    input  logic         first,
    input  logic         issue,
    input  logic  [63:0] inverse,
    input  logic  [47:0] price_min,
    input  logic  [47:0] price_max,
    input  logic  [5:0]  shift,
    output logic         text_ok,
    output logic         done,
    output logic         in_units,
    output logic  [47:0] quotient,
    output logic         busy
);
  decimal_t price;
  logic [1:0] source;
  logic [63:0] negative_inverse;
  always_ff @(posedge clk) negative_inverse <= -inverse;

  price_text text (
      .clk, .rst, .value('{valid: valid, data: data}), .value_first(first), .selected(1'b1), .rollback('0), .price
  );
  exact_divide divide (
      .clk, .rst, .flush(1'b0), .issue, .issue_source(2'd2), .price,
      .unit('{inverse: inverse, price_min: price_min, price_max: price_max, shift: shift}), .negative_inverse, .busy, .done,
      .done_source(source), .quotient, .valid(in_units)
  );
  assign text_ok = price.ok;
endmodule
