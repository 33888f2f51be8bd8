// SPDX-License-Identifier: Apache-2.0
// Who trades in a random flow.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "matching/exchange.hpp"
#include "scenario/flow/random.hpp"

namespace fixaccel::exchange {

// The grid of one instrument's prices.
class Grid {
  public:
    explicit Grid(const Instrument& instrument) : rules_(instrument.rules()) {}

    Quantity lot() const { return rules_.lot; }
    // The price so many ticks away, one by one where the tick changes on the way; it stays in the price
    // range.
    Price away(Price from, std::int64_t ticks) const;

  private:
    Price tick_at(Price price) const;

    BookRules rules_;
};

// What a participant sees of one book when it is its turn.
struct MarketView {
    InstrumentIndex instrument = 0;
    const Grid& grid;
    std::optional<Price> bid;
    std::optional<Price> ask;
    std::optional<Price> last;
    Price begin = 0;        // the price that the flow began at
    std::int64_t turn = 0;  // of the flow, from 0
};

struct PlaceOrder {
    Side side = Side::kBuy;
    OrderType type = OrderType::kLimit;
    TimeInForce tif = TimeInForce::kDay;
    Price price = 0;
    Quantity quantity = 0;
};

// Of an order that it placed before.
struct CancelOrder {
    OrderId order = 0;
};

using Decision = std::variant<PlaceOrder, CancelOrder>;

class Participant {
  public:
    virtual ~Participant() = default;
    // What it does in a turn of its own, in one book.
    virtual std::vector<Decision> decide(const MarketView& view, Random& random) = 0;
    // One of its orders rests, with what is left of it.
    virtual void on_resting(InstrumentIndex instrument, OrderId order, const PlaceOrder& placed) = 0;
    // It traded; `left` 0: the order is over.
    virtual void on_fill(InstrumentIndex instrument, OrderId order, Side side, Quantity filled,
                         Quantity left) = 0;
    // An order of its own is over without a trade.
    virtual void on_gone(InstrumentIndex instrument, OrderId order) = 0;
};

}  // namespace fixaccel::exchange
