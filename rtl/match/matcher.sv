// SPDX-License-Identifier: Apache-2.0
// Evaluates messages against the chains of their instruments, and offers the gate one fire after the other.
//
// What is known ahead of a message, and with it the collar, is that of the moment in which it stands at the queue's head: a
// parked message keeps which of its observations are eligible, which lie outside, and its mid. What has no observation is passed
// over.
//
// All heads are compared at once, as soon as decisions among them have been looked up for the message; the first satisfied
// one in evaluation order becomes the hit. The compare runs ahead of the frame's verdict: a message that fires nothing is
// done with, one that fires waits for the verdict. The hit stands in registers from the cycle after the verdict on. When it
// is taken, its live bit is cleared, and the same message is compared again.
//
//   subject -> compared (in two cycles) -> judged (the choice) -> hit
//
// A register each. A message is judged if it and its chains stood three cycles ago, its market four, and since; it may have been
// no message yet, but what the parser expects to become one once its CheckSum is in.
//
// Where chains want a confirmation, the heads are first compared with the observations just before those of the message: three
// cycles more, unless chains and market stand before the message does.
//
// While a hit waits, later messages are screened: one that satisfies no live trigger, or none that a parked message of its
// instrument would not fire first, has nothing to say and is dropped; the others are parked. That is sound while live
// bits are only cleared. From a message on that may fire what arms or revives others, all are parked, until nothing waits any
// more.
//
// An order may begin to leave ahead of the verdict, while the frame is ending: its hit is `begun` then, and is taken
// whatever the verdict is.
//
// Behind its fires a message may be the one that a rule waits for to be armed again: it hits then, whatever it observes.
// While nothing waits that is known once its frame is good, and it stays that long; else it is parked, if there is such a
// rule of its instrument.
module matcher
  import compare_pkg::*, fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, receive_pkg::*, match_pkg::*;
