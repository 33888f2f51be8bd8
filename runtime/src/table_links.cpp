// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/table_links.hpp"

#include <map>
#include <utility>

#include "table_columns.hpp"

namespace fixaccel {

std::vector<Links> table_links(const SoftwareTable& table) {
    const TableColumns& columns = table.columns();
    std::map<std::int32_t, std::vector<std::uint32_t>> groups;  // rules by group
    std::map<std::pair<std::int32_t, bool>, std::vector<std::uint32_t>>
        children;  // rules by set of parents, and by what sizes
    std::map<std::int32_t, std::vector<std::uint32_t>> cancelling;  // by what they cancel at the venue
    for (std::size_t row = 0; row < columns.parts(); ++row) {
        const auto rule = static_cast<std::uint32_t>(columns.part.index[row]);
        const std::int32_t order = columns.part.order[row];
        const bool sized = order >= 0 && columns.order.filled[static_cast<std::size_t>(order)] != 0;
        if (columns.part.group[row] >= 0) groups[columns.part.group[row]].push_back(rule);
        if (columns.part.parents[row] >= 0) children[{columns.part.parents[row], sized}].push_back(rule);
        if (columns.part.cancels[row] >= 0) cancelling[columns.part.cancels[row]].push_back(rule);
    }
    const auto range_of = [](std::int32_t first, std::int32_t count, RuleRanges& out) {
        const auto begin = static_cast<std::uint32_t>(first);
        if (count != 0) out.emplace_back(begin, begin + static_cast<std::uint32_t>(count) - 1);
    };
    std::vector<Links> all;
    for (const auto& [group, rules] : groups) {
        const RuleRanges members = ranges_of(rules);
        all.push_back({.senders = members, .cancels = members, .arms = {}});
    }
    for (const auto& [set, rules] : children) {
        Links& links = all.emplace_back();
        links.arms = ranges_of(rules);
        const auto at = static_cast<std::size_t>(set.first);
        links.on = static_cast<ArmedOn>(columns.parents.on[at]);
        links.sizes = set.second;
        const auto begin = static_cast<std::size_t>(columns.parents.first[at]);
        const auto end = begin + static_cast<std::size_t>(columns.parents.count[at]);
        for (std::size_t i = begin; i < end; ++i)
            range_of(columns.parent.first[i], columns.parent.count[i], links.senders);
    }
    for (const auto& [set, rules] : cancelling) {
        Links& links = all.emplace_back();
        links.senders = ranges_of(rules);
        const auto begin = static_cast<std::size_t>(columns.cancels.first[static_cast<std::size_t>(set)]);
        const auto count = static_cast<std::size_t>(columns.cancels.count[static_cast<std::size_t>(set)]);
        for (std::size_t i = begin; i < begin + count; ++i)
            range_of(columns.cancelled.first[i], columns.cancelled.count[i], links.ends);
    }
    return all;
}

std::vector<Links> by_fills_in_fabric(const std::vector<Links>& links, const Bundle& bundle) {
    std::vector<Links> found;
    for (const Links& each : links) {
        if (each.on == ArmedOn::sent) continue;
        std::vector<std::uint32_t> armed;
        for (const auto& [first, last] : each.arms)
            for (std::uint32_t rule = first; rule <= last; ++rule)
                if (bundle.rules.at(rule).trigger) armed.push_back(rule);
        if (!armed.empty())
            found.push_back(
                {.senders = each.senders, .cancels = {}, .arms = ranges_of(armed), .on = each.on});
    }
    return found;
}

}  // namespace fixaccel
