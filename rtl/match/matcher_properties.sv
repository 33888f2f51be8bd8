// SPDX-License-Identifier: Apache-2.0
// Fires.
//  1. A hit is of a live trigger, which a valid observation of the message satisfies: the first such in evaluation order.
//  2. It is offered only when its frame is good.
//  3. It stands until it is taken, unless it is disarmed or the flow is forgotten.
//  4. Its trigger is spent when it is taken, and only then.
//  5. While a message waits that may fire what arms others, no other one is dropped that has an eligible observation.
//  6. A decision fires only where it has been looked up for the message, and the price has landed.
//  7. Where a chain wants a confirmation, the observation just before satisfied the trigger, too.
//  8. Only messages of good frames are parked, and none where there is no room.
//  9. What is armed again after a time hits where nothing else does, and in a good frame.
module matcher_properties
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, receive_pkg::*, match_pkg::*;
(
    input logic                      clk,
    input logic                      rst,
    input logic                      armed,
    input logic                      clear,
    input logic                      pick,
    input logic [2:0]                first,
    input logic [CHAINS-1:0]         satisfied,
    /* verilator lint_off UNUSEDSIGNAL */  // a few fields of each
    input head_t [CHAINS-1:0]        heads,
    input chain_flags_t [CHAINS-1:0] flags,
    input message_t                  subject,
    /* verilator lint_on UNUSEDSIGNAL */
    input logic                      subject_valid,
    input logic                      resume,
    input logic                      rearm_due,
    input logic                      rearm_asked,
    input logic                      at_head,
    input logic                      message_valid,
    input logic                      committed,
    input logic                      park,
    input logic                      pop,
    input logic                      has_mid,
    input observation_t [SOURCES-1:0] previous,
    input logic [SOURCES-1:0]        recall,
    input logic signed [PRICE_BITS-1:0] bid,
    input logic signed [PRICE_BITS-1:0] ask,
    input logic                      decided,
    input logic                      arming,
    input logic                      pass,
    input logic                      full,
    input logic                      spend,
    input logic                      hit_valid,
    input logic                      hit_ready,
    input hit_t                      hit
);
  // The mid is compared doubled.
  logic observed;
  halves_t seen, threshold;
  always_comb begin
    observed = has_mid && bid <= ask;
    seen = halves_t'(bid) + halves_t'(ask);
    for (int i = 0; i < SOURCES; i++)
      if (int'(first[2:1]) == i) {observed, seen} = {subject.observed[i].valid, halves_t'(subject.observed[i].price)};
  end
  assign threshold = halves_t'(heads[first].trigger.threshold);
  observation_t prior;
  logic confirmed;
  assign prior = previous[(first[2:1] == 2'(SOURCES)) ? '0 : first[2:1]];
  assign confirmed = first[2:1] != 2'(SOURCES) && prior.valid && (32'(first[0]) == DIRECTION_LE
      ? halves_t'(prior.price) <= threshold : halves_t'(prior.price) >= threshold);

  logic standing;
  hit_t stood;
  always_ff @(posedge clk) begin
    standing <= hit_valid && !hit_ready && armed && !clear && !rst;
    stood <= hit;
    if (!rst) begin
      if (pick) begin
        assert (subject_valid && (satisfied != '0 || (rearm_due && rearm_asked && (resume || committed))));
      end
      if (pick && satisfied != '0) begin
        assert (flags[first].live && observed);
        assert (satisfied[first] && (satisfied & ((1 << first) - 1)) == '0);
        assert (!flags[first].decides || (decided && !flags[first].misses));
        assert (32'(first[0]) == DIRECTION_LE ? seen <= threshold : seen >= threshold);
        assert (recall == '0 && (!flags[first].confirms || confirmed));
      end
      assert (!(hit_valid && at_head) || (message_valid && committed));
      assert (!standing || (hit_valid && hit == stood));
      assert (spend == (hit_valid && hit_ready));
      assert (!(arming && pop) || park || pass);
      assert (!park || (message_valid && committed && !full));
    end
  end
endmodule
bind matcher matcher_properties properties (.*);
