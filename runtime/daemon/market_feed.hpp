// SPDX-License-Identifier: Apache-2.0
// Market data of the session that they come on: what is subscribed to, how far the stream has been read, and
// the rules that the runtime evaluates, message by message.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "by_hand.hpp"
#include "engine.hpp"
#include "fix_channel.hpp"
#include "fixaccel/boundaries.hpp"
#include "fixaccel/observer.hpp"
#include "software.hpp"
#include "subscriptions.hpp"

namespace fixaccel {

class MarketFeed {
  public:
    // The way of orders: of the runtime's rules, and of the fabric's where the runtime stands in for it.
    struct Ports {
        OrderPort& own;
        OrderPort& stand_in;
    };

    // `channel`: that it comes on. `orders`: where orders leave; what is amiss with them ends that one.
    MarketFeed(FixChannel& channel, FixChannel& orders, Ports ports, const DaemonConfig& config,
               Engine& engine, const Ledger& ledger, OrderTimes& times);

    // A connection begins: nothing is subscribed to on it.
    void begin();
    // It has ended.
    void forget();
    // A message has come, and the FIX engine is about to have it.
    void arrives(const MarketText& message);
    // The FIX engine has taken a message: that one, or another that has waited for it.
    void taken(const std::string& type, const std::string& message);
    // It has had the message that came, of that MsgSeqNum, whatever it did with it.
    void arrived(const MarketText& message, std::uint32_t seq_num);
    void tick();
    // Rules `at` a time fire when it has come.
    void keep_time();

    // Market data of just these, and a first snapshot of each: nothing is known any more of what was.
    void subscribe(const std::vector<std::string>& symbols);
    // Goes on with these: asks for those that were not subscribed to, and ends what nobody asks for any more.
    void follow(const std::vector<std::string>& symbols);
    // Symbols that were asked for and had no snapshot yet.
    const std::set<std::string>& awaited() const { return awaited_; }
    // The venue's refusal of the subscription, empty if there is none.
    const std::string& refused() const { return refused_; }

    // It gets the market data that the FIX engine has taken; null: nobody does.
    void tell(ByHand* by_hand) { by_hand_ = by_hand; }
    // Likewise, once all that they make fire has left.
    void show(Observer* observer) { observer_ = observer; }

    // Where the messages that the FIX engine has read have ended; the newest is the beginning of the next.
    const Boundaries& boundaries();

  private:
    void evaluate(SoftwareRules& rules, const MarketText& message);
    void stand_by(SoftwareRules& standby, const MarketText& message);
    bool in_order(const MarketText& message) const;
    void carry_out(const Subscriptions::Change& change);
    bool increments() const;
    void note_boundary();

    FixChannel& channel_;
    FixChannel& orders_;
    Ports ports_;
    const DaemonConfig& config_;
    Engine& engine_;
    OrderTimes& times_;
    ByHand* by_hand_ = nullptr;
    Observer* observer_ = nullptr;
    std::int64_t came_ns_ = 0;  // UTC, the message; while there is an observer
    Boundaries boundaries_;
    Subscriptions subscriptions_;  // of this connection
    std::set<std::string> awaited_;
    std::string refused_;
    int quotes_taken_ = 0;  // market-data messages that the FIX engine took of the message that came
};

}  // namespace fixaccel
