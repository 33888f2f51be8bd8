// SPDX-License-Identifier: Apache-2.0
#include "session_link.hpp"

#include <algorithm>

namespace fixaccel {
namespace {

bool is_over(const FixChannel& channel) { return !channel.ended().empty() || !channel.connected(); }

}  // namespace

SessionLink::SessionLink(const DaemonConfig& config, Engine& engine, Ledger& ledger, OrderTimes& times)
    : engine_(engine),
      orders_(config.quickfix, config, engine, ledger, times),
      market_(config.quickfix_market.path.empty()
                  ? nullptr
                  : std::make_unique<MarketChannel>(config.quickfix_market, config, engine, orders_, times)),
      feed_(carrier(), orders_, {orders_.port(), orders_.stand_in_port()}, config, engine, ledger, times) {
    carrier().carry(feed_);
}

const FixChannel& SessionLink::carrier() const {
    if (market_) return *market_;
    return orders_;
}

FixChannel& SessionLink::carrier() {
    if (market_) return *market_;
    return orders_;
}

void SessionLink::connect() {
    leaving_ = false;
    if (!market_) engine_.forget_market_flow();
    engine_.set_comp_ids(carrier().settings().target_comp_id, carrier().settings().sender_comp_id);
    if (orders_.fd() < 0) orders_.connect();
    if (market_ && market_->fd() < 0) market_->connect();
}

bool SessionLink::connecting() const { return orders_.connecting() || (market_ && market_->connecting()); }

void SessionLink::watch(std::vector<pollfd>& out) const {
    for (const FixChannel* channel :
         {static_cast<const FixChannel*>(&orders_), static_cast<const FixChannel*>(market_.get())})
        if (channel != nullptr && channel->fd() >= 0)
            out.push_back({channel->fd(), static_cast<short>(channel->connecting() ? POLLOUT : POLLIN), 0});
}

void SessionLink::ready(int fd) {
    if (fd < 0) return;
    FixChannel* channel = fd == orders_.fd() ? static_cast<FixChannel*>(&orders_) : market_.get();
    if (channel == nullptr || channel->fd() != fd) return;
    channel->connecting() ? channel->writable() : read(*channel);
}

void SessionLink::read(FixChannel& channel) {
    channel.read();
    // An answer to a fire may be among what was read; the fire went into the ring before it left. The FIX
    // engine must know of it first.
    // And it must be known from which message on a load counts.
    try {
        engine_.take_fires();
        engine_.look_for_gap();
        engine_.advance_load();
    } catch (const CommitError& error) {
        orders_.end(error);
    }
    channel.hand_over();
}

bool SessionLink::more(int fd) const {
    return (orders_.more() && orders_.fd() == fd) || (market_ && market_->more() && market_->fd() == fd);
}

void SessionLink::tick() {
    orders_.tick();
    if (market_) market_->tick();
    feed_.tick();
}

void SessionLink::logout(const std::string& reason) {
    leaving_ = true;
    if (market_) market_->logout(reason);
    orders_.logout(reason);
}

void SessionLink::close() {
    close_market();
    orders_.close();
}

void SessionLink::close_market() {
    if (market_) market_->close();
}

std::string SessionLink::ended() const {
    if (!market_) return orders_.ended();
    if (leaving_ && !(is_over(orders_) && is_over(*market_))) return {};
    if (!orders_.ended().empty()) return orders_.ended();
    return market_->ended().empty() ? std::string() : "market data: " + market_->ended();
}

bool SessionLink::take_reset() {
    const bool orders = orders_.take_reset();
    return (market_ && market_->take_reset()) || orders;
}

}  // namespace fixaccel
