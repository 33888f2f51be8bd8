// SPDX-License-Identifier: Apache-2.0
#include "hot_load.hpp"

#include <utility>

#include "fixaccel/limits_left.hpp"

namespace fixaccel {
namespace {

// So many words at a time: between them the ring is drained and the watchdog kicked.
constexpr std::size_t kWords = 256;

}  // namespace

HotLoad::HotLoad(Board& board, Fabric& fabric, Bundle bundle, Load load,
                 std::unique_ptr<SoftwareRules> software, std::unique_ptr<SoftwareRules> standby)
    : board_(board),
      fabric_(fabric),
      bundle_(std::move(bundle)),
      load_(std::move(load)),
      software_(std::move(software)),
      standby_(std::move(standby)),
      bank_(1 - fabric.status().bank()),
      resting_(bundle_),
      rearms_(bundle_),
      writes_(bank_writes(board, bundle_, bank_, kWords)) {
    fabric_.set_generation(load_.generation, bank_);
    fabric_.set_epoch(load_.epoch, bank_);
}

bool HotLoad::write_some() {
    if (next_ == writes_.size()) return false;
    board_.write(writes_[next_].address, writes_[next_].words);
    ++next_;
    return true;
}

void HotLoad::set_states(std::vector<TriggerState> states, const SentOrders& sent, std::uint32_t head) {
    write_quantities_left(board_, bundle_, sent, bank_);
    if (states_.empty())
        fabric_.set_triggers(states, bank_);
    else
        fabric_.change_triggers(states_, states, bank_);
    states_ = std::move(states);
    head_ = head;
    if (asked_) fabric_.set_flip_head(head);
}

void HotLoad::tell_rearms(const Ledger& ledger) {
    rearms_.follow(
        board_, [&](const Watch& watch) { return ledger.rearm_due(load_.rules.at(watch.rule)); }, bank_);
}

bool HotLoad::ask() {
    asked_ = fabric_.flip(head_);
    return asked_;
}

}  // namespace fixaccel
