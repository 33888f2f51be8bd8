// SPDX-License-Identifier: Apache-2.0
#include "market_data.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "fixaccel/fire.hpp"

namespace fixaccel {
namespace {

constexpr char kSoh = '\x01';

enum Tag : std::uint32_t {
    kPossDupFlag = 43,
    kMsgType = 35,
    kSymbol = 55,
    kMDEntryType = 269,
    kMDEntryPx = 270,
    kMDUpdateAction = 279,
    kMDEntryPositionNo = 290,
};

struct Field {
    std::uint32_t tag = 0;
    std::string_view value;
};

// Takes the first field off `rest`. A tag that is no number is 0.
Field take_field(std::string_view& rest) {
    const std::size_t end = std::min(rest.find(kSoh), rest.size());
    const std::string_view text = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t equals = text.find('=');
    Field field;
    if (equals == std::string_view::npos) return field;
    const char* const past = text.data() + equals;
    const auto [stop, error] = std::from_chars(text.data(), past, field.tag);
    if (error != std::errc() || stop != past) field.tag = 0;
    field.value = text.substr(equals + 1);
    return field;
}

// One entry of the message's repeating group.
struct Entry {
    std::string_view symbol;
    std::string_view type;
    std::string_view action;
    std::string_view position;
    std::optional<std::string_view> price;

    bool of(std::size_t source) const {
        return type.size() == 1 && type[0] == static_cast<char>('0' + source);
    }
    bool deleted() const { return action == "2"; }
    bool first_level() const {
        return position.ends_with('1') && position.find_first_not_of('0') == position.size() - 1;
    }
};

struct Parsed {
    std::string_view type;
    std::string_view symbol;  // before the first entry
    bool poss_dup = false;
    std::vector<Entry> entries;
};

// An entry of an update begins with its MDUpdateAction, one of a snapshot with its MDEntryType.
Parsed parse(std::string_view message) {
    Parsed parsed;
    std::uint32_t begin = kMDEntryType;
    while (!message.empty()) {
        const auto [tag, value] = take_field(message);
        if (tag == kMsgType) parsed.type = value;
        if (parsed.type == "X") begin = kMDUpdateAction;
        if (tag == kPossDupFlag) parsed.poss_dup = value == "Y";
        if (tag == begin) parsed.entries.emplace_back();
        if (parsed.entries.empty()) {
            if (tag == kSymbol) parsed.symbol = value;
            continue;
        }
        Entry& entry = parsed.entries.back();
        if (tag == kSymbol) entry.symbol = value;
        if (tag == kMDEntryType) entry.type = value;
        if (tag == kMDUpdateAction) entry.action = value;
        if (tag == kMDEntryPx) entry.price = value;
        if (tag == kMDEntryPositionNo) entry.position = value;
    }
    return parsed;
}

constexpr std::size_t kTrade = 2;  // of bid, ask, last

// The entry that says what `source` is now: of a side the best level, of trades the last one.
template <typename Entries>
const Entry* decisive(const Entries& entries, std::size_t source, bool update) {
    const Entry* chosen = nullptr;
    for (const Entry& entry : entries) {
        if (!entry.of(source)) continue;
        if (source == kTrade) {
            if (!entry.deleted()) chosen = &entry;
            continue;
        }
        if (entry.first_level()) return &entry;
        // An update may be of a deeper level alone.
        if (chosen == nullptr && (!update || entry.position.empty())) chosen = &entry;
    }
    return chosen;
}

MarketMessage message_of(const std::vector<Entry>& entries, std::int32_t instrument, std::int64_t ts_ns,
                         MarketKind kind) {
    MarketMessage message{.ts_ns = ts_ns, .instrument = instrument, .kind = kind};
    for (std::size_t source = 0; source < kCarriedSources; ++source) {
        const Entry* const entry = decisive(entries, source, kind == MarketKind::update);
        if (entry == nullptr) continue;
        message.state[source] = PriceState::unknown;
        if (!entry->deleted() && entry->price)
            message.state[source] = read_price(*entry->price, message.price[source]);
    }
    return message;
}

}  // namespace

PriceState read_price(std::string_view text, std::int64_t& price) {
    const std::optional<std::int64_t> units = wire_price(text);
    price = units.value_or(price);
    return units ? PriceState::value : PriceState::invalid;
}

MarketReader::MarketReader(const std::vector<std::string>& symbols) {
    for (std::size_t row = 0; row < symbols.size(); ++row)
        instruments_.emplace(symbols[row], static_cast<std::int32_t>(row));
}

bool MarketReader::read(std::string_view message, std::int64_t ts_ns, std::vector<MarketMessage>& out) const {
    out.clear();
    Parsed parsed = parse(message);
    const bool update = parsed.type == "X";
    if (parsed.poss_dup || (!update && parsed.type != "W")) return true;
    if (!update) {
        if (parsed.symbol.empty()) return false;
        const auto found = instruments_.find(parsed.symbol);
        if (found != instruments_.end())
            out.push_back(message_of(parsed.entries, found->second, ts_ns, MarketKind::snapshot));
        return true;
    }
    std::vector<std::string_view> symbols;
    std::map<std::string_view, std::vector<Entry>> entries;
    std::string_view symbol = parsed.symbol;
    for (const Entry& entry : parsed.entries) {
        // What an entry leaves out is as in the one before it.
        if (!entry.symbol.empty()) symbol = entry.symbol;
        if (symbol.empty()) return false;
        if (entries.find(symbol) == entries.end()) symbols.push_back(symbol);
        entries[symbol].push_back(entry);
    }
    for (const std::string_view each : symbols) {
        const auto found = instruments_.find(each);
        if (found != instruments_.end())
            out.push_back(message_of(entries[each], found->second, ts_ns, MarketKind::update));
    }
    return true;
}

}  // namespace fixaccel
