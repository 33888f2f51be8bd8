// SPDX-License-Identifier: Apache-2.0
// Gate and control of orders under any inputs.
//  1. A reason against (kill, watchdog, session, clock, fault) that has stood for a cycle lets no order begin, and none that
//     has begun be sent.
//  2. Disarmed, no order begins and no fire is taken.
//  3. An order begins only with a fire that is valid, or may begin early, on a wire that takes it, while nobody holds the lease.
//  4. No two orders have the same MsgSeqNum, unless software has written it between them.
//  5. No order begins that is beyond a limit or the collar, whose count has no successor or whose record is none, or before
//     the limits have counted the one before.
//  6. A watch lets no order begin and no limit count; its links are carried out unless its own count rejects it.
//  7. An order is sent only with a fire that is valid, of a good frame, and while it leaves; one that is not sent has a wrong FCS.
module silence_proof
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, host_pkg::*, order_pkg::*;
(
    input logic        clk,
    input logic        rst,
    input reasons_t    reasons,
    input logic        hit_pending, hit_early, hit_valid, fire_spoiled, closing, enabled, messages_wait, lease_hold, clock_setting, ring_room, wire_ready,
    input logic        live, dry, lease_released, order_end, fire_exhausted, fire_outside, known, recorded, watch, counting,
    input logic        unlimited_orders,
    input violated_t   violated,
    input logic [31:0] elapsed_ns, limit_ns, snd_nxt, peer_ack, peer_window, max_unacked,
    input logic [15:0] length,
    input actions_t    actions,
    input settings_t   settings
);
  logic seq_exhausted, roomy, pass, goes, links, hit_ready, hit_waits, held, order_valid, take, start, sends, begun, sure, disarm, busy, streaming;
  logic [7:0] outcome;
  logic [31:0] next_seq_num;
  logic [15:0] ip_id;
  count_t count;
  logic sound;  // as in order_tables
  assign sound = recorded && known;
  gate risk (.*);
  order_control control (.*);

  // As order_builder: bytes follow from the cycle behind the first one on, one cycle at least.
  always_ff @(posedge clk) begin
    streaming <= start || (streaming && !order_end);
    if (rst) streaming <= 1'b0;
  end

  logic against, written, counted;
  logic sent, decided;
  logic [31:0] sent_number;
  assign written = (actions.set_seq_num && !live) || lease_released;
  always_ff @(posedge clk) begin
    against <= reasons != '0;
    counted <= !counting;
    if (sends) {sent, sent_number} <= {1'b1, next_seq_num};
    if (start || sends) decided <= sends;
    if (written) sent <= 1'b0;
    if (rst) {against, sent} <= '0;
  end
  // Software writes the number disarmed or with a reason that stays, its accesses are some cycles apart; the lease's number
  // comes before the lease ends.
  logic [2:0] since_write;
  always_ff @(posedge clk) begin
    since_write <= (actions.set_seq_num && !live) ? '0 : (since_write == '1) ? since_write : since_write + 3'd1;
    if (rst) since_write <= '1;
  end
  always_comb begin
    assume (!(actions.set_seq_num && !live) || !enabled || (reasons != '0 && against));
    assume (since_write > 3'd3 || !enabled || (reasons != '0 && against));
    assume (!lease_released || lease_hold);
    assume (!hit_valid || hit_pending);           // matcher_properties
    assume (!hit_early || !hit_valid);
  end
  // Digits, of which the highest number has no successor.
  logic digits;
  always_comb begin
    digits = 1'b1;
    for (int i = 0; i < SEQ_NUM_CHARS; i++)
      digits = digits && next_seq_num[4*i+:4] <= 4'd9 && actions.wdata[4*i+:4] <= 4'd9 && settings.lease_seq_num[4*i+:4] <= 4'd9;
    assume (digits);
  end

  always_ff @(posedge clk)
    if (!rst) begin
      assert (!(against && (start || sends)));                                                    // 1
      assert (enabled || !(start || take));                                             // 2
      assert (!start || ((hit_valid || hit_early) && wire_ready && !lease_hold && !clock_setting));    // 3
      assert (!(sends && sent && !written && next_seq_num == sent_number));             // 4
      assert (!((start || sends) && (violated != '0 || fire_outside || !counted)));                 // 5
      assert (!(start || sends) || (sound && !fire_exhausted && !fire_spoiled));
      assert (!(watch && sound) || (!start && !sends && !goes && links == (!fire_exhausted && !fire_spoiled)));     // 6
      assert (links == (outcome inside {8'(OUTCOME_SENT), 8'(OUTCOME_DRY), 8'(OUTCOME_WATCH)}));
      assert (links == goes || watch);
      assert (!(sent && !control.started && next_seq_num == sent_number));              // with it, 4 is inductive
      assert (!sends || (take && hit_valid && enabled && (start || streaming)));        // 7
      assert (!(start && hit_valid) || sends);
      assert (!streaming || sure == decided);
      assert (!(begun && streaming) || !decided);
      cover (start && sent);
      cover (sends && !start);
      cover (take && begun && !sends);
      cover (begun && closing && !sure);
      cover (take && !start && against);
      cover (take && links && against);
    end
endmodule
bind silence_proof from_reset reset (.*);
