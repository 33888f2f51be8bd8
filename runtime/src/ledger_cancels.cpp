// SPDX-License-Identifier: Apache-2.0
// Orders that are to be cancelled at the venue for the order of another rule.
#include <algorithm>
#include <set>

#include "fixaccel/ledger.hpp"

namespace fixaccel {
namespace {

constexpr const char* kPendingAlready = "3";  // CxlRejReason(102): one like it is under way

// It is over at once, whatever becomes of it.
bool never_rests(const std::string& tif) { return tif == "ioc" || tif == "fok"; }

}  // namespace

// Known from the fire alone: a crash before the first request loses none.
void LedgerState::note_due_cancels(const Load& load, const RuleRanges& ends, const std::string& by) {
    std::set<std::string> parts;
    for (const auto& [first, last] : ends)
        for (std::size_t i = first; i <= last; ++i) parts.insert(load.rules.at(i).key());
    for (const auto& [first, order] : fills_by_order_) {
        const auto placed = placed_.find(order.current);
        if (order.done || parts.count(order.part) == 0 || placed == placed_.end()) continue;
        if (never_rests(placed->second.terms.tif)) continue;
        const DueCancel fresh{.rule = by, .request = {}, .named = {}};
        const auto [due, added] = cancels_due_.try_emplace(first, fresh);
        if (!added && due->second.refused) due->second = fresh;
    }
}

std::vector<std::pair<std::string, std::string>> LedgerState::cancels_to_send() const {
    std::vector<std::pair<std::string, std::string>> found;
    for (const auto& [first, due] : cancels_due_)
        if (due.request.empty() && !due.refused)
            found.emplace_back(fills_by_order_.at(first).current, due.rule);
    return found;
}

DueCancel* LedgerState::due_cancel(const std::string& cl_ord_id) {
    const auto placed = placed_.find(cl_ord_id);
    if (placed == placed_.end()) return nullptr;
    const auto found = cancels_due_.find(placed->second.first);
    return found == cancels_due_.end() ? nullptr : &found->second;
}

void LedgerState::cancel_requested(const std::string& order, const std::string& request) {
    DueCancel* const due = due_cancel(order);
    if (due == nullptr) return;
    due->request = request;
    due->named = order;
}

// Under the name that a replacement has given it meanwhile it is asked for once more.
void LedgerState::cancel_refused(const std::string& order, const std::string& request,
                                 const std::string& reason) {
    DueCancel* const due = due_cancel(order);
    if (due == nullptr || due->request != request || reason == kPendingAlready) return;
    due->request.clear();
    const OrderFills* const fills = order_fills(order);
    due->refused = fills == nullptr || fills->current == due->named;
}

// Behind a logon nobody knows whether the venue has what was not answered. One request too many changes
// nothing.
void LedgerState::ask_again_for_cancels() {
    for (auto& [first, due] : cancels_due_) due.request.clear();
}

}  // namespace fixaccel
