// SPDX-License-Identifier: Apache-2.0
// Who is told of which books, and when. Belongs to the engine thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "matching/book_update.hpp"
#include "session/message.hpp"
#include "venue/market_data.hpp"

namespace fixaccel::exchange {

struct FeedStats {
    std::size_t subscriptions = 0;
    std::uint64_t messages = 0;   // that the session took
    std::uint64_t conflated = 0;  // changes that went into a later message, as they were too many
};

class MarketFeed {
  public:
    using Clock = std::chrono::steady_clock;
    // Trades of one instrument that a conflated message lists; those after it are one with their sum.
    static constexpr std::size_t kListedTrades = 64;

    struct Wire {
        // False where the session does not take it.
        std::function<bool(const std::string& client, OutgoingMessage message)> send;
        // Sending would be in vain.
        std::function<bool(const std::string& client)> behind;
    };

    MarketFeed(Exchange& exchange, UpdateType type, std::chrono::nanoseconds conflate, Wire wire);

    // False if the client has one of that name.
    bool subscribe(const Subscription& subscription);
    bool unsubscribe(const std::string& client, const std::string& md_req_id);
    // All of a client.
    void drop(const std::string& client);
    std::size_t count(const std::string& client) const;

    // Sends the books as they are, which a subscription begins with; to a session that is behind, later.
    void send_snapshots(const Subscription& subscription);
    // The same once, of no subscription. False: the session is behind, and does not get them all.
    bool send_lone(const Subscription& wanted);
    // Tells followers of what has changed since the last call, now or later.
    void publish(Clock::time_point now);
    // Sends what has waited long enough.
    void tick(Clock::time_point now);
    // When tick() has something to do; none: nothing waits.
    std::optional<Clock::time_point> next_tick() const;
    // A session takes more again.
    void drained(const std::string& client);

    FeedStats stats(const std::string& client) const;

  private:
    // What a follower has not been told of one book.
    struct Pending {
        MarketSnapshot known;  // the book that it knows; of increments alone
        std::vector<Print> prints;
    };
    struct Follower {
        Subscription wanted;
        std::vector<InstrumentIndex> instruments;
        std::uint64_t serial = 0;
        std::map<InstrumentIndex, Pending> pending;
        std::vector<std::size_t> touched;  // of the updates of this publish()
        Clock::time_point due;             // when what is pending may leave
    };
    // A session that is behind is asked again so often, should no one say that it is not any more.
    static constexpr std::chrono::milliseconds kRetry{50};

    void update(Follower& follower, const std::vector<BookUpdate>& updates,
                const std::vector<InstrumentIndex>& indices, Clock::time_point now);
    void hold(Follower& follower, InstrumentIndex index, const BookUpdate& update);
    bool flush(Follower& follower);
    bool send(Follower& follower, OutgoingMessage message);
    bool send_snapshot(const Subscription& wanted, InstrumentIndex index);
    void forget(const Follower& follower);

    Exchange& exchange_;
    const UpdateType type_;
    const std::chrono::nanoseconds conflate_;
    const Wire wire_;
    std::list<Follower> followers_;
    std::vector<std::vector<Follower*>> by_instrument_;
    // The book as it was published last; of increments alone, and only where somebody follows.
    std::vector<std::optional<MarketSnapshot>> published_;
    std::map<std::string, FeedStats> stats_;
    std::uint64_t serial_ = 0;
    std::size_t waiting_ = 0;  // followers that have something pending
};

}  // namespace fixaccel::exchange
