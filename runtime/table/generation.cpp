// SPDX-License-Identifier: Apache-2.0
#include "generation.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "fixaccel/as_index.hpp"

namespace fixaccel {
namespace {

// Orders parts by chain, then as they fire within it.
struct ChainKey {
    std::uint64_t chain;  // instrument, source, confirm, direction, terms
    std::uint64_t depth;
    std::uint32_t row;

    bool operator<(const ChainKey& other) const {
        if (chain != other.chain) return chain < other.chain;
        if (depth != other.depth) return depth < other.depth;
        return row < other.row;
    }
};

constexpr unsigned kTermsBits = 32;
constexpr unsigned kLaneShift = kTermsBits + 2;

ChainKey key_of(const TableColumns& columns, std::uint32_t row, std::int32_t terms) {
    const auto& part = columns.part;
    const auto lane = static_cast<std::uint64_t>(part.instrument[row]) * kSources + part.source[row];
    const std::uint64_t kind = (part.confirm[row] - 1U) * 2 + part.direction[row];
    const auto when = static_cast<std::uint64_t>(terms + std::int64_t{1});
    const auto threshold = static_cast<std::uint64_t>(part.threshold[row]) ^ (std::uint64_t{1} << 63);
    return {lane << kLaneShift | kind << kTermsBits | when, part.direction[row] != 0 ? threshold : ~threshold,
            row};
}

Schedules schedules_of(const TableColumns& columns) {
    std::vector<std::vector<DayWindow>> schedules;
    for (std::size_t row = 0; row < columns.schedule.first.size(); ++row) {
        const auto first = static_cast<std::size_t>(columns.schedule.first[row]);
        const auto count = static_cast<std::size_t>(columns.schedule.count[row]);
        auto& windows = schedules.emplace_back();
        for (std::size_t at = first; at < first + count; ++at)
            windows.push_back({columns.window.start[at], columns.window.end[at]});
    }
    const auto& zone = columns.zone;
    return {{{zone.start_s.begin(), zone.start_s.end()}, {zone.offset_s.begin(), zone.offset_s.end()}},
            std::move(schedules)};
}

}  // namespace

Generation::Generation(const TableColumns& columns_)
    : columns(columns_),
      schedules(schedules_of(columns)),
      lanes(columns.instruments() * kSources),
      timers(columns.instruments()),
      states(columns.parts(), PartState::disarmed),
      fires(columns.parts()),
      rearmed(columns.rearm.times.empty() ? 0 : columns.parts()),
      place(columns.parts()),
      rank(columns.parts()) {
    build_terms();
    build_instruments();
    build_chains();
    build_lists();
    build_families();
    build_cancels();
}

void Generation::build_terms() {
    const auto& collars = columns.rule_limits.collar;
    terms_of_rows = columns.part.schedule.data();
    if (std::all_of(collars.begin(), collars.end(), [](std::int64_t collar) { return collar < 0; })) return;
    std::map<Terms, std::int32_t> numbers;
    for (std::uint32_t row = 0; row < columns.parts(); ++row) {
        const std::int32_t own = columns.part.limits[row];
        Terms of_row{columns.part.schedule[row], -1};
        if (own >= 0) of_row.limits = columns.rule_instrument.limits[static_cast<std::size_t>(own)];
        if (of_row.limits >= 0 && collars[static_cast<std::size_t>(of_row.limits)] < 0) of_row.limits = -1;
        std::int32_t number = -1;
        if (of_row != Terms{-1, -1}) {
            const auto [known, fresh] = numbers.emplace(of_row, static_cast<std::int32_t>(terms.size()));
            if (fresh) terms.push_back(of_row);
            number = known->second;
        }
        part_terms.push_back(number);
    }
    terms_of_rows = part_terms.data();
}

void Generation::build_instruments() {
    const auto& instrument = columns.instrument;
    for (std::size_t row = 0; row < columns.instruments(); ++row) {
        dividers.emplace_back(instrument.unit[row], instrument.price_min[row], instrument.price_max[row]);
        const auto first = columns.tick.start.begin() + instrument.tick_first[row];
        const auto size = columns.tick.size.begin() + instrument.tick_first[row];
        const auto count = instrument.tick_count[row];
        ticks.emplace_back(std::vector(first + 1, first + count), std::vector(size, size + count));
    }
}

void Generation::build_chains() {
    std::vector<ChainKey> keys;
    for (std::uint32_t row = 0; row < columns.parts(); ++row)
        if (form_of(row) == Form::threshold) keys.push_back(key_of(columns, row, terms_of(row)));
    std::sort(keys.begin(), keys.end());
    chain_rows.reserve(keys.size());
    chain_thresholds.reserve(keys.size());
    for (std::uint32_t begin = 0, end = 0; begin < keys.size(); begin = end) {
        while (end < keys.size() && keys[end].chain == keys[begin].chain) ++end;
        Chain& chain = chains.emplace_back(begin, end - begin);
        const std::uint32_t some = keys[begin].row;
        chain.at_or_above = columns.part.direction[some] != 0;
        chain.confirm = columns.part.confirm[some];
        chain.terms = terms_of(some);
        Lane& lane = lanes[as_index(keys[begin].chain >> kLaneShift)];
        if (lane.chains++ == 0) lane.first_chain = static_cast<std::uint32_t>(chains.size()) - 1;
        for (std::uint32_t at = begin; at < end; ++at) {
            const std::uint32_t row = keys[at].row;
            place[row] = static_cast<std::uint32_t>(chains.size()) - 1;
            rank[row] = at - begin;
            chain_rows.push_back(row);
            chain_thresholds.push_back(columns.part.threshold[row]);
        }
    }
}

void Generation::build_lists() {
    const auto& part = columns.part;
    for (std::uint32_t row = 0; row < columns.parts(); ++row) {
        const std::size_t instrument = instrument_of(row);
        if (part.group[row] >= 0) groups[part.group[row]].push_back(row);
        if (part.rearm[row] >= 0 && columns.rearm.after_ns[static_cast<std::size_t>(part.rearm[row])] < 0)
            resets_of(row);
        if (form_of(row) == Form::decide) add_decision(row, lane(instrument, part.source[row]));
        if (form_of(row) != Form::trail) continue;
        place[row] = static_cast<std::uint32_t>(trailing.size());
        trailing.emplace_back().row = row;
        lane(instrument, part.source[row]).trails.push_back(row);
        const auto detail = static_cast<std::size_t>(part.trail[row]);
        if (columns.trail.waits[detail] != 0 && columns.trail.source[detail] != part.source[row])
            lane(instrument, columns.trail.source[detail]).trails.push_back(row);
    }
    for (Lane& each : lanes) each.landings.build();
}

void Generation::add_decision(std::uint32_t row, Lane& lane) {
    place[row] = static_cast<std::uint32_t>(lane.decisions.size());
    lane.decisions.push_back(row);
    const auto decision = static_cast<std::size_t>(columns.part.decision[row]);
    const auto first = static_cast<std::size_t>(columns.decision.first[decision]);
    const auto count = static_cast<std::size_t>(columns.decision.count[decision]);
    lane.landings.add(columns.interval.low.subspan(first, count), columns.interval.high.subspan(first, count),
                      static_cast<std::uint32_t>(first));
}

void Generation::build_families() {
    children_.resize(columns.parents.first.size());
    for (std::uint32_t row = 0; row < columns.parts(); ++row)
        if (columns.part.parents[row] >= 0)
            children_[static_cast<std::size_t>(columns.part.parents[row])].push_back(row);
    for (std::size_t set = 0; set < children_.size(); ++set) {
        const auto begin = static_cast<std::size_t>(columns.parents.first[set]);
        const auto end = begin + static_cast<std::size_t>(columns.parents.count[set]);
        for (std::size_t at = begin; at < end; ++at) {
            const std::int64_t first = columns.parent.first[at];
            families_[columns.parents.on[set]].push_back({first, first + columns.parent.count[at], 0, set});
        }
    }
    for (std::vector<Family>& families : families_) {
        std::sort(families.begin(), families.end(),
                  [](const Family& a, const Family& b) { return a.first < b.first; });
        std::int64_t most = 0;
        for (Family& family : families) family.most_end = most = std::max(most, family.end);
    }
}

void Generation::build_cancels() {
    for (std::size_t set = 0; set < columns.cancels.first.size(); ++set) {
        const auto begin = static_cast<std::size_t>(columns.cancels.first[set]);
        const auto end = begin + static_cast<std::size_t>(columns.cancels.count[set]);
        auto& ranges = cancels.emplace_back();
        for (std::size_t at = begin; at < end; ++at)
            ranges.emplace_back(columns.cancelled.first[at], columns.cancelled.count[at]);
        std::sort(ranges.begin(), ranges.end());
    }
}

Resets& Generation::resets_of(std::uint32_t row) {
    const auto detail = static_cast<std::size_t>(columns.part.rearm[row]);
    Lane& of = lane(instrument_of(row), columns.rearm.source[detail]);
    const bool at_or_above = columns.rearm.direction[detail] != 0;
    for (Resets& resets : of.resets)
        if (resets.at_or_above == at_or_above && resets.terms == terms_of(row)) return resets;
    return of.resets.emplace_back(Resets{at_or_above, terms_of(row), {}});
}

void Generation::refresh(Lane& lane) {
    lane.low = kLowest;
    lane.high = kHighest;
    lane.quiet = true;
    for (std::uint32_t at = lane.first_chain; at < lane.first_chain + lane.chains; ++at) {
        const Chain& chain = chains[at];
        if (chain.at_or_above)
            lane.high = std::min(lane.high, chain.head_threshold);
        else
            lane.low = std::max(lane.low, chain.head_threshold);
        if (!chain.waiting.empty() || !chain.undecided.empty()) lane.quiet = false;
    }
    const auto armed = [this](std::uint32_t row) { return states[row] == PartState::armed; };
    const auto watched = [](const Resets& resets) { return !resets.heap.empty(); };
    if (lane.armed_decisions != 0 || std::any_of(lane.trails.begin(), lane.trails.end(), armed) ||
        std::any_of(lane.resets.begin(), lane.resets.end(), watched))
        lane.quiet = false;
}

void Generation::refresh_all() {
    for (Chain& chain : chains) chain.set_head(chain_thresholds.data());
    for (Lane& each : lanes) {
        each.armed_decisions = static_cast<std::size_t>(
            std::count_if(each.decisions.begin(), each.decisions.end(),
                          [this](std::uint32_t row) { return states[row] == PartState::armed; }));
        refresh(each);
    }
}

void Generation::children_of(std::int64_t part, ArmedOn on, std::vector<std::uint32_t>& rows) const {
    const std::vector<Family>& families = families_[static_cast<std::size_t>(on)];
    const auto after =
        std::upper_bound(families.begin(), families.end(), part,
                         [](std::int64_t value, const Family& family) { return value < family.first; });
    for (auto family = after; family != families.begin();) {
        --family;
        if (family->most_end <= part) break;
        if (family->end > part)
            rows.insert(rows.end(), children_[family->set].begin(), children_[family->set].end());
    }
}

}  // namespace fixaccel
