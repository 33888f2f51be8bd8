// SPDX-License-Identifier: Apache-2.0
// A load on a FIX venue on loopback, over several sessions, from one thread.
//
// Usage: exchange-sim-fix-load orders PORT SESSIONS ORDERS WINDOW
//        exchange-sim-fix-load market PORT SESSIONS SECONDS CHANGES
// orders: each session has WINDOW orders on their way at a time until ORDERS of it are answered; every second
// one trades with the one before it. Prints orders a second and the time from an order to its first report.
// market: SESSIONS that are subscribed, and one more whose orders change the book CHANGES times a second.
// Prints market data messages a second. Clients are LOAD1, LOAD2 and so on, the venue is BENCH.
// All orders are made before the clock starts.
#include <sys/epoll.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <vector>

#include "bench/fix_wire.hpp"

namespace fixaccel::exchange {
namespace {

constexpr const char* kVenue = "BENCH";
constexpr std::int64_t kPatience = 60'000'000'000;

std::string order(Wire& wire, std::uint64_t number, const std::string& symbol, const std::string& time) {
    const bool buys = number % 2 == 0;
    return framed(header("D", wire.next_number(), wire.client(), kVenue, time) +
                  "11=" + std::to_string(number) +
                  "\x01"
                  "38=5\x01"
                  "40=2\x01"
                  "44=100.00\x01"
                  "54=" +
                  (buys ? "1" : "2") +
                  "\x01"
                  "55=" +
                  symbol +
                  "\x01"
                  "59=0\x01"
                  "60=" +
                  time + "\x01");
}

struct Trader {
    std::unique_ptr<Wire> wire;
    std::vector<std::string> orders;
    std::vector<std::int64_t> sent;
    std::size_t next = 0;
    std::size_t answered = 0;
    bool logged_on = false;
};

class Poll {
  public:
    Poll() : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {}
    ~Poll() { ::close(epoll_); }
    Poll(const Poll&) = delete;
    Poll& operator=(const Poll&) = delete;
    void add(int socket, std::uint32_t index) const {
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.u32 = index;
        ::epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event);
    }
    template <typename Take>
    void wait(int milliseconds, Take&& take) const {
        epoll_event events[64];
        const int count = ::epoll_wait(epoll_, events, 64, milliseconds);
        for (int at = 0; at < count; ++at) take(events[at].data.u32);
    }

  private:
    int epoll_;
};

std::unique_ptr<Wire> connect(std::uint16_t port, std::size_t number) {
    return std::make_unique<Wire>(port, "LOAD" + std::to_string(number), kVenue);
}

// Until all have logged on; false if the venue does not take them.
bool log_on(std::vector<Trader>& traders, const Poll& poll) {
    std::size_t on = 0;
    for (std::size_t at = 0; at < traders.size(); ++at) {
        poll.add(traders[at].wire->socket(), static_cast<std::uint32_t>(at));
        traders[at].wire->log_on();
    }
    const std::int64_t end = clock_ns() + kPatience;
    while (on < traders.size() && clock_ns() < end) {
        bool gone = false;
        poll.wait(100, [&](std::uint32_t at) {
            gone = gone || !traders[at].wire->read([&](std::string_view message) {
                if (message.starts_with("35=A\x01") && !traders[at].logged_on) {
                    traders[at].logged_on = true;
                    ++on;
                }
            });
        });
        if (gone) return false;
    }
    return on == traders.size();
}

void print(const char* name, const std::vector<std::int64_t>& sorted, double share) {
    const auto at = static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1));
    std::cout << ", \"" << name << "\": " << static_cast<double>(sorted[at]) / 1000;
}

