// SPDX-License-Identifier: Apache-2.0
// What an order that was sent does to the fabric's triggers, as the tables of a bundle say.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "fixaccel/bundle.hpp"

namespace fixaccel {

// What the fabric remembers of a trigger: never both live and dormant; neither once it has fired or is
// cancelled.
struct TriggerState {
    bool live = false;        // it may fire
    bool dormant = false;     // it waits to be armed
    std::uint32_t fires = 0;  // how often its rule has
};

class Links {
  public:
    // Of a bundle that outlives it. Throws BundleError if a list of links does not end, cancels behind what
    // it arms or leads out of the tables, or if a trigger is both live and dormant.
    explicit Links(const Bundle& bundle);

    // Every trigger as a fresh load leaves it, nothing fired yet.
    [[nodiscard]] std::vector<TriggerState> fresh() const;

    // The order of `sender` was sent: cancels and arms of `triggers` those that `was_loaded` says were there.
    // Several orders come to the same in any order, for what is cancelled is not armed any more.
    void carry_out(std::uint32_t sender, const std::function<bool(std::uint32_t)>& was_loaded,
                   std::vector<TriggerState>& triggers) const;

  private:
    std::uint32_t triggers_ = 0;  // how many
    std::span<const std::uint32_t> trigger_words_, order_words_, link_words_, live_words_, dormant_words_;
};

}  // namespace fixaccel
