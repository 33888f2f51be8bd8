// SPDX-License-Identifier: Apache-2.0
#include "matching/instrument.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "matching/decimal.hpp"

namespace fixaccel::exchange {

Instrument::Instrument(InstrumentTerms terms) : terms_(std::move(terms)) {
    if (terms_.ticks.empty()) throw std::invalid_argument("no tick is given");
    if (terms_.lot <= 0) throw std::invalid_argument("the lot must be positive");
    for (const auto& [from, tick] : terms_.ticks) {
        if (tick <= 0) throw std::invalid_argument("a tick must be positive");
        unit_ = unit_ == 0 ? tick : std::min(unit_, tick);
    }
    for (const auto& [from, tick] : terms_.ticks) {
        if (tick % unit_ != 0) {
            throw std::invalid_argument("tick " + format_decimal(tick, 0) +
                                        " is not a multiple of the finest tick " + format_decimal(unit_, 0));
        }
    }
    if (terms_.lowest > terms_.highest) throw std::invalid_argument("price_range ends below its start");
    // One tick for all prices has no lower end; a table says nothing about prices below its first row.
    if (terms_.ticks.size() > 1 && terms_.lowest < terms_.ticks.begin()->first) {
        throw std::invalid_argument("price_range starts below the first row of the tick table");
    }
    decimals_ = decimals_needed(unit_);
}

std::int64_t Instrument::tick_at(std::int64_t scaled) const {
    const auto above = terms_.ticks.upper_bound(scaled);
    return above == terms_.ticks.begin() ? above->second : std::prev(above)->second;
}

BookRules Instrument::rules() const {
    const auto up = [this](std::int64_t scaled) { return scaled / unit_ + (scaled % unit_ > 0 ? 1 : 0); };
    const auto down = [this](std::int64_t scaled) { return scaled / unit_ - (scaled % unit_ < 0 ? 1 : 0); };
    BookRules result{terms_.lot, up(terms_.lowest), down(terms_.highest), {}};
    if (terms_.ticks.size() > 1) {
        for (const auto& [from, tick] : terms_.ticks) result.ticks.push_back({up(from), tick / unit_});
    }
    return result;
}

std::optional<Price> Instrument::parse_price(std::string_view text, std::string& why) const {
    const auto scaled = parse_decimal(text);
    if (!scaled) {
        why = "price '" + std::string(text) + "' is not a decimal number";
        return std::nullopt;
    }
    if (*scaled < terms_.lowest || *scaled > terms_.highest) {
        why = "price " + std::string(text) + " is outside the price range " +
              format_decimal(terms_.lowest, 0) + " to " + format_decimal(terms_.highest, 0);
        return std::nullopt;
    }
    const std::int64_t tick = tick_at(*scaled);
    if (*scaled % tick != 0) {
        why = "price " + std::string(text) + " is not on the tick grid of " + format_decimal(tick, 0);
        return std::nullopt;
    }
    return *scaled / unit_;
}

std::optional<Price> Instrument::parse_distance(std::string_view text) const {
    const auto scaled = parse_decimal(text);
    if (!scaled || *scaled <= 0 || *scaled % unit_ != 0) return std::nullopt;
    return *scaled / unit_;
}

std::optional<Quantity> Instrument::parse_quantity(std::string_view text, std::string& why) const {
    const auto quantity = parse_whole(text);
    if (!quantity || *quantity == 0) {
        why = "quantity '" + std::string(text) + "' is not a positive whole number";
        return std::nullopt;
    }
    if (*quantity % terms_.lot != 0) {
        why = "quantity " + std::string(text) + " is not a multiple of the lot " + std::to_string(terms_.lot);
        return std::nullopt;
    }
    return quantity;
}

std::string Instrument::format_price(Price price) const { return format_decimal(price * unit_, decimals_); }

std::string Instrument::format_average(Notional notional, Quantity quantity) const {
    if (quantity == 0) return "0";
    const Notional scaled = notional * unit_;
    const Notional half =
        scaled < 0 ? -static_cast<Notional>(quantity / 2) : static_cast<Notional>(quantity / 2);
    return format_decimal(static_cast<std::int64_t>((scaled + half) / quantity), decimals_);
}

}  // namespace fixaccel::exchange
