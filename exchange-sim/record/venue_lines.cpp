// SPDX-License-Identifier: Apache-2.0
// What a record says of the venue at its beginning.
#include <algorithm>
#include <limits>

#include "matching/decimal.hpp"
#include "record/call_fields.hpp"
#include "record/call_lines.hpp"

namespace fixaccel::exchange {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kWhole = "snapshot";
constexpr const char* kChanges = "incremental";
constexpr int kSelfTrades = 5;
// One tick for all prices has no lower end.
constexpr std::int64_t kFromAnywhere = std::numeric_limits<std::int64_t>::min();
constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::int64_t decimal(const std::string& text) {
    const auto value = parse_decimal(text);
    if (!value) throw RecordLineError("'" + text + "' is not a decimal number");
    return *value;
}

Json instrument_line(const InstrumentTerms& terms) {
    Json ticks = Json::array();
    for (const auto& [from, tick] : terms.ticks) {
        Json row = {{"tick", format_decimal(tick, 0)}};
        if (from != kFromAnywhere) row["from"] = format_decimal(from, 0);
        ticks.push_back(std::move(row));
    }
    return {{"symbol", terms.symbol},
            {"lot", terms.lot},
            {"lowest", format_decimal(terms.lowest, 0)},
            {"highest", format_decimal(terms.highest, 0)},
            {"ticks", std::move(ticks)}};
}

Instrument read_instrument(const Json& json) {
    const LineFields line(json);
    InstrumentTerms terms;
    terms.symbol = line.text("symbol");
    terms.lot = line.number("lot");
    terms.lowest = decimal(line.text("lowest"));
    terms.highest = decimal(line.text("highest"));
    for (const Json& row : line.list("ticks")) {
        const LineFields tick(row);
        terms.ticks[tick.has("from") ? decimal(tick.text("from")) : kFromAnywhere] =
            decimal(tick.text("tick"));
    }
    try {
        return Instrument(std::move(terms));
    } catch (const std::invalid_argument& error) {
        throw RecordLineError(error.what());
    }
}

}  // namespace

Json venue_line(const RecordedVenue& venue) {
    Json list = Json::array();
    for (const Instrument& instrument : venue.instruments)
        list.push_back(instrument_line(instrument.terms()));
    const bool whole = venue.update_type == UpdateType::kFullRefresh;
    return {{"self_trade", to_text(venue.self_trade)},
            {"market_data", whole ? kWhole : kChanges},
            {"kept_orders", venue.kept_orders},
            {"instruments", std::move(list)}};
}

RecordedVenue parse_venue(const Json& json) {
    const LineFields line(json);
    RecordedVenue venue;
    venue.self_trade = line.word<SelfTrade>("self_trade", kSelfTrades);
    venue.update_type =
        line.text("market_data") == kChanges ? UpdateType::kIncrementalRefresh : UpdateType::kFullRefresh;
    venue.kept_orders = static_cast<std::size_t>(
        line.number("kept_orders", static_cast<std::int64_t>(Exchange::kKeptFinished)));
    for (const Json& instrument : line.list("instruments"))
        venue.instruments.push_back(read_instrument(instrument));
    return venue;
}

std::string to_base64(const std::string& bytes) {
    std::string result;
    for (std::size_t place = 0; place < bytes.size(); place += 3) {
        std::uint32_t group = 0;
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - place);
        for (std::size_t i = 0; i < 3; ++i)
            group = group << 8U | (i < count ? static_cast<unsigned char>(bytes[place + i]) : 0U);
        for (std::size_t i = 0; i < 4; ++i)
            result += i <= count ? kDigits[group >> (18U - 6U * static_cast<unsigned>(i)) & 63U] : '=';
    }
    return result;
}

std::string from_base64(const std::string& text) {
    std::string result;
    std::uint32_t group = 0;
    unsigned bits = 0;
    for (const char c : text.substr(0, text.find('='))) {
        const std::size_t digit = kDigits.find(c);
        if (digit == std::string_view::npos) throw RecordLineError("the state is not base64");
        group = group << 6U | static_cast<std::uint32_t>(digit);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        result += static_cast<char>(group >> bits & 255U);
    }
    return result;
}

}  // namespace fixaccel::exchange
