// SPDX-License-Identifier: Apache-2.0
// Readers of the bus for C++: what compiler/fixaccel/bus/reader.py promises, by the same rules. A reader
// outlives its connections: when one has ended (LinkError), another is made and attached, and what was missed
// is told.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bus/nats_link.hpp"
#include "bus/subjects.hpp"

namespace fixaccel::bus {

// Events that are asked for are not in the stream any more, or one is not understood; the text names them.
class ReaderError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct QuoteSeen {
    std::string symbol, kind;
    std::uint64_t run = 0, n = 0;
    std::int64_t ts_ns = 0;
    nlohmann::json msg, top;
    std::optional<std::uint64_t> missed = 0;  // none: nobody knows how many
    bool stale = false;                       // it is not known whether `top` still holds
};

// Messages of one board, from any number of ways, each once and never backwards.
class QuoteOrder {
  public:
    // What is new in it; none for what was known already.
    std::optional<QuoteSeen> take(const nlohmann::json& message);
    // Nothing is heard of the board: those that were not stale already.
    std::vector<QuoteSeen> doubt();

  private:
    struct Known {
        QuoteSeen quote;
        std::uint64_t gaps = 0;
    };
    std::map<std::string, Known> known_;
};

// Every message of a board, live; the image of each instrument first.
class LiveReader {
  public:
    LiveReader(const std::string& site, const std::string& board) : subjects_(site, board) {}

    // Throws LinkError. `link` must stay while next() is called.
    void attach(Link& link);
    // None within that time. Throws LinkError.
    std::optional<QuoteSeen> next(std::chrono::milliseconds most);

  private:
    void take(const LinkMessage& message);
    void doubt();

    Subjects subjects_;
    QuoteOrder order_;
    std::optional<Subscription> messages_, heartbeats_;
    std::deque<QuoteSeen> ready_;
    std::chrono::steady_clock::time_point heard_{};
    bool attached_ = false;
};

struct EventSeen {
    std::uint64_t n = 0, record = 0;
    std::string kind, type;
    std::int64_t time_ns = 0;
    nlohmann::json data;
};

// Every event of a board behind number `after`, once and in order. Its position is to be stored with the
// effect.
class EventReader {
  public:
    // `principal`: whose consumer it is, as in the site's file.
    EventReader(const std::string& site, const std::string& board, std::string principal, std::uint64_t after)
        : subjects_(site, board), principal_(std::move(principal)), position_(after), done_(after) {}

    void attach(Link& link);
    // Throws LinkError, ReaderError.
    std::optional<EventSeen> next(std::chrono::milliseconds most);
    // The effect of event `n` is stored: it need not be sent again. Throws LinkError.
    void ack(std::uint64_t n);
    std::uint64_t position() const { return position_; }

  private:
    void ask();
    void offer(const LinkMessage& message);
    void read_on();

    Subjects subjects_;
    std::string principal_;
    std::uint64_t position_, done_;
    Link* link_ = nullptr;
    std::string inbox_;
    std::optional<Subscription> stored_;
    std::map<std::uint64_t, std::string> held_;     // by number
    std::map<std::uint64_t, std::string> replies_;  // where their acks go
    std::chrono::steady_clock::time_point next_ask_{};
};

}  // namespace fixaccel::bus
