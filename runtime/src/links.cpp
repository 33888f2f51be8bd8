// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/links.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "fixaccel/as_index.hpp"
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

std::uint32_t word(Words words, std::size_t at) { return at < words.size() ? words[at] : 0; }

// The last digit of a watch's quantity is no digit.
bool is_watch(const hwmap::order_record& order) {
    constexpr unsigned kDigitBits = 4;
    return order.qty() >> (hwmap::qty_text_chars - 1) * kDigitBits == hwmap::char_bound;
}

// Nothing waits there: record 0 is that of an order that sends something.
bool is_empty(const hwmap::rearm_record& rearm) { return rearm.order() == 0; }

std::uint32_t most_fires() {
    hwmap::fire_count_record most;
    most.set_fires(~std::uint64_t{0});
    return static_cast<std::uint32_t>(most.fires());
}

// No list begins with record 0, and what is watched for has one.
bool has_links(const Bundle& bundle) {
    return words_of(bundle, hwmap::memory::link).size() > hwmap::link_record::kStride;
}

struct LinkTables {
    explicit LinkTables(const Bundle& bundle)
        : triggers(records_of<hwmap::trigger_record>(bundle, hwmap::memory::trigger)),
          orders(records_of<hwmap::order_record>(bundle, hwmap::memory::order)),
          links(records_of<hwmap::link_record>(bundle, hwmap::memory::link)),
          rearms(records_of<hwmap::rearm_record>(bundle, hwmap::memory::rearm)) {}

    [[nodiscard]] bool watches(const hwmap::trigger_record& trigger) const {
        return is_watch(orders[as_index(trigger.order())]);
    }

    // What a watch is for: only those of `rearm` revive, only the one that refuses its rule arms nothing.
    [[nodiscard]] WatchRole role(const hwmap::trigger_record& trigger, bool told) const {
        bool arms = false;
        for (std::size_t i = as_index(orders[as_index(trigger.order())].link());; ++i) {
            if (links[i].revives() != 0) return told ? WatchRole::after : WatchRole::reset;
            arms = arms || links[i].arms() != 0;
            if (links[i].more() != 0) continue;
            if (told) return WatchRole::fills;
            return arms ? WatchRole::clear : WatchRole::through;
        }
    }

