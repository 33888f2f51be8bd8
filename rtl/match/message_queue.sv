// SPDX-License-Identifier: Apache-2.0
// Messages between parser and matcher, with the verdicts of their frames.
//
// The message at the head stands in registers, those behind it in a memory. Where there is none, the one that is about to
// be pushed can be seen there. A message may be evaluated before its frame's
// verdict; `committed` tells when that is in and good. A bad verdict takes back what its frame has pushed. Each message
// names its frame; the stamps of the last FRAMES frames stand beside the queue. `push` is to come from registers.
// Between two messages with a gap of the stream between them `lap` changes.
//
// With two banks a message of the one that is not evaluated stays at the head, unseen, until that is the other way round.
module message_queue
  import receive_pkg::*;
#(
    parameter int INSTRUMENTS = 1024,
    parameter int DEPTH       = 64,   // behind the head, of which one stays free
    parameter int FRAMES      = 32
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        clear,        // pulse: forget everything
    input  logic        gap,          // level: the parser has lost the stream
    input  logic        frame_byte,   // a byte of any frame
    input  logic        frame_last,   // the last one, with its stamps
    input  logic [31:0] cycle,
    input  logic [63:0] time_ns,
    input  logic        good,         // pulse, verdict of a parsed frame
    input  logic        bad,          // pulse
    input  logic        waiting,      // a message of the frame is closed but not pushed yet
    input  logic        push,
    input  logic        push_late,    // with push: the frame has had its good verdict
    input  message_t    push_message,
    input  logic        push_preview, // level: the message may be pushed in the next cycles; not while tables may change
    output logic        overflow,     // pulse: no room, the message is lost
    input  logic        two_banks,
    input  logic        bank,         // the one that is evaluated
    input  logic        discard,      // level: a message that is not seen goes
    input  logic        pop,          // not with `bad`
    output logic        valid,
    output logic        unseen,       // there is a message of the other bank
    output logic        preview,      // `message` may be valid in the next cycles, but for number and end_cycle
    output message_t    message,
    output logic        lap,
    output logic        committed,    // from the cycle after the verdict on
    output logic [31:0] frame_end_cycle,  // of its frame: of its newest byte until that has ended
    output logic [63:0] frame_time_ns
);
  localparam int AW = $clog2(DEPTH);
  localparam int INSTRUMENT_AW = $clog2(INSTRUMENTS);
  if ((DEPTH & (DEPTH - 1)) != 0 || (FRAMES & (FRAMES - 1)) != 0) begin : gen_refuse
    $error("message_queue %m: DEPTH and FRAMES are powers of two");
  end

  typedef logic [AW:0] pointer_t;  // one bit more than an address: full and empty differ
  typedef logic [$clog2(FRAMES)-1:0] frame_t;
  typedef struct packed {
    frame_t                     frame;
    logic                       lap;
    logic [INSTRUMENT_AW-1:0]   instrument;
    logic [31:0]                number;
    logic [31:0]                end_cycle;
    logic                       windows;
    logic [SOURCES-1:0]         touched;
    observation_t [SOURCES-1:0] observed;
  } entry_t;

  (* ram_style = "distributed" *) entry_t entries[DEPTH];
  entry_t pushed, head;
  frame_t frame;  // the frame that is arriving, or is to come
  logic lap_pushed;
  assign pushed = '{
          frame: push_late ? frame - 1'b1 : frame,
          lap: lap_pushed,
          instrument: INSTRUMENT_AW'(push_message.instrument),
          number: push_message.number,
          end_cycle: push_message.end_cycle,
          windows: push_message.windows,
          touched: push_message.touched,
          observed: push_message.observed
      };
  assign message = '{
          instrument: 16'(head.instrument),
          number: head.number,
          end_cycle: head.end_cycle,
          windows: head.windows,
          touched: head.touched,
          observed: head.observed
      };
  assign lap = head.lap;

  // In memory: from `first` to before `behind`; those before `uncommitted` are of good frames.
  pointer_t first, uncommitted, behind, first_next, uncommitted_next, behind_next;
  logic stored, full;
  logic taken, held_one, empty, free, advance, bypass, store;
  assign taken = push && !full;
  assign overflow = push && full;
  assign empty = !held_one || (unseen && discard);  // of registers
  assign free = empty || pop;
  assign advance = free && stored;
  assign bypass = taken && free && !stored;
  assign store = taken && !bypass;

  // What memory still holds is compared ahead, pointer by pointer, and only chosen here.
  pointer_t first_after;  // a register, as `first` is
  logic more_stored, any_good, more_good, stored_next, grows, passes;
  assign more_stored = first_after != behind;
  assign any_good = first != uncommitted;
  assign more_good = any_good && first_after != uncommitted;
  always_comb begin
    first_next = advance ? first_after : first;
    // One pointer does not follow from another: each is one of four, by what has been decided of registers.
    grows = store && (push_late || !bad);
    passes = advance && !any_good;  // what comes to the head has no good verdict yet
    behind_next = grows ? behind + 1'b1 : !bad ? behind : passes ? first_after : uncommitted;
    uncommitted_next = (good || (store && push_late)) ? (store ? behind + 1'b1 : behind) : passes ? first_after : uncommitted;

    if (bad) stored_next = (store && push_late) || (empty && stored ? more_good : any_good);
    else stored_next = store || (advance ? more_stored : stored);
  end
  always_ff @(posedge clk) begin
    first <= first_next;
    first_after <= advance ? first_after + 1'b1 : first_after;
    uncommitted <= uncommitted_next;
    behind <= behind_next;
    stored <= stored_next;
    if (clear || rst) begin
      {first, uncommitted, behind} <= '0;
      first_after <= pointer_t'(1);
      stored <= 1'b0;
    end
  end

  // The first message behind a gap begins a lap, unless it is taken back.
  typedef struct packed {
    logic lap;     // of the last message
    logic behind;  // the next one is behind a gap
  } laps_t;
  laps_t laps, laps_next, laps_kept;
  assign lap_pushed = laps.lap ^ (laps.behind && !gap);
  assign laps_next = taken ? laps_t'{lap_pushed, gap} : laps_t'{laps.lap, laps.behind || gap};
  always_ff @(posedge clk) begin
    laps <= laps_next;
    if (gap) laps_kept.behind <= 1'b1;
    if (good || (taken && push_late)) laps_kept <= laps_next;
    if (bad) laps <= '{lap: laps_kept.lap, behind: laps_kept.behind || gap};
    if (rst) {laps, laps_kept} <= '0;
  end

  // Whether the head will be of the other bank. Which one the first in memory is of stands in a register.
  (* ram_style = "distributed" *) logic stored_banks[DEPTH];
  logic foreign_next, pushed_bank, first_bank;
  entry_t stored_first;
  assign stored_first = entries[first[AW-1:0]];
  assign pushed_bank = pushed.instrument[INSTRUMENT_AW-1];
  always_ff @(posedge clk) begin
    if (push) stored_banks[behind[AW-1:0]] <= pushed_bank;
    if (!(advance ? more_stored : stored)) first_bank <= pushed_bank;
    else if (advance) first_bank <= stored_banks[first_after[AW-1:0]];
  end
  always_comb begin
    foreign_next = (stored ? first_bank : pushed_bank) != bank;
    if (!free) foreign_next = head.instrument[INSTRUMENT_AW-1] != bank;
    if (!two_banks) foreign_next = 1'b0;
  end

  logic head_committed, head_bad;
  always_comb begin
    // With a bad verdict nothing is popped: what it says hangs on registers alone.
    if (empty && stored) head_bad = bad && !any_good;
    else if (empty && taken) head_bad = bad && !push_late;
    else head_bad = bad && !committed;
    if (advance) head_committed = any_good;
    else if (bypass) head_committed = push_late;
    else head_committed = committed;
    if (good) head_committed = 1'b1;
  end
  always_ff @(posedge clk) begin
    // The place behind the last one is free: what is not stored may stand there.
    if (push) entries[behind[AW-1:0]] <= pushed;
    if (free) head <= stored ? stored_first : pushed;
    held_one <= !free || advance || bypass;
    preview <= free && !stored && push_preview;
    {valid, unseen} <= 2'b00;
    if (!free || advance || bypass) {valid, unseen} <= foreign_next ? 2'b01 : 2'b10;
    committed <= head_committed;
    if (head_bad || clear || rst) {held_one, valid, unseen} <= '0;
  end

  // Frames.
  logic named;  // a message names the current frame
  frame_t age;  // frames since the one of the head
  pointer_t held;
  logic crowded;  // DEPTH - 2 or more are held
  assign held = behind - first;
  assign crowded = held[AW] || held[AW-1:1] == '1;
  logic frames_full;
  logic [31:0] end_cycles[FRAMES];
  logic [63:0] end_times[FRAMES];
  // Written from its first byte on: an order that begins ahead of the end is judged at the time that it is, which the end is
  // no earlier than, and not at that of whatever frame had this number before. Not while a verdict is on its way: the number
  // moves with that, and the next frame may have begun.
  logic [2:0] judging;
  always_ff @(posedge clk) begin
    judging <= {judging[1:0], frame_byte && frame_last} & {3{!rst}};
    if (frame_byte && judging == '0) begin
      end_cycles[frame] <= cycle;
      end_times[frame] <= time_ns;
    end
    if (taken && !push_late) named <= 1'b1;
    if (good && (named || waiting || taken)) frame <= frame + 1'b1;
    if (good || bad || clear || rst) named <= 1'b0;
    // Frames take dozens of cycles, so their room may be known a few cycles late. Messages may come a cycle apart: one more
    // is taken before `full` stands.
    age <= frame - head.frame;
    frames_full <= held_one && age >= frame_t'(FRAMES - 2);
    full <= frames_full || crowded;
    if (rst) frame <= '0;
    if (clear || rst) {full, frames_full} <= '0;
  end
  assign frame_end_cycle = end_cycles[head.frame];
  assign frame_time_ns = end_times[head.frame];
endmodule
