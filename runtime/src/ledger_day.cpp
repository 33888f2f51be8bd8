// SPDX-License-Identifier: Apache-2.0
// The end of the venue's day.
#include "fixaccel/ledger.hpp"

namespace fixaccel {

using nlohmann::json;

void Ledger::record_day_roll() {
    write({{"type", "day_roll"}}, Journal::Sync::now);
    turn_over();
}

void LedgerState::apply_day_roll(const Record& record) {
    begin_numbers();
    begins_anew_ = true;
    day_began_ns_ = record.at("time_ns").get<std::int64_t>();
    for (auto& [cl_ord_id, seen] : reports_) seen.clear();  // an ExecID is unique within the venue's day
    for (const std::string& cl_ord_id : resting_.end_day()) orders_[cl_ord_id].status = kDoneForDay;
    for (auto& [first, order] : fills_by_order_) {
        const auto placed = placed_.find(order.current);
        const bool lasting = placed != placed_.end() && placed->second.terms.tif == "gtc";
        if (!order.done && !lasting) set_fills(order, order.filled, true);
    }
    count_anew(day_began_ns_);
}

// Limits on orders and quantities; what `repeat` goes by stays.
void LedgerState::count_anew(std::int64_t time_ns) {
    counted_since_ns_ = time_ns;
    for (Effects* effects : {&effects_, before_dry_run_ ? &*before_dry_run_ : nullptr}) {
        if (effects == nullptr) continue;
        effects->sent.orders = 0;
        effects->sent.quantities.clear();
        effects->sent.rules.clear();
    }
}

}  // namespace fixaccel
