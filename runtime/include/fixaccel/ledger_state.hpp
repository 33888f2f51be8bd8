// SPDX-License-Identifier: Apache-2.0
// What the records of a journal add up to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "fixaccel/journal.hpp"
#include "fixaccel/limit_values.hpp"
#include "fixaccel/links.hpp"
#include "fixaccel/order_fills.hpp"
#include "fixaccel/placed_order.hpp"
#include "fixaccel/resting_orders.hpp"
#include "fixaccel/sent_orders.hpp"
#include "fixaccel/shared_list.hpp"
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
    bool in_fabric = true;

    std::string key() const { return id + '|' + hash; }
    bool operator==(const LoadedRule&) const = default;
};

struct Load {
    std::uint32_t generation = 0;
    std::string epoch;   // of its ClOrdIDs
    std::string bundle;  // hash of its manifest
    std::string path;
    std::string strategy;
    SharedList<LoadedRule> rules;  // by rule index
    std::vector<Links> links;
    std::vector<Watch> watches{};  // by trigger, rising
    std::vector<std::string> signed_by{};
    std::string commit = "frame";  // when an order may begin to leave

    // Null: the trigger is a rule's own.
    const Watch* watch_of(std::uint32_t trigger) const;
    bool operator==(const Load&) const = default;
};

// What is known of an order from the venue's execution reports.
struct OrderState {
    std::string status;  // new, partially filled, filled, canceled, rejected, ...
    std::string order_id;
    std::string cum_qty;
    std::string leaves_qty;
    std::string avg_px;
    std::string text;

    bool operator==(const OrderState&) const = default;
};

// OrdStatus(39) in these words.
std::string order_status_text(std::string_view code);
// Of the last order by hand on that side of an instrument, in SentOrders::last_ns.
std::string hand_key(const std::string& symbol, const std::string& side);

// A rule that may have fired unseen: the board lost its memory while it was armed.
struct Doubt {
    std::string epoch;        // of the ClOrdIDs that it was armed with; empty: not known
    std::uint32_t rule = 0;   // its index then
    std::uint32_t fires = 0;  // that are known
    std::string instrument{};
    std::string side{};   // buy, sell
    bool counted = true;  // unseen_numbers() are of that loss
    bool operator==(const Doubt&) const = default;

    // Of the order that it would have sent next; empty if that is not known.
    std::string cl_ord_id() const;
};

// A limit that somebody has changed for a time.
struct LimitChange {
    std::string limit;
    std::string instrument;  // empty: of all of them
    std::int64_t value = 0;  // see LimitValues
    std::string by;
    std::string reason;
    std::int64_t set_ns = 0;  // UTC
    std::int64_t until_ns = 0;
    std::string bundle;  // that was loaded then: the hash of its manifest
    std::string rule{};  // as written, whose own limit it is; empty: it is all rules'
    bool operator==(const LimitChange&) const = default;

    std::string key() const { return limit_key(limit, instrument, rule); }
};

// What an operator can ask for.
enum class Arming { disarmed, dry, armed };

// Of what is over so much is kept: a start must not take the longer the more there was.
constexpr std::size_t kFiresKept = 1000;
constexpr std::size_t kOrdersKept = 2000;

// What orders did to a rule.
struct LinkedRule {
    bool cancelled = false;
    bool armed = false;
    bool operator==(const LinkedRule&) const = default;
};

// What `if_already_through` has come to.
enum class Judged { not_yet, clear, refused };

// Of `rearm` in the fabric.
struct RearmedRule {
    bool awaits = false;
    std::uint32_t times = 0;
    std::uint64_t due_ns = 0;  // of `rearm: {after}`
    bool operator==(const RearmedRule&) const = default;
};

// What fires have done, by LoadedRule::key().
struct RuleEffects {
    std::map<std::string, std::uint32_t> fires;
    std::set<std::string> spent;  // since they were last armed
    std::map<std::string, LinkedRule> linked;
    std::map<std::string, RearmedRule> rearms;
    std::map<std::string, Judged> judged;  // since the board was armed
    std::map<std::string, TrailState> trails;
    SentOrders sent;
    bool operator==(const RuleEffects&) const = default;
};

