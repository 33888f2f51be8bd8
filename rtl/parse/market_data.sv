// SPDX-License-Identifier: Apache-2.0
// Entries of a snapshot (35=W) to candidates for bid, ask and last.
//
// Bid and ask are the first entry of their side with 290=1, else the first of their side; last is the last trade entry.
// Each candidate is kept up to date as fields end, so the end of the message needs no work.
module market_data
  import fixaccel_hwmap_pkg::*, receive_pkg::*;
(
    input  logic                      clk,
    input  logic                      rst,
    input  field_t                    field,
    input  decimal_t                  price,       // of the last price field
    input  logic                      body_begin,
    input  rollback_t                 rollback,
    output logic                      snapshot,    // level: the message is a 35=W
    output logic                      poss_dup,    // level
    output candidate_t [SOURCES-1:0]  candidates,
    output logic       [SOURCES-1:0]  changed      // pulse a candidate, with its new value
);
  localparam logic [1:0] BID = 2'(SOURCE_BID), ASK = 2'(SOURCE_ASK), LAST = 2'(SOURCE_LAST);

  typedef struct packed {
    logic                     snapshot;
    logic                     poss_dup;
    logic                     quoted;    // inside an entry of a known type
    logic [1:0]               source;    // its source
    logic                     chosen;    // its price is the candidate: first of its side, best, or a trade
    logic                     priced;    // it had a price
    logic [1:0]               seen;      // a bid, an ask entry has begun
    logic [1:0]               best;      // the side has its entry with 290=1
    candidate_t [SOURCES-1:0] candidates;
    logic [SOURCES-1:0]       changed;
  } state_t;

  state_t s, n, saved;
  logic take;  // the current price becomes the candidate of the current source

  // Source of an entry type: 0 bid, 1 offer, 2 trade.
  logic known_type, side;
  logic [1:0] source;
  assign known_type = field.single && field.character >= "0" && field.character <= "2";
  assign source = (field.character[1:0] == 2'd0) ? BID : (field.character[1:0] == 2'd1) ? ASK : LAST;
  assign side = s.source == ASK;

  always_comb begin
    n = s;
    n.changed = '0;
    take = 1'b0;
    if (field.done) begin
      unique case (field.kind)
        FIELD_MSG_TYPE: n.snapshot = field.single && field.character == "W";
        FIELD_POSS_DUP: n.poss_dup = field.single && field.character == "Y";
        FIELD_ENTRY_TYPE: begin
          n.quoted = known_type && s.snapshot;
          n.source = source;
          n.priced = 1'b0;
          n.chosen = source == LAST || !s.seen[source == ASK];
          if (known_type && source != LAST) n.seen[source == ASK] = 1'b1;
          // A trade entry without a price leaves no last: it is the last one.
          if (n.quoted && source == LAST) n.candidates[LAST].present = 1'b0;
        end
        FIELD_PRICE: begin
          n.priced = 1'b1;
          take = s.quoted && s.chosen;
        end
        FIELD_POSITION:
        if (field.one && s.quoted && s.source != LAST && !s.best[side]) begin
          n.best[side] = 1'b1;
          n.chosen = 1'b1;
          n.candidates[s.source].present = 1'b0;
          take = s.priced;
        end
        default: ;
      endcase
    end
    // Once a side has its best entry, a later one of that side is not chosen; this one stays so.
    for (int i = 0; i < SOURCES; i++)
      if (take && s.source == 2'(i)) begin
        n.candidates[i] = '{present: 1'b1, price: price};
        n.changed[i] = 1'b1;
      end
    if (body_begin) n = '0;
  end

  always_ff @(posedge clk) begin
    s <= rollback.restore ? saved : n;
    if (rollback.keep) saved <= n;
    if (rollback.clear || rst) begin
      s <= '0;
      saved <= '0;
    end
  end

  assign snapshot = s.snapshot;
  assign poss_dup = s.poss_dup;
  assign candidates = s.candidates;
  assign changed = s.changed;
endmodule
