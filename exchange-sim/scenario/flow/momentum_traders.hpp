// SPDX-License-Identifier: Apache-2.0
// Buy what has risen, sell what has fallen: they follow the moves of the last price.
#pragma once

#include <deque>
#include <unordered_map>

#include "scenario/flow/flow_settings.hpp"
#include "scenario/flow/participant.hpp"

namespace fixaccel::exchange {

class MomentumTraders : public Participant {
  public:
    explicit MomentumTraders(const MomentumSettings& settings) : settings_(settings) {}

    std::vector<Decision> decide(const MarketView& view, Random& random) override;
    // Their orders never rest.
    void on_resting(InstrumentIndex, OrderId, const PlaceOrder&) override {}
    void on_fill(InstrumentIndex, OrderId, Side, Quantity, Quantity) override {}
    void on_gone(InstrumentIndex, OrderId) override {}

  private:
    struct Seen {
        std::int64_t turn = 0;
        Price price = 0;
    };

    MomentumSettings settings_;
    std::unordered_map<InstrumentIndex, std::deque<Seen>> seen_;
};

}  // namespace fixaccel::exchange
