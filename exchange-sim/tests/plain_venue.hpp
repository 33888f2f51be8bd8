// SPDX-License-Identifier: Apache-2.0
// The slow and obvious engine that the fast one is judged by: one list of orders in the order in which they
// came, looked through from end to end for everything, and the rules as the page on matching states them. It
// knows an order by its reference, so its events have no OrderId.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "matching/engine.hpp"

namespace fixaccel::exchange {

class PlainVenue {
  public:
    explicit PlainVenue(std::vector<BookRules> instruments) {
        for (BookRules& rules : instruments) books_.push_back({std::move(rules)});
    }

    const std::vector<Event>& apply(const Message& message);
    std::vector<Level> levels(InstrumentIndex instrument, Side side) const;
    std::optional<Print> last(InstrumentIndex instrument) const { return books_[instrument].last; }
    std::size_t order_count() const { return orders_.size(); }

  private:
    struct Waiting {
        std::uint64_t reference = 0;
        InstrumentIndex instrument = 0;
        Owner owner = 0;
        Side side = Side::kBuy;
        Terms terms;
        Quantity leaves = 0;
        Quantity filled = 0;
        Quantity visible = 0;
        Place place = Place::kNowhere;
        std::uint64_t stamp = 0;  // its time in its place: less is earlier
    };
    struct PlainBook {
        BookRules rules = {};
        Phase phase = Phase::kContinuous;
        std::optional<Price> reference = std::nullopt;
        Price distance = 0;
        std::int64_t halt_time = 0;
        std::optional<std::int64_t> halted_until = std::nullopt;
        std::uint64_t halt_stamp = 0;
        Price limit_down = std::numeric_limits<Price>::min();
        Price limit_up = std::numeric_limits<Price>::max();
        std::optional<Print> last = std::nullopt;
        std::vector<Price> unseen = {};  // prices of trades that no trigger has seen
    };
    using Orders = std::vector<Waiting>;

    Event& tell(EventKind kind, InstrumentIndex instrument);
    Event& tell(EventKind kind, const Waiting& order);
    void refuse(const Message& message, Reason reason);
    Orders::iterator find(std::uint64_t reference);
    // Of those in a place on a side, the ones that go first: best price, then earliest.
    std::vector<std::uint64_t> ranked(InstrumentIndex instrument, Place place,
                                      std::optional<Side> side) const;
    std::vector<std::uint64_t> everything(InstrumentIndex instrument) const;
    static bool is_call(Phase phase) {
        return phase == Phase::kOpeningCall || phase == Phase::kClosingCall || phase == Phase::kHalted;
    }
    // Of an iceberg its tip.
    static Quantity show(const Terms& terms, Quantity leaves) {
        return terms.display > 0 ? std::min(terms.display, leaves) : leaves;
    }
    bool rises(const Waiting& order) const { return triggers_on_rise(order.side, order.terms.type); }

    Reason check(const PlainBook& book, const Terms& terms) const;
    void add(const Message& message);
    void replace(const Message& message);
    void enter(Waiting order, Quantity minimum);
    void activate(Waiting order, Quantity minimum);
    void trigger(Waiting order, Price price);
    void match(Waiting order, Quantity minimum);
    Quantity available(const Waiting& order) const;
    bool in_band(const PlainBook& book, Price price) const;
    bool reaches(const Waiting& order, const Waiting& resting) const;
    void keep(Waiting order, Place place);
    void trade(InstrumentIndex instrument, Price price, Quantity quantity);
    void take(std::uint64_t reference, Quantity quantity);
    void end(std::uint64_t reference, Reason reason);
    void settle(InstrumentIndex instrument);
    void change_phase(InstrumentIndex instrument, Phase phase, Reason reason);
    std::optional<AuctionPrice> auction_price(InstrumentIndex instrument) const;
    AuctionPrice auction_at(InstrumentIndex instrument, Price price) const;
    void hold_auction(InstrumentIndex instrument);
    void venue(const Message& message);

    std::vector<PlainBook> books_;
    Orders orders_;
    std::vector<Event> events_;
    std::uint64_t stamps_ = 0;
    std::int64_t now_ = 0;
};

}  // namespace fixaccel::exchange