#(
    parameter int INSTRUMENTS = 1024,
    parameter int PARKED      = 512
) (
    input  logic                                clk,
    input  logic                                rst,
    input  logic                                armed,             // otherwise messages are dropped unseen
    input  logic                                clear,             // pulse: forget all messages
    // Instrument of the message that is arriving, to have its chains at hand in time.
    input  logic                                incoming,
    input  logic [15:0]                         incoming_instrument,
    input  logic                                good,              // pulses: verdict of the frame
    input  logic                                bad,
    // The oldest message that has not been screened.
    input  logic                                message_valid,
    input  logic                                preview,           // or, of the message that is arriving, what may come to stand there
    input  message_t                            message,
    input  logic                                committed,
    input  logic [31:0]                         frame_end_cycle,
    input  logic [63:0]                         frame_time_ns,
    output logic                                pop,
    // What is known ahead of it.
    input  logic                                known,
    input  market_t                             market,
    input  collar_t                             bounds,
    // Chains.
    output logic                                load,
    output logic [15:0]                         load_instrument,
    output logic                                spend,
    output logic [CHAIN_FIRST_BITS-1:0]         spend_trigger,
    output logic [FIRE_COUNT_FIRES_BITS-1:0]    spend_fires,
    output logic                                spend_counts,      // it is of a chain
    output logic                                over,              // a message that may have fired is evaluated to its end
    input  logic                                spending,
    input  logic                                chains_present,
    input  logic                                chains_ready,      // all but those of the mid
    input  logic                                chains_complete,
    input  logic                                mid_arms,          // a chain of the mid has triggers that arm others
    /* verilator lint_off UNUSEDSIGNAL */  // as many bits as there are instruments
    input  logic [15:0]                         chains_instrument,
    /* verilator lint_on UNUSEDSIGNAL */
    input  head_t [CHAINS-1:0]                  heads,
    input  chain_flags_t [CHAINS-1:0]           flags,
    output logic                                quiet,             // nothing is parked, no hit waits
    output logic                                due,               // the chains are those of the subject, which stays
    output logic [OBSERVED-1:0]                 observed,          // what it has an observation of
    output logic [OBSERVED-1:0][PRICE_BITS-1:0] prices,            // a cycle later, that of the mid in half units
    input  logic                                decided,           // with due: decisions among the heads are those for it
    // Rules that are armed again after a time.
    input  logic                                rearm_waits,       // there are such, or may come to be, of any instrument
    output logic [15:0]                         rearm_instrument,  // of the subject, or of the message that is arriving
    input  logic                                rearm_none,        // none of that waits
    input  logic                                rearm_some,        // one does; neither: not known yet
    output logic                                rearm_asked,       // whether one is due, by hit.time_ns from the next cycle on
    input  logic                                rearm_answered,
    input  logic                                rearm_due,         // with rearm_answered: this hits
    input  logic [TRIGGER_ORDER_BITS-1:0]       rearm_order,
    input  logic [CHAIN_FIRST_BITS-1:0]         rearm_trigger,
    output logic                                rearm_taken,       // it has been taken
    // To the gate: registers.
    input  logic                                ending,            // of the frame that arrives so little is to come that an order may begin
    input  logic                                begun,             // the order of the hit has
    output logic                                hit_pending,       // the hit stands, but for its frame's verdict and stamps
    output logic                                hit_early,         // and its order may begin ahead of that
    output logic                                hit_valid,
    output hit_t                                hit,
    input  logic                                hit_ready
);
  localparam int INSTRUMENT_AW = $clog2(INSTRUMENTS);

  // A hit: `holding` from the cycle in which it is picked, valid once its frame is known to be good. Until then its
  // message stays at the queue's head; then it is parked, so that it can be compared again.
  logic holding, held_good, at_head;
  logic holding_next, held_good_next;
  logic pick, take, withdraw;

  // The message under evaluation: the oldest parked one if no hit waits, else the queue's head.
  logic resume, resume_next, resumed_valid, occupied, full, park, drop, looked;
  (* keep = "true" *) logic resume_subject, resume_prices, resume_stamps;  // the same as resume, for much hangs on it
  logic [CHAINS-1:0] covered;
  committed_t resumed;
  /* verilator lint_off UNUSEDSIGNAL */  // their prices
  observation_t [SOURCES-1:0] resumed_next, previous_next;
  /* verilator lint_on UNUSEDSIGNAL */
  message_t own, subject;  // `own`: what of the message at the head is eligible
  observation_t [SOURCES-1:0] behind;  // what is known behind the message at the head
  logic own_mid, has_mid, subject_valid;
  logic [SOURCES:0] under, above;  // registers: beyond the collar
  logic crossed;  // a register: there is no mid
  always_comb begin
    own = message;
    for (int i = 0; i < SOURCES; i++) begin
      own.observed[i].valid = message.observed[i].valid && bounds.admits;
      behind[i] = message.touched[i] ? message.observed[i] : known_of(market, i);
    end
    subject = resume_subject ? resumed.message : own;
    own_mid = (own.observed[SOURCE_BID].valid || own.observed[SOURCE_ASK].valid)
        && behind[SOURCE_BID].valid && behind[SOURCE_ASK].valid;
    has_mid = resume ? resumed.has_mid : own_mid;
  end
  assign subject_valid = resume ? resumed_valid : message_valid;

  // As it is parked.
  committed_t parking;
  halves_t looked_mid;  // a register, for who looks has time
  always_comb begin
    parking = '{
        message: own, previous: market.newest, has_mid: own_mid && !crossed, outside: under | above,
        frame_end_cycle: frame_end_cycle, time_ns: frame_time_ns
    };
    parking.message.observed[SOURCE_BID].price = behind[SOURCE_BID].price;
    parking.message.observed[SOURCE_ASK].price = behind[SOURCE_ASK].price;
  end
  logic signed [PRICE_BITS-1:0] looked_bid, looked_ask;
  always_ff @(posedge clk) begin
    {looked_bid, looked_ask} <= {behind[SOURCE_BID].price, behind[SOURCE_ASK].price};
    looked_mid <= halves_t'(looked_bid) + halves_t'(looked_ask);
  end
  // Parked messages and screening take turns, so that quick rejections of a long burst do not stop screening.
  logic screened;
  logic turn;  // it begins
  assign turn = !resume && occupied && !holding && (screened || !message_valid);
  assign resume_next = armed && occupied && !holding && !pick && (resume || turn);

  parked_messages #(
      .INSTRUMENTS(INSTRUMENTS), .DEPTH(PARKED)
  ) parked (
      .clk, .rst, .clear(clear || !armed),
      .push(park), .pushed(parking), .full, .occupied,
      .resume, .resumed_valid, .resumed, .resumed_next, .previous_next, .drop,
      .look(message_valid && !resume && !at_head), .look_anew(pop || bad), .looked_instrument(message.instrument),
      .looked_windows(message.windows),
      .looked_observed(own.observed), .looked_has_mid(parking.has_mid), .looked_mid, .looked, .covered
  );

  // Chains of the subject, or of the message that is arriving.
  logic [15:0] wanted;
  logic chains_wanted;  // they are there
  assign wanted = resume_subject ? resumed.message.instrument : message_valid ? message.instrument : incoming_instrument;
  assign rearm_instrument = wanted;
  assign chains_wanted = chains_present && INSTRUMENT_AW'(chains_instrument) == INSTRUMENT_AW'(wanted);
  logic loads;
  logic moved, moved_next;  // a hit has just been taken or chosen, or the subject is another
  assign load = loads && !moved;
  always_ff @(posedge clk) begin
    load_instrument <= wanted;
    loads <= armed && !spending && !clear && (subject_valid || (incoming && !resume && !message_valid)) && !chains_wanted
        && !loads && !rst;
  end

  // Compared, first half: prices of the subject, or those just before, and thresholds to what a carry sees.
  logic steady;    // nothing moved, and chains have been loaded, but those of the mid
  logic known_before, at_hand, present;  // what is known ahead of it has stood for two cycles; its chains
  logic stands;    // chains and market are those of the subject; without one, of the message that is arriving
  logic there;     // there is one, or it may come
  logic foreseen;  // what stands at the head may become the subject, and is of the instrument that is arriving
  logic confirms;  // chains want a confirmation
  logic recall;    // the prices to be compared are those previous: nothing is due
  logic recalled, recall_compared;  // they are, in the half that is done, and in both
  // Prices that are not of the message at the head come from a register of their own: those of a parked one, those
  // previous, or, where it says nothing of a source, what the mid is made of then. One LUT is left of the choice.
  logic recall_next;
  // The same for each source: many bits hang on it. Of a dimension more, for bits of one register that say the same are
  // narrowed to one whatever is to be kept.
  (* keep = "true" *) logic [SOURCES-1:0][0:0] from_set_aside;
  logic [SOURCES-1:0][PRICE_BITS-1:0] set_aside, price_next, price;  // `price`: of the subject, and so is what follows
  halves_t mid;
  stages_t crossed_stages;
  stages_t [CARRIED_CHAINS-1:0] stages;
  summed_t [CHAINS-1:CARRIED_CHAINS] mid_stages;
  logic [SOURCES-1:0] previous_valid;
  logic windows;
  assign recall_next = confirms && !stands;
  always_ff @(posedge clk)
    for (int i = 0; i < SOURCES; i++) begin
      from_set_aside[i] <= resume || recall_next;  // behind a change of `resume` nothing is judged for two cycles
      set_aside[i] <= !resume_prices ? market.newest[i].price : recall_next ? previous_next[i].price : resumed_next[i].price;
    end
  always_comb
    for (int i = 0; i < SOURCES; i++)
      price_next[i] = (from_set_aside[i] || !message.touched[i]) ? set_aside[i] : message.observed[i].price;
  always_ff @(posedge clk) begin
    for (int i = 0; i < CARRIED_CHAINS; i++)
      stages[i] <= (i % 2 == DIRECTION_LE) ? stages_below(heads[i].trigger.threshold, price_next[i/2])
                                           : stages_below(price_next[i/2], heads[i].trigger.threshold);
    for (int i = CARRIED_CHAINS; i < CHAINS; i++)
      mid_stages[i] <= summed(price_next[SOURCE_BID], price_next[SOURCE_ASK], halves_t'(heads[i].trigger.threshold),
          i % 2 == DIRECTION_LE);
    if (!recall) begin
      price <= price_next;
      crossed_stages <= stages_below(price_next[SOURCE_ASK], price_next[SOURCE_BID]);
    end
    for (int i = 0; i < SOURCES; i++) begin
      previous_valid[i] <= resume ? resumed.previous[i].valid : market.newest[i].valid;
      observed[i] <= subject.observed[i].valid;
    end
    observed[SOURCES] <= has_mid;
    windows <= subject.windows;
    there <= subject_valid || foreseen;
    recall <= recall_next;
    recalled <= recall;
    confirms <= 1'b0;
    for (int i = 0; i < CARRIED_CHAINS; i++) if (flags[i].confirms) confirms <= 1'b1;

    moved <= moved_next;
    steady <= armed && chains_ready && !spending && !pop && !bad && !moved && !clear && !rst;
    known_before <= known && !pop;
    at_hand <= resume ? resumed_valid : known && known_before;
    present <= chains_wanted;
  end
  assign moved_next = take || pick || drop || turn || (resume && !occupied) || !armed || clear;
  assign stands = steady && at_hand && present;
  assign due = stands && there && !recall && !recalled && !recall_compared;
  assign foreseen = preview && incoming && !resume
      && INSTRUMENT_AW'(incoming_instrument) == INSTRUMENT_AW'(message.instrument);

  // Second half: the carry chains end in registers.
  logic [CHAINS-1:0] eligible, possible, uncovered, can_arm, compared, unconfirmed, missed, satisfied;
  // Registers: chains of the mid are loaded last, maybe behind the first half of the comparison.
  logic [CHAINS-1:CARRIED_CHAINS] stood;
  logic complete;
  logic compares, whole_compared;  // it is the subject, and what the chains of the mid say is true, too
  always_comb begin
    for (int i = 0; i < CHAINS; i++)
      eligible[i] = flags[i].live && !flags[i].misses && flags[i].open[windows] && observed[i/2] && !unconfirmed[i];
    for (int i = CARRIED_CHAINS; i < CHAINS; i++) if (!stood[i]) eligible[i] = 1'b0;
    missed = compared;
    // Of the mid it is whether bid and ask add up to less than the threshold, or to no more.
    for (int i = CARRIED_CHAINS; i < CHAINS; i++) missed[i] = crossed || compared[i] != (i % 2 == DIRECTION_LE);
  end
  assign satisfied = possible & ~missed;
  always_ff @(posedge clk) begin
    for (int i = 0; i < CHAINS; i++) begin
      possible[i] <= eligible[i];
      // Whether another price lands, or is confirmed, says nothing of this one.
      uncovered[i] <= eligible[i] && (!covered[i] || flags[i].decides || flags[i].confirms);
      can_arm[i] <= eligible[i] && flags[i].arms;
    end
    for (int i = 0; i < CARRIED_CHAINS; i++) compared[i] <= carry_of(stages[i]);
    for (int i = CARRIED_CHAINS; i < CHAINS; i++)
      compared[i] <= is_negative(mid_stages[i]);
    mid <= halves_t'($signed(price[SOURCE_BID])) + halves_t'($signed(price[SOURCE_ASK]));
    crossed <= carry_of(crossed_stages);
    recall_compared <= recalled;
    unconfirmed <= '0;
    for (int i = 0; i < CARRIED_CHAINS; i++)
      unconfirmed[i] <= flags[i].confirms && (recall_compared ? compared[i] || !previous_valid[i/2] : unconfirmed[i]);
    compares <= due && decided && (subject_valid || foreseen);
    for (int i = CARRIED_CHAINS; i < CHAINS; i++) stood[i] <= flags[i].live;
    complete <= chains_complete;
    whole_compared <= complete && chains_complete;
  end

  // Judged: the choice among them.
  logic judged, judged_next, whole;
  (* keep = "true" *) logic [2:0][$clog2(CHAINS)-1:0] first;  // of those satisfied: the same thrice, for much hangs on it
  logic satisfies, rearms, something;  // `rearms`: a rule is armed again behind it, or may be
  logic adds;      // it satisfies what no parked message would fire first; `covered` had stood for a cycle when it was `looked`
  logic looked_at;
  logic arms;      // it satisfies a trigger of a chain with some that arm others
  logic arming;    // so did a message whose fires have not all left
  logic standing;  // what is known is that of the message at the head
  logic mute;      // that has no eligible observation, and no rule waits for it
  logic [$clog2(CHAINS)-1:0] first_next;
  halves_t low, high;
  stages_t [SOURCES-1:0] under_stages, above_stages;
  always_comb begin
    first_next = '0;
    for (int i = CHAINS - 1; i > 0; i--)
      if ((satisfied & ((2 << i) - 1)) == (1 << i)) first_next = first_next | 3'(i);
  end
  assign judged_next = compares && stands && !moved && subject_valid;
  always_ff @(posedge clk) begin
    judged <= judged_next;
    whole <= whole_compared && (rearm_none || rearm_answered);
    first <= {3{first_next}};
    satisfies <= satisfied != '0;
    adds <= (uncovered & ~missed) != '0;
    arms <= (can_arm & ~missed) != '0;
    looked_at <= looked;
    {low, high} <= {bounds.low, bounds.high};
    for (int i = 0; i < SOURCES; i++) begin
      under_stages[i] <= stages_halves_below(halves(price[i]), low);
      above_stages[i] <= stages_halves_below(high, halves(price[i]));
      under[i] <= carry_of(under_stages[i]);
      above[i] <= carry_of(above_stages[i]);
    end
    under[SOURCES] <= carry_of(stages_halves_below(mid, low));
    above[SOURCES] <= carry_of(stages_halves_below(high, mid));
    standing <= message_valid && known && !pop && !bad && !clear && !rst;
    // While a parked one is looked at again, which rules wait for the message at the head is not known, nor in the cycle behind;
    // nor while there is one that may let a rule wait.
    mute <= (!rearm_waits || (rearm_none && !resume && standing && !moved && !arming))
        && !(own.observed[SOURCE_BID].valid || own.observed[SOURCE_ASK].valid || own.observed[SOURCE_LAST].valid);
  end

  // Decide. What goes or is parked does so a cycle later, for much hangs on that.
  logic decide, idle, pass, adding, parking_next, done_with, goes, parks;
  assign decide = judged && stands && !moved && !bad && !goes;
  assign idle = !holding && !occupied;
  assign quiet = idle && !at_head;
  assign rearms = rearm_due || (rearm_some && !resume && !idle);
  assign something = satisfies || rearms;
  always_comb begin
    pick = decide && something && (resume || idle);
    drop = decide && whole && !something && resume;
    adding = decide && !resume && !idle && !mute && (rearm_none || rearm_some)
        && (arming || (looked_at && looked && (adds || rearms)));
    pass = standing && (!armed || (mute && !at_head)) && !bad;
    parking_next = committed && armed && !full && ((at_head && standing) || adding);
    done_with = decide && whole && !resume && !at_head && !arming
        && (!something || (!idle && looked_at && looked && !adds && !rearms));
  end
  always_ff @(posedge clk) begin
    goes <= message_valid && (pass || parking_next || done_with) && !pop && !bad && !clear && !rst;
    parks <= parking_next;
  end
  assign pop = message_valid && goes && !bad;
  assign park = pop && parks;

  // The hit. One of a frame that turns out bad is no more, unless its order has begun to leave: then it is spent, and the gate
  // is told.
  logic spoils;
  assign take = hit_valid && hit_ready;
  assign hit_pending = holding;
  assign spoils = bad && !held_good && holding && begun;
  assign withdraw = !armed || clear || (bad && !held_good && !spoils);
  assign holding_next = (holding || pick) && !take && !withdraw;
  assign held_good_next = good || spoils || (pick ? resume || committed : held_good);
  always_ff @(posedge clk) begin
    holding <= holding_next;
    held_good <= held_good_next;
    hit_valid <= holding_next && held_good_next;
    at_head <= (at_head || (pick && !resume)) && !pop && !withdraw && !spoils;
    hit_early <= holding && !held_good && !good && !bad && !begun && ending;
    resume <= resume_next;
    {resume_subject, resume_prices, resume_stamps} <= {3{resume_next && !rst}};
    if (pass || adding || (decide && whole && !resume && (!something || looked || arming))) screened <= 1'b1;
    if (turn) screened <= 1'b0;
    if (idle && !spending) arming <= 1'b0;
    if ((pick || adding) && (arms || !rearm_none || (!whole && mid_arms))) arming <= 1'b1;
    if (rst) arming <= 1'b0;
    if (rst) {holding, hit_valid, hit_early, at_head, resume, screened} <= '0;
  end

  /* verilator lint_off UNUSEDSIGNAL */  // its threshold has been compared
  head_t head;
  /* verilator lint_on UNUSEDSIGNAL */
  assign head = heads[first[0]];
  always_comb begin
    for (int i = 0; i < SOURCES; i++) prices[i] = price[i];
    prices[SOURCES] = PRICE_BITS'(mid);
  end
  // Taken down whether there is a hit or not, for little may hang on that. It stands until its record is written: behind a
  // fire the chains have to be loaded again before anything is judged.
  logic looks, hit_rearms;
  logic [1:0][47:0] stamps, hit_stamps;  // both together, in halves
  assign stamps = resume_stamps ? {resumed.frame_end_cycle, resumed.time_ns} : {frame_end_cycle, frame_time_ns};
  logic [SOURCES:0] outside;
  assign outside = resume ? resumed.outside : under | above;
  assign looks = judged && !moved && !holding;
  // The same for each half of the stamps: many bits hang on it.
  (* keep = "true" *) logic [1:0][0:0] stamps_judged, stamps_free, stamps_open;
  assign rearm_asked = looks && (resume || committed);
  assign rearm_taken = take && hit_rearms;
  always_ff @(posedge clk) begin
    if (looks) begin
      hit.instrument <= subject.instrument;
      hit.message <= subject.number;
      hit.message_end_cycle <= subject.end_cycle;
      hit.trigger <= !satisfies ? rearm_trigger : head.index;
      hit.rule <= head.trigger.rule;
      hit.order <= !satisfies ? rearm_order : head.trigger.order;
      hit.fires <= head.fires;
      hit.exhausted <= head.exhausted && satisfies;
      hit_rearms <= !satisfies;
      hit.source <= first[1][2:1];
      hit.observed <= PRICE_BITS'(mid);
      for (int i = 0; i < SOURCES; i++) if (first[1][2:1] == 2'(i)) hit.observed <= price[i];
      hit.outside <= outside[first[2][2:1]];
    end
    if (looks || spoils) hit.spoiled <= spoils;
    for (int i = 0; i < 2; i++) begin
      stamps_judged[i] <= judged_next;
      stamps_free[i] <= !moved_next && !holding_next;
      stamps_open[i] <= !held_good_next;
      if ((stamps_judged[i] && stamps_free[i]) || stamps_open[i]) hit_stamps[i] <= stamps[i];
    end
  end

  assign {hit.frame_end_cycle, hit.time_ns} = hit_stamps;

  assign spend = take;
  assign over = drop || clear || !armed;
  assign spend_trigger = hit.trigger;
  assign spend_fires = hit.fires;
  assign spend_counts = !hit_rearms;
endmodule
