// SPDX-License-Identifier: Apache-2.0
// The venue without its wires: instruments, the matching engine, the clients' orders with their texts, and
// the house that makes the market. Pure like the engine: each call returns what happened, in order. What a
// call returns by reference is valid until the next one.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "matching/engine.hpp"
#include "matching/instrument.hpp"
#include "matching/order.hpp"
#include "matching/order_store.hpp"
#include "matching/types.hpp"
#include "matching/used_ids.hpp"

namespace fixaccel::exchange {

class ExchangeJournal;

class Exchange {
  public:
    // Orders that are over and still known with all they were.
    static constexpr std::size_t kKeptFinished = 20'000;
    static constexpr Owner kHouse = 1;

    explicit Exchange(std::vector<Instrument> instruments, std::uint32_t capacity = Engine::kDefaultCapacity);
    // Orders point at instruments: the exchange stays where it is.
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    // Of clients' orders from then on.
    void set_self_trade(SelfTrade mode) { self_trade_ = mode; }
    // How many orders that are over are kept; of those before, their ClOrdIDs stay used.
    void set_kept_finished(std::size_t count) { kept_finished_ = count; }

    const Instrument* find(const std::string& symbol) const;
    const Instrument& instrument(InstrumentIndex index) const { return instruments_[index]; }
    // Sorted; an instrument's index is its place.
    std::vector<std::string> symbols() const;

    // Checks a client's order, matches it, rests or cancels the remainder. A bad order gives one kRejected.
    const std::vector<Execution>& enter(const OrderTicket& ticket);
    const CancelOutcome& cancel(const CancelTicket& ticket);
    // The order goes on under the new ClOrdID. It keeps its place if only its quantity gets less.
    const CancelOutcome& replace(const ReplaceTicket& ticket);
    // A client's open orders: of one instrument, or kAllInstruments; of one side, or both. Oldest first.
    const std::vector<Execution>& mass_cancel(const std::string& owner, InstrumentIndex instrument,
                                              std::optional<Side> side, const std::string& text);
    // The venue takes an open order out of its book; nothing where there is none.
    const std::vector<Execution>& take_out(OrderId order, const std::string& text);
    // Uses up a ClOrdID that names no order; false if it was used before.
    bool use(const std::string& owner, const std::string& cl_ord_id);

    // Requests of clients that are to come soon: what they will touch is on its way from memory meanwhile.
    // The first of these some requests ahead of the second, which is some ahead of the request.
    void prefetch_id(const std::string& owner, const std::string& cl_ord_id) const;
    void prefetch_order(const std::string& owner, const std::string& cl_ord_id) const;

    // What the house does; `symbol` must be known. Executions of house orders are among the results.
    const std::vector<Execution>& quote(const std::string& symbol, std::optional<Quote> bid,
                                        std::optional<Quote> ask);
    // The market trades at `price`: clients' resting orders at that price or better are filled by the house
    // first, then the house prints `quantity` with itself, leaving its own quotes as they are.
    const std::vector<Execution>& trade(const std::string& symbol, Price price, Quantity quantity);
    const std::vector<Execution>& house_order(const std::string& symbol, Side side, OrderType type,
                                              TimeInForce tif, Price price, Quantity quantity,
                                              Price trigger = 0);
    // Cancels all orders of the house in one book.
    const std::vector<Execution>& cancel_house(const std::string& symbol);

    // What the venue itself says: phases, limits, breaker, time, mass cancels, the end of the day.
    const std::vector<Execution>& say(const Message& message);
    InstrumentIndex index_of(const std::string& symbol) const;
    Owner owner_of(const std::string& client);
    // Forgets the orders that are over and their ClOrdIDs, which may be used again: what comes in a day is
    // all that is ever kept. Not before their last executions are reported.
    void forget_finished();

    // Of the client's order with that ClOrdID, a rejected one too; null if there is none, or none any more.
    const Order* find_order(const std::string& owner, const std::string& cl_ord_id) const;
    // Whether the client used that ClOrdID, also where its order is forgotten.
    bool used(const std::string& owner, const std::string& cl_ord_id) const;
    // A client's open orders, as mass_cancel() finds them.
    std::vector<const Order*> open_orders(const std::string& owner, InstrumentIndex instrument,
                                          std::optional<Side> side) const;

