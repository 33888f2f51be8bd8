// SPDX-License-Identifier: Apache-2.0
// Collects a message's symbol: the key as the directory holds it and the CRC-32 of its characters.
module symbol_key
  import fixaccel_hwmap_pkg::*, receive_pkg::*, crc32_pkg::*;
(
    input  logic                       clk,
    input  logic                       rst,
    input  stream_byte_t               value,
    input  logic                       value_first,
    input  logic                       selected,    // the value is a symbol
    input  logic                       field_done,  // pulse: a symbol has ended
    input  logic                       body_begin,
    input  rollback_t                  rollback,
    output logic                       known,       // level: the message has a symbol, not longer than a key
    output logic [SYMBOL_CHARS*8-1:0]  key,         // first character in the low byte, zeros behind the last
    output logic [31:0]                crc
);
  typedef struct packed {
    logic                      known;
    logic                      too_long;
    logic [SYMBOL_CHARS-1:0]   place;     // one-hot: where the next character goes
    logic [SYMBOL_CHARS*8-1:0] key;
    logic [31:0]               crc;
  } state_t;

  state_t s, n, saved;
  logic [SYMBOL_CHARS-1:0] place;
  assign place = value_first ? SYMBOL_CHARS'(1) : s.place;

  always_comb begin
    n = s;
    if (value.valid && selected) begin
      n.known = 1'b0;
      if (value_first) n.key = '0;
      if (value_first) n.too_long = 1'b0;
      if (value.data != 8'h01) begin
        n.crc = crc32_byte(value_first ? CRC32_START : s.crc, value.data);
        for (int i = 0; i < SYMBOL_CHARS; i++) if (place[i]) n.key[8*i+:8] = value.data;
        if (place == '0) n.too_long = 1'b1;
        n.place = place << 1;
      end
    end
    if (field_done) n.known = !s.too_long;
    if (body_begin) n.known = 1'b0;
  end

  always_ff @(posedge clk) begin
    s <= rollback.restore ? saved : n;
    if (rollback.keep) saved <= n;
    if (rollback.clear || rst) begin
      s <= '0;
      saved <= '0;
    end
  end

  assign known = s.known;
  assign key = s.key;
  assign crc = ~s.crc;
endmodule
