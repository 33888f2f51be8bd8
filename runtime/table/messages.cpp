// SPDX-License-Identifier: Apache-2.0
// What messages do to what is known, and which of their prices are observations.
#include <algorithm>
#include <string>

#include "interpreter.hpp"
#include "order_words.hpp"
#include "own_executions.hpp"

namespace fixaccel {

bool Market::mid(std::int64_t& halves) const {
    if (!has_known[kBid] || !has_known[kAsk] || known[kBid] > known[kAsk]) return false;
    halves = known[kBid] + known[kAsk];
    return true;
}

bool Market::value(std::size_t source, std::int64_t& price) const {
    if (suspended) return false;
    if (source == kMid) return mid(price);
    price = known[source];
    return has_known[source];
}

bool Market::reference(std::int64_t& halves) const {
    if (!has_known[kLast]) return mid(halves);
    halves = 2 * known[kLast];
    return true;
}

void TableInterpreter::Impl::check(std::int32_t instrument, std::uint8_t kind) const {
    if (kind > static_cast<std::uint8_t>(MarketKind::open))
        throw TableError("no kind of message " + std::to_string(kind));
    const bool quote = kind <= static_cast<std::uint8_t>(MarketKind::snapshot);
    if (instrument >= static_cast<std::int64_t>(markets_.size()) ||
        instrument < (quote ? 0 : kAllInstruments))
        throw TableError("no instrument " + std::to_string(instrument));
}

void TableInterpreter::Impl::process(const MarketMessage& message, std::int64_t event, TableSink& sink) {
    if (!clock_known_ || parts_->moments.due(message.ts_ns)) come_to(message.ts_ns, event, sink);
    now_ns_ = std::max(now_ns_, message.ts_ns);
    parts_->schedules.advance(now_ns_);
    if (message.instrument == kAllInstruments) {
        for (std::size_t instrument = 0; instrument < markets_.size(); ++instrument) {
            to_instrument(instrument, message.kind);
            end_message(instrument);
        }
        return;
    }
    const auto instrument = static_cast<std::size_t>(message.instrument);
    if (message.kind <= MarketKind::snapshot)
        quote(instrument, message, event, sink);
    else
        to_instrument(instrument, message.kind);
    if (markets_[instrument].ending) end_message(instrument);
}

void TableInterpreter::Impl::watch(const MarketMessage& message) {
    struct NoSink final : TableSink {
        void report(const TableFire& /*fire*/) override {}
    } nobody;
    now_ns_ = std::max(now_ns_, message.ts_ns);
    const auto instrument = static_cast<std::size_t>(message.instrument);
    heeded_ = false;
    if (message.kind <= MarketKind::snapshot)
        quote(instrument, message, 0, nobody);
    else if (message.instrument != kAllInstruments)
        to_instrument(instrument, message.kind);
    else
        for (std::size_t each = 0; each < markets_.size(); ++each) to_instrument(each, message.kind);
    heeded_ = true;
}

void TableInterpreter::Impl::forget_market() {
    for (Market& market : markets_) market = {.ending = market.ending};
}

void TableInterpreter::Impl::to_instrument(std::size_t instrument, MarketKind kind) {
    Market& market = markets_[instrument];
    market.forget_previous();
    if (kind == MarketKind::gap)
        market.suspended = true;
    else
        market.open = kind == MarketKind::open;
}

void TableInterpreter::Impl::quote(std::size_t instrument, const MarketMessage& message, std::int64_t event,
                                   TableSink& sink) {
    Market& market = markets_[instrument];
    current_ = instrument;
    if (gate_.needs_reference()) has_reference_ = market.reference(reference_halves_);
    const bool snapshot = message.kind == MarketKind::snapshot;
    if (snapshot) market.suspended = false;
    bool observed[kCarriedSources];
    for (std::size_t source = 0; source < kCarriedSources; ++source) {
        observed[source] = false;
        const PriceState state = message.state[source];
        if (state == PriceState::absent) {
            if (snapshot) market.has_known[source] = false;
            continue;
        }
        std::optional<std::int64_t> units;
        if (state == PriceState::value) units = parts_->dividers[instrument].divide(message.price[source]);
        if (!units && state != PriceState::unknown) ++invalid_prices_;
        market.has_known[source] = observed[source] = units.has_value();
        if (units) market.known[source] = *units;
    }
    if (!market.open || market.suspended) return;
    for (std::uint8_t source = 0; source < kCarriedSources; ++source)
        if (observed[source]) observe(instrument, source, market.known[source], event, sink);
    std::int64_t halves = 0;
    if ((observed[kBid] || observed[kAsk]) && market.mid(halves))
        observe(instrument, kMid, halves, event, sink);
}

void TableInterpreter::Impl::observe(std::size_t instrument, std::uint8_t source, std::int64_t price,
                                     std::int64_t event, TableSink& sink) {
    if (touch_ != nullptr && source != kMid) touch_->see(instrument, source, price, event);
    Lane& lane = parts_->lane(instrument, source);
    const bool concerns = heeded_ && (price <= lane.low || price >= lane.high || !lane.quiet);
    if (concerns) {
        const Observation seen{instrument, source, price, event, sink};
        if (gate_.admits(has_reference_, seen.halves(), reference_halves_)) evaluate(lane, seen);
    }
    markets_[instrument].previous[source] = price;
    markets_[instrument].has_previous[source] = true;
}

// Arming takes effect once the message is done: it is judged by what is known then, and live from the next
// one.
void TableInterpreter::Impl::end_message(std::size_t instrument) {
    auto& timers = parts_->timers[instrument];
    while (!timers.empty() && timers.top().due_ns <= now_ns_) {
        arming_.push_back(timers.top().row);
        parts_->states[timers.top().row] = PartState::rearming;
        timers.pop();
    }
    for (const std::uint32_t row : arming_) {
        const PartState state = parts_->states[row];
        if (state == PartState::rearming) ++parts_->rearmed[row];
        if (state == PartState::rearming || state == PartState::arming) arm(row);
    }
    arming_.clear();
    markets_[instrument].ending = !timers.empty();
}

}  // namespace fixaccel
