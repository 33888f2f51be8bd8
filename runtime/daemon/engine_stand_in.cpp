// SPDX-License-Identifier: Apache-2.0
// The fabric is blind: its parser has lost the stream, or has not had it long. Meanwhile the runtime
// evaluates its rules, too. The first one that is satisfied makes the fabric fall silent, so that only one of
// the two can send; it is armed again once its parser is in step.
#include "engine.hpp"
#include "fixaccel/limits_left.hpp"
#include "fixaccel/seq.hpp"
#include "fixaccel/utc_clock.hpp"
#include "log.hpp"

namespace fixaccel {
namespace {

using std::chrono::steady_clock;

// The parser says where it is with each frame. That which was passing when a gap ended, or when it was armed,
// is over with the next word, or there is none that long behind: on a slow virtual board it takes some ms.
constexpr auto kPasses = std::chrono::milliseconds(500);

}  // namespace

// Of what has just been read nothing was looked at yet, and all of it has passed the fabric.
void Engine::look_for_gap() {
    if (stands_by()) heed_gap(fabric_.status());
}

bool Engine::stands_by() const { return armed_ && standby_ && config_.stand_in && !dry(); }

// Whoever ends a gap has asked for the status before: none passes unseen.
void Engine::heed_gap(const FabricStatus& status) {
    if (!stands_by()) return;
    if (silent_ || status.gap()) {
        blind_ = true;
        in_step_.reset();
        sees_from_.reset();
    } else if (in_step_ && !sees_from_) {
        const std::uint32_t now = fabric_.rcv_nxt();
        if (now != in_step_->rcv_nxt || steady_clock::now() >= in_step_->since + kPasses) sees_from_ = now;
    }
    end_stand_in();
}

void Engine::read_up_to(std::uint32_t seq) {
    read_ = seq;
    end_stand_in();
}

// All that the fabric has not seen has been evaluated.
void Engine::end_stand_in() {
    if (!sees_from_ || seq_before(read_, *sees_from_)) return;
    blind_ = false;
    in_step_.reset();
    sees_from_.reset();
    standing_in_for_.reset();
}

bool Engine::resync(const Boundaries& read) {
    if (!fabric_.resync(read)) return false;
    if (blind_ && !silent_ && !in_step_) note_in_step();
    return true;
}

void Engine::note_in_step() { in_step_ = {fabric_.rcv_nxt(), steady_clock::now()}; }

SoftwareRules* Engine::standby_for_next() {
    if (!standby_ || !blind_ || standing_in_for_ == sequencer_.taken()) return standby_.get();
    // From the journal: what the fabric has sent up to here counts.
    standing_in_for_ = sequencer_.taken();
    standby_->arm();
    if (!silent_) standby_->set_rate_full(bucket_full(board_));
    return standby_.get();
}

bool Engine::takes_over(const LoadedRule& rule) {
    if (!blind_ || !armed_) return false;
    if (!silent_) silence(rule);
    // A fire that was on its way may have been of this rule, or of its sibling.
    return armed_ && !ledger_.spent(rule) && !ledger_.cancelled(rule);
}

// As disarm(), but what is armed stays so, here.
void Engine::silence(const LoadedRule& rule) {
    const auto parted = stop_fabric();
    if (lost_memory()) return disarm("the board has lost what was loaded into it");
    silent_ = triggers_stale_ = true;
    in_step_.reset();
    sees_from_.reset();
    ++stood_in_;
    standby_->recount();
    standby_->set_rate_full(bucket_full(board_));
    const std::string text =
        "the fabric does not see the market: the runtime stands in for it, with rule " + rule.id;
    log_line(text);
    ledger_.record_note(text);
    end_load();
    if (parted) throw CommitError(*parted);
}

bool Engine::give_back(const Boundaries& read) {
    if (!silent_ || !fabric_.resync(read)) return false;
    set_bucket_full(board_, standby_->rate_full_ns());
    if (!make_ready(read) || killed()) return false;
    silent_ = false;
    const FabricStatus status = fire_up(false);
    if (status.armed() && !lost_memory()) {
        note_in_step();
        const std::string text = "the fabric sees the market again, and is armed";
        log_line(text);
        ledger_.record_note(text);
        return true;
    }
    if (status.gap() && !lost_memory()) {
        const auto parted = stop_fabric();
        silent_ = true;
        if (parted) throw CommitError(*parted);
        return false;
    }
    disarm("the board did not arm again: " + status.not_armed());
    throw Refused(disarm_reason_);
}

}  // namespace fixaccel
