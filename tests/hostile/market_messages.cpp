// SPDX-License-Identifier: Apache-2.0
// What messages say of prices.
#include <algorithm>
#include <array>

#include "market_rules.hpp"

namespace fixaccel::hostile {
namespace {

constexpr unsigned kPlaces = 8;
constexpr Scaled kBiggest = 1'000'000'000'000'000'000;  // so that a sum of two fits

constexpr unsigned kSymbol = 55;
constexpr unsigned kUpdateAction = 279, kEntryType = 269, kEntryPrice = 270, kEntryPosition = 290;
struct Entry {
    std::string symbol{};
    std::string action{};
    std::string type{};
    std::string price{};
    std::string position{};
};

std::vector<Entry> entries(const Fields& fields) {
    std::vector<Entry> out;
    for (const Field& field : fields) {
        if (field.tag == kEntryType) out.push_back({.type = field.value});
        if (out.empty()) continue;
        if (field.tag == kEntryPrice) out.back().price = field.value;
        if (field.tag == kEntryPosition) out.back().position = field.value;
    }
    return out;
}

// The best level: position 1, else the first of its side.
const Entry* best(const std::vector<Entry>& all, std::string_view type) {
    const Entry* first = nullptr;
    for (const Entry& entry : all) {
        if (entry.type != type) continue;
        if (entry.position == "1") return &entry;
        if (first == nullptr) first = &entry;
    }
    return first;
}

const Entry* final_of(const std::vector<Entry>& all, std::string_view type) {
    const Entry* out = nullptr;
    for (const Entry& entry : all)
        if (entry.type == type) out = &entry;
    return out;
}

}  // namespace

std::optional<Scaled> decimal(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    Scaled value = 0;
    unsigned places = 0;
    bool point = false, digit = false;
    for (const char c : text) {
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (c < '0' || c > '9') return {};
        digit = true;
        if (point && places == kPlaces) {
            if (c != '0') return {};
            continue;
        }
        if (value > kBiggest / 10) return {};
        value = value * 10 + (c - '0');
        places += point ? 1 : 0;
    }
    if (!digit) return {};
    for (; places < kPlaces; ++places) {
        if (value > kBiggest / 10) return {};
        value *= 10;
    }
    return negative ? -value : value;
}

std::string decimal_text(Scaled value) {
    const bool negative = value < 0;
    if (negative) value = -value;
    std::string digits;
    for (unsigned i = 0; i <= kPlaces || value != 0; ++i, value /= 10) {
        if (i == kPlaces) digits += '.';
        digits += static_cast<char>('0' + static_cast<int>(value % 10));
    }
    std::reverse(digits.begin(), digits.end());
    while (digits.back() == '0') digits.pop_back();
    if (digits.back() == '.') digits.pop_back();
    return (negative ? "-" : "") + digits;
}

std::vector<MarketRules::Quote> MarketRules::read(std::string_view message) const {
    const auto fields = fix_fields(message);
    if (!fields) return {};
    const auto is = [&](unsigned tag, std::string_view value) {
        const std::string* const found = find(*fields, tag);
        return found != nullptr && *found == value;
    };
    if (fields->size() < 3 || (*fields)[2].tag != kMsgType || is(kPossDupFlag, "Y") ||
        !is(kSenderCompId, bundle_.session.target_comp_id) ||
        !is(kTargetCompId, bundle_.session.sender_comp_id))
        return {};
    if (is(kMsgType, "X")) return read_update(*fields);
    return is(kMsgType, "W") ? read_snapshot(*fields) : std::vector<Quote>{};
}

std::vector<MarketRules::Quote> MarketRules::read_snapshot(const Fields& fields) const {
    // It may say its symbol again, but no other one.
    const std::string* const named = find(fields, kSymbol);
    if (named == nullptr || std::any_of(fields.begin(), fields.end(), [&](const Field& f) {
            return f.tag == kSymbol && f.value != *named;
        }))
        return {};
    auto quote = quote_of(*named);
    if (!quote) return {};
    const std::vector<Entry> all = entries(fields);
    const std::array<const Entry*, 3> chosen{best(all, "0"), best(all, "1"), final_of(all, "2")};
    for (std::size_t source = 0; source < chosen.size(); ++source)
        quote->says[source] =
            chosen[source] == nullptr ? std::nullopt : observation(*quote->instrument, chosen[source]->price);
    return {*quote};
}

std::vector<MarketRules::Quote> MarketRules::read_update(const Fields& fields) const {
    std::vector<Entry> all;
    std::string symbol;  // of the message, then of the entry in sight
    for (const Field& field : fields) {
        if (field.tag == kUpdateAction) all.push_back({.symbol = symbol, .action = field.value});
        if (field.tag == kSymbol) symbol = field.value;
        if (all.empty()) continue;
        Entry& entry = all.back();
        if (field.tag == kSymbol) entry.symbol = field.value;
        if (field.tag == kEntryType) entry.type = field.value;
        if (field.tag == kEntryPrice) entry.price = field.value;
        if (field.tag == kEntryPosition) entry.position = field.value;
    }
    std::vector<std::string> named;  // in the order of first appearance
    for (const Entry& entry : all) {
        if (entry.symbol.empty()) return {};
        if (std::find(named.begin(), named.end(), entry.symbol) == named.end()) named.push_back(entry.symbol);
    }
    std::vector<Quote> out;
    for (const std::string& name : named) {
        auto quote = quote_of(name);
        if (!quote) continue;
        std::vector<Entry> own;
        for (const Entry& entry : all)
            // Of a deeper level nothing follows for the best one.
            if (entry.symbol == name &&
                (entry.type == "2" || entry.position.empty() || entry.position == "1"))
                own.push_back(entry);
        const auto deleted = [](const Entry& entry) { return entry.action == "2"; };
        std::vector<Entry> trades = own;
        std::erase_if(trades, deleted);
        const std::array<const Entry*, 3> chosen{best(own, "0"), best(own, "1"), final_of(trades, "2")};
        for (std::size_t source = 0; source < chosen.size(); ++source)
            if (chosen[source] != nullptr)
                quote->says[source] = deleted(*chosen[source])
                                          ? std::nullopt
                                          : observation(*quote->instrument, chosen[source]->price);
        out.push_back(*quote);
    }
    return out;
}

}  // namespace fixaccel::hostile
