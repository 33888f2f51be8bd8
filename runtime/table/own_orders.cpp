// SPDX-License-Identifier: Apache-2.0
#include "own_orders.hpp"

#include <algorithm>

#include "order_words.hpp"

namespace fixaccel {
namespace {

// No day of any zone is longer.
constexpr std::int64_t kLongestDay = 2 * kDay * kSecond;

// Whether a resting order of `side` at `one` is met no later than one at `other`.
bool no_worse(std::uint8_t side, Wide one, Wide other) { return side == kSell ? one <= other : one >= other; }

}  // namespace

OwnOrders::OwnOrders(const TableColumns& columns)
    : columns_(&columns), resting_(columns.instruments()), last_ns_(columns.rule.name_first.size()) {}

Wide OwnOrders::wire_price(const TableFire& fire, std::size_t instrument) const {
    return Wide{fire.price} * columns_->instrument.unit[instrument];
}

std::int64_t day_of(const TableColumns& columns, std::int64_t ts_ns) {
    const auto& zone = columns.zone;
    const auto second = static_cast<std::int64_t>(floor_div(ts_ns, kSecond));
    const auto next = std::upper_bound(zone.start_s.begin(), zone.start_s.end(), second);
    const auto row = std::max<std::ptrdiff_t>(next - zone.start_s.begin() - 1, 0);
    return static_cast<std::int64_t>(floor_div(second + zone.offset_s[static_cast<std::size_t>(row)], kDay));
}

bool long_past(std::int64_t ts_ns, std::int64_t now_ns) { return Wide{now_ns} - ts_ns > kLongestDay; }

void OwnOrders::count(const TableFire& fire, std::size_t instrument, std::int32_t rule) {
    if (rule >= 0) last_ns_[static_cast<std::size_t>(rule)] = fire.ts_ns;
    if (columns_->order.rests[static_cast<std::size_t>(fire.order)] == 0) return;
    Side& side = resting_[instrument][fire.side];
    const Wide price = wire_price(fire, instrument);
    while (!side.empty() && no_worse(fire.side, price, side.back().price)) side.pop_back();
    std::erase_if(side, [&](const Resting& old) { return long_past(old.sent_ns, fire.ts_ns); });
    side.push_back({fire.ts_ns, price});
}

bool OwnOrders::meets(const TableFire& fire, std::size_t instrument) const {
    const std::uint8_t opposite = fire.side == kSell ? 0 : kSell;
    const Side& side = resting_[instrument][opposite];
    if (side.empty()) return false;
    const std::int64_t today = day_of(*columns_, fire.ts_ns);
    const auto best = std::find_if(side.begin(), side.end(), [&](const Resting& each) {
        return day_of(*columns_, each.sent_ns) == today;
    });
    if (best == side.end()) return false;
    return fire.type != kLimit || no_worse(opposite, best->price, wire_price(fire, instrument));
}

}  // namespace fixaccel
