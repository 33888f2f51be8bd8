// SPDX-License-Identifier: Apache-2.0
// What must always hold in the modules of this folder; runs in every simulation.
`ifndef SYNTHESIS
/* verilator lint_off DECLFILENAME */

// Live bits.
//  1. What is cleared was live: a live bit ends with one fire.
//  2. Host and fabric never write in the same cycle.
//  3. The bits above a word tell whether it is zero (looked at word after word, while no update is under way).
module live_bits_properties #(
    parameter int WORDS    = 2,
    parameter int GROUPS   = 2,
    parameter int WORD_AW  = 1,
    parameter int GROUP_AW = 1
) (
    input logic        clk,
    /* verilator lint_off UNUSEDSIGNAL */  // its first step does nothing
    input logic [ 2:0] clearing,
    /* verilator lint_on UNUSEDSIGNAL */
    input logic [ 4:0] clear_place,
    input logic [31:0] near_q,
    input logic        host_write,
    input logic        written,
    input logic        marking,
    input logic        grouping,
    input logic [31:0] copy[WORDS],
    input logic [31:0] groups[GROUPS],
    input logic [31:0] top
);
  logic [WORD_AW-1:0] at;
  logic [9:0] place;
  assign place = 10'(at);
  always_ff @(posedge clk) begin
    at <= at + 1'b1;
    assert (!clearing[1] || near_q[clear_place]);
    assert (!(clearing[2] && host_write));
    if (!written && !marking && !grouping) begin
      assert (groups[GROUP_AW'(place[9:5])][place[4:0]] == (copy[at] != '0));
      assert (top[place[9:5]] == (groups[GROUP_AW'(place[9:5])] != '0));
    end
  end
endmodule
bind live_bits live_bits_properties #(
    .WORDS(WORDS), .GROUPS(GROUPS), .WORD_AW(WORD_AW), .GROUP_AW(GROUP_AW)
) properties (.*);

// Fires.
//  1. A hit is of a live trigger, which a valid observation of the message satisfies.
//  2. It is offered only when its frame is good.
//  3. It stands until it is taken, unless it is disarmed or the flow is forgotten.
//  4. Its trigger is spent when it is taken, and only then.
//  5. Only messages of good frames are parked, and none where there is no room.
module matcher_properties
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, receive_pkg::*, match_pkg::*;
(
    input logic                      clk,
    input logic                      rst,
    input logic                      armed,
    input logic                      clear,
    input logic                      pick,
    input logic [CHAINS-1:0]         first,
    /* verilator lint_off UNUSEDSIGNAL */  // a few fields of each
    input head_t [CHAINS-1:0]        heads,
    input message_t                  subject,
    /* verilator lint_on UNUSEDSIGNAL */
    input logic                      subject_valid,
    input logic                      at_head,
    input logic                      message_valid,
    input logic                      committed,
    input logic                      park,
    input logic                      full,
    input logic                      spend,
    input logic                      hit_valid,
    input logic                      hit_ready,
    input hit_t                      hit
);
  logic [2:0] chain;
  observation_t seen;
  logic signed [PRICE_BITS-1:0] threshold;
  always_comb begin
    chain = '0;
    for (int i = 0; i < CHAINS; i++) if (first[i]) chain = 3'(i);
  end
  assign seen = subject.observed[chain[2:1]];
  assign threshold = heads[chain].trigger.threshold;

  logic standing;
  hit_t stood;
  always_ff @(posedge clk) begin
    standing <= hit_valid && !hit_ready && armed && !clear && !rst;
    stood <= hit;
    if (!rst) begin
      if (pick) begin
        assert (subject_valid && $onehot(first) && heads[chain].live && seen.valid);
        assert (32'(chain[0]) == DIRECTION_LE ? seen.price <= threshold : seen.price >= threshold);
      end
      assert (!(hit_valid && at_head) || (message_valid && committed));
      assert (!standing || (hit_valid && hit == stood));
      assert (spend == (hit_valid && hit_ready));
      assert (!park || (message_valid && committed && !full));
    end
  end
endmodule
bind matcher matcher_properties properties (.*);

// The queue.
//  1. What is in memory fits it, and the committed messages lie ahead of the others.
//  2. The memory is not in use while the head is empty, so messages stay in order.
//  3. A message that does not fit is told.
module message_queue_properties #(
    parameter int AW    = 6,
    parameter int DEPTH = 64
) (
    input logic          clk,
    input logic          rst,
    input logic [  AW:0] first,
    input logic [  AW:0] uncommitted,
    input logic [  AW:0] behind,
    input logic          valid,
    input logic          stored,
    input logic          push,
    input logic          taken,
    input logic          overflow,
    input logic          pop
);
  logic [AW:0] held, good;
  assign held = behind - first;
  assign good = uncommitted - first;
  always_ff @(posedge clk)
    if (!rst) begin
      assert (32'(held) <= DEPTH && good <= held);
      assert (stored == (held != '0) && (valid || !stored));
      assert (push == (taken || overflow));
      assert (!pop || valid);
    end
endmodule
bind message_queue message_queue_properties #(.AW(AW), .DEPTH(DEPTH)) properties (.*);

// Parked messages: taken out in the order in which they were put in, never more than there is room for.
module parked_messages_properties #(
    parameter int AW    = 9,
    parameter int DEPTH = 512
) (
    input logic          clk,
    input logic          rst,
    input logic [  AW:0] oldest,
    input logic [  AW:0] behind,
    input logic          occupied,
    input logic          push,
    input logic          drop,
    input logic          resume,
    input logic          look
);
  logic [AW:0] held;
  assign held = behind - oldest;
  always_ff @(posedge clk)
    if (!rst) begin
      assert (32'(held) <= DEPTH && occupied == (held != '0));
      assert (!(push && 32'(held) == DEPTH) && !(drop && !occupied) && !(resume && look));
    end
endmodule
bind parked_messages parked_messages_properties #(.AW(AW), .DEPTH(DEPTH)) properties (.*);
/* verilator lint_on DECLFILENAME */
`endif
