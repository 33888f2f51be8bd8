// SPDX-License-Identifier: Apache-2.0
#include "sim_load.hpp"

#include <utility>

#include "fixaccel/limits_left.hpp"
#include "fixaccel/loads.hpp"

namespace fixaccel::board {
namespace {

constexpr std::size_t kWords = 256;  // of a write

}  // namespace

SimLoad::SimLoad(Board& board, const Bundle& first, Bundle next, const std::string& journal,
                 std::uint32_t generation, const std::string& epoch)
    : board_(board),
      fabric_(board),
      journal_(journal),
      ledger_(journal_),
      next_(std::move(next)),
      first_load_(describe_load(first, generation, epoch)),
      load_(describe_load(next_, generation + 1, epoch)),
      bank_(1 - fabric_.status().bank()),
      table_(next_),
      rearms_(next_) {
    if (!fabric_.status().banked() || !next_.banked || first.collar != next_.collar ||
        !(first.limits == next_.limits) || !keep_windows(first, next_) || !keep_numbers(first, next_))
        throw BundleError("bundle " + next_.path.string() + " cannot be loaded while armed");
    ledger_.record_load(first_load_);
}

void SimLoad::fired(std::uint32_t entry) {
    const fixaccel::Fire fire = fabric_.read_fire(entry);
    ledger_.record({fire});
    if (fire.sent()) resting_.sent(fire.payload);
    flipped_ = flipped_ || fire.generation == load_.generation;
}

void SimLoad::write() {
    for (const TableWrite& write : bank_writes(board_, next_, bank_, kWords))
        board_.write(write.address, write.words);
    fabric_.set_generation(load_.generation, bank_);
    fabric_.set_epoch(load_.epoch, bank_);
    ledger_.record_next_load(load_);
}

void SimLoad::take_account() {
    fabric_.set_triggers(trigger_states(next_, load_, ledger_), bank_);
    rearms_.forget();
    rearms_.follow(
        board_, [&](const Watch& watch) { return ledger_.told(load_.rules.at(watch.rule), watch); }, bank_);
    write_quantities_left(board_, next_, ledger_.sent_orders(), bank_);
    table_.forget();
    table_.follow(board_, resting_, bank_);  // refused, something has fired meanwhile: so is the flip
}

bool SimLoad::ask(std::uint32_t head) {
    take_account();
    return fabric_.flip(head);
}

bool SimLoad::followed(std::uint32_t head) {
    const FabricStatus status = fabric_.status();
    flipped_ = status.bank() == bank_;
    if (flipped_) return true;
    if (!status.flip_asked()) throw BoardError("the flip was given up, status " + status.not_armed());
    if (status.flip_waits()) {
        take_account();
        fabric_.set_flip_head(head);
    }
    return false;
}

}  // namespace fixaccel::board
