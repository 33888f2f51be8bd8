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
    output logic  [47:0] quotient
);
  decimal_t price;
  logic [2:0] id;
  observation_t result;
  text_byte_t text;
  class_t class_now;
  assign class_now = class_of(data);
  assign text = '{
          valid: valid, data: data, digit: class_now.digit, soh: class_now.soh, equals: class_now.equals, nul: class_now.nul
      };

  price_text prices (
      .clk, .value(text), .value_first(first), .selected(1'b1), .rollback('0), .price
  );
  /* verilator lint_off PINCONNECTEMPTY */
  exact_divide divide (
      .clk, .rst, .flush(1'b0), .issue, .issue_id(3'd5), .price,
      .unit('{inverse: inverse, price_min: price_min, price_max: price_max, shift: shift}), .unit_changes(1'b0), .done,
      .done_id(id), .quotient(result), .next_done(), .next_id(), .next_price()
  );
  /* verilator lint_on PINCONNECTEMPTY */
  assign text_ok = price.ok;
  assign in_units = result.valid;
  assign quotient = result.price;

  always_ff @(posedge clk) assert (!done || id == 3'd5);
endmodule
