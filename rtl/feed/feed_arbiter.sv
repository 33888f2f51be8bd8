// SPDX-License-Identifier: Apache-2.0
// Takes each number of a channel once, in order, from whichever of its two lines brings it first.
//
// One line is tried at a time: its datagram goes to the decoder as it comes, until its number is told. One that was there before
// is dropped; one whose turn is later waits where it was, if it is whole. All of a datagram is known at its end: only there its
// channel moves on, and only then what is missing in front of it is given up.
//
// What waits is tried again when its channel has moved. It may leave a gap if the channel has one line, if it has waited for so
// long while the other line brings nothing, if its line has no room for more, or if both lines wait and it is the nearer one: then
// nothing else can come.
module feed_arbiter
  import feed_hwmap_pkg::*, feed_pkg::*;
#(
    parameter int TICK = FEED_SILENCE_TICK  // cycles
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        run,            // else all is forgotten
    input  numbering_t  numbering,
    input  logic [23:0] wait_cycles,
    input  logic [15:0] silence_ticks,
    input  channels_t   start,
    // Lines.
    input  lines_t      present,
    input  lines_t      coming,         // a datagram has begun, though no byte of it may be there
    input  lines_t      tight,
    input  lines_t      overflow,
    input  feed_byte_t [FEED_LINES-1:0] heads,
    input  lines_t      bad,            // the datagram, with its end
    output lines_t      take,
    output lines_t      rewind,
    // The decoder.
    output feed_byte_t  out,
    input  logic        out_ready,
    /* verilator lint_off UNUSEDSIGNAL */  // what is told besides numbers, faults and ends
    input  field_t      field,
    /* verilator lint_on UNUSEDSIGNAL */
    // What is told. A gap stands in front of the verdict of the datagram behind it.
    output logic        vain,           // what the decoder tells of its datagram is
    output verdict_t    verdict,
    output gap_t        gap,
    output tally_t      tally,
    input  logic        tally_ready,
    output channel_t [FEED_CHANNELS-1:0] channels,
    output logic [FEED_CHANNELS-1:0][15:0] epochs,
    output channels_t   behind,
    output channels_t   waits
);
  // What is tried.
  typedef enum logic [2:0] {
    IDLE,
    BEGIN,
    FEED,    // bytes go to the decoder until it tells the end
    DECIDE,  // all that it tells is known
    TELL,
    CLOSE    // turned off: the decoder gets an end all the same
  } state_t;
  localparam int JUDGE_CYCLES = 3;  // from the end until the last number is judged
  state_t state;
  logic [LINE_BITS-1:0] at, next_at;
  lines_t at_bit;
  logic [CHANNEL_BITS-1:0] channel;
  assign at_bit = lines_t'(1) << at;
  assign channel = at[LINE_BITS-1:1];

  logic is_number, is_done, judged, ahead, below, late, some, news, gapped;
  logic [JUDGE_CYCLES-1:0] done;
  sequence_t away_now;
  channel_t after;
  assign is_number = field.valid && field.role == 4'(FEED_ROLE_NUMBER) && field.tells == TELLS_NUMBER && state == FEED && !vain &&
      numbering.numbered;
  assign is_done = field.valid && field.tells == TELLS_DONE && state == FEED;
  feed_judge judge (
      .clk, .load(state == BEGIN), .channel(channels[channel]), .numbering, .told(is_number), .number(field.value[31:0]),
      .judged, .ahead, .below, .late, .away(away_now), .some, .counts(news), .gap(gapped), .after
  );

  logic permit, ended, frame_bad, faulty, cutting, fed, good, in_vain, decides, counts, changes, heads_ready, commit;
  lines_t fresh, quiet, waiting, dropped_take, moved, wants, gives_up, permits, tries, defers, drops, was_below, was_not;
  lines_t still_lines;
  channels_t exists, still, over, begins, below_of, not_of;
  logic [2:0] dropped;
  tally_t missing;
  sequence_t [FEED_LINES-1:0] away;
  feed_heads at_heads (
      .clk, .rst(rst || !run), .heads, .bad, .coming, .overflow, .still(still_lines), .tries, .defers, .drops,
      .dropped, .missing, .fresh, .quiet, .waiting, .take(dropped_take), .rewind, .was_below, .was_not, .tally, .tally_ready,
      .ready(heads_ready)
  );
  feed_channels #(.TICK(TICK)) stand (
      .clk, .rst, .run, .numbering, .wait_cycles, .silence_ticks, .exists, .start, .waits, .was_below(below_of), .was_not(not_of),
      .idle(state == IDLE), .changes, .commit, .channel, .gapped, .after, .channels, .epochs, .behind, .still, .over, .begins, .gap
  );
  always_comb
    for (int c = 0; c < FEED_CHANNELS; c++) begin
      waits[c] = waiting[2*c+:2] != '0;
      below_of[c] = was_below[2*c+:2] != '0;
      not_of[c] = was_not[2*c+:2] != '0;
      exists[c] = numbering.numbered && present[2*c+:2] != '0;
      still_lines[2*c+:2] = {2{still[c]}};
    end

  // Which line is tried next: the one behind the last one that wants to be.
  verdict_t told;
  logic wanted;
  lines_t nearer, single;
  always_comb begin
    for (int i = 0; i < FEED_LINES; i++) begin
      nearer[i] = (i % 2 == 0) ? away[i] >= away[i^1] : away[i] > away[i^1];
      single[i] = !present[i^1];
      gives_up[i] = waiting[i] && (tight[i] ||
          (!moved[i] && ((quiet[i^1] && over[i/2]) || (waiting[i^1] && !moved[i^1] && nearer[i]))));
    end
    {wanted, next_at} = {1'b0, at};
    for (int i = FEED_LINES; i > 0; i--)
      if (wants[at+LINE_BITS'(i)]) {wanted, next_at} = {1'b1, at + LINE_BITS'(i)};
    tries = (state == IDLE && wanted && !changes) ? lines_t'(1) << next_at : '0;
  end

  // Bytes to the decoder. The end stays at the head of the line until it is known what becomes of the datagram; of one that is
  // in vain the decoder gets an end at once.
  assign fed = out.valid && out_ready;
  always_comb begin
    out = heads[at];
    out.valid = (state == FEED && !ended && (cutting || heads[at].valid)) || state == CLOSE;
    out.last = cutting || heads[at].last || state == CLOSE;
  end
  always_comb begin
    take = dropped_take;
    if (state == FEED && fed && !out.last) take |= at_bit;
  end

  // What becomes of it.
  assign in_vain = judged && !vain && numbering.numbered && ((ahead && !permit) || (below && !numbering.each_message));
  // Where it is decided these have been so for a cycle.
  always_ff @(posedge clk) begin
    good <= !frame_bad && !faulty && (!numbering.numbered || some);
    counts <= !frame_bad && !faulty && (!numbering.numbered || news);
  end
  assign decides = state == DECIDE && heads_ready && !vain;
  assign commit = decides && counts;
  assign missing = '{valid: commit && gapped, line: {channel, 1'b0}, outcome: 3'(FEED_OUTCOME_MISSING), less: after.gap_less};
  assign defers = (in_vain && ahead) ? at_bit : '0;
  assign drops = ((in_vain && !ahead) || decides) ? at_bit : '0;
  assign dropped = (state == DECIDE && !good) ? 3'(FEED_OUTCOME_BAD) : (state == DECIDE && counts) ? 3'(FEED_OUTCOME_TAKEN) :
      late ? 3'(FEED_OUTCOME_LATE) : 3'(FEED_OUTCOME_DUPLICATE);

  always_ff @(posedge clk) begin
    verdict <= told;
    told.valid <= 1'b0;
    done <= {done[JUDGE_CYCLES-2:0], is_done};
    for (int i = 0; i < FEED_LINES; i++) begin
      wants[i] <= state == IDLE && tries == '0 && !changes && !still[i/2] && (fresh[i] || (waiting[i] && moved[i]) || gives_up[i]);
      permits[i] <= single[i] || gives_up[i];
      if (begins[i/2] || (commit && channel == CHANNEL_BITS'(i / 2))) moved[i] <= 1'b1;
    end
    case (state)
      IDLE:
        if (tries != '0) begin
          {at, permit} <= {next_at, permits[next_at]};
          state <= BEGIN;
        end
      BEGIN: begin
        {ended, frame_bad, faulty, cutting, vain, done} <= '0;
        moved[at] <= 1'b0;
        state <= FEED;
      end
      FEED: begin
        if (field.valid && field.tells == TELLS_FAULT) faulty <= 1'b1;
        if (fed && out.last) {ended, frame_bad} <= {1'b1, bad[at] && !cutting};
        if (in_vain) begin
          {vain, cutting} <= 2'b11;
          away[at] <= away_now;
        end
        if (done[JUDGE_CYCLES-1]) state <= DECIDE;
      end
      DECIDE:
        if (vain || heads_ready) begin
          state <= TELL;
          vain <= vain || (good && !counts);
        end
      TELL: begin
        told <= '{valid: 1'b1, bad: !good && !vain, vain: vain, line: at};
        state <= IDLE;
      end
      default: if (out_ready) state <= IDLE;
    endcase
    if (!run) begin
      {wants, moved, vain} <= '0;
      if (state != CLOSE) state <= (state == FEED && !ended) ? CLOSE : IDLE;
    end
    if (rst) begin
      {wants, vain, at, told.valid} <= '0;
      state <= IDLE;
    end
  end
endmodule