    MarketSnapshot snapshot(const std::string& symbol, std::size_t depth = 0) const;
    MarketSnapshot snapshot(InstrumentIndex index, std::size_t depth = 0) const;
    // Instruments whose book or last trade changed since clear_changed(), in the order of their first change.
    std::span<const InstrumentIndex> changed() const { return engine_.changed(); }
    void clear_changed() { engine_.clear_changed(); }
    // The same by symbol, and cleared.
    std::vector<const Instrument*> take_changed();
    // Trades of a book since the last call, oldest first.
    std::vector<Print> take_prints(const std::string& symbol) {
        return std::exchange(market(symbol).prints, {});
    }
    std::vector<Print>& prints(InstrumentIndex index) { return markets_[index].prints; }
    // What no execution tells of: phases that began, and trades agreed outside the book, since the last call.
    struct PhaseChange {
        InstrumentIndex instrument = 0;
        Phase phase = Phase::kContinuous;
        Reason reason = Reason::kNone;
    };
    std::vector<PhaseChange> take_phases() { return std::exchange(phases_, {}); }
    std::vector<std::pair<InstrumentIndex, Print>> take_printed() { return std::exchange(printed_, {}); }
    // The venue's time, for halts that end; nanoseconds that never run backwards. Nothing where none can.
    const std::vector<Execution>& set_time(std::int64_t time_ns);
    // Whether it matters what time it is.
    bool timed() const { return timed_ || keeps_time_; }
    // Whether a halt may end by itself.
    bool halts() const { return timed_; }
    // It is told the time, whether it matters or not: a state says then when it was.
    void keep_time() { keeps_time_ = true; }
    std::uint64_t executions() const { return executions_; }
    const Engine& engine() const { return engine_; }

    // Throws std::out_of_range where there is none, or none any more.
    const Order& order(OrderId id) const;
    const Order* find_order(OrderId id) const { return orders_.find(id); }
    // All orders that are not forgotten, rejected ones and the house's included, oldest first.
    std::vector<const Order*> orders() const;
    const OrderStore& store() const { return orders_; }
    std::size_t used_ids() const { return ids_.size(); }

    // Is told of each call that may change something, before it is made, until it is removed.
    void add_journal(ExchangeJournal& journal) { journals_.push_back(&journal); }
    void remove_journal(ExchangeJournal& journal) { std::erase(journals_, &journal); }
    // What comes in between is published together: journals are told so.
    void begin_together();
    void end_together();
    // exchange_state.cpp: all that the future depends on. restore() is for an exchange of the same
    // instruments that has seen nothing yet; false where the text is not of such a one.
    std::string state();
    bool restore(std::string_view state);

  private:
    struct Market {
        InstrumentIndex index = 0;
        std::array<OrderId, 2> quotes{};  // of the house, that the next quote replaces
        std::vector<Print> prints;
    };

    Market& market(const std::string& symbol);
    // Before each input: what the last one returned is over.
    void begin();
    Order& add(const OrderTicket& ticket);
    Order& add_house(const Market& market, Side side, OrderType type, TimeInForce tif, Price price,
                     Quantity quantity);

    // The order that a request names; its ClOrdID is used up then.
    std::variant<Order*, CancelReject> target(Owner owner, const std::string& cl_ord_id,
                                              const std::string& orig_cl_ord_id, const std::string& symbol,
                                              const std::string& side);
    Message message_of(const Order& order, MessageKind kind);
    // Hands an order to the engine.
    void match(Order& order, std::vector<Execution>& out);
    void translate(std::span<const Event> events, std::vector<Execution>& out);
    void translate(const Event& event, std::vector<Execution>& out);
    void fill(Order& order, OrderId counterparty, const Event& event, std::vector<Execution>& out);
    void withdraw(const Order& order, const std::string& text, std::vector<Execution>& out);
    Execution& report(const Order& order, ExecType type, std::vector<Execution>& out);
    std::string end_text(const Order& order, Reason reason) const;
    // exchange_journal.hpp
    bool heard() const { return !journals_.empty(); }
    template <typename Call>
    void tell(const Call& call);

    std::vector<Instrument> instruments_;  // by symbol
    std::vector<Market> markets_;
    std::unordered_map<std::string, InstrumentIndex> by_symbol_;
    Engine engine_;
    SelfTrade self_trade_ = SelfTrade::kAllow;
    OrderStore orders_;
    std::size_t kept_finished_ = kKeptFinished;
    UsedIds ids_;
    std::unordered_map<std::string, Owner> owners_;
    std::uint64_t executions_ = 0;
    std::vector<PhaseChange> phases_;
    std::vector<std::pair<InstrumentIndex, Print>> printed_;
    bool keeps_time_ = false;
    bool timed_ = false;  // some breaker halts for a time
    std::vector<ExchangeJournal*> journals_;
    std::vector<Execution> out_;
    CancelOutcome outcome_;
    Order wanted_;
};

}  // namespace fixaccel::exchange