// It changes with records only and is the same wherever the same ones were replayed. A snapshot holds all of
// it.
class LedgerState {
  public:
    using Linked = LinkedRule;
    using Rearm = RearmedRule;
    using Effects = RuleEffects;

    LedgerState() = default;
    // As it was when `snapshot` was taken; null: before the first record. Throws JournalError.
    explicit LedgerState(const nlohmann::json& snapshot);
    nlohmann::json snapshot() const;

    // Takes a record as a start does: its writer may have died behind it. Throws JournalError.
    void replay(const Record& record);
    // So many records it knows of: what it says of rules changes with these only.
    std::uint64_t records() const { return records_; }

    bool operator==(const LedgerState&) const = default;

    // Of the whole journal; nothing resets it but another journal.
    const SentOrders& sent_orders() const { return effects_.sent; }
    // The last kOrdersKept orders of this journal and all that rest, whoever sent them, as the venue reports
    // them. Nothing of a dry run.
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
    // `if_already_through` has let it pass since the board was armed.
    bool passed(const LoadedRule& rule) const { return judged(rule) == Judged::clear; }
    // `if_already_through: reject` has refused it since the board was armed.
    bool refused(const LoadedRule& rule) const { return judged(rule) == Judged::refused; }
    // It has fired, and the fabric waits for the condition of its `rearm`, or for the time.
    bool awaits_rearm(const LoadedRule& rule) const;
    // That time, of messages.
    std::optional<std::uint64_t> rearm_due(const LoadedRule& rule) const;
    // Of a watch of that rule which is in no chain.
    Told told(const LoadedRule& rule, const Watch& watch) const;
    // How often the fabric has armed it again.
    std::uint32_t rearmed(const LoadedRule& rule) const;

    // Of a rule that has neither fired nor been cancelled since; none if it has not come anywhere.
    std::optional<TrailState> trail(const LoadedRule& rule) const;

    const std::string& epoch() const { return epoch_; }
    const Load& load() const { return load_; }
    const std::optional<Load>& next_load() const { return next_load_; }
    // The load before, as long as a rule of it may have something to say; the load; the next one. Null: none
    // of these.
    const Load* load_of(std::uint32_t generation) const;
    bool knows_generation(std::uint32_t generation) const { return generations_.count(generation) != 0; }

    Arming asked() const { return asked_; }
    bool killed() const { return killed_; }
    std::uint64_t kills() const { return kills_; }
    bool armed() const { return armed_; }
    bool dry() const { return before_dry_run_.has_value(); }
    // By LoadedRule::key(). They are spent.
    const std::map<std::string, Doubt>& in_doubt() const { return in_doubt_; }
    // They have been compared with what the venue knows, and these are left.
    bool doubts_judged() const { return doubts_judged_; }
    // Messages of ours that the venue had counted and the journal has not when the board was lost. Whatever
    // the runtime sends is in the journal first, so these are orders of the fabric. None before the venue has
    // taken a Logon.
    std::optional<int> unseen_numbers() const {
        return unseen_ < 0 ? std::nullopt : std::optional<int>(unseen_);
    }
    // The number that was due when the board was lost, and that of our last Logon.
    int counted_from() const { return counted_from_; }
    int last_logon() const { return last_logon_; }
    // So many of them are known by now.
    int found_orders() const { return found_; }
    // The numbers have begun anew since then: they say nothing any more.
    bool doubts_uncountable() const { return uncountable_; }

    // The last fire of a rule that was rejected, and for which it is spent; null if there is none.
    const Record* rejection(const LoadedRule& rule) const;

    // Limits that were changed and have not been reverted, by LimitChange::key(). Their time may be over.
    const std::map<std::string, LimitChange>& limit_changes() const { return limit_changes_; }

    // When it began, UTC: with its last roll, or with the journal.
    std::int64_t day_began_ns() const { return day_began_ns_; }
    // Since when limits count orders and quantities, UTC: since they began anew, or with the journal.
    std::int64_t counted_since_ns() const { return counted_since_ns_; }

