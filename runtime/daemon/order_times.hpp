// SPDX-License-Identifier: Apache-2.0
// Where the time of an order goes. T1: the reason for it arrives. T2: its last byte is with the driver. T3:
// the venue's first answer arrives. T4: whoever waits for that has it. Of the thread that trades; once it is
// made, nothing here takes memory or waits.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "fixaccel/latency_histogram.hpp"
#include "stamps.hpp"

namespace fixaccel {

enum class OrderPath : std::uint8_t { rule, desk, fabric };

// In this order; those of the answer lie between T3 and T4.
enum class OrderStage : std::uint8_t {
    wake,
    parse,
    decide,
    journal,
    lease,
    engine,
    send,
    answer_wake,
    answer_parse,
    answer_journal,
    answer_out,
};

// What the fabric has counted of an order of its own, modulo 2^32.
struct FabricCycles {
    std::uint32_t message_end = 0;
    std::uint32_t frame_end = 0;
    std::uint32_t first_byte = 0;  // of the order's frame
    std::uint32_t last_byte = 0;

    // T1: the frame has come. The message, where the order did not wait for the rest of that.
    std::uint32_t t1() const {
        return static_cast<std::int32_t>(first_byte - frame_end) < 0 ? message_end : frame_end;
    }
};

class OrderTimes {
  public:
    using Time = std::chrono::steady_clock::time_point;

    static constexpr std::size_t kKept = 65'536;  // orders that an answer finds, and that can be listed
    static constexpr std::size_t kStages = 11;

    // `kept`: a power of two.
    explicit OrderTimes(Stamps stamps, std::size_t kept = kKept);

    bool on() const { return stamps_ != Stamps::off; }
    Stamps stamps() const { return stamps_; }
    // Or the card, which tells it by the kernel.
    bool by_kernel() const { return stamps_ == Stamps::kernel || stamps_ == Stamps::hardware; }

    // The daemon has stopped waiting: something may have come.
    void woken(Time now) { woken_ = now; }
    Time woken() const { return woken_; }

    // T1 of the orders that rules make of a message of the market, which is understood by now; until
    // message_over().
    void message(const Arrival& arrival) noexcept;
    void message_over() noexcept { message_.reset(); }
    // One of them is decided on. Without a message it is of a rule `at` a time, and only counted.
    void decided() noexcept;
    // T1 of an order by hand, which another thread has received and handed on.
    void requested(Time received, Time handed) noexcept;

    // An order is on its way: from decided() or requested() on, to settle() or drop().
    bool in_hand() const { return in_hand_; }
    // So far it was that stage of the order in hand; nothing if there is none.
    void mark(OrderStage stage) noexcept;
    // T2 by our clock: it was handed over whole.
    void left(std::string_view cl_ord_id) noexcept;
    // The order in hand is done with. `bytes`: of the connection, up to its end.
    void settle(std::uint32_t bytes = 0) noexcept;
    // So many bytes of the connection have left, the kernel says: T2 of the orders that end there. They wait
    // for it until they are answered.
    void departed(std::uint32_t bytes, Stamp left) noexcept;
    bool awaits_departures() const { return oldest_ != next_; }
    // The connection has come to its end: nothing more of it leaves.
    void no_more_departs() noexcept;
    void drop() noexcept { in_hand_ = false; }

    // The fabric has sent it; its ring says so behind that. T1 and T2 are its cycles, at a clock of so many
    // Hz, and it said that the frame had come by `utc_ns`. Without cycles, or a clock, it is only counted.
    void fired(std::string_view cl_ord_id, std::int64_t utc_ns, const std::optional<FabricCycles>& cycles,
               std::uint64_t clock_hz) noexcept;
    // It was sent once more, so nobody can tell which of the two an answer is to.
    void resent(std::string_view cl_ord_id) noexcept;

