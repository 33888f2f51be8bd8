// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/fire.hpp"

#include <array>
#include <cstddef>
#include <stdexcept>

#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel {
namespace {

constexpr char kSoh = '\x01';
constexpr unsigned kClOrdIdTag = 11;

struct Unit {
    std::int64_t mantissa = 0;
    int decimals = 0;
};

Unit parse_unit(std::string_view text) {
    Unit unit;
    bool point = false;
    bool digit = false;
    for (const char c : text) {
        if (c == '.' && !point) {
            point = true;
        } else if (c >= '0' && c <= '9' && unit.mantissa < 1'000'000'000'000) {
            unit.mantissa = unit.mantissa * 10 + (c - '0');
            unit.decimals += point ? 1 : 0;
            digit = true;
        } else {
            throw std::invalid_argument("not a price unit: " + std::string(text));
        }
    }
    if (!digit) throw std::invalid_argument("not a price unit: " + std::string(text));
    return unit;
}

std::string decimal_digits(unsigned __int128 value) {
    std::string digits;
    do digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    while ((value /= 10) != 0);
    return digits;
}

}  // namespace

bool Fire::sent() const { return outcome == hwmap::outcome_sent; }

std::string Fire::cl_ord_id() const { return std::string(fix_field(payload, kClOrdIdTag)); }

std::string outcome_text(std::uint32_t outcome) {
    switch (outcome) {
        case hwmap::outcome_sent: return "sent";
        case hwmap::outcome_kill: return "rejected:kill";
        case hwmap::outcome_watchdog: return "rejected:watchdog";
        case hwmap::outcome_session: return "rejected:session";
        case hwmap::outcome_clock: return "rejected:clock";
        case hwmap::outcome_window: return "rejected:window";
        case hwmap::outcome_ring: return "rejected:ring";
        case hwmap::outcome_fault: return "rejected:fault";
        default: return "unknown:" + std::to_string(outcome);
    }
}

std::string_view source_text(std::uint32_t source) {
    switch (source) {
        case hwmap::source_bid: return "bid";
        case hwmap::source_ask: return "ask";
        case hwmap::source_last: return "last";
        case hwmap::source_mid: return "mid";
        default: return "unknown";
    }
}

std::string_view fix_field(std::string_view message, unsigned tag) {
    const std::string key = std::to_string(tag) + '=';
    std::size_t at = 0;
    while (at < message.size()) {
        std::size_t end = message.find(kSoh, at);
        if (end == std::string_view::npos) end = message.size();
        const std::string_view field = message.substr(at, end - at);
        if (field.starts_with(key)) return field.substr(key.size());
        at = end + 1;
    }
    return {};
}

std::string price_text(std::int64_t count, std::string_view unit_text, bool halved) {
    Unit unit = parse_unit(unit_text);
    __int128 value = static_cast<__int128>(count) * unit.mantissa;
    if (halved) {
        value *= 5;
        ++unit.decimals;
    }
    const bool negative = value < 0;
    std::string digits = decimal_digits(static_cast<unsigned __int128>(negative ? -value : value));
    const auto decimals = static_cast<std::size_t>(unit.decimals);
    if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
    std::string text = digits.substr(0, digits.size() - decimals);
    std::string fraction = digits.substr(digits.size() - decimals);
    while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
    if (!fraction.empty()) text += '.' + fraction;
    return negative ? '-' + text : text;
}

}  // namespace fixaccel
