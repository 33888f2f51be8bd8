// SPDX-License-Identifier: Apache-2.0
// The decoder of feeds with a port for each member of what goes in and comes out: what a program in C++ can name.
module decoder_ports
  import feed_pkg::*;
(
    input  logic        clk,
    input  logic        rst,
    input  logic        enable,
    input  logic        load_write,
    input  logic [2:0]  load_into,
    input  logic [10:0] load_at,
    input  logic [63:0] load_low,
    input  logic [6:0]  load_high,
    input  logic        in_valid,
    input  logic        in_last,
    input  logic [7:0]  in_data,
    output logic        in_ready,
    output logic        field_valid,
    output logic [3:0]  field_tells,
    output logic [10:0] field_at,
    output logic [63:0] field_value,
    output logic [6:0]  field_exponent,
    output logic [3:0]  field_count,
    output logic        field_last,
    output logic [4:0]  field_code,
    output logic [15:0] field_offset,
    output logic [3:0]  counted     // R6, R7, R8, R9 from the highest bit on
);
  /* verilator lint_off UNUSEDSIGNAL */  // tag and role are the program's, which the reader has
  field_t field;
  /* verilator lint_on UNUSEDSIGNAL */
  feed_decoder decoder (
      .clk, .rst, .enable,
      .load('{write: load_write, into: into_t'(load_into), at: load_at, data: {load_high, load_low}}),
      .in('{valid: in_valid, last: in_last, data: in_data}), .in_ready, .field, .counted
  );
  assign field_valid = field.valid;
  assign field_tells = field.tells;
  assign field_at = field.at;
  assign field_value = field.value;
  assign field_exponent = field.exponent;
  assign field_count = field.count;
  assign field_last = field.last;
  assign field_code = field.code;
  assign field_offset = field.offset;
endmodule
