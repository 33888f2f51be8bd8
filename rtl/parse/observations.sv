// SPDX-License-Identifier: Apache-2.0
// Entries to observations in price units: which symbol is looked up when, which price is divided when, and what of both
// comes to the queue.
//
//   market_data -> entry_update (instrument, price) -> entry_table -> message_end -> queue
//
// A price is divided as soon as it and its unit are known: in a snapshot that says its symbol first, as the price ends.
module observations
  import fixaccel_hwmap_pkg::*, receive_pkg::*;
#(
    parameter int INSTRUMENTS = 1024
) (
    input  logic         clk,
    input  logic         rst,
    input  rollback_t    rollback,      // when all of the frame has gone through the parser
    input  logic         rolls,         // it is any of them
    input  logic         cancel,        // pulse: the frame was bad, or the stream begins anew
    input  logic         verdict_good,  // pulse
    input  logic  [31:0] cycle,
    input  logic         windows,
    input  logic         tables_change, // level: a message that has begun by now is of instruments that may be others
    input  logic         body_begin,
    input  logic         body_end,      // the cycle after the last field's `done`
    input  logic         closed,
    input  logic         observe,
    input  logic  [31:0] number,
    input  logic         every,         // level: messages that say nothing are pushed, too
    input  logic         snapshot,
    input  logic         update,
    input  field_t       field,
    input  decimal_t     price,         // of the last price field
    // Symbol and its lookup.
    input  logic         symbol_begins,
    input  logic         symbol_fresh,
    input  logic         named,
    input  logic         differs,
    output logic         lookup_start,
    output logic         lookup_due,    // level: one has yet to start
    input  logic         lookup_repeats,
    input  logic         lookup_busy,
    input  logic         unit_of_lookup,
    input  logic         found,
    input  logic  [15:0] instrument,
    input  instrument_t  unit,
    // To the queue.
    output logic         busy,          // entries or messages of this frame are under way
    output logic         waiting,
    output logic         late,
    output logic         push,
    output message_t     message,
    output logic         preview,
    output logic         incoming,      // an instrument is known, to have its chains at hand in time
    output logic  [15:0] incoming_instrument,
    output logic  [1:0]  prices_invalid,
    output logic         unread,
    output logic         lose           // pulse: more than there is room or time for
);
  // The table is of one message until that one is done with; the next may have begun.
  logic renewing, renewing_next, renew;
  assign renew = renewing && !waiting;
  assign renewing_next = (body_begin || (renewing && waiting)) && !rollback.restore && !rollback.clear;
  always_ff @(posedge clk) renewing <= renewing_next;

  // Lookups start one after the other; that of a symbol waits while the former result is needed. The symbol of the entry
  // before needs none.
  logic pending, pending_later, again, barred, blocked, restored, unit_ready, standing, asks;
  assign asks = symbol_fresh && (!standing || pending || !lookup_repeats);
  assign lookup_start = pending && !blocked && !barred;
  assign unit_ready = unit_of_lookup && !pending;
  assign lookup_due = pending;
  always_ff @(posedge clk) begin
    restored <= rollback.restore;
    if (lookup_start) pending <= 1'b0;
    if (lookup_start) standing <= !renewing && !again;
    if (lookup_start) again <= 1'b0;
    if (body_begin) standing <= 1'b0;
    barred <= (asks ? renewing : pending_later) && renewing_next;  // it is the next message's, which has to wait
    if (asks) begin
      pending <= 1'b1;
      pending_later <= renewing;
    end
    // What a lookup yields is not taken back with its frame but found again: for a symbol of which the next one may have
    // begun, so the next one is looked up whatever it is.
    if (restored && named) {pending, again} <= 2'b11;
    if (rollback.restore || rollback.clear) begin
      pending <= 1'b0;
      {pending_later, barred} <= '0;
      again <= 1'b0;
      standing <= 1'b0;
    end
  end

  // Entries.
  entry_t last;
  logic priced, own_symbol, taker_busy, waits, ending, ended;
  logic [1:0] price_id;
  market_data entries (
      .clk, .rst, .rollback, .snapshot, .update, .named, .body_begin, .body_end, .field, .priced, .price_id, .own_symbol,
      .taker_busy, .waits, .ending, .ended, .last
  );

  // Division: of an ended entry's price, of a snapshot's late ones, of the price that has just ended.
  logic issue, early, from_update, from_end;
  logic [2:0] issue_id, done_id;
  decimal_t issue_price, update_price, end_price;
  logic [1:0] update_id, end_id;
  logic done, next_done;
  logic [2:0] next_id;
  logic [PRICE_BITS-1:0] next_price;
  observation_t quotient;
  logic issued;                // the last price is in division, or done
  logic ended_issued;          // the ended entry's, with `ended`
  assign early = priced && !issued && unit_ready &&
      (update ? own_symbol : named) && !from_update && !from_end && !restored && !symbol_fresh;
  always_comb begin
    issue = from_end || from_update || early;
    issue_id = from_end ? {1'b1, end_id} : from_update ? {1'b0, update_id} : {1'b0, price_id};
    issue_price = from_end ? end_price : from_update ? update_price : price;
  end
  exact_divide divide (
      .clk, .rst, .flush(rollback.restore || rollback.clear), .issue, .issue_id, .price(issue_price), .unit,
      .unit_changes(tables_change), .done, .done_id, .quotient, .next_done, .next_id, .next_price
  );

  // The last quotient stands until the next, from the cycle in which it comes: nothing is chosen by whether it does.
  logic result_kept, result_now, kept_valid, early_q;
  logic [1:0] kept_id, early_id;
  logic [PRICE_BITS-1:0] result_price;
  observation_t result;
  assign result = '{valid: result_now ? quotient.valid : kept_valid, price: result_price};
  assign ended_issued = early || issued;
  always_ff @(posedge clk) begin
    if (early) issued <= 1'b1;
    // Another price; a symbol behind its price asks for another unit.
    if ((field.done && field.kind == FIELD_PRICE) || (asks && update)) issued <= 1'b0;
    // An entry that has ended with its price takes a result two cycles later at the earliest.
    {early_q, early_id} <= {early, price_id};
    if ((early_q && kept_id == early_id) || (from_update && kept_id == update_id)) result_kept <= 1'b0;
    result_now <= next_done && !next_id[2] && !rst;
    if (next_done && !next_id[2]) result_price <= next_price;
    if (result_now) begin
      result_kept <= 1'b1;
      kept_id <= done_id[1:0];
      kept_valid <= quotient.valid;
    end
    if (rollback.restore || rollback.clear) {issued, result_kept, result_now} <= '0;
    assert (rst || result_now == (done && !done_id[2]));
    assert (rst || !result_now || result == quotient);
  end

  // The table.
  logic some_undivided, seek, sought, place, single, placed_new, full, update_reads, read_kept, write, write_all;
  logic table_busy, update_busy;
  logic [SOURCES-1:0] write_sources, write_own;
  candidate_t write_candidate;
  rank_t write_rank;
  ranks_t ranks;
  candidates_t candidates;
  slot_t read_next;
  logic [15:0] read_instrument, first_instrument;
  logic [$clog2(SLOTS):0] count;
  logic occupied;
  entry_table #(
      .INSTRUMENTS(INSTRUMENTS)
  ) entry_memory (
      .clk, .rst, .rollback, .rolls, .renew, .seek, .sought, .place, .single, .instrument, .placed_new, .full,
      .read(!read_kept), .read_next, .candidates,
      .ranks, .some_undivided, .read_instrument, .write, .write_all, .write_sources, .write_own, .write_candidate, .write_rank,
      .count, .occupied, .first_instrument, .busy(table_busy)
  );

  logic unreadable, too_many, too_many_q, entry_overrun, message_overrun;
  entry_update taker (
      .clk, .rollback, .renew, .renewing, .renewing_next, .ended, .last, .price, .last_issued(ended_issued),
      .lookup_pending((pending && !lookup_start) || asks), .lookup_start, .lookup_busy, .found, .lookup_blocked(blocked),
      .issue(from_update), .issue_price(update_price), .issue_id(update_id), .unit_ready(unit_of_lookup), .result_now,
      .now_id(done_id[1:0]), .next_id(next_id[1:0]), .result_kept, .kept_id, .result, .seek, .sought, .place, .single,
      .placed_new, .full, .reads(update_reads), .keeps_read(read_kept), .ranks, .write, .write_all, .write_sources, .write_own,
      .write_candidate, .write_rank,
      .taking(taker_busy), .busy(update_busy), .unreadable, .too_many, .overrun(entry_overrun)
  );

  message_end pusher (
      .clk, .rst, .rollback, .rolls, .cancel, .verdict_good, .cycle, .windows, .tables_change, .body_begin, .body_end(body_end), .closed,
      .observe, .number, .every, .update, .named, .differs, .entries_busy(waits || update_busy || table_busy),
      .unreadable, .too_many, .count, .occupied, .read_next, .candidates, .ranks, .some_undivided, .read_instrument,
      .lookup_settled(!pending && !lookup_busy), .unit_ready, .found, .instrument, .issue(from_end),
      .issue_price(end_price), .issue_id(end_id), .done(done && done_id[2]), .done_id(done_id[1:0]),
      .done_price(quotient), .waiting, .late, .push, .message, .preview, .prices_invalid, .unread, .overrun(message_overrun)
  );

  always_ff @(posedge clk) begin
    too_many_q <= too_many;
    lose <= entry_overrun || message_overrun || (too_many && !too_many_q) || (symbol_begins && pending && taker_busy);
    busy <= ended || ending || update_busy || waiting || renewing;
    // Until an update has its first instrument, that of the symbol in sight.
    incoming <= update ? occupied || (named && found) : snapshot && named && found;
    incoming_instrument <= (update && occupied) ? first_instrument : instrument;
    if (rst) {lose, busy, incoming} <= '0;
  end
endmodule
