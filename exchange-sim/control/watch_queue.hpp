// SPDX-License-Identifier: Apache-2.0
// From the threads of the venue to the control thread: what has happened, while somebody watches. It never
// waits: what there is no room for is lost, and counted.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_set>
#include <variant>
#include <vector>

#include "venue/observer.hpp"

namespace fixaccel::exchange {

// What a watcher may want, a bit each.
enum class Watch : unsigned { kBooks = 1, kTrades = 2, kOrders = 4, kSessions = 8, kMessages = 16 };

struct TradeHappened {
    const Instrument* instrument = nullptr;
    Print print;
    std::int64_t time_ns = 0;
    Side aggressor = Side::kBuy;
    std::string buyer;
    std::string seller;
};

struct OrderHappened {
    Order order;
    Execution execution;
};

struct MessageHappened {
    Direction direction = Direction::kIn;
    std::string client;
    std::string bytes;
    std::int64_t time_ns = 0;
};

using Happened = std::variant<TradeHappened, OrderHappened, MessageHappened>;

// All that was put since it was last taken.
struct Harvest {
    std::vector<Happened> events;
    std::unordered_set<const Instrument*> books;  // that have changed
    bool sessions = false;                        // somebody came or went
    std::uint64_t lost = 0;
};

class WatchQueue final : public Observer {
  public:
    static constexpr std::size_t kMostEvents = 8192;

    WatchQueue();
    WatchQueue(const WatchQueue&) = delete;
    WatchQueue& operator=(const WatchQueue&) = delete;
    ~WatchQueue() override;

    // Becomes readable when there is something to take.
    int fd() const { return wake_; }
    // Bits of Watch: what somebody watches. All else is not even copied.
    void set_wanted(unsigned bits) { wanted_.store(bits, std::memory_order_relaxed); }
    Harvest take();

    void on_execution(const Order& order, const Execution& execution) override;
    void on_trade(const Instrument& instrument, const Print& trade, std::int64_t time_ns, Side aggressor,
                  const std::string& buyer, const std::string& seller) override;
    void on_book(const Exchange& exchange, const Instrument& instrument) override;
    void on_phase(const Instrument& instrument, Phase phase) override;
    void on_wire(Direction direction, const std::string& client, const std::string& bytes,
                 std::int64_t time_ns) override;
    void on_session(const std::string& client, bool logged_on) override;

  private:
    bool wants(Watch what) const {
        return (wanted_.load(std::memory_order_relaxed) & static_cast<unsigned>(what)) != 0;
    }
    void put(Happened&& event);
    void put_book(const Instrument& instrument);
    // With the lock held.
    void wake();

    int wake_;
    std::atomic<unsigned> wanted_{0};
    std::mutex mutex_;
    Harvest harvest_;
    bool told_ = false;  // since the last take
};

}  // namespace fixaccel::exchange
