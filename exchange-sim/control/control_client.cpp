// SPDX-License-Identifier: Apache-2.0
#include "control/control_client.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace fixaccel::exchange {
namespace {

constexpr std::size_t kChunk = 16384;
constexpr std::size_t kMostSent = 1024U * 1024;  // to one client in a turn

bool is_for_later() { return errno == EAGAIN || errno == EINTR; }

}  // namespace

ControlClient::~ControlClient() { ::close(fd_); }

bool ControlClient::hear(const Answer& answer) {
    std::array<char, kChunk> chunk;
    const ssize_t n = ::recv(fd_, chunk.data(), chunk.size(), 0);
    if (n < 0) return is_for_later();
    // A first end may be of its requests alone, as of `echo ... | socat`; behind that it is gone.
    if (n == 0) return !std::exchange(silent_, true);
    if (ends_) return true;  // nobody listens any more
    in_.append(chunk.data(), static_cast<std::size_t>(n));
    answer_rest(answer);
    return true;
}

void ControlClient::answer_rest(const Answer& answer) {
    std::size_t begin = 0;
    for (std::size_t end = in_.find('\n'); end != std::string::npos && may_answer();
         end = in_.find('\n', begin)) {
        const std::string_view line = std::string_view(in_).substr(begin, end - begin);
        begin = end + 1;
        if (line.find_first_not_of(" \t\r") != std::string_view::npos) out_ += answer(*this, line);
    }
    in_.erase(0, begin);
    if (in_.size() > kMostLine && in_.find('\n') == std::string::npos)
        refuse(line_of({{"id", nullptr},
                        {"ok", false},
                        {"error", "the request is longer than " + std::to_string(kMostLine) + " bytes"},
                        {"help", "a request is one line of JSON"}}));
}

void ControlClient::refuse(const std::string& line) {
    out_ += line;
    in_.clear();
    watch_.reset();
    ends_ = true;
}

bool ControlClient::flush() {
    for (const std::size_t most = sent_ + kMostSent; has_to_write() && sent_ < most;) {
        const ssize_t n = ::send(fd_, out_.data() + sent_, out_.size() - sent_, MSG_NOSIGNAL);
        if (n < 0) return is_for_later();
        sent_ += static_cast<std::size_t>(n);
    }
    if (!has_to_write()) {
        out_.clear();
        sent_ = 0;
        if (ends_ || (silent_ && !watch_ && !has_more())) return false;
        say_lost();
    } else if (sent_ >= kMostSent) {
        out_.erase(0, std::exchange(sent_, 0));
    }
    return true;
}

void ControlClient::begin_watch(const WatchTerms& terms, const std::vector<const Instrument*>& instruments) {
    watch_ = terms;
    sessions_.clear();
    books_.clear();
    next_books_ = {};
    // What is there comes first, then what changes.
    if (watches(Watch::kBooks)) books_.insert(instruments.begin(), instruments.end());
}

bool ControlClient::within_rate(Clock::time_point now) {
    if (watch_->most_per_second == 0) return true;
    if (now - second_ >= std::chrono::seconds(1)) {
        second_ = now;
        in_second_ = 0;
    }
    return ++in_second_ <= watch_->most_per_second;
}

void ControlClient::tell(const std::string& line, Clock::time_point now) {
    if (!has_room(line.size()) || !within_rate(now)) return lose(1);
    say_lost();
    out_ += line;
}

void ControlClient::lose(std::uint64_t count) { lost_ += count; }

// Once there is room for what follows it.
void ControlClient::say_lost() {
    if (lost_ == 0 || !watch_) return;
    out_ += line_of({{"event", "lost"}, {"count", std::exchange(lost_, 0)}});
}

void ControlClient::tell_session(const VenueClient& client, const SessionStats& stats) {
    ControlJson view = session_view(client, stats);
    std::string told = view.dump(-1, ' ', false, ControlJson::error_handler_t::replace);
    std::string& before = sessions_[client.name];
    if (told == before || !has_room(told.size())) return;
    before = std::move(told);
    ControlJson event{{"event", "session"}};
    event.update(view);
    out_ += line_of(event);
}

std::vector<const Instrument*> ControlClient::books_due(Clock::time_point now) {
    if (books_.empty() || now < next_books_ || !has_room(kMostUnread)) return {};
    next_books_ = now + watch_->interval;
    std::vector<const Instrument*> out(books_.begin(), books_.end());
    books_.clear();
    return out;
}

void ControlClient::tell_books(const std::vector<BookSeen>& books, std::int64_t time_ns) {
    for (const BookSeen& book : books) {
        std::string line = line_of(book_view(book, time_ns, watch_->depth));
        if (has_room(line.size()))
            out_ += line;
        else
            books_.insert(book.instrument);  // as it is by then
    }
}

std::optional<ControlClient::Clock::time_point> ControlClient::next() const {
    if (books_.empty() || !has_room(kMostUnread)) return std::nullopt;
    return next_books_;
}

}  // namespace fixaccel::exchange
