// SPDX-License-Identifier: Apache-2.0
// Datagrams at the heads of lines: what is known of each, and what becomes of it.
//
// What is not tried goes its way here, beside what is: it is read to its end and dropped, or, if its turn is later, read to its
// end and found whole, to wait where it was. One that is not whole is dropped there. Ends are counted one at a time.
module feed_heads
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic       clk,
    input  logic       rst,
    input  feed_byte_t [FEED_LINES-1:0] heads,
    input  lines_t     bad,          // the datagram, with its end
    input  lines_t     coming,       // one has begun, though no byte of it may be there
    input  lines_t     overflow,     // pulse: one is lost
    input  lines_t     still,        // nothing of the line counts
    // What the arbiter does with the head of a line.
    input  lines_t     tries,        // pulse
    input  lines_t     defers,       // pulse: its turn is later
    input  lines_t     drops,        // pulse
    input  logic [2:0] dropped,      // for what
    input  tally_t     missing,      // counted at once
    output lines_t     fresh,        // one is there of which nothing is known
    output lines_t     quiet,        // nothing is there
    output lines_t     waiting,
    output lines_t     take,         // to its end
    output lines_t     rewind,
    output lines_t     was_below,    // pulse: one whose numbers had been taken, of a right frame
    output lines_t     was_not,      // pulse: another of a right frame
    output tally_t     tally,
    input  logic       tally_ready,
    output logic       ready         // for `missing`
);
  typedef enum logic [2:0] {
    FRESH,
    TRIED,
    CHECKS,  // to its end, where it is seen whether it is whole
    WAITS,   // it is, and can be read again
    DROPS
  } mode_t;
  mode_t [FEED_LINES-1:0] mode;
  logic [FEED_LINES-1:0][2:0] outcome;
  lines_t at_end, ends, lost;

  always_comb begin
    for (int i = 0; i < FEED_LINES; i++) begin
      fresh[i] = mode[i] == FRESH && (heads[i].valid || coming[i]);
      quiet[i] = mode[i] == FRESH && !heads[i].valid && !coming[i];
      waiting[i] = mode[i] == WAITS;
      at_end[i] = heads[i].valid && heads[i].last;
      rewind[i] = mode[i] == CHECKS && at_end[i] && !bad[i];
      take[i] = (mode[i] == CHECKS || mode[i] == DROPS) && heads[i].valid && !heads[i].last;
    end
    ends = '0;
    for (int i = FEED_LINES - 1; i >= 0; i--)
      if (at_end[i] && (mode[i] == DROPS || (mode[i] == CHECKS && bad[i]))) ends = lines_t'(1) << i;
    if (!tally_ready || missing.valid) ends = '0;
    take |= ends;
  end
  assign ready = tally_ready;

  function automatic tally_t one(logic [LINE_BITS-1:0] line, logic [2:0] why);
    return '{valid: 1'b1, line: line, outcome: why, less: '1};
  endfunction
  always_ff @(posedge clk) begin
    tally <= missing;
    lost <= lost | overflow;
    {was_below, was_not} <= '0;
    if (lost != '0 && ends == '0 && tally_ready && !missing.valid) begin
      lost <= (lost & (lost - lines_t'(1))) | overflow;
      for (int i = FEED_LINES - 1; i >= 0; i--) if (lost[i]) tally <= one(LINE_BITS'(i), 3'(FEED_OUTCOME_LOST));
    end
    for (int i = 0; i < FEED_LINES; i++) begin
      if (ends[i]) begin
        mode[i] <= FRESH;
        tally <= one(LINE_BITS'(i), bad[i] ? 3'(FEED_OUTCOME_BAD) : outcome[i]);
        was_below[i] <= !bad[i] && (outcome[i] == 3'(FEED_OUTCOME_DUPLICATE) || outcome[i] == 3'(FEED_OUTCOME_LATE));
        was_not[i] <= !bad[i] && outcome[i] == 3'(FEED_OUTCOME_TAKEN);
      end
      if (rewind[i]) {mode[i], was_not[i]} <= {WAITS, 1'b1};
      if (tries[i]) mode[i] <= TRIED;
      if (defers[i]) mode[i] <= CHECKS;
      if (drops[i]) {mode[i], outcome[i]} <= {DROPS, dropped};
      if (still[i] && ((mode[i] == FRESH && heads[i].valid) || mode[i] == WAITS)) {mode[i], outcome[i]} <= {DROPS, 3'(FEED_OUTCOME_LOST)};
    end
    if (rst) begin
      mode <= '{default: FRESH};
      {tally.valid, lost, was_below, was_not} <= '0;
    end
  end
endmodule
