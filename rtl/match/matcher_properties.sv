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
// 10. A trail hits behind the chains of its source, ahead of those of the next, by an observation of its source.
// 11. What a message moves is written once that is of a good frame, and fires nothing more.
// 12. While anything waits, no message of an instrument with live trails is dropped that has an eligible observation.
// 13. While a rule waits to be armed again, a message is passed over only if none does so of its own instrument.
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
    input logic [CHAINS-1:0]         by_chain,
    input logic                      satisfies,
    input logic                      by_trail,
    input logic                      trails_write,
    input logic                      trails_some,
    input logic                      trails_ready,
    input logic                      trails_hit,
    input logic [1:0]                trails_source,
    input logic                      idle,
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

  logic standing, waited, none_waited, spoiled;
  logic [15:0] waited_for;
  logic [CHAINS-1:0] chosen_from, chosen_chains;
  logic resumed_before, committed_before, busy_before;
  hit_t stood;
  always_ff @(posedge clk) begin
    standing <= hit_valid && !hit_ready && armed && !clear && !rst;
    stood <= hit;
    if (pick) spoiled <= 1'b0;
    else if (bad && begun && !held_good) spoiled <= 1'b1;
    chosen_from <= satisfied;
    chosen_chains <= by_chain;
    {resumed_before, committed_before, busy_before} <= {resume, committed, !idle};
    {waited, none_waited, waited_for} <= {rearm_waits, rearm_none, rearm_instrument};
    if (!rst) begin
      if (pick) begin
        assert (subject_valid && (satisfies || (rearm_due && rearm_asked && (resume || committed))));
      end
      if (pick && satisfies) begin
        assert (observed && by_trail == !chosen_chains[chosen]);
        assert (first == {3{chosen}} && chosen_from[chosen] && (chosen_from & ((1 << chosen) - 1)) == '0);
      end
      if (pick && satisfies && by_trail) begin
        assert (trails_hit && chosen == {trails_source, 1'(DIRECTION_GE)} && chosen_chains == '0);
      end
      if (pick && satisfies && !by_trail) begin
        assert (flags[chosen].live && (!trails_hit || chosen[2:1] <= trails_source));
        assert (!flags[chosen].decides || (decided && !flags[chosen].misses));
        assert (32'(chosen[0]) == DIRECTION_LE ? seen <= threshold : seen >= threshold);
        assert (!recalled && (!flags[chosen].confirms || confirmed));
      end
      assert (!trails_write || resumed_before || (committed_before && !busy_before));
      assert (!(pop && !pass && armed && !idle && busy_before && trails_ready && trails_some) || park);
      assert (!(hit_valid && at_head) || (message_valid && committed));
      assert (!(hit_valid && hit.spoiled) || (!at_head && spoiled));
      assert (!standing || (hit_valid && hit == stood));
      assert (spend == (hit_valid && hit_ready));
      assert (!(arming && pop) || park || pass);
      assert (!(pass && armed && waited) || (none_waited && waited_for == message.instrument));
      assert (!park || (message_valid && committed && !full));
    end
  end
endmodule
bind matcher matcher_properties properties (.*);
