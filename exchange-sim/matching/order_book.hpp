// SPDX-License-Identifier: Apache-2.0
// Price-time matching of one instrument. Pure: no clock, no I/O, no threads; the same calls give the same
// trades.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "matching/types.hpp"

namespace fixaccel::exchange {

struct BookOrder {
    OrderId id = 0;
    Side side = Side::kBuy;
    OrderType type = OrderType::kLimit;
    TimeInForce tif = TimeInForce::kDay;
    Price price = 0;  // of a limit order
    Quantity quantity = 0;
};

// An incoming order met a resting one, at the resting order's price.
struct Trade {
    OrderId resting = 0;
    OrderId incoming = 0;
    Price price = 0;
    Quantity quantity = 0;
    friend bool operator==(const Trade&, const Trade&) = default;
};

struct Level {
    Price price = 0;
    Quantity quantity = 0;
    std::size_t orders = 0;
    friend bool operator==(const Level&, const Level&) = default;
};

// A trade as the market sees it.
struct Print {
    Price price = 0;
    Quantity quantity = 0;
    friend bool operator==(const Print&, const Print&) = default;
};

struct Submission {
    std::vector<Trade> trades;
    Quantity resting = 0;   // left in the book
    Quantity canceled = 0;  // neither traded nor left in the book
};

class OrderBook {
  public:
    // Matches an order and rests what is left of a day or gtc limit order. The id must be new, the quantity
    // positive.
    Submission submit(const BookOrder& order);

    // Takes an order out of the book; gives the quantity that was left of it, none if it does not rest here.
    std::optional<Quantity> cancel(OrderId id);

    // Lessens what is left of an order that rests here; it keeps its place.
    void reduce(OrderId id, Quantity quantity);

    // Prints a trade, also one that was agreed outside the book: moves the last trade, touches no order.
    void print(Price price, Quantity quantity);

    // Best price first; `depth` 0 is the whole side.
    std::vector<Level> levels(Side side, std::size_t depth = 0) const;
    std::optional<Price> best(Side side) const;
    // Resting orders of a side at least as good for the opposite side as `limit`, best first, oldest first.
    std::vector<OrderId> marketable(Side side, Price limit) const;
    const std::optional<Print>& last() const { return last_; }
    // The trades since the last call, oldest first.
    std::vector<Print> take_prints() { return std::exchange(prints_, {}); }

    // Grows whenever levels or last trade change; never otherwise.
    std::uint64_t revision() const { return revision_; }

  private:
    struct Resting {
        OrderId id = 0;
        Quantity quantity = 0;
    };
    using Queue = std::list<Resting>;
    using Bids = std::map<Price, Queue, std::greater<>>;
    using Asks = std::map<Price, Queue, std::less<>>;
    struct Place {
        Side side = Side::kBuy;
        Price price = 0;
        Queue::iterator position;
    };

    template <typename Levels>
    void match(Levels& levels, const BookOrder& order, Submission& result, Quantity& left);
    template <typename Levels>
    static Quantity available(const Levels& levels, const BookOrder& order);
    template <typename Levels>
    void rest(Levels& levels, const BookOrder& order, Quantity quantity);
    template <typename Levels>
    void remove(Levels& levels, const Place& place);

    Bids bids_;
    Asks asks_;
    std::unordered_map<OrderId, Place> places_;
    std::optional<Print> last_;
    std::vector<Print> prints_;
    std::uint64_t revision_ = 0;
};

}  // namespace fixaccel::exchange
