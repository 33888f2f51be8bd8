// SPDX-License-Identifier: Apache-2.0
// Plays the flow of a public benchmark of matching engines, and compares all that the engine says with what
// the benchmark's three engines agree on: the SHA-256 of the reports, in the benchmark's own form.
//   exchange-sim-consensus [SCENARIO ...]    all of them without one; exit status 1 where one differs
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <span>
#include <string_view>

#include "matching/engine.hpp"
#include "tests/consensus_flow.hpp"

namespace fixaccel::exchange {
namespace {

constexpr std::size_t kOrders = 1'000'000;
constexpr std::uint32_t kSeed = 23;
constexpr Price kHighest = 100'000'000;

class Digest {
  public:
    Digest() : context_(EVP_MD_CTX_new()) { EVP_DigestInit_ex(context_, EVP_sha256(), nullptr); }
    ~Digest() { EVP_MD_CTX_free(context_); }
    Digest(const Digest&) = delete;
    Digest& operator=(const Digest&) = delete;

    // A report is a line of numbers, and no line ends the last one.
    void report(std::span<const std::int64_t> numbers) {
        if (!first_) text_.push_back('\n');
        first_ = false;
        for (std::size_t at = 0; at < numbers.size(); ++at) {
            std::array<char, 24> digits;
            const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), numbers[at]).ptr;
            if (at > 0) text_.push_back(',');
            text_.append(digits.data(), end);
        }
        if (text_.size() > (std::size_t{1} << 16U)) flush();
    }
    std::string hex() {
        flush();
        std::array<unsigned char, EVP_MAX_MD_SIZE> sum{};
        unsigned size = 0;
        EVP_DigestFinal_ex(context_, sum.data(), &size);
        std::string out;
        for (unsigned at = 0; at < size; ++at) {
            std::array<char, 3> pair{};
            std::snprintf(pair.data(), pair.size(), "%02x", sum[at]);
            out += pair.data();
        }
        return out;
    }

  private:
    void flush() {
        EVP_DigestUpdate(context_, text_.data(), text_.size());
        text_.clear();
    }

    EVP_MD_CTX* context_;
    std::string text_;
    bool first_ = true;
};

// The benchmark's words for what an engine says. Within a message they go by their number, trades as they
// came.
enum Report : std::uint8_t { kAck, kTrade, kCanceled, kModified, kCancelRefused, kModifyRefused };

class Player {
  public:
    Player() : engine_({BookRules{.lot = 1, .lowest = 1, .highest = kHighest, .ticks = {}}}) {
        orders_.resize(kOrders + 1);
    }

    void play(const consensus::Message& message) {
        using Kind = consensus::Message::Kind;
        Known& order = orders_[message.order];
        const std::int64_t side = message.sells ? 1 : 0;
        const std::int64_t name = message.order;
        if (message.kind == Kind::kNew) {
            digest.report(std::array{std::int64_t{kAck}, next_, side, name, message.price,
                                     std::int64_t{message.quantity}});
            enter(message);
            if (message.immediate && left_ > 0)
                digest.report(std::array{std::int64_t{kCanceled}, next_, side, name, message.price});
        } else if (message.kind == Kind::kCancel) {
            if (withdraw(order))
                digest.report(std::array{std::int64_t{kCanceled}, next_, side, name, order.price});
            else
                digest.report(std::array{std::int64_t{kCancelRefused}, next_, name});
        } else if (withdraw(order)) {
            // Whatever a modify changes, here the order comes anew, with all that it asks for.
            enter(message);
            digest.report(std::array{std::int64_t{kModified}, next_, side, name, message.price,
                                     std::int64_t{message.quantity}});
        } else {
            digest.report(std::array{std::int64_t{kModifyRefused}, next_, name});
        }
        ++next_;
    }

    Digest digest;
    std::uint64_t trades = 0;

  private:
    struct Known {
        OrderId id = 0;
        std::int64_t price = 0;
    };

    void enter(const consensus::Message& message) {
        exchange::Message add;
        add.kind = MessageKind::kAdd;
        add.side = message.sells ? Side::kSell : Side::kBuy;
        add.reference = message.order;
        add.terms.price = message.price;
        add.terms.quantity = message.quantity;
        add.terms.tif = message.immediate ? TimeInForce::kImmediateOrCancel : TimeInForce::kDay;
        left_ = message.quantity;
        Known& order = orders_[message.order];
        order.price = message.price;
        for (const Event& event : engine_.apply(add)) {
            if (event.kind == EventKind::kAccepted) order.id = event.order;
            if (event.kind != EventKind::kTrade) continue;
            ++trades;
            left_ -= event.quantity;
            digest.report(std::array{std::int64_t{kTrade}, next_, event.price, event.quantity,
                                     static_cast<std::int64_t>(event.other_reference),
                                     static_cast<std::int64_t>(event.reference)});
        }
        engine_.clear_changed();
    }

    // False: the engine does not have it any more.
    bool withdraw(const Known& order) {
        exchange::Message cancel;
        cancel.kind = MessageKind::kCancel;
        cancel.order = order.id;
        const bool there = order.id != 0 && engine_.apply(cancel).front().kind == EventKind::kCanceled;
        engine_.clear_changed();
        return there;
    }

    Engine engine_;
    std::vector<Known> orders_;
    std::int64_t next_ = 0;  // of the messages
    std::int64_t left_ = 0;  // of the order that came
};

bool same(const consensus::Scenario& scenario) {
    Player player;
    const auto messages = consensus::flow(scenario, kOrders, kSeed);
    for (const consensus::Message& message : messages) player.play(message);
    const std::string sum = player.digest.hex();
    std::printf("%s: %zu messages, %llu trades, %s %s\n", scenario.name.c_str(), messages.size(),
                static_cast<unsigned long long>(player.trades), sum.c_str(),
                sum == scenario.sha256 ? "as published" : "NOT AS PUBLISHED");
    return sum == scenario.sha256;
}

int run(std::span<char* const> names) {
    bool good = true;
    for (const consensus::Scenario& scenario : consensus::scenarios()) {
        const bool asked =
            std::any_of(names.begin(), names.end(), [&](const char* name) { return scenario.name == name; });
        if (names.empty() || asked) good = same(scenario) && good;
    }
    return good ? 0 : 1;
}

}  // namespace
}  // namespace fixaccel::exchange

int main(int argc, char** argv) {
    return fixaccel::exchange::run(std::span<char* const>(argv, static_cast<std::size_t>(argc)).subspan(1));
}
