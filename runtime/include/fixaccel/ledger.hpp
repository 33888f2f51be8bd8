// SPDX-License-Identifier: Apache-2.0
// What the journal adds up to: the FIX store, the rules that are spent, and what was armed when.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fixaccel/fix_store.hpp"
#include "fixaccel/journal.hpp"
#include "fixaccel/kill_word.hpp"
#include "fixaccel/links.hpp"
#include "fixaccel/resting_orders.hpp"
#include "fixaccel/sent_orders.hpp"
#include "fixaccel/sequencer.hpp"
#include "fixaccel/trail_state.hpp"

namespace fixaccel {

// A rule as it was loaded; texts as in the bundle's manifest.
struct LoadedRule {
    std::string id;
    std::string hash;  // semantic hash: the rule's state outlives a load only if this is unchanged
    std::string instrument;
    std::string source;
    std::string direction;
    std::string threshold;
    std::string unit;  // price unit of the instrument
    std::string side;
    std::string qty;
    std::string type;
    std::string price;
    std::string rule{};  // as written, where this is not all of it

    std::string key() const { return id + '|' + hash; }
};

struct Load {
    std::uint32_t generation = 0;
    std::string epoch;   // of its ClOrdIDs
    std::string bundle;  // hash of its manifest
    std::string path;
    std::string strategy;
    std::vector<LoadedRule> rules;  // by rule index
    std::vector<Links> links;
    std::vector<Watch> watches{};  // by trigger, rising

    // Null: the trigger is a rule's own.
    const Watch* watch_of(std::uint32_t trigger) const;
};

// What is known of an order from the venue's execution reports.
struct OrderState {
    std::string status;  // new, partially filled, filled, canceled, rejected, ...
    std::string order_id;
    std::string cum_qty;
    std::string leaves_qty;
    std::string avg_px;
    std::string text;
};

// One fire of a rule that the runtime runs. Prices as decimal text.
struct SoftwareFire {
    std::uint32_t generation = 0;
    std::uint32_t rule = 0;  // index
    std::string source;
    std::string observed;
    std::string threshold;  // empty for a decision
    std::string side;       // buy, sell
    std::string qty;
    std::string type;   // limit, market
    std::string price;  // empty for a market order
    std::string cl_ord_id;
    std::uint32_t fires = 0;   // fire count of the rule, this one included
    std::int64_t time_ns = 0;  // UTC, when its message was taken
};

// What an operator can ask for.
enum class Arming { disarmed, dry, armed };

// Every change is one journal record; replaying the records rebuilds the state. Functions that change
// something throw JournalError.
class Ledger final : public FixStore, public FireSink {
  public:
    // Replays what the journal holds.
    explicit Ledger(Journal& journal);

    // FixStore
    void set(int seq_num, const std::string& message) override;
    void get(int first, int last, std::vector<std::string>& messages) const override;
    int next_sender() const override { return next_sender_; }
    int next_target() const override { return next_target_; }
    void set_next_sender(int seq_num) override;
    // Kept in memory until flush(): losing some of them costs a resend request, no order.
    void set_next_target(int seq_num) override;
    void reset() override;
    bool begins_anew() const override { return begins_anew_; }

    // FireSink
    void record(const std::vector<Fire>& fires) override;

    // An order of the runtime is journalled before the FIX engine gets it; from then on its rule is spent.
    void record_intent(const SoftwareFire& fire);
    // What became of it: it counts as sent once the FIX store has its message, whether or not it reached the
    // wire (a resend request finds it there). Else it was rejected, for `reason`. True if it was sent.
    // After a crash the next start does this.
    bool settle_intent(const std::string& reason);
    // An order that was held back before that.
    void record_rejected(const SoftwareFire& fire, const std::string& reason);
    // An order that a dry run keeps back.
    void record_dry(const SoftwareFire& fire);

