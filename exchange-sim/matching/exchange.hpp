// SPDX-License-Identifier: Apache-2.0
// The venue without its wires: instruments, books, the clients' orders and the house that makes the market.
// Pure like the books: each call returns what happened, in order.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "matching/instrument.hpp"
#include "matching/order_book.hpp"
#include "matching/types.hpp"

namespace fixaccel::exchange {

// An order as the client wrote it: FIX codes and texts, not yet checked.
struct OrderTicket {
    std::string owner;      // the client's CompID
    std::string cl_ord_id;  // 11
    std::string symbol;     // 55
    std::string side;       // 54
    std::string ord_type;   // 40
    std::string tif;        // 59, empty is day
    std::string quantity;   // 38
    std::string price;      // 44
    std::string account;    // 1
};

// A cancel request as the client wrote it.
struct CancelTicket {
    std::string owner;
    std::string cl_ord_id;       // 11, of the request
    std::string orig_cl_ord_id;  // 41, of the order
    std::string symbol;          // 55
};

// A replace request as the client wrote it: the terms from then on, with the ClOrdID of the request.
struct ReplaceTicket {
    OrderTicket terms;
    std::string orig_cl_ord_id;  // 41, of the order
};

struct Order {
    OrderId id = 0;
    OrderTicket ticket;
    bool house = false;
    const Instrument* instrument = nullptr;  // none if the symbol is unknown
    Side side = Side::kBuy;
    OrderType type = OrderType::kLimit;
    TimeInForce tif = TimeInForce::kDay;
    Price price = 0;
    Quantity quantity = 0;
    OrderStatus status = OrderStatus::kNew;
    Quantity cum_quantity = 0;
    Quantity leaves_quantity = 0;
    Notional notional = 0;  // sum of price x quantity over its trades
};

// One thing that happened to one order, with the order's state right after it.
struct Execution {
    std::uint64_t id = 0;
    OrderId order = 0;
    ExecType type = ExecType::kNew;
    OrderStatus status = OrderStatus::kNew;
    Quantity last_quantity = 0;
    Price last_price = 0;
    OrderId counterparty = 0;  // the other order of a trade, 0 if there is none
    Quantity cum_quantity = 0;
    Quantity leaves_quantity = 0;
    Notional notional = 0;
    int reject_reason = 0;  // FIX OrdRejReason(103)
    std::string text;
    std::string cancel_cl_ord_id;    // the request's ClOrdID where a client canceled the order
    std::string replaced_cl_ord_id;  // the order's ClOrdID before, where a client replaced it
};

struct CancelReject {
    OrderId order = 0;  // 0 if there is no such order
    OrderStatus status = OrderStatus::kRejected;
    int reason = 0;  // FIX CxlRejReason(102)
    std::string text;
};

struct CancelOutcome {
    std::vector<Execution> executions;
    std::optional<CancelReject> reject;
};

struct MarketSnapshot {
    std::vector<Level> bids;
    std::vector<Level> asks;
    std::optional<Print> last;
};

// A price and a size that the house shows on one side.
struct Quote {
    Price price = 0;
    Quantity quantity = 0;
};

class Exchange {
  public:
    explicit Exchange(std::vector<Instrument> instruments);
    // Orders point at instruments: the exchange stays where it is.
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    const Instrument* find(const std::string& symbol) const;
    std::vector<std::string> symbols() const;

    // Checks a client's order, matches it, rests or cancels the remainder. A bad order gives one kRejected.
    std::vector<Execution> enter(const OrderTicket& ticket);
    CancelOutcome cancel(const CancelTicket& ticket);
    // The order goes on under the new ClOrdID. It keeps its place if only its quantity gets less.
    CancelOutcome replace(const ReplaceTicket& ticket);

    // What the house does; `symbol` must be known. Executions of house orders are among the results.
    std::vector<Execution> quote(const std::string& symbol, std::optional<Quote> bid,
                                 std::optional<Quote> ask);
    // The market trades at `price`: clients' resting orders at that price or better are filled by the house
    // first, then the house prints `quantity` with itself, leaving its own quotes as they are.
    std::vector<Execution> trade(const std::string& symbol, Price price, Quantity quantity);
    std::vector<Execution> house_order(const std::string& symbol, Side side, OrderType type, TimeInForce tif,
                                       Price price, Quantity quantity);
    // Cancels all orders of the house in one book.
    std::vector<Execution> cancel_house(const std::string& symbol);

    // Of the client's order with that ClOrdID, a rejected one too; null if there is none.
    const Order* find_order(const std::string& owner, const std::string& cl_ord_id) const;

    MarketSnapshot snapshot(const std::string& symbol, std::size_t depth = 0) const;
    std::uint64_t revision(const std::string& symbol) const;
    // Trades of a book since the last call, oldest first.
    std::vector<Print> take_prints(const std::string& symbol) { return market(symbol).book.take_prints(); }

    const Order& order(OrderId id) const { return orders_.at(id - 1); }
    // All orders ever entered, rejected ones and the house's included, oldest first.
    const std::deque<Order>& orders() const { return orders_; }

  private:
    struct Market {
        explicit Market(Instrument terms) : instrument(std::move(terms)) {}
        Instrument instrument;
        OrderBook book;
        std::set<OrderId> house;   // the house's resting orders
        std::set<OrderId> quotes;  // those of them that the next quote replaces
    };
    using Key = std::pair<std::string, std::string>;  // owner, ClOrdID

    Market& market(const std::string& symbol);
    const Market& market(const std::string& symbol) const;
    Order& mutable_order(OrderId id) { return orders_.at(id - 1); }
    Order& add(const OrderTicket& ticket);
    OrderId add_house(Market& market, Side side, OrderType type, TimeInForce tif, Price price,
                      Quantity quantity);

    // The order that a request names; its ClOrdID is used up then.
    std::variant<OrderId, CancelReject> target(const CancelTicket& ticket);
    // Reports it as new and places it.
    void match(Market& market, OrderId id, std::vector<Execution>& out);
    // Matches what is left of it; rests or cancels the remainder.
    void place(Market& market, OrderId id, std::vector<Execution>& out);
    void fill(Market& market, OrderId id, OrderId counterparty, const Trade& trade,
              std::vector<Execution>& out);
    void withdraw(Market& market, OrderId id, const std::string& text, std::vector<Execution>& out);
    Execution report(const Order& order, ExecType type);

    std::map<std::string, Market> markets_;
    std::deque<Order> orders_;
    std::map<Key, OrderId> by_cl_ord_id_;
    std::uint64_t executions_ = 0;
};

}  // namespace fixaccel::exchange
