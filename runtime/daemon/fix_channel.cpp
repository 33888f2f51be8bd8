// SPDX-License-Identifier: Apache-2.0
#include "fix_channel.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "log.hpp"
#include "market_feed.hpp"

namespace fixaccel {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t kReadBytes = 64U * 1024;  // then the event ring is looked at again
constexpr auto kWriteLimit = std::chrono::milliseconds(500);
constexpr std::chrono::nanoseconds kReadTurn = std::chrono::milliseconds(20);  // then all else has its turn
constexpr std::chrono::nanoseconds kLate =
    std::chrono::milliseconds(250);  // between two looks at the engine's timers

constexpr unsigned kOrderIdField = 11;
constexpr unsigned kMsgSeqNum = 34;
constexpr unsigned kPossDupField = 43;
constexpr unsigned kText = 58;

// MsgSeqNum(34); 0 if there is none.
std::uint32_t seq_num_of(const MarketText& message) {
    if (message.header().usual) return static_cast<std::uint32_t>(message.header().number);
    const std::string_view text = fix_field(message.text(), kMsgSeqNum);
    std::uint32_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

}  // namespace

FixChannel::FixChannel(const char* name, const FixFile& settings, const DaemonConfig& config, FixStore& store,
                       OrderTimes& times)
    : config_(config),
      times_(times),
      name_(name),
      store_(store),
      fix_(settings, config.resend, store, *this) {}

void FixChannel::connect() {
    ended_.clear();
    parted_ = logged_out_ = closed_ = more_ = false;
    peer_text_.clear();
    framer_.clear();
    highest_ = 0;
    if (feed_ != nullptr) feed_->begin();
    auto connection = std::make_unique<Connection>(
        settings().host, settings().port, config_.max_segment,
        std::chrono::duration_cast<std::chrono::microseconds>(config_.cpu.busy_poll), times_.stamps());
    begins(connection->flow());
    connection->start();
    connection_ = std::move(connection);
}

void FixChannel::writable() {
    try {
        connection_->finish();
        established(*connection_);
    } catch (const ConnectionError& error) {
        end(settings().host + ":" + std::to_string(settings().port) + ": " + error.what());
        return;
    } catch (const CommitError& error) {
        end(error);
        return;
    }
    fix_.connected();
    fix_.tick();
}

void FixChannel::read() {
    if (more_) return;
    const std::size_t had = framer_.bytes().size();
    closed_ = connection_->read(framer_.bytes(), kReadBytes) == Connection::Read::closed;
    read_at_ = steady_clock::now();
    // Whoever waits for something to read is woken by the kernel's word on what has left, too.
    if (times_.by_kernel() && (times_.awaits_departures() || framer_.bytes().size() == had))
        take_departures();
    const Stamp came = connection_->came().value_or(Stamp{std::min(times_.woken(), read_at_), StampBy::app});
    arrival_ = {came.at, read_at_, came.by};
}

void FixChannel::hand_over() {
    const auto until = steady_clock::now() + std::min(kReadTurn, config_.limits.watchdog / 8);
    more_ = false;
    while (!more_ && ended_.empty() && framer_.next(message_)) {
        seen_.read(message_);
        const std::uint32_t number = seq_num_of(seen_);
        highest_ = std::max(highest_, number);
        if (feed_ != nullptr) feed_->arrives(seen_);
        fix_.receive(message_, seen_.header());
        late_ = false;
        if (feed_ != nullptr) feed_->arrived(seen_, number);
        if (ended_.empty()) fix_.look_at_timers();
        more_ = steady_clock::now() >= until;
    }
    if (closed_ && !more_) end("the venue closed the connection");
}

// Behind a long stay elsewhere - a long resend, a machine that stood still - what the venue has said
// meanwhile comes first, however many looks at the timers come between: the engine would take the venue for
// silent.
void FixChannel::tick() {
    const auto now = steady_clock::now();
    late_ = late_ || now - ticked_ > kLate;
    ticked_ = now;
    if (!connected() || !ended_.empty()) return;
    if (late_ && (more_ || connection_->readable())) return;
    late_ = false;
    fix_.tick();
}

void FixChannel::logout(const std::string& reason) {
    if (!connection_ || !ended_.empty()) return;
    // It might log on behind that.
    if (!logged_on()) return end(reason);
    fix_.logout(reason);
}

void FixChannel::close() {
    if (!connection_) return;
    fix_.disconnected();
    closing(*connection_);
    if (feed_ != nullptr) feed_->forget();
    connection_.reset();
    framer_.clear();
    more_ = false;
    ended_.clear();
}

void FixChannel::end(const std::string& reason) {
    if (ended_.empty()) ended_ = reason;
}

void FixChannel::end(const std::exception& error) {
    if (ended_.empty()) parted_ = dynamic_cast<const CommitError*>(&error) != nullptr;
    end(std::string(error.what()));
}

// The kernel's stamp is of the last byte: what has others behind it may have come before.
Arrival FixChannel::arrival() const {
    Arrival arrival = arrival_;
    if (arrival.by != StampBy::app && framer_.pending() != 0) arrival.by = StampBy::shared;
    return arrival;
}

std::uint32_t FixChannel::read_seq() const {
    return connection_->read_seq() - static_cast<std::uint32_t>(framer_.pending());
}

bool FixChannel::write(const std::string& message) noexcept {
    if (!connection_) return false;
    writing(message.size());
    times_.mark(OrderStage::engine);
    written_at_ = steady_clock::now();
    if (connection_->write(message, kWriteLimit, times_.in_hand() && times_.by_kernel())) {
        note_times(message);
        return true;
    }
    end("the connection takes no more data");
    return false;
}

void FixChannel::note_times(const std::string& message) {
    if (times_.in_hand())
        times_.left(fix_field(message, kOrderIdField));
    else if (times_.on() && fix_field(message, kPossDupField) == "Y")
        times_.resent(fix_field(message, kOrderIdField));
}

void FixChannel::settle() {
    times_.settle(connected() ? connection_->written() : 0);
    if (connected() && times_.awaits_departures()) take_departures();
}

void FixChannel::take_departures() {
    while (const auto left = connection_->left()) times_.departed(left->bytes, left->at);
}

void FixChannel::before_reset() noexcept {
    reset_ = logged_on();
    highest_ = 0;
    try {
        numbers_begin_anew();
    } catch (const std::exception& error) {
        end(error);
    }
}

void FixChannel::disconnect() noexcept {
    if (!peer_text_.empty()) return end("the venue logged the session out: " + peer_text_);
    end(logged_out_ ? "the venue logged the session out" : "the FIX session gave up the connection");
}

void FixChannel::on_logon() noexcept { log_line(std::string(name_) + ": logged on"); }

void FixChannel::on_logout() noexcept { log_line(std::string(name_) + ": logged out"); }

void FixChannel::on_message(const std::string& type, const std::string& message) noexcept {
    try {
        if (type == "5") logged_out_ = true;
        if (type == "5") peer_text_ = printable(std::string(fix_field(message, kText)));
        if (feed_ != nullptr) feed_->taken(type, message);
        heard(type, message);
    } catch (const std::exception& error) {
        end(error);
    }
}

void FixChannel::on_event(const std::string& text) noexcept { log_line(std::string(name_) + ": " + text); }

}  // namespace fixaccel
