// SPDX-License-Identifier: Apache-2.0
// Arming, gate, control and frame of orders under any inputs, armed for a dry run or not.
//  1. From the write that armed for a dry run until one that arms for real, no order begins.
//  2. Nothing of an order is offered to the wire then, once the order has left that began before.
//  3. No MsgSeqNum is used then.
//  4. One that arms for real takes a write that disarms between them.
module dry_run_proof
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, host_pkg::*, order_pkg::*;
(
    input logic        clk,
    input logic        rst,
    input reasons_t    reasons,
    input sticky_t     trip,
    input logic        hit_pending, hit_early, hit_valid, fire_spoiled, messages_wait, lease_hold, clock_setting, ring_room, wire_ready,
    input logic        lease_released, order_end, fire_exhausted, fire_outside, known, recorded, watch, counting, ready,
    input logic        unlimited_orders,
    input violated_t   violated,
    input logic [31:0] elapsed_ns, limit_ns, snd_nxt, peer_ack, peer_window, max_unacked,
    input logic [15:0] length, ip_checksum, tcp_checksum,
    input logic [ 7:0] fetched,
    input leaving_t    leaving,
    input actions_t    actions,
    input settings_t   settings
);
  logic seq_exhausted, roomy, pass, goes, links, hit_ready, hit_waits, held, first_valid, take, start, sends, begun, sure, closing, disarm, busy, streaming;
  logic enabled, dry, kill, live, arm_taken, pop, last, payload;
  logic [7:0] outcome, data;
  logic [31:0] next_seq_num;
  logic [15:0] ip_id;
  count_t count;
  sticky_t sticky;
  arming arm (.*);
  logic sound;  // as in order_tables
  assign sound = recorded && known;
  gate risk (.*);
  order_control control (.order_valid(first_valid), .*);
  logic frozen;
  order_builder builder (.*);
  logic order_valid;  // as in order_path
  assign order_valid = streaming || first_valid;

  // What the host has asked for, told apart from what the fabric makes of it.
  logic asked, rehearsing;  // the last write that armed was for a dry run
  logic left;               // and no order of before is leaving
  logic armed_before, real_before;
  logic [31:0] number_before;
  logic by_software;
  assign asked = actions.arm && !kill;
  always_ff @(posedge clk) begin
    if (asked && !enabled) rehearsing <= actions.dry;
    left <= rehearsing && (left || !streaming);
    armed_before <= enabled;
    real_before <= enabled && !rehearsing;
    number_before <= next_seq_num;
    by_software <= (actions.set_seq_num && !live) || lease_released;
    if (rst) {rehearsing, left, armed_before, real_before} <= '0;
  end
  // The address bus carries one write at a time.
  always_comb assume (!(actions.arm && actions.disarm));

  always_ff @(posedge clk)
    if (!rst) begin
      assert (!(rehearsing && start));                                       // 1
      assert (!(left && order_valid));                                       // 2
      assert (!left || next_seq_num == number_before || by_software);        // 3
      assert (!(enabled && !rehearsing) || real_before || !armed_before);    // 4
      assert (dry == rehearsing);                                            // with these, the rules are inductive
      assert (!control.settled || armed_before);
      assert (!left || !(streaming || control.started));
      cover (rehearsing && enabled && take && outcome == 8'(OUTCOME_DRY));
      cover (rehearsing && streaming);
      cover (!rehearsing && start && !left);
    end
endmodule
bind dry_run_proof from_reset reset (.*);