    // Fires of a rule so far, under its present meaning.
    std::uint32_t fires_of(const LoadedRule& rule) const;
    bool fired(const LoadedRule& rule) const { return effects_.spent.count(rule.key()) != 0; }
    bool spent(const LoadedRule& rule) const { return fired(rule) || in_doubt_.count(rule.key()) != 0; }
    // Anything has ever happened to it that makes its trigger another than a fresh one.
    bool has_state(const LoadedRule& rule) const;

    // What its orders have filled since all rules were last armed anew.
    PartFills fills_of(const LoadedRule& rule) const;
    // How often anything of that has changed, of any rule.
    std::uint64_t fills_changes() const { return fills_changes_; }
    // By LoadedRule::key().
    const std::map<std::string, PartFills>& fills() const { return fills_; }
    // What the parents of rules that send what they have filled have filled beyond what these have sent, by
    // index in load(): nothing will be sent for it. Nothing for a rule that has sent no order.
    std::map<std::uint32_t, std::int64_t> uncovered() const;
    // What all of these rules have filled, not below zero.
    std::int64_t filled_by(const RuleRanges& rules) const;
    // Orders whose cancelling has to be asked for, by the ClOrdID that the venue knows them by, with the rule
    // for whose order.
    std::vector<std::pair<std::string, std::string>> cancels_to_send() const;
    // All that have not come about, by the order's first ClOrdID.
    const std::map<std::string, DueCancel>& cancels_due() const { return cancels_due_; }
    // Fires of the fabric whose orders had not left when they were taken, since the numbers began: by ring
    // record, of that generation.
    const std::map<std::uint32_t, std::uint32_t>& not_left() const { return not_left_; }
    // Null if it is not kept.
    const OrderFills* order_fills(const std::string& cl_ord_id) const;

    // The last kFiresKept fires of this journal as recorded, oldest first.
    const std::deque<Record>& fires() const { return fires_; }
    const std::map<std::string, OrderState>& orders() const { return orders_; }
    // The last kOrdersKept orders and all that rest, as they were sent, by ClOrdID.
    const std::map<std::string, PlacedOrder>& placed() const { return placed_; }

  protected:
    void apply(const Record& record);
    bool is_loaded(const std::string& key) const;
    // The load and the next one have their rules in common with what a caller has described, where they are
    // equal.
    void share_rules(const Load& load);

    Linked linked(const LoadedRule& rule) const;
    std::string contradiction(const Record& report) const;
    Judged judged(const LoadedRule& rule) const;

    std::map<int, std::string> messages_;
    int next_sender_ = 1;
    int next_target_ = 1;
    int written_target_ = 1;
    bool begins_anew_ = false;
    std::int64_t day_began_ns_ = 0;
    std::int64_t counted_since_ns_ = 0;
    std::uint64_t epochs_ = 0;
    std::string epoch_;
    Load load_;
    Load former_load_;
    std::optional<Load> next_load_;
    std::unordered_set<std::string> keys_;  // of load_, by LoadedRule::key()
    std::set<std::uint32_t> generations_;
    Arming asked_ = Arming::armed;
    bool killed_ = false;
    std::uint64_t kills_ = 0;
    bool armed_ = false;
    std::map<std::string, Doubt> in_doubt_;
    bool doubts_judged_ = false;
    int unseen_ = -1;  // below 0: it has not been counted yet
    int counted_from_ = 1;
    int last_logon_ = 0;
    int found_ = 0;
    bool uncountable_ = false;
    Effects effects_;
    std::optional<Effects> before_dry_run_;
    std::optional<Record> intent_;               // the order that is on its way, if any
    int intent_seq_ = 0;                         // its number once the store has it
    std::map<std::uint32_t, std::string> ring_;  // fires by their place in the board's ring
    std::map<std::uint32_t, std::uint32_t> not_left_;
    std::uint64_t records_ = 0;
    std::deque<Record> fires_;
    std::map<std::string, Record> rejections_;   // last fires that were, by rule
    std::map<std::string, OrderState> orders_;   // by ClOrdID
    std::map<std::string, PlacedOrder> placed_;  // likewise
    std::optional<Record> by_hand_;              // what is on its way by hand, if anything
    int by_hand_seq_ = 0;                        // its number once the store has it
    std::uint32_t by_hand_count_ = 0;            // so much has ever been asked for
    std::map<std::string, LimitChange> limit_changes_;
    RestingOrders resting_;
    std::map<std::string, std::set<std::string>> reports_;  // seen, by ClOrdID
    std::deque<std::string> heard_of_;                      // orders in that order
    std::map<std::string, OrderFills> fills_by_order_;      // by first ClOrdID
    std::map<std::string, PartFills> fills_;                // by LoadedRule::key()
    std::uint64_t fills_changes_ = 0;
    std::map<std::string, DueCancel> cancels_due_;  // by first ClOrdID

