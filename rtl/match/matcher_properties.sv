// SPDX-License-Identifier: Apache-2.0
// Fires.
//  1. A hit is of a live trigger, which a valid observation of the message satisfies: the first such in evaluation order.
//  2. It is offered only when its frame is good, or, and then it says so, if that is bad and its order had begun to leave.
//  3. It stands until it is taken, unless it is disarmed or the flow is forgotten.
//  4. Its trigger is spent when it is taken, and only then.
//  5. While a message waits that may fire what arms others, no other one is dropped that has an eligible observation.
//  6. A decision fires only where it has been looked up for the message, and the price has landed.
//  7. Where a chain wants a confirmation, the observation just before satisfied the trigger, too.
//  8. Only messages of good frames are parked, and none where there is no room.
//  9. What is armed again after a time hits where nothing else does, and in a good frame.
// 10. While a rule waits to be armed again, a message is passed over only if none does so of its own instrument.
// 11. What halves of the stamps have of their own says the same as what the rest of a hit goes by.
module matcher_properties
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, receive_pkg::*, match_pkg::*;
(
    input logic                      clk,
    input logic                      rst,
    input logic                      armed,
    input logic                      clear,
    input logic                      pick,
    input logic [2:0][2:0]           first,
    input logic [CHAINS-1:0]         satisfied,
    input logic                      satisfies,
    /* verilator lint_off UNUSEDSIGNAL */  // a few fields of each
    input head_t [CHAINS-1:0]        heads,
    input chain_flags_t [CHAINS-1:0] flags,
    input message_t                  subject,
    input message_t                  message,
    /* verilator lint_on UNUSEDSIGNAL */
    input logic                      subject_valid,
    input logic                      resume,
    input logic                      rearm_due,
    input logic                      rearm_asked,
    input logic                      rearm_waits,
    input logic                      rearm_none,
    input logic [15:0]               rearm_instrument,
    input logic                      at_head,
    input logic                      message_valid,
    input logic                      committed,
    input logic                      park,
    input logic                      pop,
    input logic                      has_mid,
    /* verilator lint_off UNUSEDSIGNAL */
    input committed_t                resumed,
    input market_t                   market,
    /* verilator lint_on UNUSEDSIGNAL */
    input observation_t [SOURCES-1:0] behind,
    input logic                      recalled,
    input logic                      decided,
    input logic                      arming,
    input logic                      pass,
    input logic                      full,
    input logic                      spend,
    input logic                      held_good,
    input logic                      holding,
    input logic                      judged,
    input logic                      moved,
    input logic [1:0][0:0]           stamps_judged,
    input logic [1:0][0:0]           stamps_free,
    input logic [1:0][0:0]           stamps_open,
    input logic                      bad,
    input logic                      begun,
    input logic                      hit_valid,
    input logic                      hit_ready,
    input hit_t                      hit
);
  // The mid is compared doubled.
  logic [2:0] chosen;
  logic observed;
  halves_t seen, threshold;
  logic signed [PRICE_BITS-1:0] bid, ask;
  assign chosen = first[0];
  always_comb begin
    bid = resume ? resumed.message.observed[SOURCE_BID].price : behind[SOURCE_BID].price;
    ask = resume ? resumed.message.observed[SOURCE_ASK].price : behind[SOURCE_ASK].price;
    observed = has_mid && bid <= ask;
    seen = halves_t'(bid) + halves_t'(ask);
    for (int i = 0; i < SOURCES; i++)
      if (int'(chosen[2:1]) == i) {observed, seen} = {subject.observed[i].valid, halves_t'(subject.observed[i].price)};
  end
  assign threshold = halves_t'(heads[chosen].trigger.threshold);
  observation_t prior;
  logic confirmed;
  always_comb begin
    prior = '0;
    for (int i = 0; i < SOURCES; i++)
      if (int'(chosen[2:1]) == i) prior = resume ? resumed.previous[i] : market.newest[i];
  end
  assign confirmed = chosen[2:1] != 2'(SOURCES) && prior.valid && (32'(chosen[0]) == DIRECTION_LE
      ? halves_t'(prior.price) <= threshold : halves_t'(prior.price) >= threshold);

  logic renewed;  // rst was ahead of this cycle
  logic standing, passed, waited, none_waited, may_wait, spoiled;
  logic [1:0][15:0] waited_for;
  logic [CHAINS-1:0] chosen_from;
  hit_t stood;
  always_ff @(posedge clk) begin
    standing <= hit_valid && !hit_ready && armed && !clear && !rst;
    stood <= hit;
    renewed <= rst;
    passed <= pass;
    if (pick) spoiled <= 1'b0;
    else if (bad && begun && !held_good) spoiled <= 1'b1;
    chosen_from <= satisfied;
    {waited, none_waited, may_wait, waited_for} <= {rearm_waits, rearm_none, arming, waited_for[0], rearm_instrument};
    if (!rst) begin
      if (pick) begin
        assert (subject_valid && (satisfies || (rearm_due && rearm_asked && (resume || committed))));
      end
      if (pick && satisfies) begin
        assert (flags[chosen].live && observed);
        assert (first == {3{chosen}} && chosen_from[chosen] && (chosen_from & ((1 << chosen) - 1)) == '0);
        assert (!flags[chosen].decides || (decided && !flags[chosen].misses));
        assert (32'(chosen[0]) == DIRECTION_LE ? seen <= threshold : seen >= threshold);
        assert (!recalled && (!flags[chosen].confirms || confirmed));
      end
      assert (!(hit_valid && at_head) || (message_valid && committed));
      assert (!(hit_valid && hit.spoiled) || (!at_head && spoiled));
      assert (!standing || (hit_valid && hit == stood));
      assert (spend == (hit_valid && hit_ready));
      assert (!(arming && pop) || park || passed);
      assert (!(pass && armed && waited) || (none_waited && !may_wait && waited_for[1] == message.instrument));
      if (!renewed)
        assert ({stamps_judged, stamps_free, stamps_open} == {{2{judged}}, {2{!moved && !holding}}, {2{!held_good}}});
      assert (!park || (message_valid && committed && !full));
    end
  end
endmodule
bind matcher matcher_properties properties (.*);
