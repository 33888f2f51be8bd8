// SPDX-License-Identifier: Apache-2.0
// What the daemon has to do with the venue: one FIX session for orders and market data, or two, of which one
// is for market data alone.
#pragma once

#include <poll.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "by_hand.hpp"
#include "engine.hpp"
#include "fixaccel/ledger.hpp"
#include "market_channel.hpp"
#include "market_feed.hpp"
#include "order_channel.hpp"
#include "reconciliation.hpp"

namespace fixaccel {

class SessionLink {
  public:
    // Settings of QuickFIX as `config` names them, for market data where those have a session of their own.
    // Throws FixConfigError.
    SessionLink(const DaemonConfig& config, Engine& engine, Ledger& ledger, OrderTimes& times);

    // Opens the connections that do not stand, and gives the fabric their flows. Throws ConnectionError.
    void connect();
    // A connection is being opened.
    bool connecting() const;
    // Adds what to wait for.
    void watch(std::vector<pollfd>& out) const;
    // That socket is ready, or there is more of it.
    void ready(int fd);
    // There was no time for all that had come on that socket; on any.
    bool more(int fd) const;
    bool more() const { return orders_.more() || (market_ && market_->more()); }
    // Call a few times a second.
    void tick();
    void logout(const std::string& reason);
    // Ends the connections. The board must be disarmed.
    void close();
    // Ends that of market data alone, likewise.
    void close_market();
    // Ends what has not come about.
    void give_up() { orders_.connecting() ? close() : close_market(); }

    bool connected() const { return orders_.connected() && (!market_ || market_->connected()); }
    bool any_connected() const { return orders_.connected() || (market_ && market_->connected()); }
    bool logged_on() const { return orders_.logged_on() && (!market_ || market_->logged_on()); }
    // Why the connections have to be closed; empty while they are fine, or there is none. On the way out,
    // once there is nothing more to wait for.
    std::string ended() const;
    bool only_market_ended() const { return market_ && !market_->ended().empty() && orders_stand(); }
    // Orders can be seen to, whatever is of market data.
    bool orders_stand() const { return orders_.connected() && orders_.ended().empty(); }
    // It has to because kernel and fabric disagree on what was sent.
    bool parted() const { return orders_.parted(); }
    // Both sides have said Logout: there is nothing to come back to.
    bool logged_out() const { return orders_.logged_out() || (market_ && market_->logged_out()); }

    // Both numbers of a session have begun anew in mid-session since the last call.
    bool take_reset();

    MarketFeed& market_data() { return feed_; }
    const MarketFeed& market_data() const { return feed_; }
    OrderChannel& orders() { return orders_; }
    const OrderChannel& orders() const { return orders_; }
    // The session for market data alone; null if there is none.
    const FixChannel* market() const { return market_.get(); }

    // What was written to the connections is on its way.
    bool flows() const { return orders_.flows() && (!market_ || market_->flows()); }
    // Nothing that the venue has sent is missing: what it was asked to send again has come.
    bool complete() const { return orders_.complete() && (!market_ || market_->complete()); }
    // MsgSeqNum that the next message with market data must have, or whatever comes on that session.
    int next_number() const { return carrier().next_number(); }
    bool timestamps() const { return orders_.timestamps() || (market_ && market_->timestamps()); }

  private:
    const FixChannel& carrier() const;
    FixChannel& carrier();
    void read(FixChannel& channel);

    Engine& engine_;
    OrderChannel orders_;
    std::unique_ptr<MarketChannel> market_;  // null: market data come on the same session
    MarketFeed feed_;
    bool leaving_ = false;  // a Logout was asked for
};

}  // namespace fixaccel