  private:
    template <typename State, typename Visit>
    static void each_field(State& state, Visit visit);

    // A MsgSeqNum that another one can follow.
    static int number_of(const Record& record, const char* key);
    void enter(Load load);
    void know_rules(const Load& former);
    bool take_entry(const Record& fire);
    void keep(const Record& fire);
    void hear_of(const std::string& cl_ord_id);
    void apply_fire(const Record& record);
    void apply_left(const Record& record);
    void note_left(const std::string& payload, int seq, const Record& fire);
    static void check_intent(const Record& record);
    void apply_intent(const Record& record);
    void apply_software_fire(const Record& record);
    void apply_watch(const Record& record);
    void await_rearm(const Record& fire);
    void apply_trails(const Record& record);
    void apply_execution(const Record& record);
    void apply_rearmed(const Record& record);
    void apply_board_lost(const Record& record);
    void apply_reconciled(const Record& record);
    void apply_found(const Record& fire);
    void note_found(const Record& fire, const std::string& part);
    void apply_load(const Record& record);
    void apply_day_roll(const Record& record);
    void apply_limit(const Record& record);
    void count_anew(std::int64_t time_ns);
    void begin_numbers();
    void apply_armed(bool armed, bool dry);
    void count_order(const Record& fire);
    void count_order(const std::string& symbol, const std::string& side, const std::string& qty,
                     const std::string& rule, std::int64_t time_ns);
    // `placed`: all but its terms. `part`: LoadedRule::key() of the rule, empty for none.
    void note_sent(const std::string& order, PlacedOrder placed, const std::string& part);
    void note_by_hand(const std::string& message, std::int64_t time_ns);
    static void check_by_hand(const Record& record);
    void apply_by_hand(const Record& record);
    void apply_cancel_reject(const Record& record);
    void apply_reject(const Record& record);
    void not_replaced(const std::string& request, const std::string& order, const std::string& text);
    void answered(const std::string& order, const std::string& request);
    void carry_out_links(const Record& fire);

    // ledger_fills.cpp
    const std::string& first_name(const std::string& cl_ord_id) const;
    // By its first ClOrdID.
    std::string order_of(const Record& report) const;
    bool heeds_fills_of(const std::string& part) const;
    bool is_old(const Record& report, const OrderFills& order) const;
    void begin_order(const std::string& cl_ord_id, const std::string& part);
    void end_order(const std::string& cl_ord_id);
    void take_fills(const Record& report);
    void set_fills(OrderFills& order, std::int64_t filled, bool done);
    void arm_by_fills(const std::string& part, ArmedOn on);
    void forget_name(const std::string& cl_ord_id);

    // ledger_cancels.cpp
    void note_due_cancels(const Load& load, const RuleRanges& ends, const std::string& by);
    DueCancel* due_cancel(const std::string& cl_ord_id);
    void cancel_requested(const std::string& order, const std::string& request);
    void cancel_refused(const std::string& order, const std::string& request, const std::string& reason);
    void ask_again_for_cancels();
};

}  // namespace fixaccel
