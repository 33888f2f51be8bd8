// SPDX-License-Identifier: Apache-2.0
// The fabric's tables of a bundle with links, as the compiler would pack them: trigger i sends order i.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "fixaccel/bundle.hpp"
#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel {

constexpr std::uint32_t kMostFires = (1U << 15U) - 1;

class TableImage {
  public:
    struct Range {
        std::uint32_t first, last;
        bool arms = false;
        bool revives = false;
    };

    // All are live.
    explicit TableImage(std::uint32_t triggers)
        : triggers_(triggers),
          orders_(triggers),
          links_(1),
          live_(triggers, true),
          dormant_(triggers),
          fires_(triggers) {
        for (std::uint32_t i = 0; i < triggers; ++i) triggers_[i].set_order(i);
    }

    void wait(std::uint32_t trigger) {
        live_[trigger] = false;
        dormant_[trigger] = true;
    }
    // It sends nothing: what it is for follows from its links. Live at load unless its count is preset.
    void watch(std::uint32_t trigger, std::uint32_t rule, std::uint32_t fires = 0) {
        triggers_[trigger].set_rule(rule);
        constexpr unsigned kDigitBits = 4;
        orders_[trigger].set_qty(std::uint64_t{hwmap::char_bound}
                                 << (hwmap::qty_text_chars - 1) * kDigitBits);
        live_[trigger] = fires == 0;
        fires_[trigger].set_fires(fires);
    }
    // A watch of a time, `after_ns` behind an order of `rule`, so often at most.
    void again(std::uint32_t trigger, std::uint32_t rule, std::uint32_t times, std::uint64_t after_ns) {
        told(trigger, rule);
        rearms_[trigger].set_again(1);
        rearms_[trigger].set_after(after_ns);
        rearms_[trigger].set_last(times + 1);
    }
    // A watch that hits when the runtime has told the board.
    void told(std::uint32_t trigger, std::uint32_t rule) {
        watch(trigger, rule);
        live_[trigger] = false;
        if (rearms_.size() <= trigger) rearms_.resize(trigger + 1);
        rearms_[trigger].set_trigger(trigger);
        rearms_[trigger].set_order(triggers_[trigger].order());
    }
    // The orders of `senders` share a list.
    void link(std::initializer_list<std::uint32_t> senders, std::initializer_list<Range> ranges) {
        for (const std::uint32_t sender : senders) orders_[sender].set_link(links_.size());
        for (const Range& range : ranges) {
            hwmap::link_record& link = links_.emplace_back();
            link.set_first(range.first);
            link.set_last(range.last);
            link.set_arms(range.arms ? 1 : 0);
            link.set_revives(range.revives ? 1 : 0);
            link.set_more(1);
        }
        links_.back().set_more(0);
    }

    std::vector<hwmap::trigger_record>& triggers() { return triggers_; }
    std::vector<hwmap::order_record>& orders() { return orders_; }
    std::vector<hwmap::link_record>& links() { return links_; }
    std::vector<bool>& live() { return live_; }
    std::vector<hwmap::rearm_record>& rearms() { return rearms_; }

    [[nodiscard]] std::vector<BundleMemory> memories() const {
        return {memory("live", hwmap::memory::live, bits(live_)),
                memory("dormant", hwmap::memory::dormant, bits(dormant_)),
                memory("fire_count", hwmap::memory::fire_count, words(fires_)),
                memory("link", hwmap::memory::link, words(links_)),
                memory("trigger", hwmap::memory::trigger, words(triggers_)),
                memory("order", hwmap::memory::order, words(orders_)),
                memory("rearm", hwmap::memory::rearm, words(rearms_))};
    }

  private:
    static BundleMemory memory(const char* name, const hwmap::Window& window,
                               std::vector<std::uint32_t> words) {
        const auto records = static_cast<std::uint32_t>(words.size() * sizeof words[0] / window.stride_bytes);
        return {.name = name, .base = window.base, .records = records, .words = std::move(words)};
    }
    template <typename Record>
    static std::vector<std::uint32_t> words(const std::vector<Record>& records) {
        std::vector<std::uint32_t> words;
        for (const Record& record : records)
            words.insert(words.end(), record.words.begin(), record.words.end());
        return words;
    }
    // Zero words at the end are left out.
    static std::vector<std::uint32_t> bits(const std::vector<bool>& set) {
        std::vector<std::uint32_t> words;
        for (std::size_t i = 0; i < set.size(); ++i) {
            if (!set[i]) continue;
            words.resize(i / hwmap::live_word_bits + 1);
            words.back() |= 1U << i % hwmap::live_word_bits;
        }
        return words;
    }

    std::vector<hwmap::trigger_record> triggers_;
    std::vector<hwmap::order_record> orders_;
    std::vector<hwmap::link_record> links_;
    std::vector<bool> live_, dormant_;
    std::vector<hwmap::fire_count_record> fires_;
    std::vector<hwmap::rearm_record> rearms_;
};

}  // namespace fixaccel
