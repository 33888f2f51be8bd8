// SPDX-License-Identifier: Apache-2.0
// The venue's day rolls, and what limits count of orders and quantities begins anew.
#include <limits>

#include "engine.hpp"
#include "fixaccel/limits_left.hpp"
#include "fixaccel/schedules.hpp"

namespace fixaccel {

void Engine::plan_roll() {
    rolls_ns_ = std::numeric_limits<std::int64_t>::max();
    // The end of a session's day counts anew, too: that one is enough.
    if (bundle_ && bundle_->day_roll && !config_.day_roll)
        rolls_ns_ = next_time_of_day(bundle_->zone, *bundle_->day_roll, ledger_.counted_since_ns());
}

// What the fabric has sent until now is of the day before.
void Engine::roll() {
    take_fires();
    const bool sent = ledger_.sent_orders().orders != 0;
    ledger_.record_limits_reset("the venue's day has rolled", "day_roll");
    plan_roll();
    count_anew();
    // Until somebody has told it, it stays behind, whatever was sent since.
    const bool counts = has_board() && (bundle_->limits.total_orders || limits_quantities(*bundle_));
    board_behind_ = board_behind_ || (sent && counts);
}

void Engine::count_anew() {
    for (SoftwareRules* rules : {software_.get(), standby_.get()})
        if (rules != nullptr) rules->recount();
    triggers_stale_ = limits_stale_ = true;
}

}  // namespace fixaccel
