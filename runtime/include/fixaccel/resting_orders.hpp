// SPDX-License-Identifier: Apache-2.0
// Our own orders that rest at the venue, as far as its reports say.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fixaccel {

// OrdStatus(39) 3, in the words of OrderState::status.
inline constexpr const char* kDoneForDay = "done for day";
// Said of the order that another one goes on for.
inline constexpr const char* kReplaced = "replaced";

// A status, in the words of OrderState::status, behind which an order rests no more; `lasting`: it is `gtc`,
// and comes back the day after.
bool ends_order(std::string_view status, bool lasting);

struct RestingOrder {
    std::string cl_ord_id;
    std::string symbol;
    std::string side;   // buy, sell
    std::string price;  // decimal text
};

class RestingOrders {
  public:
    // A NewOrderSingle(D), or an OrderCancelReplaceRequest(G), that was sent. Limit orders with `day` or
    // `gtc` rest until a report says that they are done.
    void sent(std::string_view order);
    // What the venue says of an order, in the words of OrderState::status. The last report counts: where a
    // fill is taken back, the order rests again.
    void report(const std::string& cl_ord_id, std::string_view status);
    bool rests(const std::string& cl_ord_id) const;
    // An order that does not rest: no report makes it rest again.
    void forget(const std::string& cl_ord_id);
    // The venue's day has ended, and with it what rests as `day`; returns their ClOrdIDs.
    std::vector<std::string> end_day();

    // Whether an order would meet one that rests; `price` in the wire's unit, none for a market order.
    bool meets(const std::string& symbol, bool buys, std::optional<std::int64_t> price) const;
    // The best price that rests on a side, in the wire's unit.
    std::optional<std::int64_t> best(const std::string& symbol, bool buys) const;
    // How often something came or went, and when of one symbol it was last: its number.
    std::uint64_t changes() const { return changes_; }
    std::uint64_t changed(const std::string& symbol) const;
    // All that rest, by ClOrdID.
    std::vector<RestingOrder> all() const;

    bool operator==(const RestingOrders&) const = default;
    // All of it, and back.
    nlohmann::json snapshot() const;
    void restore(const nlohmann::json& snapshot);

  private:
    struct Order {
        std::string symbol;
        std::string price_text;
        bool buys = false;
        bool lasting = false;  // gtc: it comes back the day after it was done for the day
        std::int64_t price = 0;
        bool done = false;
        bool operator==(const Order&) const = default;
    };
    struct Prices {
        std::multiset<std::int64_t> bids, offers;
        std::uint64_t changed = 0;
        bool operator==(const Prices&) const = default;
    };

    void enter(const Order& order);
    void leave(const Order& order);
    std::multiset<std::int64_t>& changed_side(const Order& order);

    std::map<std::string, Order> orders_;    // by ClOrdID
    std::map<std::string, Prices> resting_;  // by symbol
    std::uint64_t changes_ = 0;
};

}  // namespace fixaccel
