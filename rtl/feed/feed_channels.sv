// SPDX-License-Identifier: Apache-2.0
// Where channels stand: the number expected, the epoch, and what makes a gap besides numbers that are given up.
//
// A gap is one more epoch. Where nothing is tried a channel may begin anew, stand still since all that comes lies below the number
// expected, or have been silent for too long: one such thing in a cycle. A channel at the last epoch stands still as well.
module feed_channels
  import feed_hwmap_pkg::*, feed_pkg::*;
#(
    parameter int TICK = FEED_SILENCE_TICK  // cycles
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        run,            // rises: all channels begin
    input  numbering_t  numbering,
    input  logic [23:0] wait_cycles,
    input  logic [15:0] silence_ticks,
    input  channels_t   exists,         // has lines whose datagrams are numbered
    input  channels_t   start,
    input  channels_t   waits,          // a datagram waits
    input  channels_t   was_below,      // pulse: a datagram was below the number expected
    input  channels_t   was_not,        // pulse: one was not
    input  logic        idle,           // nothing is tried
    output logic        changes,        // what that may be, changes: nothing begins to be tried
    // A datagram counts.
    input  logic        commit,
    input  logic [CHANNEL_BITS-1:0] channel,
    input  logic        gapped,
    input  channel_t    after,
    output channel_t [FEED_CHANNELS-1:0] channels,
    output logic [FEED_CHANNELS-1:0][15:0] epochs,
    output channels_t   behind,
    output channels_t   still,
    output channels_t   over,           // it has waited for too long
    output channels_t   begins,         // pulse: anew
    output gap_t        gap             // two cycles later
);
  localparam int RUN_BITS = $clog2(FEED_LATE_RUN + 1);
  localparam int TICK_BITS = $clog2(TICK);
  if (TICK != 2 ** TICK_BITS) begin : gen_refuse
    $error("feed_channels %m: silence_tick is a power of two");
  end

  logic was_running, ticks, happens;
  channels_t due_start, due_behind, due_silence, silent;
  logic [FEED_CHANNELS-1:0][RUN_BITS-1:0] below;
  logic [FEED_CHANNELS-1:0][23:0] waited;
  logic [FEED_CHANNELS-1:0][15:0] quiet_left;
  logic [TICK_BITS-1:0] tick;
  logic [CHANNEL_BITS-1:0] where;
  logic [1:0] cause, found_cause;
  logic found;
  logic [CHANNEL_BITS-1:0] found_channel;
  sequence_t first, less;

  assign changes = (due_start | due_behind | due_silence) != '0;
  assign happens = idle && changes && !commit;
  always_comb begin
    where = channel;
    cause = 2'(FEED_CAUSE_NUMBERS);
    for (int c = FEED_CHANNELS - 1; c >= 0; c--) if (happens && due_silence[c]) {where, cause} = {CHANNEL_BITS'(c), 2'(FEED_CAUSE_SILENCE)};
    for (int c = FEED_CHANNELS - 1; c >= 0; c--) if (happens && due_behind[c]) {where, cause} = {CHANNEL_BITS'(c), 2'(FEED_CAUSE_BEHIND)};
    for (int c = FEED_CHANNELS - 1; c >= 0; c--) if (happens && due_start[c]) {where, cause} = {CHANNEL_BITS'(c), 2'(FEED_CAUSE_START)};
    for (int c = 0; c < FEED_CHANNELS; c++) begin
      still[c] = behind[c] || epochs[c] == 16'(FEED_LAST_EPOCH);
      begins[c] = happens && where == CHANNEL_BITS'(c) && cause == 2'(FEED_CAUSE_START);
    end
  end

  always_ff @(posedge clk) begin
    was_running <= run;
    due_start <= due_start | ((start | {FEED_CHANNELS{run && !was_running}}) & exists);
    tick <= tick + TICK_BITS'(1);
    ticks <= tick == '1;
    for (int c = 0; c < FEED_CHANNELS; c++) begin
      waited[c] <= waits[c] ? waited[c] + 24'(!over[c]) : '0;
      over[c] <= waits[c] && waited[c] >= wait_cycles;
      if (was_below[c] && below[c] != RUN_BITS'(FEED_LATE_RUN)) below[c] <= below[c] + RUN_BITS'(1);
      if (was_not[c]) below[c] <= '0;
      due_behind[c] <= below[c] == RUN_BITS'(FEED_LATE_RUN) && !still[c];
      if (ticks && quiet_left[c] != '0) quiet_left[c] <= quiet_left[c] - 16'd1;
      due_silence[c] <= channels[c].begun && quiet_left[c] == '0 && silence_ticks != '0 && !silent[c] && !still[c];
    end
    {found, found_cause, found_channel} <= {(commit && gapped) || happens, cause, where};
    {first, less} <= commit ? {after.gap_first, after.gap_less} : {channels[where].expected, sequence_t'(0)};
    gap <= '{
        valid: found, cause: found_cause, channel: found_channel, first: first, last: (first + ~less) & mask_of(numbering)
    };
    if ((commit && gapped) || happens) epochs[where] <= epochs[where] + 16'd1;
    if (commit) begin
      channels[channel] <= after;
      quiet_left[channel] <= silence_ticks;
      silent[channel] <= 1'b0;
    end
    if (happens) begin
      // What is due is seen anew where it has not happened.
      {due_behind, due_silence} <= '0;
      case (int'(cause))
        FEED_CAUSE_START: begin
          due_start[where] <= 1'b0;
          {channels[where].begun, channels[where].gap, behind[where], below[where]} <= '0;
        end
        FEED_CAUSE_BEHIND: behind[where] <= 1'b1;
        default: silent[where] <= 1'b1;
      endcase
    end
    if (rst || !run) begin
      {due_start, due_behind, due_silence, behind, over} <= '0;
      for (int c = 0; c < FEED_CHANNELS; c++) {channels[c].begun, below[c]} <= '0;
    end
    if (rst) {channels, epochs, was_running, found} <= '0;
  end
endmodule
