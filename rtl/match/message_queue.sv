// SPDX-License-Identifier: Apache-2.0
// Messages between parser and matcher, with the verdicts of their frames.
//
// A message may be evaluated before its frame's verdict; `committed` tells when the verdict is in and good. A bad verdict
// takes back what its frame has pushed. Each message names its frame; the frames' stamps stand beside the queue.
module message_queue
  import receive_pkg::*;
#(
    parameter int DEPTH = 64
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        clear,        // pulse: forget everything
    input  logic        frame_last,   // last byte of any frame
    input  logic [31:0] cycle,
    input  logic [63:0] time_ns,
    input  logic        good,         // pulse, verdict of a parsed frame
    input  logic        bad,          // pulse
    input  logic        waiting,      // a message of the frame is closed but not pushed yet
    input  logic        push,
    input  logic        push_late,    // with push: the frame has had its good verdict
    input  message_t    push_message,
    output logic        overflow,     // pulse: no room, the message is lost
    input  logic        pop,
    output logic        valid,
    output message_t    message,
    output logic        committed,    // from the cycle of the verdict on
    output logic [31:0] frame_end_cycle,
    output logic [63:0] frame_time_ns
);
  localparam int AW = $clog2(DEPTH);
  typedef logic [AW:0] pointer_t;  // one bit more than an address: full and empty differ

  // Live messages name at most DEPTH frames, and one more is arriving: the extra bit keeps their stamps apart.
  typedef logic [AW:0] frame_t;

  message_t messages[DEPTH];
  frame_t frames[DEPTH];
  logic [31:0] end_cycles[2*DEPTH];
  logic [63:0] end_times[2*DEPTH];

  pointer_t head, tail, commit, tail_next, head_next;
  frame_t frame;
  logic named;  // a message names the current frame
  logic full, taken;
  assign full = tail == {~head[AW], head[AW-1:0]};
  assign taken = push && !full;
  assign overflow = push && full;
  assign tail_next = tail + pointer_t'(taken);
  assign head_next = head + pointer_t'(pop);

  always_ff @(posedge clk) begin
    if (taken) begin
      messages[tail[AW-1:0]] <= push_message;
      frames[tail[AW-1:0]] <= push_late ? frame - 1'b1 : frame;
    end
    if (frame_last) begin
      end_cycles[frame] <= cycle;
      end_times[frame] <= time_ns;
    end

    head <= head_next;
    tail <= tail_next;
    // A message that fires nothing is popped ahead of the verdict.
    if (pop && head == commit) commit <= head_next;
    if (taken && push_late) commit <= tail_next;
    if (taken && !push_late) named <= 1'b1;
    if (good) begin
      commit <= tail_next;
      named <= 1'b0;
      if (named || waiting || taken) frame <= frame + 1'b1;
    end
    if (bad) begin
      named <= 1'b0;
      tail <= (pop && head == commit) ? head_next : commit;
    end
    if (clear || rst) begin
      head <= '0;
      tail <= '0;
      commit <= '0;
      named <= 1'b0;
    end
    if (rst) frame <= '0;
  end

  assign valid = head != tail;
  assign message = messages[head[AW-1:0]];
  assign committed = head != commit || good;
  assign frame_end_cycle = end_cycles[frames[head[AW-1:0]]];
  assign frame_time_ns = end_times[frames[head[AW-1:0]]];
endmodule
