// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/trail_table.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace fixaccel {
namespace {

// Empty where the bundle has none.
const BundleMemory& memory_of(const Bundle& bundle, const hwmap::Window& window) {
    static const BundleMemory none{};
    const auto found = std::find_if(bundle.memories.begin(), bundle.memories.end(),
                                    [&](const BundleMemory& each) { return each.base == window.base; });
    return found == bundle.memories.end() ? none : *found;
}

template <typename Record>
Record record_of(const BundleMemory& memory, std::uint32_t number) {
    Record record;
    const auto begin = memory.words.begin() + std::ptrdiff_t{number} * std::ptrdiff_t{Record::kStride};
    std::copy_n(begin, Record::kStride, record.words.begin());
    return record;
}

// Visits each trail with its number: visitor(number, trail, rule).
template <typename Visitor>
void each_trail(const Bundle& bundle, Visitor visitor) {
    const BundleMemory& trails = memory_of(bundle, hwmap::memory::trail);
    const BundleMemory& triggers = memory_of(bundle, hwmap::memory::trigger);
    for (std::uint32_t number = 0; number < trails.records; ++number) {
        const auto trail = record_of<hwmap::trail_record>(trails, number);
        const auto trigger =
            record_of<hwmap::trigger_record>(triggers, static_cast<std::uint32_t>(trail.trigger()));
        visitor(number, trail, static_cast<std::uint32_t>(trigger.rule()));
    }
}

std::uint32_t address_of(std::uint32_t stop) {
    return hwmap::memory::stop.base + stop * hwmap::memory::stop.stride_bytes;
}

// A stop that moves between two words is read again.
hwmap::stop_record read_stop(Board& board, std::uint32_t number, const hwmap::stop_record& expected) {
    hwmap::stop_record now;
    hwmap::stop_record before = expected;
    while (true) {
        for (std::size_t word = 0; word < now.words.size(); ++word)
            now.words[word] =
                board.read(address_of(number) + static_cast<std::uint32_t>(word * sizeof(std::uint32_t)));
        if (now.words == before.words) return now;
        before = now;
    }
}

}  // namespace

TrailTable::TrailTable(const Bundle& bundle) {
    const BundleMemory& stops = memory_of(bundle, hwmap::memory::stop);
    each_trail(bundle, [&](std::uint32_t, const hwmap::trail_record& trail, std::uint32_t rule) {
        const auto number = static_cast<std::uint32_t>(trail.stop());
        const auto fresh = record_of<hwmap::stop_record>(stops, number);
        trails_.push_back({.rule = rule,
                           .number = number,
                           .distance = static_cast<std::int64_t>(trail.distance()),
                           .sells = trail.sell() != 0,
                           .fresh = fresh,
                           .known = fresh});
    });
}

void TrailTable::write(Board& board, const StateOf& state_of) {
    for (Trail& trail : trails_) {
        trail.known = trail.fresh;
        if (const auto state = state_of(trail.rule); state && state->active) {
            trail.known = {};
            trail.known.set_active(1);
            trail.known.set_set(state->has_extreme ? 1 : 0);
            if (state->has_extreme) trail.known.set_price(state->stop);
        }
        board.write(address_of(trail.number), trail.known.words);
    }
}

TrailTable::Moved TrailTable::moved(Board& board) {
    Moved moved;
    for (Trail& trail : trails_) {
        const hwmap::stop_record now = read_stop(board, trail.number, trail.known);
        if (now.words == trail.known.words) continue;
        trail.known = now;
        if (now.active() == 0) continue;
        // What has fired looks like one that has just been activated: the journal knows of the fire.
        if (now.set() == 0 && trail.fresh.active() != 0) continue;
        TrailState state{.active = true};
        if (now.set() != 0)
            state = {.active = true,
                     .has_extreme = true,
                     .extreme = now.price() + (trail.sells ? trail.distance : -trail.distance),
                     .stop = now.price()};
        moved.emplace_back(trail.rule, state);
    }
    return moved;
}

std::optional<std::int64_t> TrailTable::hit_at(Board& board, std::uint32_t rule) const {
    const auto own =
        std::find_if(trails_.begin(), trails_.end(), [&](const Trail& trail) { return trail.rule == rule; });
    if (own == trails_.end()) return std::nullopt;
    const hwmap::stop_record now = read_stop(board, own->number, own->known);
    if (now.active() == 0 || now.set() != 0) return std::nullopt;
    return now.price();
}

bool TrailTable::behind(Board& board, const Moved& others) const {
    return std::any_of(others.begin(), others.end(), [&](const auto& other) {
        const auto& [rule, state] = other;
        const auto own = std::find_if(trails_.begin(), trails_.end(),
                                      [&, rule = rule](const Trail& trail) { return trail.rule == rule; });
        if (own == trails_.end()) return false;
        const hwmap::stop_record now = read_stop(board, own->number, own->known);
        if (now.active() == 0) return state.active;
        if (!state.has_extreme || now.set() == 0) return state.has_extreme;
        return own->sells ? now.price() < state.stop : now.price() > state.stop;
    });
}

bool keep_stops(const Bundle& former, Bundle& bundle) {
    using Key = std::pair<std::string, std::string>;
    const auto key_of = [](const Bundle& of, std::uint32_t rule) {
        return Key{of.rules[rule].id, of.rules[rule].hash};
    };
    std::map<Key, std::uint32_t> kept;
    std::vector<bool> taken(hwmap::trail_slots);
    each_trail(former, [&](std::uint32_t, const hwmap::trail_record& trail, std::uint32_t rule) {
        kept[key_of(former, rule)] = static_cast<std::uint32_t>(trail.stop());
        taken.at(trail.stop()) = true;
    });
    std::vector<std::uint32_t> numbers;
    std::vector<std::uint32_t> anew;
    std::uint32_t free = 0;
    bool room = true;
    each_trail(bundle, [&](std::uint32_t, const hwmap::trail_record&, std::uint32_t rule) {
        if (const auto found = kept.find(key_of(bundle, rule)); found != kept.end()) {
            numbers.push_back(found->second);
            return;
        }
        while (free < taken.size() && taken[free]) ++free;
        room = room && free < taken.size();
        anew.push_back(free);
        numbers.push_back(free++);
    });
    if (!room) return false;
    bundle.fresh_stops = std::move(anew);
    BundleMemory fresh{};
    for (BundleMemory& memory : bundle.memories)
        if (memory.base == hwmap::memory::stop.base) {
            fresh = memory;
            memory.records = numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end()) + 1;
            memory.words.assign(std::size_t{memory.records} * hwmap::stop_record::kStride, 0);
        }
    for (BundleMemory& memory : bundle.memories) {
        if (memory.base != hwmap::memory::trail.base) continue;
        for (std::uint32_t number = 0; number < memory.records; ++number) {
            auto trail = record_of<hwmap::trail_record>(memory, number);
            const auto stop = record_of<hwmap::stop_record>(fresh, static_cast<std::uint32_t>(trail.stop()));
            trail.set_stop(numbers[number]);
            std::copy(trail.words.begin(), trail.words.end(),
                      memory.words.begin() + std::ptrdiff_t{number} * std::ptrdiff_t{trail.kStride});
            for (BundleMemory& stops : bundle.memories)
                if (stops.base == hwmap::memory::stop.base)
                    std::copy(
                        stop.words.begin(), stop.words.end(),
                        stops.words.begin() + std::ptrdiff_t{numbers[number]} * std::ptrdiff_t{stop.kStride});
        }
    }
    return true;
}

}  // namespace fixaccel
