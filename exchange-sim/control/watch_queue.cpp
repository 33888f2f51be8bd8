// SPDX-License-Identifier: Apache-2.0
#include "control/watch_queue.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace fixaccel::exchange {

WatchQueue::WatchQueue() : wake_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    if (wake_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

WatchQueue::~WatchQueue() { ::close(wake_); }

Harvest WatchQueue::take() {
    std::uint64_t count = 0;
    const std::lock_guard lock(mutex_);
    // Nothing to read is as good: there may be nothing to take.
    [[maybe_unused]] const ssize_t n = ::read(wake_, &count, sizeof count);
    told_ = false;
    return std::exchange(harvest_, {});
}

void WatchQueue::wake() {
    if (std::exchange(told_, true)) return;
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t n = ::write(wake_, &one, sizeof one);
}

void WatchQueue::put(Happened&& event) {
    const std::lock_guard lock(mutex_);
    if (harvest_.events.size() < kMostEvents)
        harvest_.events.push_back(std::move(event));
    else
        ++harvest_.lost;
    wake();
}

void WatchQueue::on_execution(const Order& order, const Execution& execution) {
    if (wants(Watch::kOrders)) put(OrderHappened{order, execution});
}

void WatchQueue::on_trade(const Instrument& instrument, const Print& trade, std::int64_t time_ns,
                          Side aggressor, const std::string& buyer, const std::string& seller) {
    if (wants(Watch::kTrades)) put(TradeHappened{&instrument, trade, time_ns, aggressor, buyer, seller});
}

void WatchQueue::put_book(const Instrument& instrument) {
    if (!wants(Watch::kBooks)) return;
    const std::lock_guard lock(mutex_);
    harvest_.books.insert(&instrument);
    wake();
}

void WatchQueue::on_book(const Exchange& /*exchange*/, const Instrument& instrument) { put_book(instrument); }

// A book is told with its phase.
void WatchQueue::on_phase(const Instrument& instrument, Phase /*phase*/) { put_book(instrument); }

void WatchQueue::on_wire(Direction direction, const std::string& client, const std::string& bytes,
                         std::int64_t time_ns) {
    if (wants(Watch::kMessages)) put(MessageHappened{direction, client, bytes, time_ns});
}

void WatchQueue::on_session(const std::string& /*client*/, bool /*logged_on*/) {
    if (!wants(Watch::kSessions)) return;
    const std::lock_guard lock(mutex_);
    harvest_.sessions = true;
    wake();
}

}  // namespace fixaccel::exchange
