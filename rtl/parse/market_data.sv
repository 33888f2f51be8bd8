// SPDX-License-Identifier: Apache-2.0
// Collects the entries of a snapshot (35=W) and of an update (35=X), one after the other.
//
// An entry of a snapshot begins with its MDEntryType(269), one of an update with its MDUpdateAction(279). It ends where the
// next one begins, or with the body.
module market_data
  import fixaccel_hwmap_pkg::*, receive_pkg::*;
(
    input  logic      clk,
    input  logic      rst,
    input  rollback_t rollback,
    input  logic      snapshot,     // levels: what the message is
    input  logic      update,
    input  logic      named,        // the message has said a symbol
    input  logic      body_begin,
    input  logic      body_end,     // the cycle after the last field's `done`
    /* verilator lint_off UNUSEDSIGNAL */  // a few of its bits
    input  field_t    field,
    /* verilator lint_on UNUSEDSIGNAL */
    // The entry in progress.
    output logic      priced,       // there is one, and it has a price
    output logic [1:0] price_id,    // of that price, or of the last one
    output logic      own_symbol,   // it has said its symbol itself
    // The entry that ends.
    input  logic      taker_busy,   // the last entry of the body can wait for the one before it
    output logic      waits,        // it does
    output logic      ending,       // it does, or ends now
    output logic      ended,        // pulse
    output entry_t    last          // with ended
);
  localparam logic [1:0] BID = 2'(SOURCE_BID), ASK = 2'(SOURCE_ASK), LAST = 2'(SOURCE_LAST);

  typedef struct packed {
    logic       open;
    logic       own_symbol;
    logic       known;
    logic [1:0] source;
    logic       deleted;
    level_t     level;
    logic       priced;
    logic [1:0] price_id;
  } state_t;

  // Source of an entry type: 0 bid, 1 offer, 2 trade.
  logic known_type;
  logic [1:0] source;
  assign known_type = field.single && field.character[7:2] == 6'h0C && field.character[1:0] != 2'd3;
  assign source = (field.character[1:0] == 2'd0) ? BID : (field.character[1:0] == 2'd1) ? ASK : LAST;

  state_t s, n, saved;
  logic begins, waited, ending_now;
  logic beginner;  // what kind the field is, and the message, stands before the field ends
  always_ff @(posedge clk)
    beginner <= (snapshot && field.kind == FIELD_ENTRY_TYPE) || (update && field.kind == FIELD_ACTION);
  assign begins = field.done && beginner;
  always_comb begin
    n = s;
    if (begins) n = '{open: 1'b1, price_id: s.price_id, level: LEVEL_NONE, default: '0};
    if (field.done)
      unique case (field.kind)
        FIELD_ENTRY_TYPE: begin
          n.known  = known_type;
          n.source = source;
        end
        FIELD_ACTION: n.deleted = field.single && field.character == "2";
        FIELD_SYMBOL: n.own_symbol = 1'b1;
        FIELD_PRICE: begin
          n.priced   = 1'b1;
          n.price_id = s.price_id + 2'd1;
        end
        FIELD_POSITION: n.level = field.one ? LEVEL_FIRST : LEVEL_OTHER;
        default: ;
      endcase
    if (body_begin || ending_now) n.open = 1'b0;
  end

  assign waits = waited && s.open;
  assign ending = waits || (body_end && s.open);
  assign ending_now = ending && !taker_busy;
  always_ff @(posedge clk) begin
    waited <= ending && taker_busy && !rollback.restore && !rollback.clear;
    s <= rollback.restore ? saved : n;
    if (rollback.keep) saved <= s;
    assert (rst || !rollback.keep || n == s);  // all that the frame has brought is in
    if (rollback.clear) begin
      s.open <= 1'b0;
      saved.open <= 1'b0;
    end
  end

  assign priced = s.open && s.priced;
  assign price_id = s.price_id;
  assign ended = (s.open && begins) || ending_now;
  assign last = '{
          update: update, named: named, known: s.known, source: s.source, deleted: s.deleted, level: s.level,
          priced: s.priced, price_id: s.price_id
      };
  assign own_symbol = s.own_symbol;
endmodule
