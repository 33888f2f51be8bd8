// SPDX-License-Identifier: Apache-2.0
// What our own orders leave behind for later ones: those that rest at the venue, and when each rule last sent
// one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "fixaccel/table.hpp"
#include "price.hpp"
#include "table_columns.hpp"

namespace fixaccel {

// Local days since the epoch in the table's zone.
std::int64_t day_of(const TableColumns& columns, std::int64_t ts_ns);
// Whether they lie further apart than any day is long.
bool long_past(std::int64_t ts_ns, std::int64_t now_ns);

// Where nobody reports what became of an order: it rests to the end of the venue's day.
class OwnOrders {
  public:
    // Nothing is known of the table's instruments and rules.
    explicit OwnOrders(const TableColumns& columns);

    // An order left: `rule` is a row of the table's rules or -1; prices in the instrument's units.
    void count(const TableFire& fire, std::size_t instrument, std::int32_t rule);
    // Whether the order would meet one of the same day on the other side.
    bool meets(const TableFire& fire, std::size_t instrument) const;

    // When a rule sent its last order.
    const std::optional<std::int64_t>& last_ns(std::size_t rule) const { return last_ns_[rule]; }
    void set_last_ns(std::size_t rule, std::int64_t sent_ns) { last_ns_[rule] = sent_ns; }
    void forget_last() { last_ns_.assign(last_ns_.size(), std::nullopt); }
    // What rests in an instrument, as another table has kept it.
    void take_over(std::size_t instrument, const OwnOrders& old, std::size_t from) {
        resting_[instrument] = old.resting_[from];
    }

  private:
    // Prices on the wire, which outlive a change of unit.
    struct Resting {
        std::int64_t sent_ns;
        Wide price;
    };
    // Oldest first. One that is neither newer nor better than another is left out, so prices get worse.
    using Side = std::vector<Resting>;

    Wide wire_price(const TableFire& fire, std::size_t instrument) const;

    const TableColumns* columns_;
    std::vector<std::array<Side, 2>> resting_;  // by instrument; buy, sell
    std::vector<std::optional<std::int64_t>> last_ns_;
};

}  // namespace fixaccel
