// SPDX-License-Identifier: Apache-2.0
// The venue without its wires: instruments, the matching engine, the clients' orders with their texts, and
// the house that makes the market. Pure like the engine: each call returns what happened, in order.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "matching/engine.hpp"
#include "matching/instrument.hpp"
#include "matching/types.hpp"

namespace fixaccel::exchange {

// An order as the client wrote it: FIX codes and texts, not yet checked.
struct OrderTicket {
    std::string owner;              // the client's CompID
    std::string cl_ord_id;          // 11
    std::string symbol;             // 55
    std::string side;               // 54
    std::string ord_type;           // 40
    std::string tif;                // 59, empty is day
    std::string quantity;           // 38
    std::string price;              // 44
    std::string account;            // 1
    std::string stop_price = {};    // 99
    std::string max_floor = {};     // 111
    std::string min_quantity = {};  // 110
    std::string exec_inst = {};     // 18
};

// A cancel request as the client wrote it.
struct CancelTicket {
    std::string owner;
    std::string cl_ord_id;       // 11, of the request
    std::string orig_cl_ord_id;  // 41, of the order
    std::string symbol;          // 55
    std::string side = {};       // 54; empty: not compared
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
    bool triggered = false;                  // its trigger was reached: it is a market or limit order now
    const Instrument* instrument = nullptr;  // none if the symbol is unknown
    InstrumentIndex index = 0;
    Side side = Side::kBuy;
    OrderType type = OrderType::kLimit;
    TimeInForce tif = TimeInForce::kDay;
    Price price = 0;
    Price trigger = 0;
    Quantity quantity = 0;
    Quantity display = 0;
    Quantity minimum = 0;
    OrderStatus status = OrderStatus::kNew;
    Quantity cum_quantity = 0;
    Quantity leaves_quantity = 0;
    Notional notional = 0;  // sum of price x quantity over its trades
    OrderId in_engine = 0;  // what the engine calls it
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
    explicit Exchange(std::vector<Instrument> instruments, std::uint32_t capacity = Engine::kDefaultCapacity);
    // Orders point at instruments: the exchange stays where it is.
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    // Of clients' orders from then on.
    void set_self_trade(SelfTrade mode) { self_trade_ = mode; }

    const Instrument* find(const std::string& symbol) const;
    // Sorted.
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

    // What the venue itself says: phases, limits, breaker, time, mass cancels, the end of the day.
    std::vector<Execution> say(const Message& message);
    InstrumentIndex index_of(const std::string& symbol) const;
    Owner owner_of(const std::string& client);
    // Forgets the orders that are over and their ClOrdIDs, which may be used again: what comes in a day is
    // all that is ever kept. Not before their last executions are reported.
    void forget_finished();

    // Of the client's order with that ClOrdID, a rejected one too; null if there is none.
    const Order* find_order(const std::string& owner, const std::string& cl_ord_id) const;

    MarketSnapshot snapshot(const std::string& symbol, std::size_t depth = 0) const;
    // Instruments whose book changed since the last call, by symbol.
    std::vector<const Instrument*> take_changed();
    // Trades of a book since the last call, oldest first.
    std::vector<Print> take_prints(const std::string& symbol) {
        return std::exchange(market(symbol).prints, {});
    }
    const Engine& engine() const { return engine_; }

    const Order& order(OrderId id) const { return *orders_.at(id - first_); }
    // All orders that are not forgotten, rejected ones and the house's included, oldest first.
    std::vector<const Order*> orders() const;

  private:
    struct Market {
        InstrumentIndex index = 0;
        std::array<OrderId, 2> quotes{};  // of the house, that the next quote replaces
        std::vector<Print> prints;
    };

    Market& market(const std::string& symbol);
    Order& mutable_order(OrderId id) { return *orders_.at(id - first_); }
    Order& add(const OrderTicket& ticket);
    Order& add_house(const Market& market, Side side, OrderType type, TimeInForce tif, Price price,
                     Quantity quantity);

    // The order that a request names; its ClOrdID is used up then.
    std::variant<OrderId, CancelReject> target(const CancelTicket& ticket);
    Message message_of(const Order& order, MessageKind kind);
    // Hands an order to the engine.
    void match(Order& order, std::vector<Execution>& out);
    void translate(std::span<const Event> events, std::vector<Execution>& out);
    void translate(const Event& event, std::vector<Execution>& out);
    void fill(OrderId id, OrderId counterparty, const Event& event, std::vector<Execution>& out);
    void withdraw(OrderId id, const std::string& text, std::vector<Execution>& out);
    Execution report(const Order& order, ExecType type);
    std::string end_text(const Order& order, Reason reason) const;

    std::vector<Instrument> instruments_;  // by symbol
    std::vector<Market> markets_;
    std::unordered_map<std::string, InstrumentIndex> by_symbol_;
    Engine engine_;
    SelfTrade self_trade_ = SelfTrade::kAllow;
    std::deque<std::unique_ptr<Order>> orders_;  // from first_ on; null: forgotten
    OrderId first_ = 1;
    std::unordered_map<std::string, OrderId> by_cl_ord_id_;  // by owner and ClOrdID
    std::unordered_map<std::string, Owner> owners_;
    std::uint64_t executions_ = 0;
};

}  // namespace fixaccel::exchange
