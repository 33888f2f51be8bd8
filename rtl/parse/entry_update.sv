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
    input  logic [1:0]  next_id,        // what that will be in the next cycle
    input  logic        result_kept,    // the one before it
    input  logic [1:0]  kept_id,
    input  observation_t result,        // that which has come, or was kept
    // The table.
    output logic        seek,           // level: the slot will be that of an entry, if one is placed in this cycle
    input  logic        sought,         // it can be
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
    output logic [SOURCES-1:0] write_own,
    output candidate_t  write_candidate,
    output rank_t       write_rank,
    // The message.
    output logic        taking,         // an entry is held
    output logic        busy,           // with entries of the message that the table is of, until the last is on its way into it
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
  /* verilator lint_off UNUSEDSIGNAL */  // what it counts for stands beside it
  entry_t entry;  // the one in progress, until it has ended: so little hangs on when it ends
  /* verilator lint_on UNUSEDSIGNAL */
  decimal_t price_q;
  logic owed, issued, nameless;
  logic keeps;  // the price as text: there is no unit yet
  logic blocks;  // much hangs on the start of a lookup: a register
  logic handing;  // the price is taken a cycle behind its entry: much hangs on the end of that
  logic later, hold;  // the entry is of a message that had to wait as it ended; that still has to
  logic undivided, divides, ready;
  logic settled;  // it has its instrument, if it is one
  assign undivided = !entry.named;  // of a snapshot: there is no unit yet
  assign nameless = entry.update && !entry.named;
  // A snapshot is of one instrument, whichever: its entries need not wait to be told which.
  assign settled = single || !entry.named || (!owed && !lookup_busy && sought);
  // While the price is handed over, the result may yet be that of an older one with the same id. Whose it is stands in registers.
  logic now_own, kept_own;
  logic [1:0] price_id_next;
  assign price_id_next = idle ? last.price_id : entry.price_id;
  assign ready = !divides || (issued && !issue && (result_now ? now_own : result_kept && kept_own));

  assign taking = !idle;
  assign reads = taking && !hold;
  logic issuing;
  assign issuing = taking && !hold && divides && !issued && !owed && unit_ready;
  assign issue_price = price_q;
  assign issue_id = entry.price_id;
  assign lookup_blocked = blocks;

  assign single = !entry.update;

  // What it counts for, and what it gives way to there: known with the entry, so that little hangs on what is read.
  logic [SOURCES-1:0] always_counts, unless_best, unless_seen, counts;
  logic is_best;
  always_ff @(posedge clk)
    if (idle) begin
      {always_counts, unless_best, unless_seen} <= '0;
      for (int i = 0; i < SOURCES; i++)
        if (last.known && last.source == 2'(i)) begin
          if (i == SOURCE_LAST) always_counts[i] <= !last.deleted;
          else if (last.level == LEVEL_FIRST) unless_best[i] <= 1'b1;
          else unless_seen[i] <= !(last.update && last.level != LEVEL_NONE);
        end
      is_best <= last.source != 2'(SOURCE_LAST) && last.level == LEVEL_FIRST;
    end
  assign write_own = always_counts | unless_best | unless_seen;
  always_comb
    for (int i = 0; i < SOURCES; i++)
      counts[i] = placed_new ? write_own[i]
                             : always_counts[i] || (unless_best[i] && !ranks[i].best) || (unless_seen[i] && !ranks[i].seen);

  typedef struct packed {
    logic unreadable;
    logic too_many;
  } state_t;
  state_t s, saved;

  // A bit of the next phase at a time: tools make more of it than of choices.
  logic goes, back, hold_next, idle_next, looking_next, reading_next, writing_next;
  assign goes = looking && !hold && settled;
  assign back = rollback.restore || rollback.clear;
  assign hold_next = (ended ? renewing : later) && renewing_next;
  assign looking_next = !back && (ended || (looking && !goes));
  assign reading_next = !back && !ended && place && !single;
  assign writing_next = !back && !ended && ((place && single) || (reading && !full) || (writing && !ready));
  assign idle_next = back || (!ended && (idle || (goes && !place) || (reading && full) || (writing && ready)));

  always_ff @(posedge clk) begin
    overrun <= 1'b0;
    if (lookup_start) owed <= 1'b0;
    issue <= issuing;
    if (issuing) issued <= 1'b1;
    blocks <= !(owed && !lookup_start) && ((looking && !goes && entry.named)
        || (divides && !issued && !issuing && ((goes && place) || (reading && !full) || writing)));
    if (goes && nameless) s.unreadable <= 1'b1;
    if (reading && full) s.too_many <= 1'b1;
    phase <= phase_t'({writing_next, reading_next, looking_next, idle_next});
    now_own <= next_id == price_id_next;
    kept_own <= (result_now ? now_id : kept_id) == price_id_next;
    handing <= ended;
    hold <= hold_next;
    busy <= (ended || taking) && !hold_next && !back;
    if (handing) price_q <= price;
    if (handing) keeps <= !entry.named && price.ok;
    if (idle) begin
      entry <= last;
      divides <= last.priced && last.known && !last.deleted && last.named;
      issued <= last_issued;
      owed <= lookup_pending;
      later <= renewing;
    end
    if (ended) begin
      overrun <= taking;
      blocks <= !lookup_pending && last.named;  // what is named by nobody is not divided
    end
    if (renew) s <= '0;
    if (rollback.keep) saved <= s;
    if (rollback.restore) s <= saved;
    if (back) {issue, blocks} <= '0;
    if (rollback.clear) begin
      s <= '0;
      saved <= '0;
      overrun <= 1'b0;
    end
  end

  assign place = looking && !hold && (single || (entry.named && settled && found));
  assign seek = looking && !hold && !single && entry.named && found;
  // While an entry looks for its slot, the first is read.
  assign keeps_read = writing;
  always_comb begin
    write = writing && ready;
    write_all = placed_new;
    write_sources = counts;
    write_rank = '{seen: 1'b1, best: is_best};
    write_candidate = '{
        priced: entry.priced && !entry.deleted,
        divided: !keeps || !entry.priced || entry.deleted,  // or there is nothing to divide
        price: keeps ? price_q[PRICE_ROOM-1:0] : undivided ? '0 : PRICE_ROOM'(result)
    };
  end
  assign unreadable = s.unreadable;
  assign too_many = s.too_many;
endmodule
