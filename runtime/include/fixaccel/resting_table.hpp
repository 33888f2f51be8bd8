// SPDX-License-Identifier: Apache-2.0
// What the fabric keeps of our own orders that rest: which of its orders would meet one of them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fixaccel/board.hpp"
#include "fixaccel/bundle.hpp"
#include "fixaccel/resting_orders.hpp"

namespace fixaccel {

class RestingTable {
  public:
    RestingTable() = default;
    // Of a bundle without `self_trade` nothing is kept. Throws BundleError for orders that are not numbered
    // by their prices.
    explicit RestingTable(const Bundle& bundle);

    // Tells a bank what `orders` say, but for what it was told before and has not changed since. False: it
    // did not take all of it, for while armed it wants all that has fired to be taken off its ring before.
    // Throws BoardError.
    bool follow(Board& board, const RestingOrders& orders, unsigned bank);
    // Whether nothing has changed since.
    bool knows(const RestingOrders& orders) const { return whole_ && told_ == orders.changes(); }
    // The bank has something else now.
    void forget() { whole_ = false; }

  private:
    struct Record {
        std::uint32_t number;
        std::int64_t price;  // in the wire's unit
    };
    // Order records, numbers and prices rising.
    struct Instrument {
        std::uint32_t index = 0;
        std::vector<Record> buys, sells;
    };
    using Words = std::array<std::uint32_t, 2>;

    bool write_whole(Board& board, const RestingOrders& orders, unsigned bank) const;
    static Words words(const RestingOrders& orders, const std::string& symbol, const Instrument& instrument);

    std::map<std::string, Instrument> instruments_;
    std::uint32_t numbers_ = 0;  // of instruments
    bool whole_ = false;         // all has been told
    std::uint64_t told_ = 0;     // changes that have been
};

}  // namespace fixaccel