    // Of the whole journal; nothing resets it but another journal.
    const SentOrders& sent_orders() const { return effects_.sent; }
    // Orders of this journal, whoever sent them, as the venue reports them. Nothing of a dry run.
    const RestingOrders& resting() const { return resting_; }
    // An order that was sent since the rules were last armed by hand has cancelled that rule, or armed it.
    // The rule was loaded then and has been so since; that of the order may be gone. What is cancelled is not
    // armed any more.
    bool cancelled(const LoadedRule& rule) const { return linked(rule).cancelled; }
    // So does what the fabric has watched: a rule that it has armed again, or that `if_already_through` has
    // let pass.
    bool armed_by_order(const LoadedRule& rule) const {
        return (linked(rule).armed || judged(rule) == Judged::clear) && !cancelled(rule);
    }
    // `if_already_through: reject` has refused it since the board was armed.
    bool refused(const LoadedRule& rule) const { return judged(rule) == Judged::refused; }
    // It has fired, and the fabric waits for the condition of its `rearm`, or for the time.
    bool awaits_rearm(const LoadedRule& rule) const;
    // That time, of messages.
    std::optional<std::uint64_t> rearm_due(const LoadedRule& rule) const;
    // So many records it knows of: what it says of rules changes with these only.
    std::uint64_t records() const { return records_; }
    // How often the fabric has armed it again.
    std::uint32_t rearmed(const LoadedRule& rule) const;

    // How far trails have come, by rule index of that load. Not durable before the next record that is: a
    // crash of the process loses none of it.
    void record_trails(std::uint32_t generation,
                       const std::vector<std::pair<std::uint32_t, TrailState>>& trails);
    // Of a rule that has neither fired nor been cancelled since; none if it has not come anywhere.
    std::optional<TrailState> trail(const LoadedRule& rule) const;

    // Starts a new ClOrdID epoch, four base-36 characters that this journal never used before. They are
    // counted from the second in which it is, so that another journal of the same session does not use them
    // either: not for 19 days, and unless the two had a load in the same second.
    std::string new_epoch();
    const std::string& epoch() const { return epoch_; }

    // The board was disarmed for it, for `reason`.
    void record_load(const Load& load, const std::string& reason = {});
    // A load while armed: written before the fabric is asked for it, it has come about with record_flipped()
    // and has not with record_load_dropped(), until when it is next_load(). A fire of its generation says
    // that it has come about, too.
    void record_next_load(const Load& load);
    void record_flipped(std::uint32_t first_seq_num, std::uint32_t cycles);
    void record_load_dropped(const std::string& reason);
    const Load& load() const { return load_; }
    const std::optional<Load>& next_load() const { return next_load_; }
    // The load before, as long as a rule of it may have something to say; the load; the next one. Null: none
    // of these.
    const Load* load_of(std::uint32_t generation) const;
    bool knows_generation(std::uint32_t generation) const { return generations_.count(generation) != 0; }

    // What the operator has asked for last: nothing else is done of one's own accord after a restart. `armed`
    // as long as nobody has said anything, `disarmed` if the journal's end was torn: that may have been the
    // word.
    void record_asked(Arming arming);
    Arming asked() const { return asked_; }

    // The last word on the kill switch, once the board has been told. One more kill counts as a disarm, too:
    // turning it off again arms nothing, not even after a restart.
    void record_kill(const KillWord& word);
    bool killed() const { return killed_; }
    std::uint64_t kills() const { return kills_; }

    // Arming is recorded before it takes effect, so that after a crash it is known what may have fired. What
    // fires in a dry run counts as sent until it ends; then all is as it was when it began.
    void record_armed(bool dry);
    void record_disarmed(const std::string& reason);
    bool armed() const { return armed_; }
    bool dry() const { return before_dry_run_.has_value(); }

    // The board lost its memory while it was armed: any rule armed then may have fired unseen. Such rules
    // count as spent until record_reconciled().
    void record_board_lost();
    void record_reconciled();
    const std::set<std::string>& in_doubt() const { return in_doubt_; }

    // Every rule that has fired may fire once more.
    void record_rearmed();
    // So may these, which have not been in doubt.
    void record_rearmed(const std::vector<std::string>& keys);
    // The last fire of a rule that was rejected, and for which it is spent; null if there is none.
    const nlohmann::json* rejection(const LoadedRule& rule) const;

    // The venue's day has ended: both numbers begin anew, what rested as `day` rests no more, and the limits
    // that count orders and quantities count from zero.
    void record_day_roll();
    // When it began, UTC: with its last roll, or with the journal.
    std::int64_t day_began_ns() const { return day_began_ns_; }

