// SPDX-License-Identifier: Apache-2.0
// What is kept of what is over.
#include <utility>

#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/ledger.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

std::uint32_t place_of(const Record& fire) {
    return fire.at("entry").get<std::uint32_t>() % hwmap::ring_entries;
}

// The same for the same fire read twice from the ring, whatever happened in between.
std::string fire_key(const Record& fire) {
    return std::to_string(fire.at("entry").get<std::uint32_t>()) + '/' +
           std::to_string(fire.at("generation").get<std::uint32_t>()) + '/' +
           std::to_string(fire.at("trigger_time_ns").get<std::uint64_t>());
}

}  // namespace

bool Ledger::known(const Record& fire) const {
    const auto found = ring_.find(place_of(fire));
    return found != ring_.end() && found->second == fire_key(fire);
}

// False: it has been taken before. The ring has no more than its entries: what comes again is one of the
// last.
bool LedgerState::take_entry(const Record& fire) {
    std::string key = fire_key(fire);
    std::string& last = ring_[place_of(fire)];
    if (last == key) return false;
    last = std::move(key);
    return true;
}

void LedgerState::keep(const Record& fire) {
    fires_.push_back(fire);
    if (fires_.size() > kFiresKept) fires_.pop_front();
    if (fire.contains("dry") || !fire.contains("rule")) return;
    const std::string key = fire.at("rule").text() + '|' + fire.at("hash").text();
    if (fire.at("outcome").text().starts_with("rejected"))
        rejections_[key] = fire;
    else
        rejections_.erase(key);
}

// An order that rests is not over. Two are looked at for each that comes, so there are not more and more of
// them.
void LedgerState::hear_of(const std::string& cl_ord_id) {
    if (!reports_.try_emplace(cl_ord_id).second) return;
    heard_of_.push_back(cl_ord_id);
    for (int looked_at = 0; looked_at < 2 && heard_of_.size() > kOrdersKept; ++looked_at) {
        const std::string oldest = heard_of_.front();
        heard_of_.pop_front();
        if (resting_.rests(oldest)) {
            heard_of_.push_back(oldest);
            continue;
        }
        forget_name(oldest);
        reports_.erase(oldest);
        orders_.erase(oldest);
        placed_.erase(oldest);
        resting_.forget(oldest);
    }
}

}  // namespace fixaccel
