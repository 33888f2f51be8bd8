// SPDX-License-Identifier: Apache-2.0
#include "market_data.hpp"

#include "fixaccel/decimal.hpp"

namespace fixaccel {
namespace {

constexpr std::size_t kTradeSource = 2;  // of bid, ask, last
constexpr std::int32_t kNone = -1;

bool first_level(const MarketEntry& entry) {
    const std::string_view position = entry.position;
    return position.ends_with('1') && position.find_first_not_of('0') == position.size() - 1;
}

}  // namespace

PriceState read_price(std::string_view text, std::int64_t& price) {
    const std::optional<std::int64_t> units = parse_decimal(text);
    price = units.value_or(price);
    return units ? PriceState::value : PriceState::invalid;
}

MarketReader::MarketReader(const std::vector<std::string>& symbols) : place_(symbols.size(), kNone) {
    for (std::size_t row = 0; row < symbols.size(); ++row)
        instruments_.emplace(symbols[row], static_cast<std::int32_t>(row));
}

bool MarketReader::read(const MarketText& text, std::int64_t ts_ns, std::vector<MarketMessage>& out) {
    out.clear();
    chosen_.clear();
    if (text.again() || !text.quotes()) return true;
    const auto& entries = text.entries();
    if (text.snapshot()) {
        if (text.symbol().empty()) return false;
        const std::int32_t instrument = find(text.symbol());
        if (instrument == kNone) return true;
        out.push_back({.ts_ns = ts_ns, .instrument = instrument, .kind = MarketKind::snapshot});
        chosen_.emplace_back();
        for (const MarketEntry& entry : entries) choose(entry, false, chosen_.back());
    } else {
        // What an entry leaves out is as in the one before it: only the first may have none.
        if (!entries.empty() && entries.front().symbol.empty()) return false;
        std::string_view symbol;
        std::int32_t instrument = kNone;
        for (const MarketEntry& entry : entries) {
            if (entry.symbol != symbol) instrument = find(symbol = entry.symbol);
            if (instrument == kNone) continue;
            std::int32_t& place = place_[static_cast<std::size_t>(instrument)];
            if (place == kNone) {
                place = static_cast<std::int32_t>(out.size());
                out.push_back({.ts_ns = ts_ns, .instrument = instrument, .kind = MarketKind::update});
                chosen_.emplace_back();
            }
            choose(entry, true, chosen_[static_cast<std::size_t>(place)]);
        }
        for (const MarketMessage& message : out) place_[static_cast<std::size_t>(message.instrument)] = kNone;
    }
    for (std::size_t at = 0; at < out.size(); ++at) say(chosen_[at], out[at]);
    return true;
}

std::int32_t MarketReader::find(std::string_view symbol) const {
    const auto found = instruments_.find(symbol);
    return found == instruments_.end() ? kNone : found->second;
}

// The entry that says what its source is now: of a side the best level, of trades the last one.
void MarketReader::choose(const MarketEntry& entry, bool update, Chosen& chosen) {
    if (entry.type.size() != 1) return;
    const auto source = static_cast<std::size_t>(static_cast<unsigned char>(entry.type[0] - '0'));
    if (source >= kCarriedSources) return;
    const MarketEntry*& held = chosen.entry[source];
    if (source == kTradeSource) {
        if (!entry.deleted()) held = &entry;
        return;
    }
    if (chosen.best[source]) return;
    chosen.best[source] = first_level(entry);
    // An update may be of a deeper level alone.
    if (chosen.best[source] || (held == nullptr && (!update || entry.position.empty()))) held = &entry;
}

void MarketReader::say(const Chosen& chosen, MarketMessage& message) {
    for (std::size_t source = 0; source < kCarriedSources; ++source) {
        const MarketEntry* const entry = chosen.entry[source];
        if (entry == nullptr) continue;
        message.state[source] = PriceState::unknown;
        if (!entry->deleted() && entry->price)
            message.state[source] = read_price(*entry->price, message.price[source]);
    }
}

}  // namespace fixaccel
