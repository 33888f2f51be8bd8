// SPDX-License-Identifier: Apache-2.0
// Takes ended entries, one after the other, to the table: waits for the instrument and the price, then replaces the entry
// that counted so far, if this one counts instead.
//
// Of a side the first entry with 290=1 counts, else its first; in an update an entry of a deeper level does not. Of trades
// the last counts that is not deleted. A snapshot's entries ahead of its symbol are taken with their price undivided.
module entry_update
  import fixaccel_hwmap_pkg::*, receive_pkg::*;
(
    input  logic        clk,
    input  rollback_t   rollback,
    input  logic        renew,          // pulse: a new message
    input  logic        renewing,       // level: it has begun, but the former one is not done with
    input  logic        renewing_next,  // what that will be in the next cycle
    input  logic        ended,          // pulse, with the entry and its price
    input  entry_t      last,
    input  decimal_t    price,
    input  logic        last_issued,    // its price is in division, or done
    // Its symbol.
    input  logic        lookup_pending, // at `ended`: its lookup has yet to start
    input  logic        lookup_start,
    input  logic        lookup_busy,
    input  logic        found,
    output logic        lookup_blocked, // the result is needed: no other lookup may start
    // Its price.
    output logic        issue,          // pulse: divide this
    output decimal_t    issue_price,
    output logic [1:0]  issue_id,
    input  logic        unit_ready,     // of its symbol, when that lookup has started
    input  logic        result_now,     // pulse: a result has come
    input  logic [1:0]  now_id,
    input  logic        result_kept,    // the one before it
    input  logic [1:0]  kept_id,
    input  observation_t result,        // that which has come, or was kept
    // The table.
    output logic        place,
    output logic        single,
    input  logic        placed_new,
    input  logic        full,
    output logic        reads,         // level: nobody else reads
    output logic        keeps_read,    // with it: what was read has to stand
    input  ranks_t      ranks,
    output logic        write,
    output logic        write_all,
    output logic [SOURCES-1:0] write_sources,
    output candidate_t  write_candidate,
    output rank_t       write_rank,
    // The message.
    output logic        taking,         // an entry is held
    output logic        busy,           // with entries of the message that the table is of
    output logic        unreadable,     // level: an entry names no instrument
    output logic        too_many,       // level: more instruments than there are slots
    output logic        overrun         // pulse: entries came faster than they can be taken
);
  // A bit each.
  typedef enum logic [3:0] {
    IDLE = 4'b0001, LOOKUP = 4'b0010, READ = 4'b0100, WRITE = 4'b1000
  } phase_t;

  phase_t phase;
  logic idle, looking, reading, writing;
  assign {writing, reading, looking, idle} = phase;
  entry_t entry;
  decimal_t price_q;
  logic owed, issued, nameless;
  logic written;  // on its way into the table
  logic handing;  // the price is taken a cycle behind its entry: much hangs on the end of that
  logic later, hold;  // the entry is of a message that had to wait as it ended; that still has to
  logic undivided, divides, ready;
  logic settled;  // it has its instrument, if it is one
  assign undivided = !entry.named;  // of a snapshot: there is no unit yet
  assign nameless = entry.update && !entry.named;
  // A snapshot is of one instrument, whichever: its entries need not wait to be told which.
  assign settled = single || !entry.named || (!owed && !lookup_busy);
  // While the price is handed over, the result may yet be that of an older one with the same id.
  assign ready = !divides || (issued && !issue && (result_now ? now_id == entry.price_id
                                                              : result_kept && kept_id == entry.price_id));

  assign taking = !idle;
  assign reads = taking && !hold;
  assign busy = reads || written;
  logic issuing;
  assign issuing = taking && !hold && divides && !issued && !owed && unit_ready;
  assign issue_price = price_q;
  assign issue_id = entry.price_id;
  assign lookup_blocked = !owed && ((looking && entry.named) || (taking && divides && !issued));

  assign single = !entry.update;

  // Whether it counts.
  logic seen, best, side, counts;
  always_comb begin
    {seen, best} = '0;
    for (int i = 0; i < SOURCES; i++)
      if (entry.source == 2'(i) && !placed_new) {seen, best} = ranks[i];
    side = entry.source != 2'(SOURCE_LAST);
    if (!entry.known) counts = 1'b0;
    else if (!side) counts = !entry.deleted;
    else if (entry.level == LEVEL_FIRST) counts = !best;
    else counts = !seen && !(entry.update && entry.level != LEVEL_NONE);
  end

  typedef struct packed {
    logic unreadable;
    logic too_many;
  } state_t;
  state_t s, saved;

  always_ff @(posedge clk) begin
    overrun <= 1'b0;
    if (lookup_start) owed <= 1'b0;
    issue <= issuing;
    if (issuing) issued <= 1'b1;
    if (looking && !hold && settled) begin
      if (nameless) s.unreadable <= 1'b1;
      phase <= !place ? IDLE : single ? WRITE : READ;
    end
    if (reading) begin
      if (full) s.too_many <= 1'b1;
      phase <= full ? IDLE : WRITE;
    end
    if (writing && ready) phase <= IDLE;
    handing <= ended;
    hold <= (ended ? renewing : later) && renewing_next;
    if (handing) price_q <= price;
    if (ended) begin
      entry <= last;
      divides <= last.priced && last.known && !last.deleted && last.named;
      issued <= last_issued;
      owed <= lookup_pending;
      later <= renewing;
      overrun <= taking;
      phase <= LOOKUP;
    end
    if (renew) s <= '0;
    if (rollback.keep) saved <= s;
    if (rollback.restore) s <= saved;
    if (rollback.restore || rollback.clear) begin
      phase <= IDLE;
      issue <= 1'b0;
    end
    if (rollback.clear) begin
      s <= '0;
      saved <= '0;
      overrun <= 1'b0;
    end
  end

  assign place = looking && !hold && (single || (entry.named && settled && found));
  // While an entry looks for its slot, the first is read.
  assign keeps_read = writing;
  logic keeps;  // the price as text: there is no unit yet
  assign keeps = undivided && price_q.ok;
  always_comb begin
    write = writing && ready;
    write_all = placed_new;
    for (int i = 0; i < SOURCES; i++) write_sources[i] = counts && entry.source == 2'(i);
    write_rank = '{seen: 1'b1, best: side && entry.level == LEVEL_FIRST};
    write_candidate = '{
        priced: entry.priced && !entry.deleted,
        divided: !keeps || !entry.priced || entry.deleted,  // or there is nothing to divide
        price: keeps ? price_q[PRICE_ROOM-1:0] : undivided ? '0 : PRICE_ROOM'(result)
    };
  end
  always_ff @(posedge clk) begin
    written <= write && (counts || placed_new);
    if (rollback.restore || rollback.clear) written <= 1'b0;
  end
  assign unreadable = s.unreadable;
  assign too_many = s.too_many;
endmodule
