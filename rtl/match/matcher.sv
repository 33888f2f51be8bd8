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
// Where chains want a confirmation, the heads are first compared with the observations just before those of the message: a
// cycle more, unless chains and market stand before the message does.
//
// While a hit waits, later messages are screened: one that satisfies no live trigger, or none that a parked message of its
// instrument would not fire first, has nothing to say and is dropped; the others are parked. That is sound while live
// bits are only cleared. From a message on that may fire what arms or revives others, all are parked, until nothing waits any
// more.
//
// Behind its fires a message may be the one that a rule waits for to be armed again: it hits then, whatever it observes.
// While nothing waits that is known once its frame is good, and it stays that long; else it is parked, if there is such a
// rule of its instrument.
module matcher
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, receive_pkg::*, match_pkg::*;
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
    input  logic [15:0]                         chains_instrument,
    input  head_t [CHAINS-1:0]                  heads,
    input  chain_flags_t [CHAINS-1:0]           flags,
    output logic                                quiet,             // nothing is parked, no hit waits
    output logic                                due,               // the chains are those of the subject, which stays
    output logic [OBSERVED-1:0]                 observed,          // what it has an observation of
    output logic [OBSERVED-1:0][PRICE_BITS-1:0] prices,            // that of the mid in half units
    input  logic                                decided,           // with due: decisions among the heads are those for it
    // Rules that are armed again after a time, of `load_instrument`.
    input  logic                                rearm_none,        // none waits
    input  logic                                rearm_some,        // one does; neither: not known yet
    output logic                                rearm_asked,       // whether one is due, by hit.time_ns from the next cycle on
    input  logic                                rearm_answered,
    input  logic                                rearm_due,         // with rearm_answered: this hits
    input  logic [TRIGGER_ORDER_BITS-1:0]       rearm_order,
    input  logic [CHAIN_FIRST_BITS-1:0]         rearm_trigger,
    output logic                                rearm_taken,       // it has been taken
    // To the gate: registers.
    output logic                                hit_pending,       // the hit stands, but for its frame's verdict and stamps
    output logic                                hit_valid,
    output hit_t                                hit,
    input  logic                                hit_ready
);
  // A hit: `holding` from the cycle in which it is picked, valid once its frame is known to be good. Until then its
  // message stays at the queue's head; then it is parked, so that it can be compared again.
  logic holding, held_good, at_head;
  logic holding_next, held_good_next;
  logic pick, take, withdraw;

  // The message under evaluation: the oldest parked one if no hit waits, else the queue's head.
  logic resume, resume_next, resumed_valid, occupied, full, park, drop, looked;
  logic [CHAINS-1:0] covered;
  committed_t resumed;
  message_t own, subject;  // `own`: what of the message at the head is eligible
  observation_t own_bid, own_ask;  // behind it
  logic own_mid, has_mid;
  logic signed [PRICE_BITS-1:0] bid, ask;  // of the subject
  logic subject_valid;
  (* keep = "true" *) logic [SOURCES-1:0] resume_price;  // the same as `resume`: many bits hang on each
  (* keep = "true" *) logic [SOURCES-1:0] recall;  // the prices of `subject` are those previous: nothing is due
  observation_t [SOURCES-1:0] previous;  // the observations just before those of the subject
  logic [SOURCES:0] under, above, outside;  // registers: beyond the collar
  logic crossed;  // a register: there is no mid
  assign outside = under | above;
  always_comb begin
    own = message;
    for (int i = 0; i < SOURCES; i++) own.observed[i].valid = message.observed[i].valid && bounds.admits;
    subject = resume ? resumed.message : own;
    for (int i = 0; i < SOURCES; i++) begin
      previous[i] = resume_price[i] ? resumed.previous[i] : market.newest[i];
      subject.observed[i] = resume_price[i] ? resumed.message.observed[i] : own.observed[i];
      if (recall[i]) subject.observed[i].price = previous[i].price;
    end

    own_bid = message.touched[SOURCE_BID] ? message.observed[SOURCE_BID] : known_of(market, SOURCE_BID);
    own_ask = message.touched[SOURCE_ASK] ? message.observed[SOURCE_ASK] : known_of(market, SOURCE_ASK);
    own_mid = (own.observed[SOURCE_BID].valid || own.observed[SOURCE_ASK].valid) && own_bid.valid && own_ask.valid;
    has_mid = resume ? resumed.has_mid : own_mid;
    bid = resume_price[SOURCE_BID] ? resumed.message.observed[SOURCE_BID].price : own_bid.price;
    ask = resume_price[SOURCE_ASK] ? resumed.message.observed[SOURCE_ASK].price : own_ask.price;
  end
  // As it is parked.
  committed_t parking;
  halves_t looked_mid;  // a register, for who looks has time
  always_comb begin
    parking = '{
        message: own, previous: market.newest, has_mid: own_mid && !crossed, outside: outside,
        frame_end_cycle: frame_end_cycle, time_ns: frame_time_ns
    };
    parking.message.observed[SOURCE_BID].price = own_bid.price;
    parking.message.observed[SOURCE_ASK].price = own_ask.price;
  end
  always_ff @(posedge clk) looked_mid <= halves_t'(own_bid.price) + halves_t'(own_ask.price);
  assign subject_valid = resume ? resumed_valid : message_valid;
  // Parked messages and screening take turns, so that quick rejections of a long burst do not stop screening.
  logic screened;
  assign resume_next = armed && occupied && !holding_next && (resume || screened || !message_valid);

  parked_messages #(
      .INSTRUMENTS(INSTRUMENTS), .DEPTH(PARKED)
  ) parked (
      .clk, .rst, .clear(clear || !armed),
      .push(park), .pushed(parking), .full, .occupied,
      .resume, .resumed_valid, .resumed, .drop,
      .look(message_valid && !resume && !at_head), .look_anew(pop || bad), .looked_instrument(message.instrument),
      .looked_windows(message.windows),
      .looked_observed(own.observed), .looked_has_mid(parking.has_mid), .looked_mid, .looked, .covered
  );

  // Chains of the subject, or of the message that is arriving.
  assign load_instrument = resume ? resumed.message.instrument : message_valid ? message.instrument : incoming_instrument;
  logic chains_wanted;  // they are
  assign chains_wanted = chains_instrument == load_instrument;
  assign load = armed && !spending && (subject_valid || (incoming && !resume && !message_valid))
      && !(chains_present && chains_wanted);

  // Compare. Registered before the choice, and before all else: the carry chains end in registers.
  logic judged;  // `satisfied` is that of the subject as it stands, unless `moved`
  logic moved;   // a hit has just been taken, or the subject is another
  logic whole;   // with judged: the chains of the mid, too
  logic standing;  // what is known is that of the message at the head
  logic mute;      // it has no eligible observation
  logic stands;    // chains and market are those of the subject; without one, of the message that is arriving
  logic confirms;  // a register: chains want a confirmation
  logic recalled;  // a register: so was what has been compared
  logic [CARRIED_CHAINS-1:0] unconfirmed;
  logic [CHAINS-1:0] eligible, possible, uncovered, can_arm, compared, missed, satisfied;
  logic adds;    // it satisfies what no parked message would fire first; `covered` has stood for a cycle when it is `looked`
  logic arms;    // it satisfies a trigger of a chain with some that arm others
  logic arming;  // so did a message whose fires have not all left
  logic rearms;  // a rule is armed again behind it, or may be
  always_comb begin
    for (int i = 0; i < SOURCES; i++) observed[i] = subject.observed[i].valid;
    observed[SOURCES] = has_mid;
    for (int i = 0; i < CHAINS; i++)
      eligible[i] = flags[i].live && !flags[i].misses && flags[i].open[subject.windows] && observed[i/2];
    missed = compared | {{2{crossed}}, unconfirmed};
  end
  assign satisfied = possible & ~missed;
  assign adds = (uncovered & ~missed) != '0 || rearms;
  assign arms = (can_arm & ~missed) != '0 || !rearm_none;
  always_ff @(posedge clk) begin
    for (int i = 0; i < CHAINS; i++) begin
      possible[i] <= eligible[i];
      // Whether another price lands, or is confirmed, says nothing of this one.
      uncovered[i] <= eligible[i] && (!covered[i] || flags[i].decides || flags[i].confirms);
      can_arm[i] <= eligible[i] && flags[i].arms;
    end
    for (int i = 0; i < CARRIED_CHAINS; i++)
      compared[i] <= (i % 2 == DIRECTION_LE) ? below(heads[i].trigger.threshold, subject.observed[i/2].price)
                                             : below(subject.observed[i/2].price, heads[i].trigger.threshold);
    for (int i = 0; i < CARRIED_CHAINS; i++)
      unconfirmed[i] <= flags[i].confirms && (recalled ? compared[i] || !previous[i/2].valid : unconfirmed[i]);
    confirms <= 1'b0;
    for (int i = 0; i < CARRIED_CHAINS; i++) if (flags[i].confirms) confirms <= 1'b1;
    recall <= {SOURCES{confirms && !stands}};
    recalled <= recall[0];
    for (int i = CARRIED_CHAINS; i < CHAINS; i++)
      compared[i] <= (i % 2 == DIRECTION_LE) != sum_below(
          bid, ask, halves_t'(heads[i].trigger.threshold), i % 2 == DIRECTION_LE);
    crossed <= below(ask, bid);
    under[SOURCES] <= resume ? resumed.outside[SOURCES] : sum_below(own_bid.price, own_ask.price, bounds.low, 1'b0);
    above[SOURCES] <= !resume && !sum_below(own_bid.price, own_ask.price, bounds.high, 1'b1);
    for (int i = 0; i < SOURCES; i++) begin
      under[i] <= resume ? resumed.outside[i] : halves_below(halves(message.observed[i].price), bounds.low);
      above[i] <= !resume && halves_below(bounds.high, halves(message.observed[i].price));
    end
    judged <= due && decided && !drop;  // behind a drop nothing is resumed for some cycles
    moved <= take || resume != resume_next;
    whole <= chains_complete && (rearm_none || rearm_answered);
    standing <= message_valid && known && !pop && !bad && !clear && !rst;
    mute <= rearm_none && !(own.observed[SOURCE_BID].valid || own.observed[SOURCE_ASK].valid || own.observed[SOURCE_LAST].valid);
  end
  assign stands = armed && chains_ready && chains_wanted && !spending && (resume ? resumed_valid : known)
      && !pop && !bad && !moved && !clear && !rst;
  assign due = stands && subject_valid && !recall[0];

  // Decide. What goes or is parked does so a cycle later, for much hangs on that.
  logic decide, idle, something, pass, adding, done_with, parks;
  logic [$clog2(CHAINS)-1:0] first;
  assign decide = judged && !moved && !bad;
  assign idle = !holding && !occupied;
  assign quiet = idle && !at_head;
  assign rearms = rearm_due || (rearm_some && !resume && !idle);
  assign something = satisfied != '0 || rearms;
  always_comb begin
    first = '0;
    for (int i = CHAINS - 1; i > 0; i--) if ((satisfied & ((2 << i) - 1)) == (1 << i)) first = first | 3'(i);

    pick = decide && something && (resume || idle);
    drop = decide && whole && !something && resume;
    adding = decide && !resume && !idle && !mute && (rearm_none || rearm_some) && (arming || (looked && adds));
    pass = standing && (!armed || (mute && !at_head)) && !bad;
    park = message_valid && committed && armed && !full && !bad && ((at_head && standing) || parks);
    pop = message_valid && (pass || park || (done_with && !bad));
  end
  always_ff @(posedge clk) begin
    done_with <= decide && whole && !resume && !at_head && !arming && (!something || (!idle && looked && !adds)) && !pop;
    parks <= adding && !pop;
  end

  // The hit.
  assign take = hit_valid && hit_ready;
  assign hit_pending = holding;
  assign withdraw = !armed || clear || (bad && !held_good);
  assign holding_next = (holding || pick) && !take && !withdraw;
  assign held_good_next = good || (pick ? resume || committed : held_good);
  always_ff @(posedge clk) begin
    holding <= holding_next;
    held_good <= held_good_next;
    hit_valid <= holding_next && held_good_next;
    at_head <= (at_head || (pick && !resume)) && !pop && !withdraw;
    resume <= resume_next;
    resume_price <= {SOURCES{resume_next}};
    if (pass || parks || (decide && whole && !resume && (!something || looked || arming))) screened <= 1'b1;
    if (take) screened <= 1'b0;
    if (idle && !spending) arming <= 1'b0;
    if ((pick || adding) && (arms || (!whole && mid_arms))) arming <= 1'b1;
    if (rst) arming <= 1'b0;
    if (rst) {holding, hit_valid, at_head, resume, resume_price, screened} <= '0;
  end

  /* verilator lint_off UNUSEDSIGNAL */  // its threshold has been compared
  head_t head;
  /* verilator lint_on UNUSEDSIGNAL */
  assign head = heads[first];
  always_comb begin
    for (int i = 0; i < SOURCES; i++) prices[i] = subject.observed[i].price;
    prices[SOURCES] = bid + ask;
  end
  // Taken down whether there is a hit or not, for little may hang on that. It stands until its record is written: behind a
  // fire the chains have to be loaded again before anything is judged.
  logic looks, hit_rearms;
  assign looks = judged && !moved && !holding;
  assign rearm_asked = looks && (resume || committed);
  assign rearm_taken = take && hit_rearms;
  always_ff @(posedge clk) begin
    if (looks) begin
      hit.instrument <= subject.instrument;
      hit.message <= subject.number;
      hit.message_end_cycle <= subject.end_cycle;
      hit.trigger <= (satisfied == '0) ? rearm_trigger : head.index;
      hit.rule <= head.trigger.rule;
      hit.order <= (satisfied == '0) ? rearm_order : head.trigger.order;
      hit.fires <= head.fires;
      hit.exhausted <= head.exhausted && satisfied != '0;
      hit_rearms <= satisfied == '0;
      hit.source <= 2'(first / 2);
      hit.observed <= prices[first/2];
      hit.outside <= outside[first/2];
    end
    if (looks || !held_good) begin
      hit.frame_end_cycle <= resume ? resumed.frame_end_cycle : frame_end_cycle;
      hit.time_ns <= resume ? resumed.time_ns : frame_time_ns;
    end
  end

  assign spend = take;
  assign over = drop || clear || !armed;
  assign spend_trigger = hit.trigger;
  assign spend_fires = hit.fires;
  assign spend_counts = !hit_rearms;
endmodule
