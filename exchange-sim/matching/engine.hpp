// SPDX-License-Identifier: Apache-2.0
// The matching engine: books of all instruments, price-time priority, calls, auctions, triggers, halts. Pure:
// no clock, no I/O, no threads; the same messages give the same events, byte by byte. It takes no memory once
// it has seen its share: what it needs for `capacity` orders is reserved at the start.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "matching/book.hpp"
#include "matching/engine_state.hpp"
#include "matching/messages.hpp"
#include "matching/region.hpp"

namespace fixaccel::exchange {

// Where an auction would match. `surplus` is what buyers want more than sellers offer there.
struct AuctionPrice {
    Price price = 0;
    Quantity volume = 0;
    Quantity surplus = 0;
    friend bool operator==(const AuctionPrice&, const AuctionPrice&) = default;
};

class Engine {
  public:
    static constexpr std::uint32_t kDefaultCapacity = std::uint32_t{1} << 20U;
    // Of an order: with a million orders no sum of quantities leaves 64 bits.
    static constexpr Quantity kLargestQuantity = 1'000'000'000'000;

    // `capacity`: orders that are there at a time; one more is rejected.
    explicit Engine(std::vector<BookRules> instruments, std::uint32_t capacity = kDefaultCapacity);
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    // Does what the message says and all that follows from it. The events are valid until the next message.
    std::span<const Event> apply(const Message& message);

    // The same for several; `sink` is given the events of each. What a later message will touch is on its way
    // from memory while the ones before it are worked on.
    template <typename Sink>
    void apply_all(std::span<const Message> messages, Sink&& sink) {
        for (std::size_t next = 0; next < messages.size(); ++next) {
            if (next + kFar < messages.size()) prefetch_far(messages[next + kFar]);
            if (next + kMiddle < messages.size()) prefetch_middle(messages[next + kMiddle]);
            if (next + kNear < messages.size()) prefetch_near(messages[next + kNear]);
            if (next + kNext < messages.size()) prefetch_next(messages[next + kNext]);
            sink(apply(messages[next]));
        }
    }

    // Best price first; `depth` 0 is the whole side. Icebergs count with what they show.
    std::vector<Level> levels(InstrumentIndex instrument, Side side, std::size_t depth = 0) const;
    std::optional<Print> last(InstrumentIndex instrument) const;
    Phase phase(InstrumentIndex instrument) const { return books_[instrument].phase; }
    // Of a call or a halt that ended now; none if nothing would trade.
    std::optional<AuctionPrice> indicative(InstrumentIndex instrument);
    // Instruments whose levels or last trade changed since clear_changed(), in the order of their first
    // change.
    std::span<const InstrumentIndex> changed() const { return changed_; }
    void clear_changed();
    // Orders that are there, waiting ones included.
    std::uint32_t order_count() const { return orders_.taken(); }
    std::size_t instrument_count() const { return books_.size(); }

    // engine_state.cpp: for an engine that goes on where another one ended. The orders of a book, each queue
    // from its oldest on; restore() puts one behind those that are there, and gives what it is called now, 0
    // where the engine is full.
    std::vector<StandingOrder> standing(InstrumentIndex instrument);
    OrderId restore(const StandingOrder& standing);
    BookState state(InstrumentIndex instrument) const;
    void restore(InstrumentIndex instrument, const BookState& state);
    EngineClock clock() const { return {now_, arrivals_}; }
    // Instruments whose halt has an end, in the order of its beginning.
    std::span<const InstrumentIndex> halts() const { return halts_; }
    void restore(const EngineClock& clock, std::span<const InstrumentIndex> halts);
    // When the first of those halts ends.
    std::optional<std::int64_t> next_halt_end() const;

  private:
    struct Elected {
        Slot slot = 0;
        std::uint64_t arrival = 0;
        Price price = 0;
    };
    struct CurvePoint {
        Price price = 0;
        Quantity bids = 0;
        Quantity asks = 0;
    };
    static constexpr std::size_t kFar = 16;
    static constexpr std::size_t kMiddle = 12;
    static constexpr std::size_t kNear = 8;
    static constexpr std::size_t kNext = 4;

