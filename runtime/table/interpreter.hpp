// SPDX-License-Identifier: Apache-2.0
// The interpreter behind TableInterpreter. One file for each step: messages, observations, fires, arming,
// reload.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fixaccel/table.hpp"
#include "gate.hpp"
#include "generation.hpp"

namespace fixaccel {

// What is known of one instrument.
struct Market {
    std::int64_t known[kCarriedSources] = {};
    std::int64_t previous[kSources] = {};  // observations
    bool has_known[kCarriedSources] = {};
    bool has_previous[kSources] = {};
    bool open = true;
    bool suspended = false;
    bool ending = false;  // something may be due at the end of its message

    bool mid(std::int64_t& halves) const;
    // The value by which `if_already_through` judges.
    bool value(std::size_t source, std::int64_t& price) const;
    // What collar compares with, in half units: last, else mid.
    bool reference(std::int64_t& halves) const;
    void forget_previous() { std::fill(std::begin(has_previous), std::end(has_previous), false); }
};

// One eligible observation, while it is judged.
struct Observation {
    std::size_t instrument;
    std::uint8_t source;
    std::int64_t price;
    std::int64_t event;
    TableSink& sink;

    std::int64_t halves() const { return source == kMid ? price : 2 * price; }
};

class TableInterpreter::Impl {
  public:
    class OwnExecutions;

    Impl(const TableColumns& columns, ArmedFrom armed);
    ~Impl();

    // messages.cpp
    void process(const MarketMessage& message, std::int64_t event, TableSink& sink);
    void watch(const MarketMessage& message);
    void forget_market();
    void check(std::int32_t instrument, std::uint8_t kind) const;

    // reload.cpp
    void reload(std::unique_ptr<Generation> next);
    // None of its parts is armed. Nothing else may be asked of this one afterwards.
    std::unique_ptr<Generation> take_tables();
    void restore(std::size_t row, std::uint32_t fires, bool spent);
    void restore_cancelled(std::size_t row);
    void restore_armed(std::size_t row);
    void restore_passed(std::size_t row);
    void restart();
    GateCounters counters() const;
    void set_counters(const GateCounters& counters);
    void take_order(std::int64_t now_ns) { gate_.take(1, now_ns); }
    void limits_changed(std::int64_t now_ns) { gate_.set_values(parts_->columns, now_ns); }

    // trail.cpp
    void restore_trail(std::size_t row, const TrailState& state);
    std::optional<TrailState> trail(std::size_t row) const;
    void take_moved(std::vector<std::uint32_t>& rows);

    // executions.cpp
    void keep_orders(FillModel model);
    const OrderTally& order_tally() const;
    TableSink& sink_before(TableSink& sink);
    void execution(ExecutionKind kind, std::int32_t part, std::int64_t qty, std::int64_t ts_ns,
                   std::int64_t event, TableSink& sink);
    bool keeps_orders() const { return own_ != nullptr; }
    void filled(std::int32_t part, std::int64_t qty, std::int64_t now_ns);
    void order_done(std::int32_t part, bool any, std::int64_t now_ns);
    void restore_filled(std::int32_t part, std::int64_t qty);
    std::int64_t filled_qty(std::int32_t part) const;

    // moments.cpp
    void advance(std::int64_t now_ns, TableSink& sink);
    std::optional<std::int64_t> next_moment() const;

    std::uint64_t invalid_prices() const { return invalid_prices_; }
    PartState state(std::size_t row) const { return parts_->states.at(row); }
    void set_rearming(bool on) { rearming_ = on; }
    void set_rolling(bool on) {
        rolling_ = on;
        gate_.set_rolling(on);
    }
    Gate& gate() { return gate_; }

  private:
    static constexpr std::size_t kNoInstrument = std::numeric_limits<std::size_t>::max();

    // messages.cpp
    void to_instrument(std::size_t instrument, MarketKind kind);
    void quote(std::size_t instrument, const MarketMessage& message, std::int64_t event, TableSink& sink);
    void observe(std::size_t instrument, std::uint8_t source, std::int64_t price, std::int64_t event,
                 TableSink& sink);
    void end_message(std::size_t instrument);

    // moments.cpp
    void come_to(std::int64_t now_ns, std::int64_t event, TableSink& sink);
    void plan(std::uint32_t row);
    std::optional<std::int64_t> moment_from(std::uint32_t row, std::int64_t from_ns) const;

