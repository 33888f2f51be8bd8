// SPDX-License-Identifier: Apache-2.0
// A bundle on its way into the bank that is not evaluated, while the other one is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "fixaccel/fabric.hpp"
#include "fixaccel/ledger.hpp"
#include "fixaccel/rearm_table.hpp"
#include "fixaccel/resting_table.hpp"
#include "fixaccel/table_cache.hpp"
#include "fixaccel/trail_table.hpp"
#include "loadable.hpp"

namespace fixaccel {

// Every function may throw BoardError.
class HotLoad {
  public:
    // Throws BundleError if the bundle is not for one bank of this board.
    HotLoad(TableCache& board, Fabric& fabric, Loadable next);

    // Writes a piece of what differs in the tables. False: there was nothing left to write.
    bool write_some();
    double written() const { return static_cast<double>(done_) / static_cast<double>(writes_.size()); }
    // What fires up to ring record `head` left of the triggers and of the quantities; nothing of the bank is
    // live before.
    void set_states(std::vector<TriggerState> states, const SentOrders& sent, std::uint32_t head);
    // Tells the bank what rests of our own orders; see RestingTable::follow.
    bool tell_resting(const RestingOrders& orders) { return resting_.follow(board_, orders, bank_); }
    // Tells the bank which rules are due to be armed again.
    void tell_rearms(const Ledger& ledger);
    // Asks for the flip. False: refused, something is on its way.
    bool ask();

    bool asked() const { return asked_; }
    unsigned bank() const { return bank_; }
    Bundle& bundle() { return next_.bundle; }
    RestingTable& resting() { return resting_; }
    RearmTable& rearms() { return rearms_; }
    TrailTable& trails() { return trails_; }
    const Load& load() const { return next_.load; }
    std::unique_ptr<SoftwareRules>& software() { return next_.software; }
    std::unique_ptr<SoftwareRules>& standby() { return next_.standby; }

  private:
    TableCache& board_;
    Fabric& fabric_;
    Loadable next_;
    unsigned bank_;
    RestingTable resting_;
    RearmTable rearms_;
    TrailTable trails_;
    std::vector<TableWrite> writes_;
    std::size_t done_ = 0;
    std::vector<TriggerState> states_;  // as the board has them
    std::uint32_t head_ = 0;
    bool asked_ = false;
};

}  // namespace fixaccel
