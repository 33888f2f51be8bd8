// SPDX-License-Identifier: Apache-2.0
#include "scenario/flow/noise_traders.hpp"

namespace fixaccel::exchange {

PlaceOrder NoiseTraders::limit(const MarketView& view, Random& random) const {
    PlaceOrder order;
    order.side = random.one_in(2) ? Side::kBuy : Side::kSell;
    order.quantity = random.between(1, settings_.size) * view.grid.lot();
    const std::int64_t behind = random.between(0, settings_.depth);
    const bool buys = order.side == Side::kBuy;
    // Behind the best price of its side; without one, behind the other side's, the last trade or the
    // beginning.
    const Price from =
        buys ? view.bid.value_or(view.ask ? view.grid.away(*view.ask, -1) : view.last.value_or(view.begin))
             : view.ask.value_or(view.bid ? view.grid.away(*view.bid, 1) : view.last.value_or(view.begin));
    order.price = view.grid.away(from, buys ? -behind : behind);
    return order;
}

std::vector<Decision> NoiseTraders::decide(const MarketView& view, Random& random) {
    const auto& held = resting_[view.instrument];
    const std::int64_t all = settings_.limit + settings_.market + settings_.cancel;
    if (all == 0) return {};
    const std::int64_t dice = random.below(all);
    if (dice < settings_.limit) {
        std::vector<Decision> result;
        if (held.size() >= static_cast<std::size_t>(settings_.resting))
            result.emplace_back(CancelOrder{held.front()});
        result.emplace_back(limit(view, random));
        return result;
    }
    if (dice < settings_.limit + settings_.market) {
        PlaceOrder order;
        order.side = random.one_in(2) ? Side::kBuy : Side::kSell;
        order.type = OrderType::kMarket;
        order.tif = TimeInForce::kImmediateOrCancel;
        order.quantity = random.between(1, settings_.size) * view.grid.lot();
        return {order};
    }
    if (held.empty()) return {};
    const auto which = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(held.size())));
    return {CancelOrder{held[which]}};
}

void NoiseTraders::on_resting(InstrumentIndex instrument, OrderId order, const PlaceOrder& placed) {
    static_cast<void>(placed);
    resting_[instrument].push_back(order);
}

void NoiseTraders::on_fill(InstrumentIndex instrument, OrderId order, Side side, Quantity filled,
                           Quantity left) {
    static_cast<void>(side);
    static_cast<void>(filled);
    if (left == 0) on_gone(instrument, order);
}

void NoiseTraders::on_gone(InstrumentIndex instrument, OrderId order) {
    std::erase(resting_[instrument], order);
}

std::size_t NoiseTraders::resting(InstrumentIndex instrument) const {
    const auto found = resting_.find(instrument);
    return found == resting_.end() ? 0 : found->second.size();
}

}  // namespace fixaccel::exchange