    // Fires of a rule so far, under its present meaning.
    std::uint32_t fires_of(const LoadedRule& rule) const;
    bool fired(const LoadedRule& rule) const { return effects_.spent.count(rule.key()) != 0; }
    bool spent(const LoadedRule& rule) const { return fired(rule) || in_doubt_.count(rule.key()) != 0; }

    void record_execution(const std::string& report);
    // Reject(3) or BusinessMessageReject(j): where it is of an order of ours, that is the order's end.
    void record_reject(const std::string& reject);
    // `event`: logon, logout, disconnect. Carries both next sequence numbers.
    void record_session(const std::string& event, const std::string& reason);
    void record_note(const std::string& text);

    // Writes the numbers that were held back.
    void flush();

    // Fires of this journal as recorded, oldest first.
    const std::vector<nlohmann::json>& fires() const { return fires_; }
    const std::map<std::string, OrderState>& orders() const { return orders_; }

  private:
    // What orders did to a rule.
    struct Linked {
        bool cancelled = false;
        bool armed = false;
    };

    // What `if_already_through` has come to.
    enum class Judged { not_yet, clear, refused };

    // Of `rearm` in the fabric.
    struct Rearm {
        bool awaits = false;
        std::uint32_t times = 0;
        std::uint64_t due_ns = 0;  // of `rearm: {after}`
    };

    // What fires have done, by LoadedRule::key().
    struct Effects {
        std::map<std::string, std::uint32_t> fires;
        std::set<std::string> spent;  // since they were last armed
        std::map<std::string, Linked> linked;
        std::map<std::string, Rearm> rearms;
        std::map<std::string, Judged> judged;  // since the board was armed
        std::map<std::string, TrailState> trails;
        SentOrders sent;
    };

    Linked linked(const LoadedRule& rule) const;
    Judged judged(const LoadedRule& rule) const;
    bool is_loaded(const std::string& key) const;
    void enter(Load load);

    void write(nlohmann::json record, Journal::Sync sync);
    void apply(const nlohmann::json& record);
    void apply_fire(const nlohmann::json& record);
    void apply_intent(const nlohmann::json& record);
    void apply_software_fire(const nlohmann::json& record);
    void apply_watch(const nlohmann::json& record);
    void await_rearm(const nlohmann::json& fire);
    void apply_trails(const nlohmann::json& record);
    void apply_execution(const nlohmann::json& record);
    void apply_rearmed(const nlohmann::json& record);
    void apply_load(const nlohmann::json& record);
    void apply_day_roll(const nlohmann::json& record);
    void begin_numbers();
    void apply_armed(bool armed, bool dry);
    void count_order(const nlohmann::json& fire);
    void note_sent(const std::string& order);
    void carry_out_links(const nlohmann::json& fire);
    nlohmann::json describe(const SoftwareFire& fire) const;
    nlohmann::json describe(const Fire& fire) const;
    nlohmann::json describe(const Fire& fire, const Watch& watch) const;
    void name_rule(const Fire& fire, nlohmann::json& record) const;
    bool known(const nlohmann::json& fire) const;

    Journal& journal_;
    std::map<int, std::string> messages_;
    int next_sender_ = 1;
    int next_target_ = 1;
    int written_target_ = 1;
    bool begins_anew_ = false;
    std::int64_t day_began_ns_ = 0;
    std::uint64_t epochs_ = 0;
    std::string epoch_;
    Load load_;
    Load former_load_;
    std::optional<Load> next_load_;
    std::set<std::uint32_t> generations_;
    Arming asked_ = Arming::armed;
    bool killed_ = false;
    std::uint64_t kills_ = 0;
    bool armed_ = false;
    std::set<std::string> in_doubt_;
    Effects effects_;
    std::optional<Effects> before_dry_run_;
    nlohmann::json intent_;  // the order that is on its way, if any
    int intent_seq_ = 0;     // its number once the store has it
    std::set<std::string> fire_keys_;
    std::uint64_t records_ = 0;
    std::vector<nlohmann::json> fires_;
    std::map<std::string, OrderState> orders_;  // by ClOrdID
    RestingOrders resting_;
    std::set<std::string> executions_;  // reports seen
};

}  // namespace fixaccel
