// SPDX-License-Identifier: Apache-2.0
// Collects a message's symbol: the key as the symbol memory holds it and the CRC-32 of its characters.
module symbol_key
  import fixaccel_hwmap_pkg::*, receive_pkg::*;
(
    input  logic                      clk,
    input  logic                      rst,
    /* verilator lint_off UNUSEDSIGNAL */  // a few of its bits
    input  text_byte_t                value,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic                      value_first,
    input  logic                      selected,    // the value is a symbol
    input  logic                      field_done,  // pulse: a symbol has ended
    input  logic               [31:0] value_crc,   // of that symbol
    input  logic                      body_begin,
    input  rollback_t                 rollback,
    output logic                      begins,      // pulse: what follows is being overwritten
    output logic                      fresh,       // pulse: it stands anew
    output logic                      named,       // level: the message has said a symbol
    output logic                      differs,     // level: and another one
    output logic                      usable,      // it is one that a key can hold
    output logic [SYMBOL_CHARS*8-1:0] key,         // first character in the low byte, zeros behind the last
    output logic               [31:0] crc
);
  typedef struct packed {
    logic                      named;
    logic                      differs;
    logic                      unusable;  // too long, or with a zero byte, which is padding
    logic [SYMBOL_CHARS:0]     place;     // one-hot: where the next character goes; the last is beyond the key
    logic [SYMBOL_CHARS*8-1:0] key;
    logic [31:0]               crc;
  } state_t;

  state_t s, n, saved;
  logic another;  // the symbol that ends is not the one before: its sum stands a cycle ahead of the end
  logic [SYMBOL_CHARS:0] place;
  assign place = value_first ? (SYMBOL_CHARS + 1)'(1) : s.place;

  always_comb begin
    n = s;
    if (value.valid && selected) begin
      if (value_first) n.key = '0;
      if (value_first) n.unusable = 1'b0;
      if (!value.soh) begin
        for (int i = 0; i < SYMBOL_CHARS; i++) if (place[i]) n.key[8*i+:8] = value.data;
        if (place[SYMBOL_CHARS] || value.nul) n.unusable = 1'b1;
        n.place = place[SYMBOL_CHARS] ? place : place << 1;
      end
    end
    if (field_done) begin
      n.named = 1'b1;
      n.crc   = value_crc;
      if (s.named && another) n.differs = 1'b1;
    end
    if (body_begin) {n.named, n.differs} = '0;
  end

  always_ff @(posedge clk) begin
    another <= value_crc != s.crc;
    fresh <= field_done;
    s <= rollback.restore ? saved : n;
    if (rollback.keep) saved <= s;
    assert (rst || !rollback.keep || n == s);  // all that the frame has brought is in
    if (rollback.clear) begin
      fresh <= 1'b0;
      {s.named, s.differs} <= '0;
      {saved.named, saved.differs} <= '0;
    end
  end

  assign begins = value.valid && selected && value_first;
  assign named = s.named;
  assign differs = s.differs;
  assign usable = !s.unusable;
  assign key = s.key;
  assign crc = s.crc;
endmodule
