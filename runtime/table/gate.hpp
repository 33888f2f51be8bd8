// SPDX-License-Identifier: Apache-2.0
// The risk gate: what each order must pass, and what the limits count.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

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
};

class Gate {
  public:
    explicit Gate(const TableColumns& columns) : own_(columns) { set_limits(columns, 0); }

    // Other limits from now on, and the memory of other columns. What was sent is counted on; what belongs to
    // instruments and rules is forgotten.
    void set_limits(const TableColumns& columns, std::int64_t now_ns);
    // Other values in the columns that it has.
    void set_values(const TableColumns& columns, std::int64_t now_ns);

    bool has_collar() const { return collar_ >= 0; }

    // The first limit that the order breaks; `sink` may know what rests.
    GateOutcome judge(const TableFire& fire, const GateCase& by, TableSink& sink);
    // An order left.
    void count(const TableFire& fire, std::size_t instrument, std::int32_t rule);

    // So many orders left that are not counted here: they took their place in the bucket.
    void take(std::int64_t orders, std::int64_t now_ns);

    std::int64_t orders() const { return orders_; }
    std::int64_t quantity(std::size_t instrument, std::size_t side) const {
        return limits_[instrument].sent[side];
    }
    OwnOrders& own() { return own_; }
    const OwnOrders& own() const { return own_; }
    void clear_counters();
    void set_orders(std::int64_t orders) { orders_ = orders; }
    // See TableInterpreter.
    std::optional<std::int64_t> rate_full_ns() const;
    void set_rate_full(std::optional<std::int64_t> moment_ns);
    void set_quantity(std::size_t instrument, std::int64_t bought, std::int64_t sold);

  private:
    struct Instrument {
        WideBits notional_cap = 0;
        std::int64_t total_qty = -1;
        std::int64_t sent[2] = {0, 0};  // buy, sell
    };

    void refill(std::int64_t now_ns);
    bool too_soon(const TableFire& fire, std::int32_t rule) const;

    OwnOrders own_;
    bool self_trade_ = false;
    std::int64_t repeat_ns_ = -1;
    std::int64_t collar_ = -1;
    std::int64_t rate_ = -1;
    std::int64_t total_orders_ = -1;
    std::int64_t orders_ = 0;
    Wide credits_ = 0;
    std::int64_t refilled_ns_ = 0;
    std::vector<Instrument> limits_;
};

}  // namespace fixaccel