    // executions.cpp
    void between_messages(std::int64_t now_ns);
    void note_fill(std::int32_t part, std::int64_t qty);
    void note_done(std::int32_t part, bool any);
    std::int64_t parents_filled(std::uint32_t row) const;

    // observations.cpp
    // Whether parts of these terms heed the observation.
    bool eligible(std::int32_t terms, const Observation& seen) const {
        return terms < 0 || fits(terms, seen);
    }
    bool fits(std::int32_t number, const Observation& seen) const;
    void evaluate(Lane& lane, const Observation& seen);
    void settle(Lane& lane, const Observation& seen);
    bool fires_before(std::uint32_t row, std::uint32_t other) const;
    void fire_thresholds(Lane& lane, const Observation& seen);
    void fire_run(std::uint32_t begin, std::uint32_t end, std::int64_t price, const Observation& seen);
    void land(Lane& lane, const Observation& seen);
    void follow(Lane& lane, const Observation& seen);
    void follow(Trailing& trail, const Observation& seen);

    // trail.cpp
    void note_move(Trailing& trail);
    std::int64_t stop_of(const Trailing& trail) const;
    std::int64_t limit_of(const Trailing& trail) const;

    // fires.cpp
    TableFire fire_of(std::uint32_t row, std::int32_t order, std::int64_t event) const;
    void fire_at(std::uint32_t row, std::int64_t event, TableSink& sink);
    void send(std::uint32_t row, TableFire& fire, const GateCase& by, TableSink& sink);
    void fire(std::uint32_t row, std::int32_t order, const Observation& seen,
              std::optional<std::int64_t> trigger);
    std::optional<std::int64_t> checked_price(const TableFire& fire, const Observation& seen) const;
    void take_effect(std::uint32_t row, const TableFire& fire);
    void cancel_siblings(std::uint32_t row);
    void arm_children(std::int32_t part, ArmedOn on);
    void plan_rearm(std::uint32_t row, std::int64_t ts_ns);

    // arming.cpp
    void arm_all();
    std::unique_ptr<Generation> unarmed();
    void arm(std::uint32_t row);
    void enter(std::uint32_t row);
    PartState judged(std::uint32_t row) const;
    void go_live(Chain& chain, std::uint32_t rank);
    void leave(std::uint32_t row, PartState state);
    void queue(std::uint32_t row, PartState state);

    // reload.cpp
    std::uint32_t checked(std::size_t row) const;
    void take_over(const Generation& old, std::uint32_t from, std::uint32_t to);
    void take_over_waits(const Generation& old, const std::vector<std::uint32_t>& same);
    void take_over_fills(const Generation& old, const std::vector<std::uint32_t>& same);
    void renumber_orders(const Generation& old, const std::vector<std::uint32_t>& same,
                         const std::unordered_map<std::string_view, std::size_t>& known);
    void take_over_buckets(const Generation& old, const Gate& before);
    void set_rule_counters(std::size_t limits, const GateCounters::Rule& counters);

    std::unique_ptr<Generation> parts_;
    bool untouched_ = true;  // no part was ever armed, nor restored
    Gate gate_;
    std::vector<Market> markets_;
    std::vector<std::uint32_t> arming_;       // armed at the end of the message of their instrument
    std::vector<std::uint32_t> children_;     // scratch
    std::vector<std::uint32_t> refused_;      // rows, by the observation in hand
    std::vector<Landings::Interval> landed_;  // scratch: where the observation in hand has landed
    std::vector<std::uint32_t> moved_;        // rows of trails, each once
    bool heeded_ = true;                      // observations, by the parts
    bool rearming_ = true;                    // what has fired is armed again
    bool rolling_ = true;                     // what limits count begins anew with the table's day
    std::int64_t now_ns_ = 0;
    std::int64_t reference_halves_ = 0;  // of the message in hand, for collar
    bool has_reference_ = false;
    std::unique_ptr<OwnExecutions> own_;           // of runs over columns
    OwnExecutions* touch_ = nullptr;               // the same, if a model fills orders
    bool clock_known_ = false;                     // since the start, or since all began anew
    std::size_t current_ = kNoInstrument;          // of the message in hand
    std::map<std::int32_t, std::int64_t> filled_;  // by part, a number over the whole strategy
    std::uint64_t invalid_prices_ = 0;
};

}  // namespace fixaccel
