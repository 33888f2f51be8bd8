// SPDX-License-Identifier: Apache-2.0
// The risk gate: what each order must pass, and what the limits count.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fixaccel/table.hpp"
#include "price.hpp"
#include "table_columns.hpp"

namespace fixaccel {

class Gate {
  public:
    explicit Gate(const TableColumns& columns) { set_limits(columns, 0); }

    // Other limits from now on. What was sent is counted on; quantities are forgotten with their instruments.
    void set_limits(const TableColumns& columns, std::int64_t now_ns);

    bool has_collar() const { return collar_ >= 0; }

    // The first limit that the order breaks. `price_halves` is what order_notional is taken of, if it is
    // checked now; `observed_halves` and `reference_halves` are what collar compares.
    GateOutcome judge(const TableFire& fire, std::size_t instrument, std::optional<std::int64_t> price_halves,
                      std::int64_t observed_halves, std::int64_t reference_halves);
    // An order left.
    void count(const TableFire& fire, std::size_t instrument);

    std::int64_t orders() const { return orders_; }
    std::int64_t quantity(std::size_t instrument, std::size_t side) const {
        return limits_[instrument].sent[side];
    }
    void clear_counters();
    void set_orders(std::int64_t orders) { orders_ = orders; }
    void set_quantity(std::size_t instrument, std::int64_t bought, std::int64_t sold);

  private:
    struct Instrument {
        WideBits notional_cap = 0;
        std::int64_t total_qty = -1;
        std::int64_t sent[2] = {0, 0};  // buy, sell
    };

    void refill(std::int64_t now_ns);

    std::int64_t collar_ = -1;
    std::int64_t rate_ = -1;
    std::int64_t total_orders_ = -1;
    std::int64_t orders_ = 0;
    Wide credits_ = 0;
    std::int64_t refilled_ns_ = 0;
    std::vector<Instrument> limits_;
};

}  // namespace fixaccel
