// SPDX-License-Identifier: Apache-2.0
// One that is connected to the control socket: what it has asked, what it watches, what it has not read yet.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "control/requests.hpp"

namespace fixaccel::exchange {

class ControlClient {
  public:
    using Clock = std::chrono::steady_clock;
    using Answer = std::function<std::string(ControlClient&, std::string_view line)>;

    static constexpr std::size_t kMostLine = 64U * 1024;
    static constexpr std::size_t kMostUntold = 4U * 1024 * 1024;  // of events, unread
    static constexpr std::size_t kMostUnread = 1U * 1024 * 1024;  // beyond it nothing more is answered

    // Owns the descriptor of a socket that does not block.
    explicit ControlClient(int fd) : fd_(fd) {}
    ControlClient(const ControlClient&) = delete;
    ControlClient& operator=(const ControlClient&) = delete;
    ~ControlClient();

    int fd() const { return fd_; }
    // Whether it is to be heard: not while it does not read its answers, nor behind its last word.
    bool hears() const { return !ends_ && !silent_ && may_answer(); }
    bool has_to_write() const { return sent_ != out_.size(); }
    // Lines that were heard wait to be answered, and may be.
    bool has_more() const { return may_answer() && in_.find('\n') != std::string::npos; }

    // Reads what has come and answers it. False: the connection is of no more use.
    bool hear(const Answer& answer);
    // Answers lines that were heard before, while it was not reading.
    void answer_rest(const Answer& answer);
    // Sends what can be sent. False: the connection is of no more use, or there is nothing more to say.
    bool flush();
    // Tells it a last line, then no more.
    void refuse(const std::string& line);

    // ---- What it watches

    const std::optional<WatchTerms>& watch() const { return watch_; }
    void begin_watch(const WatchTerms& terms, const std::vector<const Instrument*>& instruments);
    bool watches(Watch what) const { return watch_ && (watch_->what & static_cast<unsigned>(what)) != 0; }
    // A trade, an order or a message: it is lost where there is no room, or were too many of them.
    void tell(const std::string& line, Clock::time_point now);
    void lose(std::uint64_t count);
    // Sessions, where they have changed since they were last told.
    void tell_session(const VenueClient& client, const SessionStats& stats);

    void book_changed(const Instrument* instrument) { books_.insert(instrument); }
    // Whose books are to be told now; none before the interval is over, or while there is no room.
    std::vector<const Instrument*> books_due(Clock::time_point now);
    void tell_books(const std::vector<BookSeen>& books, std::int64_t time_ns);
    // When books are due that have changed.
    std::optional<Clock::time_point> next() const;

  private:
    bool has_room(std::size_t bytes) const { return out_.size() - sent_ + bytes <= kMostUntold; }
    bool may_answer() const { return out_.size() - sent_ < kMostUnread; }
    bool within_rate(Clock::time_point now);
    void say_lost();

    int fd_;
    bool ends_ = false;    // it is told no more
    bool silent_ = false;  // it says no more; what it watches goes on
    std::string in_;
    std::string out_;
    std::size_t sent_ = 0;  // of out_
    std::optional<WatchTerms> watch_;
    std::set<const Instrument*> books_;
    Clock::time_point next_books_{};
    std::unordered_map<std::string, std::string> sessions_;  // as they were last told
    Clock::time_point second_{};
    std::size_t in_second_ = 0;
    std::uint64_t lost_ = 0;
};

}  // namespace fixaccel::exchange
