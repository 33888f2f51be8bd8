// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/links.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel {
namespace {

using Words = std::span<const std::uint32_t>;

Words words_of(const Bundle& bundle, const hwmap::Window& window) {
    for (const BundleMemory& memory : bundle.memories)
        if (memory.base == window.base) return memory.words;
    return {};
}

template <typename Record>
std::vector<Record> records_of(const Bundle& bundle, const hwmap::Window& window) {
    const Words words = words_of(bundle, window);
    std::vector<Record> records(words.size() / Record::kStride);
    for (std::size_t i = 0; i < records.size(); ++i) {
        const Words one = words.subspan(i * Record::kStride, Record::kStride);
        std::copy(one.begin(), one.end(), records[i].words.begin());
    }
    return records;
}

// Zero words at a memory's end are not in the bundle.
bool bit(Words words, std::size_t trigger) {
    const std::size_t word = trigger / hwmap::live_word_bits;
    return word < words.size() && ((words[word] >> trigger % hwmap::live_word_bits) & 1U) != 0;
}

struct Tables {
    explicit Tables(const Bundle& bundle)
        : triggers(records_of<hwmap::trigger_record>(bundle, hwmap::memory::trigger)),
          orders(records_of<hwmap::order_record>(bundle, hwmap::memory::order)),
          links(records_of<hwmap::link_record>(bundle, hwmap::memory::link)) {}

    std::vector<hwmap::trigger_record> triggers;
    std::vector<hwmap::order_record> orders;
    std::vector<hwmap::link_record> links;
};

}  // namespace

RuleRanges ranges_of(std::vector<std::uint32_t> rules) {
    std::sort(rules.begin(), rules.end());
    RuleRanges ranges;
    for (const std::uint32_t rule : rules) {
        if (!ranges.empty() && rule <= ranges.back().second + 1)
            ranges.back().second = rule;
        else
            ranges.emplace_back(rule, rule);
    }
    return ranges;
}

void check_links(const Bundle& bundle) {
    const Tables tables(bundle);
    const std::vector<TriggerState> fresh = fresh_triggers(bundle);
    const auto refuse = [&](const char* what, std::size_t number, const char* why) {
        throw BundleError("bundle " + bundle.path.string() + ": " + what + " " + std::to_string(number) +
                          " " + why);
    };
    for (std::size_t i = 0; i < tables.triggers.size(); ++i) {
        if (tables.triggers[i].order() >= tables.orders.size())
            refuse("trigger", i, "sends an order that is not there");
        if (fresh[i].live && fresh[i].dormant) refuse("trigger", i, "is live and dormant");
    }
    for (std::size_t i = 0; i < tables.orders.size(); ++i)
        if (tables.orders[i].link() >= std::max<std::size_t>(tables.links.size(), 1))
            refuse("order", i, "has links that are not there");
    // No list begins with record 0.
    for (std::size_t i = 1; i < tables.links.size(); ++i) {
        const hwmap::link_record& link = tables.links[i];
        if (link.first() > link.last() || link.last() >= tables.triggers.size())
            refuse("link", i, "is of triggers that are not there");
        if (link.more() == 0) continue;
        if (i + 1 == tables.links.size()) refuse("link", i, "is the last one and has more behind it");
        if (link.arms() != 0 && tables.links[i + 1].arms() == 0)
            refuse("link", i, "arms ahead of one that cancels");
    }
}

std::vector<Links> fabric_links(const Bundle& bundle) {
    const Tables tables(bundle);
    std::vector<std::optional<std::uint32_t>> rule_of(tables.triggers.size());
    std::map<std::uint64_t, std::vector<std::uint32_t>> senders;  // by the first record of their list
    for (const BundleRule& rule : bundle.rules) {
        if (!rule.trigger) continue;
        rule_of.at(*rule.trigger) = rule.index;
        const auto order = tables.triggers[*rule.trigger].order();
        if (const auto list = tables.orders[order].link(); list != 0) senders[list].push_back(rule.index);
    }
    std::vector<Links> all;
    for (const auto& [list, rules] : senders) {
        std::vector<std::uint32_t> cancels, arms;
        for (std::size_t i = list;; ++i) {
            const hwmap::link_record& link = tables.links[i];
            for (auto trigger = link.first(); trigger <= link.last(); ++trigger)
                if (rule_of[trigger]) (link.arms() != 0 ? arms : cancels).push_back(*rule_of[trigger]);
            if (link.more() == 0) break;
        }
        all.push_back({ranges_of(rules), ranges_of(cancels), ranges_of(arms)});
    }
    return all;
}

std::vector<TriggerState> fresh_triggers(const Bundle& bundle) {
    // Whoever asks for the status comes here: no record is taken apart.
    const Words live = words_of(bundle, hwmap::memory::live),
                dormant = words_of(bundle, hwmap::memory::dormant);
    std::vector<TriggerState> triggers(words_of(bundle, hwmap::memory::trigger).size() /
                                       hwmap::trigger_record::kStride);
    for (std::size_t i = 0; i < triggers.size(); ++i)
        triggers[i] = {.live = bit(live, i), .dormant = bit(dormant, i)};
    return triggers;
}

}  // namespace fixaccel
