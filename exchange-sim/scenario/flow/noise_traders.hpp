// SPDX-License-Identifier: Apache-2.0
// Orders without a view: near the market, through it, and taken back.
#pragma once

#include <unordered_map>

#include "scenario/flow/flow_settings.hpp"
#include "scenario/flow/participant.hpp"

namespace fixaccel::exchange {

class NoiseTraders : public Participant {
  public:
    explicit NoiseTraders(const NoiseSettings& settings) : settings_(settings) {}

    std::vector<Decision> decide(const MarketView& view, Random& random) override;
    void on_resting(InstrumentIndex instrument, OrderId order, const PlaceOrder& placed) override;
    void on_fill(InstrumentIndex instrument, OrderId order, Side side, Quantity filled,
                 Quantity left) override;
    void on_gone(InstrumentIndex instrument, OrderId order) override;

    std::size_t resting(InstrumentIndex instrument) const;

  private:
    PlaceOrder limit(const MarketView& view, Random& random) const;

    NoiseSettings settings_;
    std::unordered_map<InstrumentIndex, std::vector<OrderId>> resting_;  // oldest first
};

}  // namespace fixaccel::exchange
