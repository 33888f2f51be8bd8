// SPDX-License-Identifier: Apache-2.0
// Complete messages to the queue: when the body has ended, what its entries came to is read, and pushed when the message has
// closed well. An update of several instruments is as many messages, one every other cycle, in the order of first
// appearance. A snapshot says what all sources are, whatever its entries.
//
// Prices of a snapshot that stood ahead of its symbol are divided here, once its unit is known.
module message_end
  import fixaccel_hwmap_pkg::*, receive_pkg::*;
(
    input  logic         clk,
    input  logic         rst,
    input  rollback_t    rollback,        // when all of the frame has gone through the parser
    input  logic         rolls,           // it is any of them
    input  logic         cancel,          // pulse: the frame was bad, or the stream begins anew
    input  logic         verdict_good,    // pulse
    input  logic  [31:0] cycle,
    // The message.
    input  logic         windows,         // set of windows of time that holds
    input  logic         tables_change,   // level: a message that has begun by now says nothing of those that come
    input  logic         body_begin,
    input  logic         body_end,
    input  logic         closed,
    input  logic         observe,         // with closed: the message is to be observed
    input  logic  [31:0] number,          // with closed
    input  logic         every,           // level: messages that say nothing are pushed, too
    input  logic         update,          // levels, until the next body begins
    input  logic         named,
    input  logic         differs,
    // Its entries.
    input  logic         entries_busy,
    input  logic         unreadable,
    input  logic         too_many,
    input  logic  [$clog2(SLOTS):0] count,
    input  logic         occupied,        // it is not zero
    output slot_t        read_next,       // the slot that is read in the next cycle
    input  candidates_t  candidates,
    input  ranks_t       ranks,
    input  logic         some_undivided,
    input  logic  [15:0] read_instrument,
    // The instrument of a snapshot.
    input  logic         lookup_settled,
    input  logic         unit_ready,
    input  logic         found,
    input  logic  [15:0] instrument,
    output logic         issue,
    output decimal_t     issue_price,
    output logic  [1:0]  issue_id,
    input  logic         done,            // pulse: one of these
    input  logic  [1:0]  done_id,
    input  observation_t done_price,
    // To the queue.
    output logic         waiting,         // a closed message has not been pushed yet
    output logic         late,            // its frame has had its good verdict
    output logic         push,
    output message_t     message,
    output logic         preview,         // level: `message` will be pushed if it closes well, but for number and end_cycle
    output logic  [1:0]  prices_invalid,  // with push or instead: how many prices are no observation
    output logic         unread,          // pulse: the message does not say which instrument it is of, or says two
    output logic         overrun          // pulse: the next message has closed before this one was done with
);
  localparam int BYTE_TO_CLOSED = 3;  // cycles from a byte on the port to `closed`
  localparam logic [1:0] LAST_SOURCE = 2'(SOURCES - 1);

  // A bit each.
  typedef enum logic [3:0] {
    IDLE = 4'b0001, SHOW = 4'b0010, DIVIDE = 4'b0100, COLLECT = 4'b1000
  } phase_t;

  // Body ended, message not closed: what its entries came to can be read already.
  logic ended, ended_saved;
  // What the message is, also after the next one has begun.
  logic is_update, is_named, is_differing, is_windows, windows_begun, windows_saved;
  logic is_stale, stale_begun, stale_saved;  // its symbols and prices were read by other tables, at least in part
  always_ff @(posedge clk) begin
    if (body_begin) {windows_begun, stale_begun} <= {windows, 1'b0};
    if (body_end) ended <= 1'b1;
    if (closed || body_begin) ended <= 1'b0;
    if (ended || closed)
      {is_update, is_named, is_differing, is_windows, is_stale} <= {update, named, differs, windows_begun, stale_begun};
    if (rollback.keep) {ended_saved, windows_saved, stale_saved} <= {ended, windows_begun, stale_begun};
    if (rollback.restore) {ended, windows_begun, stale_begun} <= {ended_saved, windows_saved, stale_saved};
    if (tables_change) {is_stale, stale_begun, stale_saved} <= '1;
    if (rollback.clear) {ended, ended_saved} <= '0;
    if (rst) {is_stale, stale_begun, stale_saved} <= '0;
  end

  // What the slot in sight comes to.
  phase_t phase;
  logic idle, showing, dividing, collecting;
  assign {collecting, dividing, showing, idle} = phase;
  slot_t slot;        // the one in sight; the first, while there is none
  logic turning;      // it is being read
  slot_t final_slot;  // stands when slots are read one after the other
  logic at_last;  // there is no slot behind it
  logic [1:0] next;
  logic divided;
  logic blank;  // there is no slot: a snapshot without entries
  observation_t [SOURCES-1:0] late_prices;
  logic [SOURCES-1:0] invalid, valid;
  message_t shown;
  // Registers: a subtraction takes LUTs, and so does what tools make of a shift register.
  (* keep = "true" *) logic [BYTE_TO_CLOSED-1:0][31:0] cycles;
  logic [31:0] closed_cycle, cycle_back, closed_number;
  assign cycle_back = cycles[BYTE_TO_CLOSED-1];
  always_comb begin
    shown.instrument = is_update ? read_instrument : instrument;
    shown.number = closed ? number : closed_number;
    shown.windows = is_windows;
    shown.end_cycle = closed ? cycle_back : closed_cycle;
    for (int i = 0; i < SOURCES; i++) begin
      shown.observed[i] = candidates[i].divided ? observation_t'(candidates[i].price[$bits(observation_t)-1:0])
                                                : late_prices[i];
      valid[i] = !blank && candidates[i].priced && shown.observed[i].valid;
      invalid[i] = !blank && candidates[i].priced && !shown.observed[i].valid;
      shown.observed[i].valid = valid[i];
      shown.touched[i] = !is_update || ranks[i].seen;
    end
  end

  // All of this has stood for cycles when the message closes.
  logic due, settled, readable, nothing, undivided, shows, gives, given_up, complete;
  logic entryless;  // a snapshot, and none of its entries is under way
  logic given;
  logic [1:0] given_invalid;
  always_ff @(posedge clk) begin
    entryless <= (ended || waiting) && !is_update && !occupied && !entries_busy;
    settled <= is_update || !is_named || lookup_settled;
    readable <= !unreadable && (is_update || (is_named && !is_differing));
    nothing <= is_stale || too_many || unreadable || (is_update ? !occupied : !(is_named && !is_differing && found));
  end
  assign due = waiting || observe;
  // The message is done with when there is nothing to push, or with its last slot.
  assign undivided = some_undivided && !blank && !divided;
  assign shows = showing && !turning && settled && !nothing && !undivided;
  assign gives = shows && due;
  assign complete = (gives && at_last) || given_up;

  // While there is none in sight, the first slot is read, or that of an entry; then the one in sight, cycle by cycle: whether
  // it is time for the next one is known late.
  logic begins;
  assign begins = (ended || waiting) && (occupied || entryless) && !entries_busy;
  // Only an update has further slots, and nothing of it is to be divided: less hangs on that than on `gives`.
  logic proceeds;
  assign proceeds = showing && !turning && due && !nothing && !at_last;
  slot_t slot_next;
  logic leaves, abandoned;
  assign abandoned = given_up || !(ended || waiting);
  assign leaves = (shows && waiting && at_last) || abandoned;
  always_comb begin
    slot_next = slot;
    if (idle) slot_next = '0;
    else if (proceeds) slot_next = slot_behind(slot);
  end
  assign read_next = slot_next;

  always_ff @(posedge clk) begin
    slot <= (cancel || rolls) ? '0 : slot_next;
    turning <= proceeds;
    cycles <= {cycles[BYTE_TO_CLOSED-2:0], cycle};
    if (closed) {closed_cycle, closed_number} <= {cycle_back, number};

    final_slot <= slot_t'(count - 5'd1);

    assert (rst || proceeds == (gives && !at_last));
    assert (rst || !proceeds || (slot == final_slot) == ({1'b0, slot} + 5'd1 == count));
    if (idle) begin
      at_last <= count <= 5'd1;
      blank <= !occupied;
      next <= '0;
      divided <= 1'b0;
      if (begins) phase <= SHOW;
    end
    if (showing) begin
      if (turning) at_last <= slot == final_slot;
      // If it is complete as it closes, it is seen not to be waiting a cycle later. What is not divided shows nothing yet.
      if (leaves) phase <= IDLE;
      if (undivided && is_named && !is_update && unit_ready && !abandoned) phase <= DIVIDE;
    end
    if (dividing) begin
      next <= next + 2'd1;
      if (next == LAST_SOURCE) phase <= COLLECT;
    end
    if (collecting && done && done_id == LAST_SOURCE) begin
      divided <= 1'b1;
      phase <= SHOW;
    end
    for (int i = 0; i < SOURCES; i++) if (done && done_id == 2'(i)) late_prices[i] <= done_price;

    issue <= dividing && !cancel;
    issue_id <= next;
    for (int i = 0; i < SOURCES; i++) if (next == 2'(i)) issue_price <= decimal_t'({1'b1, candidates[i].price});

    given_up <= waiting && settled && nothing && !entries_busy && !given_up && (idle || showing);
    overrun <= observe && waiting && !complete;
    waiting <= waiting ? !complete || observe : observe && !complete;
    if (verdict_good) late <= 1'b1;
    if (closed) late <= 1'b0;

    push <= gives && (shown.touched != '0 || every) && !cancel;
    message <= shown;
    preview <= shows && !waiting && (shown.touched != '0 || every) && !cancel;
    given <= gives && !cancel && !rst;
    given_invalid <= 2'(invalid[0]) + 2'(invalid[1]) + 2'(invalid[2]);
    unread <= complete && !readable && !cancel;

    if (cancel || rst) {waiting, given_up} <= '0;
    if (cancel || rolls) phase <= IDLE;
    if (rst) {push, preview, issue, unread, overrun} <= '0;
  end
  // How many there are hangs on nothing that comes late.
  assign prices_invalid = given ? given_invalid : '0;
endmodule
