// SPDX-License-Identifier: Apache-2.0
#include "scenario/flow/market_maker.hpp"

#include <algorithm>

namespace fixaccel::exchange {

// Whoever holds much wants to sell: both quotes move down, and up where it owes.
Price MarketMaker::middle(const Desk& desk, const MarketView& view) const {
    if (settings_.skew == 0) return *desk.reference;
    return view.grid.away(*desk.reference, -desk.inventory / (settings_.skew * view.grid.lot()));
}

std::vector<Decision> MarketMaker::decide(const MarketView& view, Random& random) {
    Desk& desk = desks_[view.instrument];
    if (!desk.reference) desk.reference = view.begin;
    if (random.chance(settings_.drift)) {
        const bool up = random.one_in(2);
        desk.reference = view.grid.away(*desk.reference, up ? 1 : -1);
    } else if (desk.traded && view.last) {
        // Others may know something.
        if (*view.last != *desk.reference)
            desk.reference = view.grid.away(*desk.reference, *view.last > *desk.reference ? 1 : -1);
    }
    const Price now = middle(desk, view);
    const auto wanted = 2 * static_cast<std::size_t>(settings_.levels);
    if (desk.quoted == now && !desk.traded && desk.resting.size() == wanted) return {};
    desk.quoted = now;
    desk.traded = false;
    std::vector<Decision> result;
    result.reserve(desk.resting.size() + wanted);
    for (const Resting& order : desk.resting) result.emplace_back(CancelOrder{order.order});
    const Price bid = view.grid.away(now, -(settings_.spread / 2));
    const Price ask = view.grid.away(bid, settings_.spread);
    const Quantity size = settings_.size * view.grid.lot();
    for (int level = 0; level < settings_.levels; ++level) {
        const Price buy = view.grid.away(bid, -level);
        const Price sell = view.grid.away(ask, level);
        // At the end of the price range there may be no room for both.
        if (buy >= sell) continue;
        result.emplace_back(PlaceOrder{Side::kBuy, OrderType::kLimit, TimeInForce::kDay, buy, size});
        result.emplace_back(PlaceOrder{Side::kSell, OrderType::kLimit, TimeInForce::kDay, sell, size});
    }
    return result;
}

void MarketMaker::on_resting(InstrumentIndex instrument, OrderId order, const PlaceOrder& placed) {
    desks_[instrument].resting.push_back({order, placed.side, placed.price});
}

void MarketMaker::on_fill(InstrumentIndex instrument, OrderId order, Side side, Quantity filled,
                          Quantity left) {
    Desk& desk = desks_[instrument];
    desk.inventory += side == Side::kBuy ? filled : -filled;
    desk.traded = true;
    if (left == 0) on_gone(instrument, order);
}

void MarketMaker::on_gone(InstrumentIndex instrument, OrderId order) {
    std::erase_if(desks_[instrument].resting, [&](const Resting& held) { return held.order == order; });
}

Quantity MarketMaker::inventory(InstrumentIndex instrument) const {
    const auto found = desks_.find(instrument);
    return found == desks_.end() ? 0 : found->second.inventory;
}

}  // namespace fixaccel::exchange
