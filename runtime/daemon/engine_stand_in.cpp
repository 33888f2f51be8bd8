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
    if (stand_in_.silent || status.gap()) {
        stand_in_.blind = true;
        stand_in_.lose_place();
    } else if (stand_in_.in_step && !stand_in_.sees_from) {
        const std::uint32_t now = fabric_.rcv_nxt();
        if (now != stand_in_.in_step->rcv_nxt || steady_clock::now() >= stand_in_.in_step->since + kPasses)
            stand_in_.sees_from = now;
    }
    end_stand_in();
}

void Engine::read_up_to(std::uint32_t seq) {
    read_ = seq;
    end_stand_in();
}

// All that the fabric has not seen has been evaluated.
void Engine::end_stand_in() {
    if (!stand_in_.sees_from || seq_before(read_, *stand_in_.sees_from)) return;
    stand_in_ = {};
}

bool Engine::resync(const Boundaries& read) {
    if (!fabric_.resync(read)) return false;
    if (stand_in_.blind && !stand_in_.silent && !stand_in_.in_step) note_in_step();
    return true;
}

void Engine::note_in_step() { stand_in_.in_step = {fabric_.rcv_nxt(), steady_clock::now()}; }

SoftwareRules* Engine::standby_for_next() {
    if (!standby_ || !stand_in_.blind || stand_in_.counted == sequencer_.taken()) return standby_.get();
    // From the journal: what the fabric has sent up to here counts.
    stand_in_.counted = sequencer_.taken();
    save_trails();
    standby_->arm();
    if (!stand_in_.silent) standby_->set_rate_full(bucket_full(board_));
    return standby_.get();
}

bool Engine::takes_over(const LoadedRule& rule) {
    if (!stand_in_.blind || !armed_) return false;
    if (!stand_in_.silent) silence("with rule " + rule.id);
    // A fire that was on its way may have been of this rule, or of its sibling.
    return armed_ && !ledger_.spent(rule) && !ledger_.cancelled(rule);
}

void Engine::trails_moved(const TrailTable::Moved& moved) {
    if (!blind() || stand_in_.silent || !trails_.behind(board_, moved)) return;
    silence("with the stop of " + ledger_.load().rules.at(moved.front().first).id + ", which has moved");
}

// As disarm(), but what is armed stays so, here.
void Engine::silence(const std::string& why) {
    const auto parted = stop_fabric();
    if (lost_memory()) return disarm("the board has lost what was loaded into it");
    stand_in_.silent = true;
    stand_in_.lose_place();
    ++stood_in_;
    standby_->recount();
    standby_->set_rate_full(bucket_full(board_));
    const std::string text = "the fabric does not see the market: the runtime stands in for it, " + why;
    log_line(text);
    ledger_.record_note(text);
    end_load();
    if (parted) throw CommitError(*parted);
}

bool Engine::give_back(const Boundaries& read) {
    if (!stand_in_.silent || !fabric_.resync(read)) return false;
    set_bucket_full(board_, standby_->rate_full_ns());
    // Rules have fired here since the fabric knew of all, behind a try that came to nothing, too.
    triggers_stale_ = true;
    if (!make_ready(read) || killed()) return false;
    stand_in_.silent = false;
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
        stand_in_.silent = true;
        if (parted) throw CommitError(*parted);
        return false;
    }
    disarm("the board did not arm again: " + status.not_armed());
    throw Refused(disarm_reason_);
}

}  // namespace fixaccel
