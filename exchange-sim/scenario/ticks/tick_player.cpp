// SPDX-License-Identifier: Apache-2.0
#include "scenario/ticks/tick_player.hpp"

#include <algorithm>
#include <stdexcept>

#include "matching/decimal.hpp"

namespace fixaccel::exchange {
namespace {

// A price that says that its side is not known any more.
constexpr const char* kUnknown = "-";

}  // namespace

TickPlayer::TickPlayer(const Exchange& exchange, std::map<std::string, std::string> symbols)
    : exchange_(exchange), symbols_(std::move(symbols)) {
    for (const auto& [there, here] : symbols_) shown_[there] = {here, exchange_.find(here), {}, {}};
}

TickPlayer::Shown* TickPlayer::find(const std::string& symbol) {
    const auto known = shown_.find(symbol);
    if (known != shown_.end()) return &known->second;
    if (!symbols_.empty()) return nullptr;
    const Instrument* terms = exchange_.find(symbol);
    if (terms == nullptr) throw std::invalid_argument("instrument '" + symbol + "' is not traded here");
    return &shown_.emplace(symbol, Shown{symbol, terms, {}, {}}).first->second;
}

// Sizes of recorded data are seldom whole lots: no more than was there, and a lot at least.
Quantity TickPlayer::size_of(const Instrument& terms, const std::string& text) {
    if (text.empty()) return terms.lot();
    const auto scaled = parse_decimal(text);
    if (!scaled || *scaled < 0)
        throw std::invalid_argument("size '" + text + "' is not a decimal from zero up");
    const Quantity lots = *scaled / kDecimalScale / terms.lot();
    return std::max<Quantity>(1, lots) * terms.lot();
}

// Whether the row carries the side.
bool TickPlayer::read_side(const Shown& shown, const std::string& price, const std::string& size,
                           std::optional<Quote>& side) {
    if (price.empty()) return false;
    side.reset();
    if (price == kUnknown) return true;
    std::string why;
    const auto value = shown.terms->parse_price(price, why);
    if (!value) throw std::invalid_argument(why);
    side = Quote{*value, size_of(*shown.terms, size)};
    return true;
}

std::vector<TickMove> TickPlayer::phases(const std::string& symbol, Phase phase) {
    std::vector<TickMove> result;
    if (!symbol.empty()) {
        if (const Shown* shown = find(symbol)) result.emplace_back(TickPhase{shown->symbol, phase});
    } else if (!symbols_.empty()) {
        for (const auto& [there, here] : symbols_) result.emplace_back(TickPhase{here, phase});
    } else {
        for (const std::string& each : exchange_.symbols()) result.emplace_back(TickPhase{each, phase});
    }
    return result;
}

std::vector<TickMove> TickPlayer::moves(const EventRow& row) {
    if (row.kind == "halt") return phases(row.instrument, Phase::kHalted);
    if (row.kind == "open") return phases(row.instrument, Phase::kContinuous);
    const bool snapshot = row.kind == "snapshot";
    if (!snapshot && !row.kind.empty() && row.kind != "update") {
        // A hole in what was recorded, or a row of a strategy's own orders.
        if (row.kind == "gap" || row.kind == "fill" || row.kind == "done" || row.kind == "reject") return {};
        throw std::invalid_argument("kind '" + row.kind + "' is unknown");
    }
    Shown* shown = find(row.instrument);
    if (shown == nullptr) return {};
    if (snapshot) {
        shown->bid.reset();
        shown->ask.reset();
    }
    const bool bid = read_side(*shown, row.bid, row.bid_size, shown->bid);
    const bool ask = read_side(*shown, row.ask, row.ask_size, shown->ask);
    std::optional<Quote> last;
    read_side(*shown, row.last, row.last_size, last);
    std::vector<TickMove> result;
    if (last) result.emplace_back(TickTrade{shown->symbol, last->price, last->quantity});
    if (!bid && !ask && !snapshot) return result;
    // Quotes that cross would trade with each other: the one that the row does not
    // carry is old, and where it carries both there is no market.
    if (shown->bid && shown->ask && shown->bid->price >= shown->ask->price) {
        if (bid) shown->ask.reset();
        if (ask) shown->bid.reset();
    }
    result.emplace_back(TickQuote{shown->symbol, shown->bid, shown->ask});
    return result;
}

const std::vector<Execution>& TickPlayer::make(Exchange& exchange, const TickMove& move) {
    if (const auto* quote = std::get_if<TickQuote>(&move))
        return exchange.quote(quote->symbol, quote->bid, quote->ask);
    if (const auto* trade = std::get_if<TickTrade>(&move))
        return exchange.trade(trade->symbol, trade->price, trade->quantity);
    const auto& phase = std::get<TickPhase>(move);
    Message message;
    message.kind = MessageKind::kPhase;
    message.instrument = exchange.index_of(phase.symbol);
    message.phase = phase.phase;
    return exchange.say(message);
}

}  // namespace fixaccel::exchange
