// SPDX-License-Identifier: Apache-2.0
#include "tests/consensus_flow.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>
#include <utility>

namespace fixaccel::exchange::consensus {
namespace {

constexpr double kTick = 0.005;
constexpr double kFirstMiddle = 167.52;
constexpr std::size_t kLevels = 800;            // distances from the middle, in ticks
constexpr double kMedianLife = 0.431 * 1000.0;  // microseconds

// As the rules have it, draw by draw: the same words of the generator give the same flow everywhere.
class Draw {
  public:
    explicit Draw(std::uint32_t seed) : words_(seed) {}

    // 0 to 1, of 53 bits.
    double share() {
        const double high = static_cast<double>(words_() >> 5U);
        const double low = static_cast<double>(words_() >> 6U);
        return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0);
    }
    bool happens(double probability) { return share() < probability; }
    std::uint32_t between(std::uint32_t least, std::uint32_t most) {
        return least + static_cast<std::uint32_t>(share() * (most - least + 1));
    }
    // Box and Muller's, of two draws.
    double normal() {
        const double one = std::max(share(), 1e-300);
        const double other = share();
        return std::sqrt(-2.0 * std::log(one)) * std::cos(2.0 * std::numbers::pi * other);
    }
    double exponential(double rate) { return -std::log(std::max(share(), 1e-300)) / rate; }
    // Of a cancel or a modify that comes behind another: so many microseconds later.
    std::int64_t shortly() { return 1 + static_cast<std::int64_t>(share() * 20); }

  private:
    std::mt19937 words_;
};

// How far from the middle an order lies: a power law, and more of them some eight ticks out.
class Distance {
  public:
    Distance() {
        double sum = 0;
        for (std::size_t at = 0; at < kLevels; ++at) {
            const double off = static_cast<double>(at) - 8.0;
            sum += 1.0 / std::pow(static_cast<double>(at) + 1.0, 2.23) + 5.0 * std::exp(-0.5 * off * off);
            sums_[at] = sum;
        }
    }
    int operator()(Draw& draw) const {
        const auto found = std::lower_bound(sums_.begin(), sums_.end(), draw.share() * sums_.back());
        return static_cast<int>(std::min<std::ptrdiff_t>(found - sums_.begin(), kLevels - 1));
    }

  private:
    std::array<double, kLevels> sums_{};
};

struct Placed {
    std::int64_t price = 0;
    std::uint32_t quantity = 0;
    int distance = 0;
    bool sells = false;
};

// Buyers along the first half of the walk, sellers along the second.
std::vector<Placed> place(const Scenario& scenario, std::size_t orders, Draw& draw) {
    const Distance distance;
    const double count = static_cast<double>(orders);
    const double step =
        scenario.volatility > 0 ? std::pow(scenario.swing / scenario.volatility, 2.0) / count : 0;
    const double sigma = scenario.volatility * std::sqrt(step);
    std::vector<Placed> placed;
    placed.reserve(orders);
    double middle = kFirstMiddle;
    for (std::size_t at = 0; at < orders; ++at) {
        middle *= std::exp(-0.5 * sigma * sigma + sigma * draw.normal());
        const std::int64_t ticks = std::llround(std::round(middle / kTick) * kTick / kTick);
        Placed order;
        order.distance = distance(draw);
        order.sells = at >= orders / 2;
        const std::int64_t away = order.distance + 1;
        order.price = std::max<std::int64_t>(1, order.sells ? ticks + away : ticks - away);
        order.quantity = draw.between(1, 100);
        placed.push_back(order);
    }
    return placed;
}

// What becomes of one order, from `now` on; when the next one comes.
std::int64_t live(const Placed& placed, std::uint32_t number, std::int64_t now, Draw& draw,
                  std::vector<Message>& messages) {
    using Kind = Message::Kind;
    Message message{now, Kind::kNew, placed.sells, draw.happens(0.15), placed.quantity, number, placed.price};
    messages.push_back(message);
    if (message.immediate) return now + 1;
    const auto send = [&](Kind kind, std::int64_t time, const Message& terms) {
        messages.push_back(terms);
        messages.back().kind = kind;
        messages.back().time = time;
        return time;
    };
    Message changed = message;
    changed.quantity += 1;
    const bool modified = draw.happens(0.20);
    if (modified) {
        const std::int64_t time = now + 30 + static_cast<std::int64_t>(draw.share() * 70);
        if (draw.happens(0.80)) changed.price += placed.sells ? -1 : 1;
        now = send(Kind::kModify, time, changed);
    }
    const bool canceled = draw.happens(0.95);
    if (canceled) {
        // Those deeper in the book live longer.
        const double rate = std::log(2.0) / kMedianLife / std::sqrt(1.0 + placed.distance);
        now = send(Kind::kCancel, now + static_cast<std::int64_t>(draw.exponential(rate)), message);
        if (draw.happens(0.02)) now = send(Kind::kCancel, now + draw.shortly(), message);
    }
    if (modified && canceled && draw.happens(0.02)) now = send(Kind::kModify, now + draw.shortly(), changed);
    return now + 1;
}

}  // namespace

const std::vector<Scenario>& scenarios() {
    static const std::vector<Scenario> all = {
        {"static", 0.00, 0.00, "9803843ee404fc29c9a0aa5614f8f0d5a58b5c44fcac9ef89067886fcaaa30d1"},
        {"normal", 0.15, 0.02, "e9b2e3926854410b01a035aeb25dd05f1e597c233be8263de9eb49b6713d367e"},
        {"swing-25", 0.50, 0.25, "61a84be9469661bd039e00dbc9a7c011e70b6ace37aadfe60045ea083b05f4df"},
        {"swing-40", 0.50, 0.40, "3cb0175e7982ff09ea220d1feaee3844cf9116a5ce455757879dea1d880b9b9f"},
        {"flash-crash", 0.50, 0.60, "cff8d3f94b709fc64a8b2058a6ca4fb6920364904796e46906895e362d2bb16b"},
    };
    return all;
}

std::vector<Message> flow(const Scenario& scenario, std::size_t orders, std::uint32_t seed) {
    Draw draw(seed);
    const std::vector<Placed> placed = place(scenario, orders, draw);
    std::vector<std::uint32_t> arrival(orders);
    std::iota(arrival.begin(), arrival.end(), 0U);
    for (std::size_t left = orders - 1; left > 0; --left)
        std::swap(arrival[left], arrival[draw.between(0, static_cast<std::uint32_t>(left))]);
    std::vector<Message> messages;
    messages.reserve(orders * 9 / 4);
    std::int64_t now = 0;
    for (const std::uint32_t next : arrival) now = live(placed[next], next + 1, now, draw, messages);
    std::stable_sort(messages.begin(), messages.end(),
                     [](const Message& one, const Message& other) { return one.time < other.time; });
    return messages;
}

}  // namespace fixaccel::exchange::consensus
