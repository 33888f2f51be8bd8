// SPDX-License-Identifier: Apache-2.0
#include "scenario/flow/momentum_traders.hpp"

namespace fixaccel::exchange {

std::vector<Decision> MomentumTraders::decide(const MarketView& view, Random& random) {
    static_cast<void>(random);
    if (!view.last) return {};
    auto& seen = seen_[view.instrument];
    // The newest one that is older than the window stays: it is what they compare with.
    while (seen.size() > 1 && seen[1].turn <= view.turn - settings_.window) seen.pop_front();
    const Price before = seen.empty() ? *view.last : seen.front().price;
    if (seen.empty() || seen.back().price != *view.last) seen.push_back({view.turn, *view.last});
    const bool risen = *view.last >= view.grid.away(before, settings_.threshold);
    const bool fallen = *view.last <= view.grid.away(before, -settings_.threshold);
    // At the end of the price range, where there is no further, it is both.
    if (risen == fallen) return {};
    // What they have followed they do not follow again.
    seen.assign(1, {view.turn, *view.last});
    return {PlaceOrder{risen ? Side::kBuy : Side::kSell, OrderType::kMarket, TimeInForce::kImmediateOrCancel,
                       0, settings_.size * view.grid.lot()}};
}

}  // namespace fixaccel::exchange
