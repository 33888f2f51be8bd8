// SPDX-License-Identifier: Apache-2.0
// From one table to the next, and from one process to the next: what stays.
#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "interpreter.hpp"
#include "own_executions.hpp"

namespace fixaccel {
namespace {

constexpr std::uint32_t kGone = BitTree::kNone;

struct Hash {
    std::uint64_t low, high;
    bool operator==(const Hash&) const = default;
    bool any() const { return low != 0 || high != 0; }
};

struct HashOfHash {
    std::size_t operator()(const Hash& hash) const { return static_cast<std::size_t>(hash.low ^ hash.high); }
};

Hash hash_of(const TableColumns& columns, std::size_t row) {
    return {columns.part.hash[2 * row], columns.part.hash[2 * row + 1]};
}

std::string_view rule_name(const TableColumns& columns, std::size_t rule) {
    const auto chars = columns.name.text.subspan(static_cast<std::size_t>(columns.rule.name_first[rule]),
                                                 static_cast<std::size_t>(columns.rule.name_count[rule]));
    return {reinterpret_cast<const char*>(chars.data()), chars.size()};
}

std::string_view symbol_of(const TableColumns& columns, std::size_t instrument) {
    const auto chars = columns.instrument.symbol.subspan(instrument * TableColumns::kSymbolChars,
                                                         TableColumns::kSymbolChars);
    const auto end = std::find(chars.begin(), chars.end(), 0);
    return {reinterpret_cast<const char*>(chars.data()), static_cast<std::size_t>(end - chars.begin())};
}

// Instruments of `columns` by symbol.
std::unordered_map<std::string_view, std::size_t> directory(const TableColumns& columns) {
    std::unordered_map<std::string_view, std::size_t> found;
    for (std::size_t instrument = 0; instrument < columns.instruments(); ++instrument)
        found.emplace(symbol_of(columns, instrument), instrument);
    return found;
}

// Rows of rule_limits by the rule's name.
std::map<std::string_view, std::size_t> limited_rules(const TableColumns& columns) {
    std::map<std::string_view, std::size_t> found;
    for (std::size_t row = 0; row < columns.rule_limits.rule.size(); ++row)
        found.emplace(rule_name(columns, static_cast<std::size_t>(columns.rule_limits.rule[row])), row);
    return found;
}

// For each old part the row of the new one that means the same, or `kGone`.
std::vector<std::uint32_t> same_parts(const TableColumns& old, const TableColumns& now) {
    const auto comparable = [&](std::uint32_t row, std::uint32_t next) {
        const auto before = static_cast<std::size_t>(old.part.instrument[row]);
        const auto after = static_cast<std::size_t>(now.part.instrument[next]);
        return old.part.form[row] == now.part.form[next] &&
               old.instrument.unit[before] == now.instrument.unit[after];
    };
    std::vector<std::uint32_t> same(old.parts(), kGone);
    // Most stay in their places; only the others are looked for.
    const auto stays = [&](std::uint32_t row) {
        return row < old.parts() && row < now.parts() && hash_of(old, row).any() &&
               hash_of(old, row) == hash_of(now, row) && comparable(row, row);
    };
    std::unordered_map<Hash, std::uint32_t, HashOfHash> rows;
    for (std::uint32_t row = 0; row < now.parts(); ++row) {
        if (stays(row))
            same[row] = row;
        else if (hash_of(now, row).any())
            rows.emplace(hash_of(now, row), row);
    }
    for (std::uint32_t row = 0; row < old.parts() && !rows.empty(); ++row) {
        if (same[row] != kGone) continue;
        const auto found = rows.find(hash_of(old, row));
        if (found == rows.end() || !comparable(row, found->second)) continue;
        same[row] = found->second;
        rows.erase(found);
    }
    return same;
}

}  // namespace

std::unique_ptr<Generation> TableInterpreter::Impl::take_tables() { return unarmed(); }

void TableInterpreter::Impl::reload(std::unique_ptr<Generation> next) {
    const TableColumns& columns = next->columns;
    gate_.come_to(now_ns_);  // by the day of the old
    const GateCounters counted = counters();
    const auto known = directory(parts_->columns);
    std::vector<Market> markets(columns.instruments());
    for (std::size_t instrument = 0; instrument < markets.size(); ++instrument) {
        const auto found = known.find(symbol_of(columns, instrument));
        if (found == known.end()) continue;
        markets[instrument] = markets_[found->second];
        // Prices that count another unit say nothing.
        if (parts_->columns.instrument.unit[found->second] != columns.instrument.unit[instrument]) {
            std::fill(std::begin(markets[instrument].has_known), std::end(markets[instrument].has_known),
                      false);
            markets[instrument].forget_previous();
        }
    }
    const std::unique_ptr<Generation> old = std::exchange(parts_, std::move(next));
    untouched_ = false;
    moved_.clear();  // rows of the old
    markets_ = std::move(markets);
    const Gate before = gate_;
    const OwnOrders& own = before.own();
    gate_.set_limits(parts_->columns, now_ns_);
    set_counters(counted);
    take_over_buckets(*old, before);
    for (std::size_t instrument = 0; instrument < markets_.size(); ++instrument) {
        const auto found = known.find(symbol_of(columns, instrument));
        if (found != known.end()) gate_.own().take_over(instrument, own, found->second);
    }
    const std::vector<std::uint32_t> same = same_parts(old->columns, columns);
    std::vector<std::uint8_t> kept(columns.parts());
    for (std::uint32_t row = 0; row < same.size(); ++row) {
        if (same[row] == kGone) continue;
        take_over(*old, row, same[row]);
        kept[same[row]] = 1;
    }
    take_over_waits(*old, same);
    take_over_fills(*old, same);
    if (own_) renumber_orders(*old, same, known);
    for (std::uint32_t row = 0; row < columns.parts(); ++row)
        if (kept[row] == 0 && columns.part.parents[row] < 0) enter(row);
    parts_->refresh_all();
    parts_->schedules.advance(now_ns_);
}

void TableInterpreter::Impl::restart() {
    parts_ = unarmed();
    gate_ = Gate(parts_->columns);
    gate_.set_rolling(rolling_);
    arming_.clear();
    moved_.clear();
    filled_.clear();
    clock_known_ = false;
    for (Market& market : markets_) market.ending = false;
    arm_all();
}

// The state of one part.
void TableInterpreter::Impl::take_over(const Generation& old, std::uint32_t from, std::uint32_t to) {
    const PartState state = parts_->states[to] = old.states[from];
    parts_->fires[to] = old.fires[from];
    if (!old.rearmed.empty() && !parts_->rearmed.empty()) parts_->rearmed[to] = old.rearmed[from];
    if (parts_->form_of(to) == Form::trail) {
        static_cast<TrailState&>(parts_->trailing[parts_->place[to]]) = old.trailing[old.place[from]];
    }
    if (const auto moment = old.moments.of(from)) parts_->moments.set(to, *moment);
    if (parts_->form_of(to) != Form::threshold) return;
    Chain& chain = parts_->chain_of(to);
    if (state == PartState::armed) chain.live.insert(parts_->rank[to]);
    if (state == PartState::waiting) chain.waiting.insert(parts_->rank[to]);
    if (state == PartState::undecided) chain.undecided.push_back(parts_->rank[to]);
}

// Fired parts that are yet to be armed again.
void TableInterpreter::Impl::take_over_waits(const Generation& old, const std::vector<std::uint32_t>& same) {
    for (std::priority_queue<Timer> timers : old.timers) {
        for (; !timers.empty(); timers.pop()) {
            const std::uint32_t row = same[timers.top().row];
            if (row == kGone) continue;
            parts_->timers[parts_->instrument_of(row)].push({timers.top().due_ns, row});
            markets_[parts_->instrument_of(row)].ending = true;
        }
    }
    for (const Lane& lane : old.lanes) {
        for (const Resets& resets : lane.resets) {
            for (const Resets::Entry& entry : resets.heap) {
                const std::uint32_t row = same[entry.row];
                if (row != kGone)
                    parts_->resets_of(row).push(resets.at_or_above ? entry.key : -entry.key, row);
            }
        }
    }
}

// Numbers of parts may be others now: what is filled goes along.
void TableInterpreter::Impl::take_over_fills(const Generation& old, const std::vector<std::uint32_t>& same) {
    std::map<std::int32_t, std::int64_t> filled;
    for (std::uint32_t row = 0; row < same.size(); ++row) {
        const auto sum = filled_.find(old.columns.part.index[row]);
        if (same[row] != kGone && sum != filled_.end())
            filled.emplace(parts_->columns.part.index[same[row]], sum->second);
    }
    filled_ = std::move(filled);
}

void TableInterpreter::Impl::renumber_orders(const Generation& old, const std::vector<std::uint32_t>& same,
                                             const std::unordered_map<std::string_view, std::size_t>& known) {
    std::map<std::int32_t, std::int32_t> parts;
    for (std::uint32_t row = 0; row < same.size(); ++row)
        if (same[row] != kGone)
            parts.emplace(old.columns.part.index[row], parts_->columns.part.index[same[row]]);
    std::vector<std::int64_t> instruments(old.columns.instruments(), -1);
    for (std::size_t now = 0; now < markets_.size(); ++now) {
        const auto found = known.find(symbol_of(parts_->columns, now));
        if (found != known.end()) instruments[found->second] = static_cast<std::int64_t>(now);
    }
    own_->renumber(parts, instruments);
}

// Rules that have limits of their own before and after.
void TableInterpreter::Impl::take_over_buckets(const Generation& old, const Gate& before) {
    const auto known = limited_rules(old.columns);
    for (const auto& [rule, row] : limited_rules(parts_->columns)) {
        const auto found = known.find(rule);
        if (found == known.end()) continue;
        OrderBucket bucket = before.rule_bucket(found->second);
        bucket.resize(parts_->columns.rule_limits.orders_per_second[row], now_ns_);
        gate_.rule_bucket(row) = bucket;
    }
}

std::uint32_t TableInterpreter::Impl::checked(std::size_t row) const {
    if (row >= parts_->columns.parts()) throw TableError("no part in row " + std::to_string(row));
    return static_cast<std::uint32_t>(row);
}

void TableInterpreter::Impl::restore(std::size_t row, std::uint32_t fires, bool spent) {
    parts_->fires[checked(row)] = fires;
    if (spent) leave(checked(row), PartState::fired);
}

void TableInterpreter::Impl::restore_cancelled(std::size_t row) {
    if (parts_->states[checked(row)] != PartState::fired) leave(checked(row), PartState::cancelled);
}

void TableInterpreter::Impl::restore_armed(std::size_t row) {
    if (parts_->states[checked(row)] == PartState::disarmed) arm(checked(row));
}

// One that is undecided stays in the chain's list: its state says that it is not any more.
void TableInterpreter::Impl::restore_passed(std::size_t row) {
    const std::uint32_t part = checked(row);
    const PartState state = parts_->states[part];
    if (state != PartState::waiting && state != PartState::undecided && state != PartState::refused) return;
    Chain& chain = parts_->chain_of(part);
    if (state == PartState::waiting) chain.waiting.erase(parts_->rank[part]);
    go_live(chain, parts_->rank[part]);
    for (std::size_t source = 0; source < kSources; ++source)
        parts_->refresh(parts_->lane(parts_->instrument_of(part), source));
}

GateCounters TableInterpreter::Impl::counters() const {
    GateCounters counters;
    counters.orders = gate_.orders();
    for (std::size_t instrument = 0; instrument < markets_.size(); ++instrument) {
        const std::int64_t bought = gate_.quantity(instrument, 0);
        const std::int64_t sold = gate_.quantity(instrument, 1);
        if (bought != 0 || sold != 0)
            counters.quantities.push_back(
                {std::string(symbol_of(parts_->columns, instrument)), bought, sold});
    }
    const std::size_t rules = parts_->columns.rule.name_first.size();
    for (std::size_t rule = 0; rule < rules; ++rule)
        if (const auto& last_ns = gate_.own().last_ns(rule))
            counters.last_orders.push_back({std::string(rule_name(parts_->columns, rule)), *last_ns});
    for (const auto& [rule, row] : limited_rules(parts_->columns)) {
        GateCounters::Rule own{
            std::string(rule), gate_.rule_orders(row), {}, gate_.rule_bucket(row).full_ns()};
        if (own.orders != 0) counters.rules.push_back(std::move(own));
    }
    const auto& limits = parts_->columns.rule_instrument;
    for (std::size_t row = 0; row < limits.limits.size(); ++row) {
        const std::int64_t bought = gate_.rule_quantity(row, 0);
        const std::int64_t sold = gate_.rule_quantity(row, 1);
        const auto rule = static_cast<std::size_t>(
            parts_->columns.rule_limits.rule[static_cast<std::size_t>(limits.limits[row])]);
        for (GateCounters::Rule& own : counters.rules)
            if ((bought != 0 || sold != 0) && own.rule == rule_name(parts_->columns, rule))
                own.quantities.push_back(
                    {std::string(
                         symbol_of(parts_->columns, static_cast<std::size_t>(limits.instrument[row]))),
                     bought, sold});
    }
    return counters;
}

void TableInterpreter::Impl::set_counters(const GateCounters& counters) {
    gate_.clear_counters();
    gate_.set_orders(counters.orders);
    const auto known = directory(parts_->columns);
    for (const GateCounters::Quantity& quantity : counters.quantities) {
        const auto found = known.find(quantity.symbol);
        if (found != known.end()) gate_.set_quantity(found->second, quantity.bought, quantity.sold);
    }
    std::unordered_map<std::string_view, std::size_t> rules;
    // There are many rules, and most have sent nothing.
    for (std::size_t rule = 0; !counters.last_orders.empty() && rule < parts_->columns.rule.name_first.size();
         ++rule)
        rules.emplace(rule_name(parts_->columns, rule), rule);
    for (const GateCounters::LastOrder& last : counters.last_orders) {
        const auto found = rules.find(last.rule);
        if (found != rules.end()) gate_.own().set_last_ns(found->second, last.sent_ns);
    }
    const auto limited = limited_rules(parts_->columns);
    for (const GateCounters::Rule& own : counters.rules) {
        const auto found = limited.find(own.rule);
        if (found != limited.end()) set_rule_counters(found->second, own);
    }
}

void TableInterpreter::Impl::set_rule_counters(std::size_t limits, const GateCounters::Rule& counters) {
    gate_.set_rule_orders(limits, counters.orders);
    gate_.rule_bucket(limits).set_full(counters.rate_full_ns);
    const auto& rows = parts_->columns.rule_instrument;
    for (std::size_t row = 0; row < rows.limits.size(); ++row) {
        if (static_cast<std::size_t>(rows.limits[row]) != limits) continue;
        const auto symbol = symbol_of(parts_->columns, static_cast<std::size_t>(rows.instrument[row]));
        for (const GateCounters::Quantity& quantity : counters.quantities)
            if (quantity.symbol == symbol) gate_.set_rule_quantity(row, quantity.bought, quantity.sold);
    }
}

}  // namespace fixaccel
