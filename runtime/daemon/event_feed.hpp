// SPDX-License-Identifier: Apache-2.0
// What changes, for whoever watches: told by the thread that trades, and only while somebody does.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "by_hand.hpp"
#include "engine.hpp"
#include "event_sink.hpp"
#include "fixaccel/ledger.hpp"
#include "order_times.hpp"

namespace fixaccel {

class EventFeed final : public RecordListener {
  public:
    EventFeed(EventSink& sink, const Engine& engine, Ledger& ledger, ByHand& by_hand, OrderTimes& times);
    ~EventFeed() override;

    // Somebody begins to watch: everything is said once.
    void begin() { all_ = true; }
    // Somebody watches, and it is some time since it was last said what has changed.
    bool due(std::chrono::steady_clock::time_point now) const;
    // Says it. `session`: phase, whether it is armed, and so on.
    void turn(std::chrono::steady_clock::time_point now, const nlohmann::json& session);

    // What was told of an order by hand meanwhile is its T4.
    void take_told();

    // A record of the journal.
    void recorded(const Record& record) override;

  private:
    void time_fire(const Record& fire);
    void tell_rules();
    void tell_orders();

    EventSink& sink_;
    const Engine& engine_;
    Ledger& ledger_;
    ByHand& by_hand_;
    OrderTimes& times_;
    bool at_once_ = false;    // somebody waits for the first answer to an order by hand
    std::size_t untold_ = 0;  // of those that he is to be told
    bool all_ = false;
    std::chrono::steady_clock::time_point next_{};
    std::chrono::steady_clock::time_point next_rules_{};
    nlohmann::json session_;
    std::map<std::string, std::string> rules_;  // states by id, as they were told
    std::set<std::string> orders_;              // ClOrdIDs of which something has been recorded
    std::vector<nlohmann::json> fires_;         // not told yet
    std::vector<nlohmann::json> limits_;        // changes of them, likewise
    std::size_t missed_ = 0;                    // that were too many to be kept
};

}  // namespace fixaccel