    std::vector<hwmap::trigger_record> triggers;
    std::vector<hwmap::order_record> orders;
    std::vector<hwmap::link_record> links;
    std::vector<hwmap::rearm_record> rearms;
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

std::uint32_t Watch::times() const { return most_fires() - fires; }

void check_links(const Bundle& bundle) {
    const LinkTables tables(bundle);
    const std::vector<TriggerState> fresh = fresh_triggers(bundle);
    const auto refuse = [&](const char* what, std::size_t number, const char* why) {
        throw BundleError("bundle " + bundle.path.string() + ": " + what + " " + std::to_string(number) +
                          " " + why);
    };
    for (std::size_t i = 0; i < tables.triggers.size(); ++i) {
        if (tables.triggers[i].order() >= tables.orders.size())
            refuse("trigger", i, "sends an order that is not there");
        if (fresh[i].live && fresh[i].dormant) refuse("trigger", i, "is live and dormant");
        if (!tables.watches(tables.triggers[i])) continue;
        if (tables.triggers[i].rule() >= bundle.rules.size() ||
            !bundle.rules[as_index(tables.triggers[i].rule())].trigger)
            refuse("trigger", i, "watches for a rule that the fabric does not run");
        if (tables.orders[as_index(tables.triggers[i].order())].link() == 0)
            refuse("trigger", i, "watches for nothing");
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
            refuse("link", i, "is for the message's end, ahead of one that is not");
    }
    const std::size_t slots = hwmap::depth::rearm({}) / (bundle.banked ? 2 : 1);
    for (std::size_t i = 0; i < tables.rearms.size(); ++i) {
        const hwmap::rearm_record& rearm = tables.rearms[i];
        if (is_empty(rearm)) continue;
        if (rearm.trigger() >= tables.triggers.size() ||
            !tables.watches(tables.triggers[as_index(rearm.trigger())]) ||
            tables.triggers[as_index(rearm.trigger())].order() != rearm.order())
            refuse("rearm", i, "is of a trigger that watches for nothing");
        if (rearm.trigger() % slots != i) refuse("rearm", i, "is not where its trigger leads to");
        if (rearm.pending() != 0) refuse("rearm", i, "waits at load");
        const bool again = tables.role(tables.triggers[as_index(rearm.trigger())], true) == WatchRole::after;
        if (again != (rearm.again() != 0)) refuse("rearm", i, "is for something else than its trigger");
    }
}

std::vector<Links> fabric_links(const Bundle& bundle) {
    if (!has_links(bundle)) return {};
    const LinkTables tables(bundle);
    std::vector<std::optional<std::uint32_t>> rule_of(tables.triggers.size());
    std::map<std::uint64_t, std::vector<std::uint32_t>> senders;  // by the first record of their list
    for (const BundleRule& rule : bundle.rules) {
        if (!rule.trigger) continue;
        rule_of.at(*rule.trigger) = rule.index;
        const std::size_t order = as_index(tables.triggers[*rule.trigger].order());
        if (const auto list = tables.orders[order].link(); list != 0) senders[list].push_back(rule.index);
    }
    std::vector<Links> all;
    for (const auto& [list, rules] : senders) {
        std::vector<std::uint32_t> cancels, arms;
        for (std::size_t i = as_index(list);; ++i) {
            const hwmap::link_record& link = tables.links[i];
            for (auto trigger = link.first(); trigger <= link.last(); ++trigger)
                if (const auto rule = rule_of[as_index(trigger)])
                    (link.arms() != 0 ? arms : cancels).push_back(*rule);
            if (link.more() == 0) break;
        }
        all.push_back({ranges_of(rules), ranges_of(cancels), ranges_of(arms)});
    }
    return all;
}

std::vector<Watch> fabric_watches(const Bundle& bundle) {
    if (!has_links(bundle)) return {};
    const LinkTables tables(bundle);
    const Words counts = words_of(bundle, hwmap::memory::fire_count);
    std::vector<Watch> watches;
    for (std::size_t i = 0; i < tables.triggers.size(); ++i) {
        const hwmap::trigger_record& trigger = tables.triggers[i];
        if (tables.watches(trigger))
            watches.push_back({.trigger = static_cast<std::uint32_t>(i),
                               .rule = static_cast<std::uint32_t>(trigger.rule()),
                               .role = tables.role(trigger, false),
                               .fires = word(counts, i)});
    }
    for (std::size_t slot = 0; slot < tables.rearms.size(); ++slot) {
        const hwmap::rearm_record& rearm = tables.rearms[slot];
        if (is_empty(rearm)) continue;
        for (Watch& watch : watches)
            if (watch.trigger == rearm.trigger()) {
                watch.role = tables.role(tables.triggers[watch.trigger], true);
                watch.after_ns = rearm.after();
                watch.slot = static_cast<std::uint32_t>(slot);
                // Behind the last of its rule's fires it does not wait; others count how often they have hit.
                if (watch.role == WatchRole::after)
                    watch.fires = most_fires() + 1 - static_cast<std::uint32_t>(rearm.last());
            }
    }
    return watches;
}

std::vector<TriggerState> fresh_triggers(const Bundle& bundle) {
    // Whoever asks for the status comes here: no record is taken apart.
    const Words live = words_of(bundle, hwmap::memory::live),
                dormant = words_of(bundle, hwmap::memory::dormant),
                counts = words_of(bundle, hwmap::memory::fire_count);
    std::vector<TriggerState> triggers(words_of(bundle, hwmap::memory::trigger).size() /
                                       hwmap::trigger_record::kStride);
    for (std::size_t i = 0; i < triggers.size(); ++i)
        triggers[i] = {.live = bit(live, i), .dormant = bit(dormant, i), .fires = word(counts, i)};
    return triggers;
}

}  // namespace fixaccel
