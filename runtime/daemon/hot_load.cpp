// SPDX-License-Identifier: Apache-2.0
#include "hot_load.hpp"

#include <algorithm>
#include <utility>

#include "fixaccel/limits_left.hpp"

namespace fixaccel {
namespace {

// So many words at a time: between them the ring is drained and the watchdog kicked.
constexpr std::size_t kWords = 256;

}  // namespace

HotLoad::HotLoad(TableCache& board, Fabric& fabric, Loadable next)
    : board_(board),
      fabric_(fabric),
      next_(std::move(next)),
      bank_(1 - fabric.status().bank()),
      resting_(next_.bundle),
      rearms_(next_.bundle),
      writes_(bank_writes(board, next_.bundle, bank_, kWords)) {
    fabric_.set_generation(next_.load.generation, bank_);
    fabric_.set_epoch(next_.load.epoch, bank_);
    // Fires may be of either bank from now on: no order begins before the shortest of both may.
    fabric_.set_commit_ahead(std::min(fabric_.commit_ahead(), next_.bundle.commit.ahead));
}

bool HotLoad::write_some() {
    const std::size_t before = board_.written();
    while (done_ != writes_.size() && board_.written() - before < kWords) {
        board_.write(writes_[done_].address, writes_[done_].words);
        ++done_;
    }
    return board_.written() != before || done_ != writes_.size();
}

void HotLoad::set_states(std::vector<TriggerState> states, const SentOrders& sent, std::uint32_t head) {
    write_quantities_left(board_, next_.bundle, sent, bank_);
    if (states_.empty())
        fabric_.set_triggers(states, bank_);
    else
        fabric_.change_triggers(states_, states, bank_);
    states_ = std::move(states);
    head_ = head;
    if (asked_) fabric_.set_flip_head(head);
}

void HotLoad::tell_rearms(const Ledger& ledger) {
    rearms_.forget();  // it is another account
    rearms_.follow(
        board_, [&](const Watch& watch) { return ledger.told(next_.load.rules.at(watch.rule), watch); },
        bank_);
}

bool HotLoad::ask() {
    asked_ = fabric_.flip(head_);
    return asked_;
}

}  // namespace fixaccel
