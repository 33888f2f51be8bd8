// SPDX-License-Identifier: Apache-2.0
#include "rule_fills.hpp"

#include <array>

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr std::array<const char*, 3> kOn{"sent", "first-fill", "filled"};  // by ArmedOn

const char* state_of(const DueCancel& due) {
    if (due.refused) return "refused";
    return due.request.empty() ? "to be asked for" : "asked for";
}

}  // namespace

RuleFills::RuleFills(const Ledger& ledger) {
    const Load& load = ledger.load();
    for (const Links& links : load.links) {
        if (!links.heeds_fills()) continue;
        const std::string filled = std::to_string(ledger.filled_by(links.senders));
        for (const auto& [first, last] : links.senders)
            for (std::uint32_t rule = first; rule <= last; ++rule)
                of_[rule]["filled"] = std::to_string(ledger.fills_of(load.rules.at(rule)).filled);
        for (const auto& [first, last] : links.arms)
            for (std::uint32_t rule = first; rule <= last; ++rule)
                of_[rule]["armed_by"] = {{"on", kOn.at(static_cast<std::size_t>(links.on))},
                                         {"filled", filled}};
    }
    for (const auto& [rule, qty] : ledger.uncovered()) of_[rule]["uncovered"] = std::to_string(qty);
}

void RuleFills::add_to(json& answer, std::uint32_t rule) const {
    const auto found = of_.find(rule);
    if (found == of_.end()) return;
    for (const char* key : {"filled", "armed_by", "uncovered"})
        if (found->second.contains(key)) answer[key] = found->second[key];
}

json cancels_due(const Ledger& ledger) {
    json out = json::array();
    for (const auto& [first, due] : ledger.cancels_due()) {
        const OrderFills* const order = ledger.order_fills(first);
        out.push_back({{"order", order == nullptr ? first : order->current},
                       {"rule", due.rule},
                       {"state", state_of(due)}});
    }
    return out;
}

}  // namespace fixaccel
