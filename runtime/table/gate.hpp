// SPDX-License-Identifier: Apache-2.0
// The risk gate: what each order must pass, and what the limits count. Those of the strategy, and beside them
// those that a rule has of its own.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "bucket.hpp"
#include "fixaccel/schedules.hpp"
#include "fixaccel/table.hpp"
#include "own_orders.hpp"
#include "price.hpp"
#include "table_columns.hpp"

namespace fixaccel {

// What an order is judged by, besides its terms.
struct GateCase {
    std::size_t instrument;
    std::int32_t rule;                         // as written, -1: not known
    std::optional<std::int64_t> price_halves;  // what order_notional is taken of, if it is checked now
    std::int64_t observed_halves;              // what collar compares
    std::int64_t reference_halves;
    std::int32_t limits = -1;  // the rule's own, a row of rule_instrument; -1: none
    bool observed = true;      // else collar does not apply
    bool priced = true;        // else order_notional is checked, and no price is known
    bool from_fills = false;   // the quantity is what others have filled
};

class Gate {
  public:
    explicit Gate(const TableColumns& columns) : own_(columns) { set_limits(columns, 0); }

    // Other limits from now on, and the memory of other columns. What was sent is counted on; what belongs to
    // instruments and rules is forgotten.
    void set_limits(const TableColumns& columns, std::int64_t now_ns);
    // Other values in the columns that it has.
    void set_values(const TableColumns& columns, std::int64_t now_ns);

    bool has_collar() const { return collar_.basis_points >= 0; }
    // Whether anything is compared with the reference.
    bool needs_reference() const { return has_collar() || rules_have_collar_; }
    // Whether an observation is eligible: for any rule, and for one with these limits of its own (a row of
    // rule_limits). Without `has_reference` there is nothing to compare with.
    bool admits(bool has_reference, std::int64_t observed_halves, std::int64_t reference_halves) const {
        return !has_collar() || collar_.admits(has_reference, observed_halves, reference_halves);
    }
    bool rule_admits(std::int32_t limits, bool has_reference, std::int64_t observed_halves,
                     std::int64_t reference_halves) const {
        return rules_[static_cast<std::size_t>(limits)].collar.admits(has_reference, observed_halves,
                                                                      reference_halves);
    }

    // Whether the columns' `day_roll` makes it count anew; off where whoever sets the counters sees to that.
    void set_rolling(bool on) { rolling_ = on; }
    // It has come to a time, which never falls: counts anew if the day has rolled. Orders are judged at
    // theirs.
    void come_to(std::int64_t now_ns) {
        if (now_ns >= rolls_ns_ && rolls_ns_ != kNever && rolling_) begin_day(now_ns);
    }

    // The first limit that the order breaks; `sink` may know what rests.
    GateOutcome judge(const TableFire& fire, const GateCase& by, TableSink& sink);
    // An order left.
    void count(const TableFire& fire, std::size_t instrument, std::int32_t rule, std::int32_t limits);

    // So many orders left that are not counted here: they took their place in the bucket.
    void take(std::int64_t orders, std::int64_t now_ns) { bucket_.take(orders, now_ns); }

    std::int64_t orders() const { return orders_; }
    std::int64_t quantity(std::size_t instrument, std::size_t side) const {
        return limits_[instrument].sent[side];
    }
    OwnOrders& own() { return own_; }
    const OwnOrders& own() const { return own_; }
    void clear_counters();
    void set_orders(std::int64_t orders) { orders_ = orders; }
    // See TableInterpreter.
    std::optional<std::int64_t> rate_full_ns() const { return bucket_.full_ns(); }
    void set_rate_full(std::optional<std::int64_t> moment_ns) { bucket_.set_full(moment_ns); }
    void set_quantity(std::size_t instrument, std::int64_t bought, std::int64_t sold);

    // Of rules with limits of their own, by row of rule_limits and of rule_instrument.
    std::int64_t rule_orders(std::size_t limits) const { return rules_[limits].orders; }
    void set_rule_orders(std::size_t limits, std::int64_t orders) { rules_[limits].orders = orders; }
    std::int64_t rule_quantity(std::size_t row, std::size_t side) const {
        return rule_instruments_[row].sent[side];
    }
    void set_rule_quantity(std::size_t row, std::int64_t bought, std::int64_t sold);
    OrderBucket& rule_bucket(std::size_t limits) { return rules_[limits].bucket; }
    const OrderBucket& rule_bucket(std::size_t limits) const { return rules_[limits].bucket; }

  private:
    static constexpr Wide kNoCap = -1;

    struct Collar {
        std::int64_t basis_points = -1;
        bool ignores = false;  // what lies outside is eligible for nobody, instead of rejected

        bool within(std::int64_t observed_halves, std::int64_t reference_halves) const;
        bool admits(bool has_reference, std::int64_t observed_halves, std::int64_t reference_halves) const {
            return has_reference && (!ignores || within(observed_halves, reference_halves));
        }
    };
    struct Instrument {
        Wide notional_cap = 0;
        std::int64_t total_qty = -1;
        std::int64_t sent[2] = {0, 0};  // buy, sell

        bool breaks_notional(const TableFire& fire, const GateCase& by) const;
        bool breaks_quantity(const TableFire& fire) const;
        void count(const TableFire& fire);
    };
    struct RuleInstrument : Instrument {
        std::size_t limits = 0;
    };
    struct RuleLimits {
        std::int64_t order_qty = -1;
        Collar collar;
        OrderBucket bucket;
        std::int64_t total_orders = -1;
        bool self_trade = false;
        std::int64_t repeat_ns = -1;
        std::int64_t orders = 0;
    };

    void set_shared_values(const TableColumns& columns, std::int64_t now_ns);
    void set_rules(const TableColumns& columns, std::int64_t now_ns);
    void set_rule_values(const TableColumns& columns, std::int64_t now_ns);
    void set_day(const TableColumns& columns, std::int64_t now_ns);
    void begin_day(std::int64_t now_ns);
    void forget_sent();
    void plan_roll(std::int64_t now_ns);
    bool too_soon(const TableFire& fire, std::int32_t rule, std::int64_t repeat_ns) const;

    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

    OwnOrders own_;
    bool rolling_ = true;
    std::int64_t rolls_ns_ = kNever;  // when the day rolls next
    std::int32_t day_roll_ = -1;      // second of the local day; -1: never
    Zone zone_;                       // of that
    std::int64_t order_qty_ = -1;
    Collar collar_;
    OrderBucket bucket_;
    std::int64_t total_orders_ = -1;
    bool self_trade_ = false;
    std::int64_t repeat_ns_ = -1;
    std::int64_t orders_ = 0;
    bool rules_have_collar_ = false;
    std::vector<Instrument> limits_;
    std::vector<RuleLimits> rules_;
    std::vector<RuleInstrument> rule_instruments_;
    RuleInstrument unlimited_{{.notional_cap = kNoCap}, 0};  // stand for what a rule without limits has
    RuleLimits no_limits_;
};

}  // namespace fixaccel
