// SPDX-License-Identifier: Apache-2.0
#include "order_check.hpp"

#include <charconv>
#include <ctime>
#include <map>
#include <optional>
#include <set>

#include "fix_text.hpp"
#include "market_rules.hpp"

namespace fixaccel::hostile {
namespace {

constexpr std::uint64_t kNsPerMs = 1'000'000;
constexpr std::uint64_t kMsPerSecond = 1000;

std::string base36(std::uint64_t value, std::size_t width) {
    std::string out(width, '0');
    for (std::size_t i = width; i-- > 0; value /= 36)
        out[i] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[value % 36];
    return out;
}

// Milliseconds since the epoch of YYYYMMDD-HH:MM:SS.mmm.
std::optional<std::uint64_t> utc_ms(const std::string& text) {
    if (text.size() != 21 || text[8] != '-' || text[11] != ':' || text[14] != ':' || text[17] != '.')
        return {};
    const auto number = [&](std::size_t at, std::size_t size) {
        int value = -1;
        const auto [end, error] = std::from_chars(text.data() + at, text.data() + at + size, value);
        return error == std::errc{} && end == text.data() + at + size ? value : -1;
    };
    std::tm utc{};
    utc.tm_year = number(0, 4) - 1900;
    utc.tm_mon = number(4, 2) - 1;
    utc.tm_mday = number(6, 2);
    utc.tm_hour = number(9, 2);
    utc.tm_min = number(12, 2);
    utc.tm_sec = number(15, 2);
    const int ms = number(18, 3);
    if (utc.tm_mon < 0 || utc.tm_mday < 1 || utc.tm_hour < 0 || utc.tm_min < 0 || utc.tm_sec < 0 || ms < 0)
        return {};
    return static_cast<std::uint64_t>(::timegm(&utc)) * kMsPerSecond + static_cast<std::uint64_t>(ms);
}

}  // namespace

std::string order_fault(const std::string& message, const Bundle& bundle, const BundleRule& rule,
                        const OrderTerms& terms) {
    const Framed framed = frame_message(message);
    if (framed.what != Framed::What::whole || framed.length != message.size()) return "BodyLength is wrong";
    if (!framed.sum_right) return "CheckSum is wrong";
    const auto fields = fix_fields(message);
    if (!fields) return "it is not made of fields";
    std::set<unsigned> seen;
    for (const Field& field : *fields)
        if (!seen.insert(field.tag).second) return "tag " + std::to_string(field.tag) + " twice";
    const bool limit = rule.order.type == "limit";
    const std::map<std::string, std::string> tifs{{"day", "0"}, {"gtc", "1"}, {"ioc", "3"}, {"fok", "4"}};
    const std::map<unsigned, std::string> texts{
        {35, "D"},
        {49, bundle.session.sender_comp_id},
        {56, bundle.session.target_comp_id},
        {11, terms.epoch + base36(rule.index, 8) + base36(terms.fires, 8)},
        {55, rule.instrument},
        {54, rule.order.side == "buy" ? "1" : "2"},
        {40, limit ? "2" : "1"},
        {59, tifs.at(rule.order.tif)},
        {1, rule.order.account},
    };
    for (const auto& [tag, value] : texts) {
        const std::string* const found = find(*fields, tag);
        if (found == nullptr || *found != value)
            return "tag " + std::to_string(tag) + " is " + (found == nullptr ? "missing" : *found) +
                   ", not " + value;
    }
    std::map<unsigned, std::string> numbers{{34, std::to_string(terms.seq_num)}, {38, rule.order.qty}};
    if (limit) numbers[44] = rule.order.price;
    for (const auto& [tag, value] : numbers) {
        const std::string* const found = find(*fields, tag);
        if (found == nullptr || !decimal(*found) || *decimal(*found) != decimal(value).value())
            return "tag " + std::to_string(tag) + " is " + (found == nullptr ? "missing" : *found) +
                   ", not " + value;
    }
    if (!limit && find(*fields, 44) != nullptr) return "a market order has a price";
    for (const unsigned tag : {52U, 60U}) {
        const std::string* const found = find(*fields, tag);
        const auto ms = found == nullptr ? std::nullopt : utc_ms(*found);
        if (!ms) return "tag " + std::to_string(tag) + " is no time";
        if (*ms + 1 < terms.earliest_ns / kNsPerMs || *ms > terms.latest_ns / kNsPerMs + 1)
            return "tag " + std::to_string(tag) + " is " + *found + ", " +
                   std::to_string(static_cast<std::int64_t>(*ms - terms.earliest_ns / kNsPerMs)) +
                   " ms from its trigger";
    }
    return {};
}

}  // namespace fixaccel::hostile
