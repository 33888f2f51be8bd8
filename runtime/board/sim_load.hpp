// SPDX-License-Identifier: Apache-2.0
// A second bundle that is loaded while armed, with the runtime's journal to say what has fired.
#pragma once

#include <cstdint>
#include <string>

#include "fixaccel/bundle.hpp"
#include "fixaccel/fabric.hpp"
#include "fixaccel/journal.hpp"
#include "fixaccel/ledger.hpp"
#include "fixaccel/rearm_table.hpp"
#include "fixaccel/resting_orders.hpp"
#include "fixaccel/resting_table.hpp"

namespace fixaccel::board {

// Throws BundleError and BoardError.
class SimLoad {
  public:
    // `first` is what is loaded; `next` is to follow it, under another generation and the same epoch.
    // `journal`: a folder for it.
    SimLoad(Board& board, const Bundle& first, Bundle next, const std::string& journal,
            std::uint32_t generation, const std::string& epoch);

    // A record has come off the ring.
    void fired(std::uint32_t entry);
    // Nothing of the day before rests any more.
    void begin_day() { resting_ = {}; }
    // Writes the tables of the other bank, nothing live.
    void write();
    // Asks for the flip, with what has fired up to ring record `head`. False: refused, more has.
    bool ask(std::uint32_t head);
    // Whether it has come about; more has fired if messages wait.
    bool followed(std::uint32_t head);

    const Bundle& bundle() const { return next_; }
    unsigned bank() const { return bank_; }

  private:
    void take_account();

    Board& board_;
    Fabric fabric_;
    Journal journal_;
    Ledger ledger_;
    Bundle next_;
    Load first_load_;
    Load load_;
    unsigned bank_;
    RestingOrders resting_;
    RestingTable table_;
    RearmTable rearms_;
    bool flipped_ = false;
};

}  // namespace fixaccel::board
