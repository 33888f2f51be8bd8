// SPDX-License-Identifier: Apache-2.0
// The runtime in the simulation of a fabric whose orders are reported on: its ledger, to which the fires and
// a venue's reports are told, says which rules of the fabric are to be armed, as it does in the daemon.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fixaccel/bundle.hpp"
#include "fixaccel/fabric.hpp"
#include "fixaccel/journal.hpp"
#include "fixaccel/ledger.hpp"
#include "fixaccel/rearm_table.hpp"
#include "fixaccel/resting_orders.hpp"
#include "fixaccel/resting_table.hpp"

namespace fixaccel::board {

// What befalls the oldest order of a rule that is not done.
struct SimExecution {
    std::uint64_t after = 0;  // frames that have been played before
    std::uint64_t until = 0;  // frames up to which no rule is armed again by its time
    std::uint32_t rule = 0;   // number in the bundle
    std::string kind;         // fill, done, reject
    std::int64_t qty = 0;     // of a fill; below zero: what was filled is taken back
};

// Throws BundleError, BoardError and JournalError.
class SimFills {
  public:
    // `executions`: all that are to come, in their order.
    SimFills(Board& board, const Bundle& bundle, std::uint32_t generation, const std::string& epoch,
             std::vector<SimExecution> executions);
    ~SimFills();
    SimFills(const SimFills&) = delete;
    SimFills& operator=(const SimFills&) = delete;

    // A record has come off the ring.
    void fired(std::uint32_t entry);
    // So many frames have been played, and have had their effect: what the venue reports ahead of the next
    // one.
    void come_to(std::uint64_t frames);
    // Nothing of the day before rests any more.
    void begin_day() { resting_ = {}; }

  private:
    struct Order {
        std::string cl_ord_id;
        std::int64_t qty = 0;
        std::int64_t filled = 0;
        bool done = false;
    };

    void execute(const SimExecution& execution);
    void hold(bool held);
    Order* of(const SimExecution& execution);
    void report(const Order& order, const std::string& type, const std::string& status, std::int64_t last);
    void tell();

    Board& board_;
    Fabric fabric_;
    std::filesystem::path folder_;
    std::unique_ptr<Journal> journal_;
    std::unique_ptr<Ledger> ledger_;
    Load load_;
    RearmTable told_;
    RestingOrders resting_;
    RestingTable resting_table_;
    std::map<std::uint32_t, std::vector<Order>> orders_;  // by rule, the oldest first
    std::uint32_t reports_ = 0;
    std::vector<SimExecution> executions_;
    std::size_t executed_ = 0;
    bool held_ = false;             // no rule is armed again by its time
    std::uint64_t held_until_ = 0;  // frames
};

}  // namespace fixaccel::board
