// SPDX-License-Identifier: Apache-2.0
// The matcher with any messages, chains and verdicts, and a gate that takes a fire when it likes (silence_proof has the gate).
// Parked messages are cut: they come back as they may have been put in.
//  1. A fire is offered only of a trigger whose condition held: the price that is reported was a valid observation, and it
//     is at the trigger's threshold or beyond it; so was the observation just before, if the chain wants a confirmation.
//     Whether it lies outside the collar is told with it.
//  2. Rule, order and number of a fire are those of that trigger, which was live.
//  3. The message was of a good frame, and the fabric was armed from the comparison until the cycle before.
//  4. A trigger that was spent is not offered again until something arms it.
//  5. What the chains are promised: nothing is loaded or spent while something is spent, nothing loaded while they are due.
//  6. What is armed again after a time is offered instead where no trigger fires, of a message whose frame was good.
//  7. One of a bad frame is offered only if its order had begun to leave, and says so.
// The rules of matcher_properties hold, too.
module fires_proof
  import compare_pkg::*, fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, receive_pkg::*, match_pkg::*;
(
    input logic                        clk,
    input logic                        rst,
    input logic                        clear, incoming, good, bad, message_valid, preview, committed, known,
    input logic [15:0]                 incoming_instrument,
    input message_t                    message,
    input logic [31:0]                 frame_end_cycle,
    input logic [63:0]                 frame_time_ns,
    input market_t                     market,
    input collar_t                     bounds,
    input logic                        spending, chains_present, chains_ready, chains_complete, mid_arms, decided,
    input logic [15:0]                 chains_instrument,
    input head_t [CHAINS-1:0]          heads,
    input chain_flags_t [CHAINS-1:0]   flags,
    input logic [CHAIN_FIRST_BITS-1:0] trigger,  // any one
    input logic                        arms_it,  // something makes it live
    input logic                        rearm_waits, rearm_none, rearm_some, rearm_answered, rearm_due,
    input logic [TRIGGER_ORDER_BITS-1:0] rearm_order,
    input logic [CHAIN_FIRST_BITS-1:0] rearm_trigger,
    input logic                        ending, order_begun,  // an order may begin at any time
    input logic                        armed, hit_ready
);
  logic rearm_asked, rearm_taken, spend_counts;
  logic quiet, pop, load, spend, over, due, hit_pending, hit_early, hit_valid;
  logic [15:0] load_instrument, rearm_instrument;
  logic [CHAIN_FIRST_BITS-1:0] spend_trigger;
  logic [FIRE_COUNT_FIRES_BITS-1:0] spend_fires;
  logic [OBSERVED-1:0] observed;
  logic [OBSERVED-1:0][PRICE_BITS-1:0] prices;
  hit_t hit;
  matcher #(.INSTRUMENTS(2), .PARKED(64)) match (.begun(order_begun), .*);

  // ---- What stands around the matcher.
  // The queue: a message stands until it is popped, or its frame was bad; then comes another one, or none.
  typedef struct packed {
    logic message_valid, preview, committed, good, bad, clear, pop;
    message_t message;
    logic known;
    market_t market;
    collar_t bounds;
    logic resume, resumed_valid, drop;
    committed_t resumed;
    observation_t [SOURCES-1:0] resumed_next, previous_next;
    logic due, decided, spend, spending, over, armed, ready, stands;
    head_t [CHAINS-1:0] heads;
    chain_flags_t [CHAINS-1:0] flags;
    logic looked_up;  // of a decision
    logic rearm_asked;
    logic park, full;
    logic [CHAIN_FIRST_BITS-1:0] trigger;
  } around_t;
  around_t now, last;
  logic looked_up;
  logic begun;  // `last` says something
  logic [CARRIED_CHAINS-1:0] confirming, last_confirming, confirming_before;  // chains that want it, now and ahead of that
  logic long_begun;
  logic parked;  // ahead of `last`
  logic gone;   // the trigger that is looked at was spent, and nothing has armed it since
  assign now = '{
      message_valid: message_valid, preview: preview, committed: committed, good: good, bad: bad, clear: clear, pop: pop, message: message,
      known: known, market: market, bounds: bounds, resume: match.resume, resumed_valid: match.resumed_valid,
      drop: match.drop, resumed: match.resumed, due: due, decided: decided, spend: spend,
      spending: spending, over: over, armed: armed, heads: heads, flags: flags,
      resumed_next: match.resumed_next, previous_next: match.previous_next,
      ready: chains_ready, stands: match.stands, looked_up: looked_up, rearm_asked: rearm_asked, park: match.park, full: match.full,
      trigger: trigger
  };
  always_comb begin
    for (int i = 0; i < CARRIED_CHAINS; i++) {confirming[i], last_confirming[i]} = {flags[i].confirms, last.flags[i].confirms};
    looked_up = 1'b0;
    for (int i = DIRECTION_GE; i < CHAINS; i += 2) looked_up |= flags[i].live && flags[i].decides && observed[i/2];
  end
  always_ff @(posedge clk) begin
    last <= now;
    begun <= !rst;
    long_begun <= begun;
    parked <= last.park;
    confirming_before <= last_confirming;
  end
  logic stays;
  assign stays = last.message_valid && !last.pop && !last.clear && (last.committed || last.good || !last.bad);
  always_comb begin
    assume (!(good && bad));
    for (int i = 0; i < SOURCES; i++) assume (!message.observed[i].valid || message.touched[i]);  // message_queue
    // Rules that are armed again (rearms): what hits for them is in no chain.
    assume (!(rearm_none && rearm_some));
    assume (!rearm_due || (rearm_answered && rearm_trigger != trigger));
    if (begun) begin
      assume (!rearm_answered || last.rearm_asked);
      assume (stays == (message_valid && stays));
      assume (!stays || (message == last.message && committed == (last.committed || last.good)));
      // What is seen ahead of a message is what comes, or nothing does (message_queue).
      assume (!(last.preview && !last.message_valid && !last.bad && !last.clear && (preview || message_valid)) ||
          {message.instrument, message.windows, message.touched, message.observed} ==
          {last.message.instrument, last.message.windows, last.message.touched, last.message.observed});
      // What is known of a message stands for a cycle more, in which its hit is taken down (known_values).
      assume (!(stays && last.known) || (market == last.market && bounds == last.bounds));
      assume (!(known && last.known && !last.pop) || (market == last.market && bounds == last.bounds));
      // Parked messages come one after the other, and stand until they are dropped; their memory is full behind one of them.
      assume (!long_begun || !match.full || last.full || parked);
      assume (!match.resumed_valid || (last.resume && !last.drop));
      assume (!(last.resumed_valid && last.resume && !last.drop && !last.clear && last.armed) ||
          (match.resumed_valid && match.resumed == last.resumed));
      // Chains (heads_proof): what a message was judged by stands; what was spent is not in it.
      for (int i = 0; i < CHAINS; i++)
        if (last.due && (last.decided || !last.flags[i].decides) && last.flags[i].live) begin
          assume (heads[i] == last.heads[i] && flags[i].live);
          assume ({flags[i].decides, flags[i].misses} == {last.flags[i].decides, last.flags[i].misses});
          assume (flags[i].confirms == last.flags[i].confirms);
        end
      // What is carried of them stands from then on in which they are ready; what chains are does long before.
      for (int i = 0; i < CARRIED_CHAINS; i++)
        assume (!(chains_ready && last.ready) || heads[i].trigger.threshold == last.heads[i].trigger.threshold);
      for (int i = CARRIED_CHAINS; i < CHAINS; i++)
        assume (!(last.flags[i].live && flags[i].live) || heads[i].trigger.threshold == last.heads[i].trigger.threshold);
      assume (match.resumed.message.observed == last.resumed_next && match.resumed.previous == last.previous_next);
      assume (!(last.due && last.decided && last.looked_up) || decided);  // interval_search stays settled while it runs
      assume (trigger == last.trigger);
    end
    for (int i = 0; i < CHAINS; i++)
      assume (!(chains_ready && !spend && !spending && gone && flags[i].live && heads[i].index == trigger));
    for (int i = CARRIED_CHAINS; i < CHAINS; i++) assume (!flags[i].confirms);  // the compiler has no such chains
    for (int i = DIRECTION_LE; i < CHAINS; i += 2) assume (!flags[i].decides);  // a decision is a chain of the other direction
    assume (!chains_ready || (begun && long_begun && confirming == last_confirming && confirming == confirming_before));
    assume (!chains_ready || chains_present);
    // Spending begins in the cycle behind `spend`, or with links that wait for the message's end (chain_heads, links).
    assume (!begun || !last.spend || spending);
    assume (!begun || !spending || last.spending || last.spend || last.over);
  end

  // ---- What was compared, in plain numbers as matcher_properties has them.
  typedef struct packed {
    head_t head;
    logic live;
    logic rearms;
    logic [TRIGGER_ORDER_BITS-1:0] rearm_order;
    logic [CHAIN_FIRST_BITS-1:0] rearm_trigger;
    logic parked;
    logic [1:0] source;
    logic observed;  // validly
    logic met;
    logic confirmed;
    logic [PRICE_BITS-1:0] price;
    logic between;   // in the collar
    logic good;
  } compared_t;
  compared_t compared;
  observation_t [SOURCES-1:0] previous;
  logic [CARRIED_CHAINS-1:0] met_before, known_before;  // a cycle ago: by the observations just before
  assign previous = match.resume ? match.resumed.previous : market.newest;
  always_ff @(posedge clk)
    for (int i = 0; i < CARRIED_CHAINS; i++) begin
      met_before[i] <= !((i % 2 == DIRECTION_LE) ? below(heads[i].trigger.threshold, previous[i/2].price)
                                                 : below(previous[i/2].price, heads[i].trigger.threshold));
      known_before[i] <= previous[i/2].valid;
    end
  halves_t seen, threshold, shown;  // shown: in half units
  logic beneath, above;             // the collar, by comparisons that are shown to be right in compare_proof
  assign {seen, threshold} = {match.properties.seen, match.properties.threshold};
  logic [2:0] first;
  assign first = match.first[0];
  assign shown = (first[2:1] == 2'(SOURCES)) ? seen : halves(match.subject.observed[first[2:1]].price);
  always_comb begin
    beneath = carry_of(stages_halves_below(shown, bounds.low));
    above = carry_of(stages_halves_below(bounds.high, shown));
  end
  always_ff @(posedge clk) begin
    if (match.pick)
      compared <= '{
          head: heads[first],
          live: flags[first].live,
          rearms: !match.satisfies,
          rearm_order: rearm_order,
          rearm_trigger: rearm_trigger,
          parked: match.resume,
          source: first[2:1],
          observed: match.properties.observed,
          met: 32'(first[0]) == DIRECTION_LE ? seen <= threshold : seen >= threshold,
          confirmed: !flags[first].confirms || match.properties.confirmed,
          price: PRICE_BITS'(seen),
          between: !beneath && !above,
          good: match.resume || committed || good
      };
    else if (good && !match.held_good) compared.good <= 1'b1;
    if (spend && spend_trigger == trigger) gone <= 1'b1;
    if (arms_it || rst) gone <= 1'b0;
  end

  always_ff @(posedge clk)
    if (!rst && begun) begin
      if (hit_pending && compared.rearms)
        assert (hit.trigger == compared.rearm_trigger && hit.order == compared.rearm_order && !hit.exhausted && hit_valid); // 6
      if (hit_pending) assert (match.hit_rearms == compared.rearms);
      if (hit_pending) assert (last.armed);                                                                    // 3
      if (hit_pending && !compared.rearms) begin
        assert (compared.observed && compared.met && compared.confirmed);                                         // 1
        assert (hit.observed == compared.price && hit.source == compared.source);
        assert (compared.live && hit.trigger == compared.head.index && hit.rule == compared.head.trigger.rule &&
            hit.order == compared.head.trigger.order && hit.fires == compared.head.fires &&
            hit.exhausted == compared.head.exhausted);                                                          // 2
        assert (compared.parked || hit.outside == !compared.between);                                            // 1
      end
      assert (!hit_valid || (hit_pending && compared.good != hit.spoiled));                                     // 3, 7
      if (hit_pending) assert (compared.good != (hit.spoiled || !match.held_good));
      if (hit_pending && !match.held_good) assert (!hit.spoiled);
      assert (!(hit_pending && gone && hit.trigger == trigger));                                                // 4
      assert (!(load && spending));                                                                             // 5
      assert (!(spend && spending));
      assert (!(due && load));
      // With these, the rules are inductive: nothing is looked at again while a hit waits; what was compared before the
      // message is of what is before it.
      assert (!(match.resume && match.holding));
      assert (match.from_set_aside == {SOURCES{last.resume || match.recall}});
      for (int i = 0; i < SOURCES; i++)
        assert (match.set_aside[i] == (!last.resume ? last.market.newest[i].price
            : match.recall ? match.resumed.previous[i].price : match.resumed.message.observed[i].price));
      assert (match.confirms == (last_confirming != '0));
      if (long_begun) assert (match.recall == (confirming_before != '0 && !last.stands));
      if (match.stands && !match.recall && !match.recalled)
        for (int i = 0; i < CARRIED_CHAINS; i++)
          if (last.flags[i].confirms)
            assert (match.recall_compared ? match.compared[i] == !met_before[i]
                                          : match.unconfirmed[i] == !(met_before[i] && known_before[i]));
      // The message of a hit stays at the queue's head until it is known to be good.
      assert (!(hit_pending && spending));
      assert (!match.at_head || (message_valid && (committed || (hit_pending && !match.held_good))));
      cover (spend && compared.parked);
      cover (spend && !compared.parked && compared.source == 2'(SOURCES));
      cover (spend && spend_trigger == trigger && !gone);
      cover (rearm_taken);
      cover (spend && hit.spoiled);
      assert (rearm_taken == (spend && compared.rearms));
    end
endmodule
bind fires_proof from_reset reset (.*);