    const OrderRecord* named(const Message& message) const;
    void prefetch_far(const Message& message) const;
    void prefetch_middle(const Message& message) const;
    void prefetch_near(const Message& message) const;
    void prefetch_next(const Message& message) const;

    // engine.cpp: messages of clients.
    void add(const Message& message);
    void cancel(const Message& message);
    void replace(const Message& message);
    Reason check(const Book& book, const Terms& terms) const;
    Slot find(OrderId id) const;
    void set_terms(Slot slot, const Terms& terms, Quantity leaves);

    // engine_match.cpp: what becomes of an order.
    void enter(Book& book, Slot slot, Quantity minimum);
    void activate(Book& book, Slot slot, Quantity minimum);
    void match(Book& book, Slot slot, Quantity minimum);
    void match_queue(Book& book, Queue& queue, Slot slot, Price price, SelfTrade mode);
    bool meets_itself(Book& book, Queue& queue, Slot taker, SelfTrade mode);
    Quantity available(Book& book, const OrderRecord& taker, SelfTrade mode, Quantity enough);
    void rest(Book& book, Slot slot);
    void take_from(Queue& queue, Slot slot, Quantity quantity);
    void trigger(Book& book, Slot slot, Price price);
    void settle(Book& book);
    void elect(Ladder& triggers, Key limit, Price price);
    void traded(Book& book, Price price, Quantity quantity);

    // engine_queue.cpp: orders in their places.
    void push_back(Queue& queue, Slot slot);
    void unlink(Queue& queue, Slot slot);
    Queue& queue_of(Book& book, Slot slot);
    void remove(Book& book, Slot slot);
    void release(Slot slot);
    void end(Book& book, Slot slot, Reason reason);
    Ladder& triggers(Book& book, const OrderRecord& order);
    Key trigger_key(Slot slot);
    Quantity shown(Slot slot);
    void touch(Book& book);
    Event& emit(EventKind kind, const Book& book);
    Event& emit(EventKind kind, const Book& book, Slot slot);
    // All orders of a book: bids, asks, market orders, those that wait for a trigger, those for the close; of
    // each the best first, then the oldest.
    const std::vector<Slot>& all_orders(Book& book);
    template <typename Test>
    void end_all(Book& book, Reason reason, Test test);

    // engine_call.cpp: phases, auctions and settings.
    void set_phase(const Message& message);
    void change_phase(Book& book, Phase phase, Reason reason);
    void halt(Book& book);
    void hold_auction(Book& book);
    Slot first_of(Book& book, Side side);
    void fill_in_auction(Book& book, Slot slot, Quantity quantity);
    std::optional<AuctionPrice> auction_price(Book& book);
    void gather_curve(Book& book);
    void set_reference(const Message& message);
    void set_limits(const Message& message);
    void set_breaker(const Message& message);
    void set_band(Book& book);
    void set_time(const Message& message);
    void print(const Message& message);
    void sweep(const Message& message);
    void mass_cancel(const Message& message);
    void end_day();
    void refuse(const Message& message, Reason reason);

    std::unique_ptr<std::pmr::unsynchronized_pool_resource> memory_;
    std::vector<Book> books_;
    Slab<OrderRecord> orders_;
    Region details_;
    LadderPages pages_;
    std::vector<Event> events_;
    std::vector<InstrumentIndex> changed_;
    std::vector<InstrumentIndex> halts_;  // with an end, in the order of their beginning
    std::vector<Elected> elected_;
    std::vector<Slot> walked_;
    std::vector<CurvePoint> curve_;
    std::uint64_t arrivals_ = 0;
    std::int64_t now_ = 0;

    OrderDetail& detail(Slot slot) { return static_cast<OrderDetail*>(details_.start())[slot]; }
};

}  // namespace fixaccel::exchange
