// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/links.hpp"

#include <algorithm>
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
std::size_t count(Words words) {
    return words.size() / Record::kStride;
}

template <typename Record>
Record record(Words words, std::size_t index) {
    Record result;
    const Words found = words.subspan(index * Record::kStride, Record::kStride);
    std::copy(found.begin(), found.end(), result.words.begin());
    return result;
}

// Zero words at a memory's end are not in the bundle.
bool bit(Words words, std::uint32_t trigger) {
    const std::size_t word = trigger / hwmap::live_word_bits;
    return word < words.size() && ((words[word] >> trigger % hwmap::live_word_bits) & 1U) != 0;
}

}  // namespace

Links::Links(const Bundle& bundle)
    : trigger_words_(words_of(bundle, hwmap::memory::trigger)),
      order_words_(words_of(bundle, hwmap::memory::order)),
      link_words_(words_of(bundle, hwmap::memory::link)),
      live_words_(words_of(bundle, hwmap::memory::live)),
      dormant_words_(words_of(bundle, hwmap::memory::dormant)) {
    const auto refuse = [&](const std::string& what) {
        throw BundleError("bundle " + bundle.path.string() + ": " + what);
    };
    triggers_ = static_cast<std::uint32_t>(count<hwmap::trigger_record>(trigger_words_));
    const std::size_t orders = count<hwmap::order_record>(order_words_);
    const std::size_t links = count<hwmap::link_record>(link_words_);
    for (std::uint32_t trigger = 0; trigger < triggers_; ++trigger) {
        const std::string name = "trigger " + std::to_string(trigger);
        if (record<hwmap::trigger_record>(trigger_words_, trigger).order() >= orders)
            refuse(name + " sends an order that is not there");
        if (bit(live_words_, trigger) && bit(dormant_words_, trigger)) refuse(name + " is live and dormant");
    }
    for (std::size_t order = 0; order < orders; ++order)
        if (record<hwmap::order_record>(order_words_, order).link() >= std::max<std::size_t>(links, 1))
            refuse("order " + std::to_string(order) + " has links that are not there");
    // No list begins with record 0.
    for (std::size_t i = 1; i < links; ++i) {
        const auto link = record<hwmap::link_record>(link_words_, i);
        const std::string name = "link " + std::to_string(i);
        if (link.first() > link.last() || link.last() >= triggers_)
            refuse(name + " is of triggers that are not there");
        if (link.more() == 0) continue;
        if (i + 1 == links) refuse("the list of " + name + " does not end");
        if (link.arms() != 0 && record<hwmap::link_record>(link_words_, i + 1).arms() == 0)
            refuse(name + " arms ahead of one that cancels");
    }
}

std::vector<TriggerState> Links::fresh() const {
    std::vector<TriggerState> triggers(triggers_);
    for (std::uint32_t trigger = 0; trigger < triggers_; ++trigger)
        triggers[trigger] = {.live = bit(live_words_, trigger), .dormant = bit(dormant_words_, trigger)};
    return triggers;
}

void Links::carry_out(std::uint32_t sender, const std::function<bool(std::uint32_t)>& was_loaded,
                      std::vector<TriggerState>& triggers) const {
    const auto order = record<hwmap::trigger_record>(trigger_words_, sender).order();
    std::size_t next = record<hwmap::order_record>(order_words_, order).link();
    while (next != 0) {
        const auto link = record<hwmap::link_record>(link_words_, next);
        for (auto trigger = static_cast<std::uint32_t>(link.first()); trigger <= link.last(); ++trigger) {
            if (!was_loaded(trigger)) continue;
            TriggerState& state = triggers[trigger];
            state.live = link.arms() != 0 && (state.live || state.dormant);
            state.dormant = false;
        }
        next = link.more() != 0 ? next + 1 : 0;
    }
}

}  // namespace fixaccel