    // T3: the venue's first answer to the order, until journalled().
    void answered(std::string_view cl_ord_id, const Arrival& arrival, bool rejected) noexcept;
    // Somebody watches. True: he has asked for this order, and waits for its first answer.
    bool watched() noexcept;
    void journalled() noexcept;
    // For the answer that is told to whoever watches now, of no other order; 0: nobody waits for it.
    std::uint64_t ticket(std::string_view cl_ord_id) noexcept;
    // T4 of an order by hand: it was told then.
    void told(std::uint64_t ticket, Time at) noexcept;

    // All figures; and the slowest, up to that many. `buckets`: the histograms, too.
    nlohmann::json report(std::size_t worst, bool buckets = false) const;
    // Of the orders that are kept those behind the one with that number, oldest first, up to that many.
    nlohmann::json orders(std::uint64_t after, std::size_t most) const;
    // Of the figures the histograms, for Prometheus.
    nlohmann::json histograms() const;

  private:
    static constexpr std::size_t kParts = kStages + 3;  // and inner, T1 to T2, T3 to T4
    static constexpr std::size_t kInner = kStages, kFirst = kStages + 1, kSecond = kStages + 2;
    static constexpr std::size_t kPaths = 3;
    static constexpr std::size_t kStamped = 3;  // T1, T2, T3
    static constexpr std::size_t kStampers = 5;

    enum class State : std::uint8_t { none, sent, resent, rejected, untold, told_of, done };

    struct Order {
        std::array<char, 20> id{};
        std::uint8_t id_size = 0;
        OrderPath path = OrderPath::rule;
        State state = State::none;
        bool waited_for = false;  // somebody watches
        bool rejected = false;
        bool leaving = false;      // it is not known by now when it left
        std::uint32_t bytes = 0;   // of the connection, up to its end
        std::uint64_t number = 0;  // of all orders, from 1 on
        std::array<StampBy, kStamped> by{};
        std::uint32_t next = kNone;     // in the list of its hash
        Time t1{}, t2{}, t3{}, last{};  // `last`: where the last stage ended
        std::int64_t answer_ns = 0;     // T3 to T4
        std::array<std::int64_t, kStages> stages{};

        std::string_view name() const { return {id.data(), id_size}; }
        std::int64_t first_ns() const { return (t2 - t1).count(); }
        void mark(OrderStage stage, Time now) {
            stages[static_cast<std::size_t>(stage)] += (now - last).count();
            last = now;
        }
    };

    struct Counts {
        std::uint64_t orders = 0, timed = 0, answered = 0, rejected = 0, resent = 0, untold = 0;
        std::array<std::array<std::uint64_t, kStampers>, kStamped> by{};  // T1, T2, T3 by StampBy
    };

    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    static bool has(OrderPath path, std::size_t stage);
    void record(const Order& order, std::size_t first_stage, std::size_t end) noexcept;
    void keep(const Order& sent, std::uint32_t bytes) noexcept;
    Order* find(std::string_view cl_ord_id) noexcept;
    std::size_t hash(std::string_view cl_ord_id) const noexcept;
    void forget(std::uint32_t slot) noexcept;
    void gone(Order& order) noexcept;
    void complete(Order& order) noexcept;
    std::vector<LatencyHistogram>& of(OrderPath path) { return parts_[static_cast<std::size_t>(path)]; }
    Counts& counts(OrderPath path) { return counts_[static_cast<std::size_t>(path)]; }
    static nlohmann::json described(const Order& order, std::int64_t utc_ahead_ns);

    const Stamps stamps_;
    const std::int64_t since_ns_;  // UTC
    Time woken_{};
    std::optional<Order> message_;  // what the orders of a message have in common
    Order order_;                   // in hand
    bool in_hand_ = false;
    bool written_ = false;
    Order* answering_ = nullptr;
    std::vector<Order> kept_;
    std::vector<std::uint32_t> heads_;  // by hash, of lists of orders in kept_
    std::size_t next_ = 0;
    std::size_t oldest_ = 0;  // that is leaving; next_ if none is
    std::array<std::vector<LatencyHistogram>, kPaths> parts_;
    std::array<Counts, kPaths> counts_{};
};

}  // namespace fixaccel
