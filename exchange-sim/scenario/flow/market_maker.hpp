// SPDX-License-Identifier: Apache-2.0
// Quotes both sides around a reference of its own, which drifts and is drawn to where the market trades.
#pragma once

#include <array>
#include <unordered_map>

#include "scenario/flow/flow_settings.hpp"
#include "scenario/flow/participant.hpp"

namespace fixaccel::exchange {

class MarketMaker : public Participant {
  public:
    explicit MarketMaker(const MakerSettings& settings) : settings_(settings) {}

    std::vector<Decision> decide(const MarketView& view, Random& random) override;
    void on_resting(InstrumentIndex instrument, OrderId order, const PlaceOrder& placed) override;
    void on_fill(InstrumentIndex instrument, OrderId order, Side side, Quantity filled,
                 Quantity left) override;
    void on_gone(InstrumentIndex instrument, OrderId order) override;

    // What it holds; below zero: what it owes.
    Quantity inventory(InstrumentIndex instrument) const;

  private:
    struct Resting {
        OrderId order = 0;
        Side side = Side::kBuy;
        Price price = 0;
    };
    struct Desk {
        std::optional<Price> reference;
        std::optional<Price> quoted;  // the middle that its quotes stand around
        Quantity inventory = 0;
        bool traded = false;  // since it last quoted
        std::vector<Resting> resting;
    };

    Price middle(const Desk& desk, const MarketView& view) const;

    MakerSettings settings_;
    std::unordered_map<InstrumentIndex, Desk> desks_;
};

}  // namespace fixaccel::exchange