int orders(std::uint16_t port, std::size_t sessions, std::size_t count, std::size_t window) {
    const Poll poll;
    std::vector<Trader> traders(sessions);
    for (std::size_t at = 0; at < sessions; ++at) traders[at].wire = connect(port, at + 1);
    if (!log_on(traders, poll)) return 1;
    const std::string time = utc_text();
    for (std::size_t at = 0; at < sessions; ++at) {
        traders[at].sent.resize(count);
        for (std::size_t number = 0; number < count; ++number)
            traders[at].orders.push_back(
                order(*traders[at].wire, number, "S" + std::to_string(at + 1), time));
    }
    std::vector<std::int64_t> took;
    took.reserve(sessions * count);
    const auto fill = [&](Trader& trader) {
        std::string bytes;
        const std::int64_t now = clock_ns();
        while (trader.next < count && trader.next < trader.answered + window) {
            trader.sent[trader.next] = now;
            bytes += trader.orders[trader.next++];
        }
        if (!bytes.empty()) trader.wire->send(bytes);
    };
    const std::int64_t start = clock_ns();
    for (Trader& trader : traders) fill(trader);
    bool gone = false;
    while (took.size() < sessions * count && !gone && clock_ns() - start < kPatience) {
        poll.wait(100, [&](std::uint32_t at) {
            Trader& trader = traders[at];
            gone = gone || !trader.wire->read([&](std::string_view message) {
                if (!message.starts_with("35=8\x01") || field(message,
                                                              "\x01"
                                                              "150=") != "0")
                    return;
                const auto number = std::strtoull(std::string(field(message,
                                                                    "\x01"
                                                                    "11="))
                                                      .c_str(),
                                                  nullptr, 10);
                took.push_back(clock_ns() - trader.sent[number]);
                ++trader.answered;
            });
            fill(trader);
        });
        for (Trader& trader : traders) {
            if (trader.wire->wants_out()) trader.wire->flush();
        }
    }
    const double seconds = static_cast<double>(clock_ns() - start) / 1e9;
    const bool all = took.size() == sessions * count;
    for (Trader& trader : traders) trader.wire->log_out();
    std::sort(took.begin(), took.end());
    if (took.empty()) return 1;
    std::cout << "{\"orders\": " << took.size()
              << ", \"per_second\": " << static_cast<double>(took.size()) / seconds;
    print("p50_us", took, 0.5);
    print("p99_us", took, 0.99);
    print("max_us", took, 1);
    std::cout << "}\n";
    return all ? 0 : 1;
}

int market(std::uint16_t port, std::size_t sessions, double seconds, double changes) {
    const Poll poll;
    std::vector<Trader> traders(sessions + 1);
    for (std::size_t at = 0; at <= sessions; ++at) traders[at].wire = connect(port, at + 1);
    if (!log_on(traders, poll)) return 1;
    const std::string time = utc_text();
    Trader& mover = traders[sessions];
    const auto total = static_cast<std::size_t>(seconds * changes);
    for (std::size_t number = 0; number < total; ++number)
        mover.orders.push_back(order(*mover.wire, number, "S1", time));
    for (std::size_t at = 0; at < sessions; ++at) {
        Wire& wire = *traders[at].wire;
        wire.send(framed(header("V", wire.next_number(), wire.client(), kVenue, time) + "262=md\x01"
                                                                                        "263=1\x01"
                                                                                        "264=5\x01"
                                                                                        "267=3\x01"
                                                                                        "269=0\x01"
                                                                                        "269=1\x01"
                                                                                        "269=2\x01"
                                                                                        "146=1\x01"
                                                                                        "55=S1\x01"));
    }
    const std::int64_t start = clock_ns();
    std::size_t messages = 0;
    std::vector<std::size_t> each(sessions);
    bool gone = false;
    std::size_t moved = 0;
    while (!gone && clock_ns() - start < static_cast<std::int64_t>(seconds * 1e9)) {
        const double elapsed = static_cast<double>(clock_ns() - start) / 1e9;
        const auto due = std::min(total, static_cast<std::size_t>(elapsed * changes));
        std::string bytes;
        while (moved < due) bytes += mover.orders[moved++];
        if (!bytes.empty()) mover.wire->send(bytes);
        poll.wait(1, [&](std::uint32_t at) {
            gone = gone || !traders[at].wire->read([&](std::string_view message) {
                if (message.starts_with("35=W\x01") || message.starts_with("35=X\x01")) {
                    ++messages;
                    ++each[at];
                } else if (message.starts_with("35=8\x01")) {
                    ++mover.answered;
                }
            });
        });
    }
    const double took = static_cast<double>(clock_ns() - start) / 1e9;
    for (Trader& trader : traders) trader.wire->log_out();
    std::cout << "{\"messages\": " << messages << ", \"per_second\": " << static_cast<double>(messages) / took
              << ", \"changes_per_second\": " << static_cast<double>(moved) / took
              << ", \"least\": " << *std::min_element(each.begin(), each.end())
              << ", \"most\": " << *std::max_element(each.begin(), each.end()) << "}\n";
    return gone ? 1 : 0;
}

}  // namespace
}  // namespace fixaccel::exchange

int main(int argc, char** argv) {
    const std::string what = argc == 6 ? argv[1] : "";
    if (what != "orders" && what != "market") {
        std::cerr << "usage: exchange-sim-fix-load orders PORT SESSIONS ORDERS WINDOW\n"
                     "       exchange-sim-fix-load market PORT SESSIONS SECONDS CHANGES\n";
        return 2;
    }
    const auto port = static_cast<std::uint16_t>(std::strtoul(argv[2], nullptr, 10));
    const std::size_t sessions = std::strtoul(argv[3], nullptr, 10);
    try {
        if (what == "orders")
            return fixaccel::exchange::orders(port, sessions, std::strtoul(argv[4], nullptr, 10),
                                              std::strtoul(argv[5], nullptr, 10));
        return fixaccel::exchange::market(port, sessions, std::strtod(argv[4], nullptr),
                                          std::strtod(argv[5], nullptr));
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << "\n";
        return 1;
    }
}
