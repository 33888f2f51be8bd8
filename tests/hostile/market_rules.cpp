// SPDX-License-Identifier: Apache-2.0
#include "market_rules.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <stdexcept>

#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel::hostile {
namespace {

constexpr unsigned kPlaces = 8;
constexpr Scaled kBiggest = 1'000'000'000'000'000'000;  // so that a sum of two fits
constexpr std::size_t kBelow = 0, kAbove = 1;

constexpr unsigned kMsgSeqNum = 34, kSenderCompId = 49, kTargetCompId = 56, kMsgType = 35, kPossDupFlag = 43,
                   kSymbol = 55;
constexpr unsigned kEntryType = 269, kEntryPrice = 270, kEntryPosition = 290;

// QuickFIX rejects a message with a field of its header or trailer elsewhere.
constexpr std::array kHeader{8U,   9U,   34U,  35U,  43U,  49U,  50U,  52U,   56U,  57U,
                             90U,  97U,  115U, 116U, 122U, 128U, 129U, 142U,  143U, 144U,
                             145U, 212U, 213U, 347U, 369U, 370U, 627U, 1128U, 1129U};
constexpr std::array kTrailer{10U, 89U, 93U};

unsigned zone(unsigned tag) {
    const auto in = [&](const auto& tags) { return std::find(tags.begin(), tags.end(), tag) != tags.end(); };
    return in(kHeader) ? 0 : in(kTrailer) ? 2 : 1;
}

struct Entry {
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

std::size_t source_code(std::string_view name) {
    constexpr std::array<std::string_view, 4> kNames{"bid", "ask", "last", "mid"};
    return static_cast<std::size_t>(std::find(kNames.begin(), kNames.end(), name) - kNames.begin());
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

MarketRules::MarketRules(const Bundle& bundle, const std::filesystem::path& instruments) : bundle_(bundle) {
    std::ifstream file(instruments);
    std::array<std::string, 5> words;
    while (file >> words[0] >> words[1] >> words[2] >> words[3] >> words[4])
        instruments_.push_back({.symbol = words[0],
                                .tick = decimal(words[1]).value(),
                                .middle = decimal(words[2]).value(),
                                .low = decimal(words[3]).value(),
                                .high = decimal(words[4]).value()});
    if (instruments_.empty()) throw std::runtime_error(instruments.string() + " lists no instruments");
    chains_.resize(instruments_.size());
    for (const BundleRule& rule : bundle_.rules) {
        if (!rule.trigger) continue;  // the runtime's
        const auto at = std::find_if(instruments_.begin(), instruments_.end(),
                                     [&](const Instrument& i) { return i.symbol == rule.instrument; });
        Chains& chains =
            chains_.at(static_cast<std::size_t>(at - instruments_.begin())).at(source_code(rule.source));
        chains[rule.direction == "<=" ? kBelow : kAbove].push_back(
            {rule.index, decimal(rule.threshold).value()});
    }
    const auto declared_first = [](const Threshold& a, const Threshold& b) { return a.rule < b.rule; };
    for (auto& sources : chains_)
        for (Chains& chains : sources) {
            std::sort(chains[kBelow].begin(), chains[kBelow].end(),
                      [&](const Threshold& a, const Threshold& b) {
                          return a.at == b.at ? declared_first(a, b) : a.at > b.at;
                      });
            std::sort(chains[kAbove].begin(), chains[kAbove].end(),
                      [&](const Threshold& a, const Threshold& b) {
                          return a.at == b.at ? declared_first(a, b) : a.at < b.at;
                      });
        }
}

std::optional<Scaled> MarketRules::observation(const Instrument& instrument, std::string_view text) const {
    const auto value = decimal(text);
    if (!value || *value % instrument.tick != 0 || *value < instrument.low || *value > instrument.high)
        return {};
    return value;
}

std::optional<MarketRules::Quote> MarketRules::read(std::string_view message) const {
    const auto fields = fix_fields(message);
    if (!fields) return {};
    const auto is = [&](unsigned tag, std::string_view value) {
        const std::string* const found = find(*fields, tag);
        return found != nullptr && *found == value;
    };
    if (fields->size() < 3 || (*fields)[2].tag != kMsgType || !is(kMsgType, "W") || is(kPossDupFlag, "Y"))
        return {};
    if (!is(kSenderCompId, bundle_.session.target_comp_id) ||
        !is(kTargetCompId, bundle_.session.sender_comp_id))
        return {};
    // It may say its symbol again, but no other one.
    const std::string* const named = find(*fields, kSymbol);
    if (named == nullptr || std::any_of(fields->begin(), fields->end(), [&](const Field& f) {
            return f.tag == kSymbol && f.value != *named;
        }))
        return {};
    Quote quote;
    const std::string& symbol = *named;
    for (; quote.index < instruments_.size(); ++quote.index)
        if (instruments_[quote.index].symbol == symbol) break;
    if (quote.index == instruments_.size()) return {};
    quote.instrument = &instruments_[quote.index];
    const std::vector<Entry> all = entries(*fields);
    const std::array<const Entry*, 3> chosen{best(all, "0"), best(all, "1"), final_of(all, "2")};
    for (std::size_t source = 0; source < chosen.size(); ++source)
        if (chosen[source] != nullptr)
            quote.price[source] = observation(*quote.instrument, chosen[source]->price);
    const auto& [bid, ask, last, mid] = quote.price;
    if (bid && ask && *bid <= *ask) quote.price[hwmap::source_mid] = (*bid + *ask) / 2;
    return quote;
}

MarketRules::Judgement MarketRules::judge(std::string_view message, std::uint32_t number) const {
    const auto fields = fix_fields(message);
    if (!fields || fields->size() < 3 || (*fields)[2].tag != kMsgType) return Judgement::refused;
    const auto is = [&](unsigned tag, const std::string& value) {
        const std::string* const found = find(*fields, tag);
        return found != nullptr && *found == value;
    };
    unsigned at = 0;
    for (std::size_t i = 0; i < fields->size(); ++i) {
        const Field& field = (*fields)[i];
        const bool inside = i > 2 && i + 1 < fields->size();
        const bool framing = field.tag == 8 || field.tag == 9 || field.tag == 10 || field.tag == kMsgType;
        if (field.value.empty() || zone(field.tag) < at || (inside && framing)) return Judgement::refused;
        at = zone(field.tag);
    }
    if (!is(8, bundle_.session.begin_string) || !is(kSenderCompId, bundle_.session.target_comp_id) ||
        !is(kTargetCompId, bundle_.session.sender_comp_id))
        return Judgement::refused;
    if (is(kPossDupFlag, "Y")) return Judgement::passed_over;
    if (!is(kMsgSeqNum, std::to_string(number)) || is(kMsgType, "A") || is(kMsgType, "5") ||
        is(kMsgType, "4"))
        return Judgement::refused;
    return Judgement::taken;
}

std::vector<Fire> MarketRules::fires(std::string_view message, const std::set<std::uint32_t>& spent) const {
    const auto quote = read(message);
    if (!quote) return {};
    std::vector<Fire> out;
    for (std::uint32_t source = 0; source < quote->price.size(); ++source) {
        if (!quote->price[source]) continue;
        const Scaled price = *quote->price[source];
        const bool doubled = source == hwmap::source_mid;
        const auto units = static_cast<std::int64_t>((doubled ? 2 * price : price) / quote->instrument->tick);
        for (const std::size_t direction : {kBelow, kAbove})
            for (const Threshold& threshold : chains_[quote->index][source][direction]) {
                if (direction == kBelow ? price > threshold.at : price < threshold.at) break;
                if (!spent.contains(threshold.rule)) out.push_back({threshold.rule, source, units});
            }
    }
    return out;
}

}  // namespace fixaccel::hostile
