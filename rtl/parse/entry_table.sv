// SPDX-License-Identifier: Apache-2.0
// The instruments of a message in the order of first appearance, each with the entries that count so far.
//
// Two copies in one memory: as of now, and as of the last good frame. A verdict moves what is in use from one to the other, a
// slot a cycle, while no entry can come and `read` stands. What is read stands from the cycle after `read` until the next.
module entry_table
  import fixaccel_hwmap_pkg::*, receive_pkg::*;
#(
    parameter int INSTRUMENTS = 1024
) (
    input  logic        clk,
    input  logic        rst,
    input  rollback_t   rollback,
    input  logic        rolls,          // it is any pulse
    input  logic        renew,          // pulse: a new message
    input  logic        seek,           // level: the slot that is read next may be that of `instrument`; in each cycle of a place
    output logic        sought,         // it may be asked for: what was made just now has been compared
    input  logic        place,          // pulse: find or make the slot of `instrument`
    input  logic        single,         // with place: the message is of one instrument, whatever its number is
    /* verilator lint_off UNUSEDSIGNAL */  // as many bits as there are instruments
    input  logic [15:0] instrument,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic        placed_new,     // the cycle after place, until the next: it was made just now: its first write is of all sources
    output logic        full,           // there was no room
    input  logic        read,
    input  slot_t       read_next,      // the slot that is read in the next cycle but for a placed one; zero while copies are moved
    output candidates_t candidates,
    output ranks_t      ranks,
    output logic        some_undivided, // of what was read
    output logic [15:0] read_instrument,
    input  logic        write,          // pulse: of the slot that was placed; it can be read two cycles later
    input  logic        write_all,      // with write: the other sources have no entry
    input  logic [SOURCES-1:0] write_sources,  // none: nothing is written
    input  logic [SOURCES-1:0] write_own,      // with write_all: of those the sources that have the entry
    input  candidate_t  write_candidate,
    input  rank_t       write_rank,
    output logic [$clog2(SLOTS):0] count,
    output logic        occupied,       // it is not zero
    output logic [15:0] first_instrument,
    output logic        busy            // copies are being moved
);
  localparam int AW = $clog2(INSTRUMENTS);
  typedef logic [$clog2(SLOTS):0] count_t;
  typedef logic [$clog2(SLOTS):0] address_in_copy_t;  // the copy, the slot
  localparam logic NOW = 1'b0, KEPT = 1'b1;

  candidate_t bid[2*SLOTS], ask[2*SLOTS], last[2*SLOTS];
  rank_t bid_rank[2*SLOTS], ask_rank[2*SLOTS], last_rank[2*SLOTS];
  logic [AW-1:0] owner[2*SLOTS];

  // Which slot is an instrument's.
  count_t kept_count;
  logic [SLOTS-1:0] used, kept_used;  // those that `count` counts
  logic [AW-1:0] owners[SLOTS];
  logic [SLOTS-1:0] match;
  slot_t match_slot, found_slot, placed_slot;
  logic placing_new, unmatched, making;
  logic [2:0] settling;  // what was made is being compared
  assign occupied = used[0];
  // The instrument has stood for cycles when its slot is asked for: it is compared by three bits, the rest with what they say,
  // and then the slot is chosen.
  localparam int EARLY = (AW - 1) / 3;
  logic [EARLY-1:0] same[SLOTS];
  always_ff @(posedge clk)
    for (int i = 0; i < SLOTS; i++) begin
      for (int j = 0; j < EARLY; j++) same[i][j] <= owners[i][3*j+:3] == instrument[3*j+:3];
      match[i] <= used[i] && same[i] == '1 && owners[i][AW-1:3*EARLY] == instrument[AW-1:3*EARLY];
    end
  always_ff @(posedge clk) begin
    unmatched <= match == '0;
    found_slot <= (match == '0) ? slot_t'(count) : match_slot;
    settling <= {settling[1:0], making};
  end
  assign sought = !settling[2];
  always_comb begin
    match_slot = '0;
    for (int i = 0; i < SLOTS; i++) if (match[i]) match_slot = match_slot | slot_t'(i);
    placing_new = single ? !occupied : unmatched;
  end

  // Moving.
  logic moving, landing, landing_owner, source_copy;
  (* keep = "true" *) logic [SOURCES-1:0] lands;  // the same as landing, for each source: many bits hang on it
  logic from_kept;  // copies are being read of this one
  slot_t at, landed, last_at;
  logic at_end;

  // One read port and one write port, whoever uses them, each behind registers; addresses are kept once for each source.
  logic [AW-1:0] owner_q, making_owner;
  (* keep = "true" *) slot_t [SOURCES-1:0] read_slot;
  (* keep = "true" *) address_in_copy_t [SOURCES-1:0] write_address;
  address_in_copy_t [SOURCES-1:0] read_address;
  candidates_t write_data;
  ranks_t write_ranks;
  logic [SOURCES-1:0] write_enable;
  logic owner_enable;
  logic [AW-1:0] write_owner;
  // All of it hangs on the address: of what is zero but in its turn.
  slot_t at_next, placed_next;
  assign at_next = (moving && !at_end) ? slot_behind(at) : '0;
  assign placed_next = single ? '0 : found_slot;
  always_ff @(posedge clk) begin
    read_slot <= {SOURCES{at_next | read_next | (seek ? found_slot : '0)}};
    if (rolls) read_slot <= '0;
    write_address <= {SOURCES{landing ? {!source_copy, landed} : {NOW, placed_slot}}};
    for (int i = 0; i < SOURCES; i++) write_enable[i] <= lands[i] || (write && (write_all || write_sources[i]));
    owner_enable <= landing || making;
    write_owner <= landing ? owner_q : making_owner;
    for (int i = 0; i < SOURCES; i++) begin
      write_data[i]  <= lands[i] ? candidates[i] : write_candidate;
      write_ranks[i] <= lands[i] ? ranks[i] : (write_all && !write_own[i]) ? '0 : write_rank;
      if (!lands[i] && write_all && !write_own[i]) {write_data[i].priced, write_data[i].divided} <= 2'b01;
    end
    if (rollback.restore || rollback.clear) {write_enable, owner_enable} <= '0;
  end
  always_comb for (int i = 0; i < SOURCES; i++) read_address[i] = {from_kept, read_slot[i]};
  always_ff @(posedge clk) begin
    if (read) begin
      candidates[SOURCE_BID] <= bid[read_address[SOURCE_BID]];
      candidates[SOURCE_ASK] <= ask[read_address[SOURCE_ASK]];
      candidates[SOURCE_LAST] <= last[read_address[SOURCE_LAST]];
      ranks[SOURCE_BID] <= bid_rank[read_address[SOURCE_BID]];
      ranks[SOURCE_ASK] <= ask_rank[read_address[SOURCE_ASK]];
      ranks[SOURCE_LAST] <= last_rank[read_address[SOURCE_LAST]];
      some_undivided <= !bid[read_address[SOURCE_BID]].divided || !ask[read_address[SOURCE_ASK]].divided
          || !last[read_address[SOURCE_LAST]].divided;
      owner_q <= owner[read_address[SOURCE_BID]];
    end
    if (write_enable[SOURCE_BID]) bid[write_address[SOURCE_BID]] <= write_data[SOURCE_BID];
    if (write_enable[SOURCE_ASK]) ask[write_address[SOURCE_ASK]] <= write_data[SOURCE_ASK];
    if (write_enable[SOURCE_LAST]) last[write_address[SOURCE_LAST]] <= write_data[SOURCE_LAST];
    if (write_enable[SOURCE_BID]) bid_rank[write_address[SOURCE_BID]] <= write_ranks[SOURCE_BID];
    if (write_enable[SOURCE_ASK]) ask_rank[write_address[SOURCE_ASK]] <= write_ranks[SOURCE_ASK];
    if (write_enable[SOURCE_LAST]) last_rank[write_address[SOURCE_LAST]] <= write_ranks[SOURCE_LAST];
    if (owner_enable) owner[write_address[SOURCE_BID]] <= write_owner;
  end
  assign read_instrument = 16'(owner_q);
  assign first_instrument = 16'(owners[0]);

  always_ff @(posedge clk) begin
    making <= 1'b0;
    if (place) begin
      placed_slot <= placed_next;
      placed_new <= placing_new;
      full <= placing_new && used[SLOTS-1];
      making <= placing_new && !used[SLOTS-1];
      making_owner <= AW'(instrument);
    end
    if (making) begin
      owners[placed_slot] <= making_owner;
      count <= count + count_t'(1);
      used <= {used[SLOTS-2:0], 1'b1};
    end
    if (renew) {count, used} <= '0;

    landing <= moving;
    lands <= {SOURCES{moving}};
    landing_owner <= moving && source_copy == KEPT;
    busy <= moving || landing;
    at <= at_next;
    at_end <= at_next == last_at;
    landed <= at;
    if (moving && at_end) {moving, from_kept} <= '0;
    if (landing_owner) owners[landed] <= owner_q;
    if (rollback.keep) begin
      {kept_count, kept_used} <= {count, used};
      last_at <= slot_t'(count) - slot_t'(1);
      {source_copy, from_kept} <= {NOW, NOW};
      {moving, busy} <= {2{occupied}};
      at_end <= !used[1];
    end
    if (rollback.restore) begin
      {count, used} <= {kept_count, kept_used};
      last_at <= slot_t'(kept_count) - slot_t'(1);
      source_copy <= KEPT;
      from_kept <= kept_used[0] ? KEPT : NOW;
      {moving, busy} <= {2{kept_used[0]}};
      at_end <= !kept_used[1];
      making <= 1'b0;
    end
    if (rollback.clear) begin
      {count, used, kept_count, kept_used} <= '0;
      {moving, landing, lands, landing_owner, busy, making, from_kept} <= '0;
    end
  end
endmodule
