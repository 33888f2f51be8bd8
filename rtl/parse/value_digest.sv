// SPDX-License-Identifier: Apache-2.0
// What of any value's text is compared later: its CRC-32, and the number that it may be. They stand with the field's end.
module value_digest
  import receive_pkg::*, crc32_pkg::*;
(
    input  logic        clk,
    /* verilator lint_off UNUSEDSIGNAL */  // a value begins anew by itself
    input  text_byte_t  text,       // the byte that is `value` in the next cycle
    input  text_byte_t  value,
    input  logic        value_first,
    input  rollback_t   rollback,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic [31:0] crc,
    output logic [31:0] number,     // eight decimal digits (BCD)
    output logic        is_number   // digits alone, at most eight without leading zeros
);
  typedef struct packed {
    logic [31:0] crc;
    logic [31:0] number;
    logic        is_number;
  } state_t;

  // The sum is linear: what the byte adds is known a cycle ahead of it.
  logic [31:0] added;
  always_ff @(posedge clk) added <= crc32_byte('0, text.data);

  state_t s, n, saved;
  always_comb begin
    n = s;
    if (value.valid && !value.soh) begin
      n.crc = crc32_byte(value_first ? CRC32_START : s.crc, '0) ^ added;
      n.number = {value_first ? 28'b0 : s.number[27:0], value.data[3:0]};
      n.is_number = value.digit && (value_first || (s.is_number && s.number[31:28] == '0));
    end
  end
  always_ff @(posedge clk) begin
    s <= rollback.restore ? saved : n;
    if (rollback.keep) saved <= s;
  end

  assign crc = ~s.crc;
  assign number = s.number;
  assign is_number = s.is_number;
endmodule
