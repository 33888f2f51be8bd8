// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/fire.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <stdexcept>

#include "fixaccel/framer.hpp"
#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel {
namespace {

constexpr unsigned kClOrdIdTag = 11;

constexpr std::size_t kWireDecimals = 8;
constexpr std::size_t kMostWireDigits = 18;

bool all_digits(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

struct Unit {
    std::uint64_t mantissa = 0;
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
            unit.mantissa = unit.mantissa * 10 + static_cast<std::uint64_t>(c - '0');
            unit.decimals += point ? 1 : 0;
            digit = true;
        } else {
            throw std::invalid_argument("not a price unit: " + std::string(text));
        }
    }
    if (!digit) throw std::invalid_argument("not a price unit: " + std::string(text));
    return unit;
}

// Digits of value * factor, which may have more than 64 bits.
std::string product_digits(std::uint64_t value, std::uint64_t factor) {
    std::string digits = std::to_string(value);
    std::uint64_t carry = 0;
    for (std::size_t i = digits.size(); i-- > 0;) {
        carry += static_cast<std::uint64_t>(digits[i] - '0') * factor;
        digits[i] = static_cast<char>('0' + carry % 10);
        carry /= 10;
    }
    if (carry != 0) digits.insert(0, std::to_string(carry));
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
    return digits;
}

}  // namespace

bool Fire::sent() const { return outcome == hwmap::outcome_sent; }

std::string Fire::cl_ord_id() const { return std::string(fix_field(payload, kClOrdIdTag)); }

std::string outcome_text(std::uint32_t outcome) {
    switch (outcome) {
        case hwmap::outcome_sent:
            return "sent";
        case hwmap::outcome_kill:
            return "rejected:kill";
        case hwmap::outcome_watchdog:
            return "rejected:watchdog";
        case hwmap::outcome_session:
            return "rejected:session";
        case hwmap::outcome_clock:
            return "rejected:clock";
        case hwmap::outcome_window:
            return "rejected:window";
        case hwmap::outcome_exhausted:
            return "rejected:exhausted";
        case hwmap::outcome_fault:
            return "rejected:fault";
        case hwmap::outcome_order_notional:
            return "rejected:order_notional";
        case hwmap::outcome_collar:
            return "rejected:collar";
        case hwmap::outcome_self_trade:
            return "rejected:self_trade";
        case hwmap::outcome_orders_per_second:
            return "rejected:orders_per_second";
        case hwmap::outcome_total_orders:
            return "rejected:total_orders";
        case hwmap::outcome_total_qty:
            return "rejected:total_qty";
        case hwmap::outcome_frame:
            return "rejected:frame";
        case hwmap::outcome_dry:
            return "dry";
        case hwmap::outcome_watch:
            return "watch";
        default:
            return "unknown:" + std::to_string(outcome);
    }
}

std::string_view source_text(std::uint32_t source) {
    switch (source) {
        case hwmap::source_bid:
            return "bid";
        case hwmap::source_ask:
            return "ask";
        case hwmap::source_last:
            return "last";
        case hwmap::source_mid:
            return "mid";
        default:
            return "unknown";
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

std::optional<std::int64_t> wire_price(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    const std::size_t point = std::min(text.find('.'), text.size());
    std::string digits(text.substr(0, point));
    std::string_view fraction = text.substr(std::min(point + 1, text.size()));
    const bool bare_point = point + 1 == text.size();
    if (digits.empty() || bare_point || !all_digits(digits) || !all_digits(fraction)) return std::nullopt;
    fraction = fraction.substr(0, fraction.find_last_not_of('0') + 1);
    if (fraction.size() > kWireDecimals) return std::nullopt;
    digits.append(fraction).append(kWireDecimals - fraction.size(), '0');
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
    if (digits.size() > kMostWireDigits) return std::nullopt;
    std::int64_t price = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), price);
    return negative ? -price : price;
}

std::string plain_number(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    while (text.size() > 1 && text[0] == '0' && text[1] != '.') text.remove_prefix(1);
    if (text.find('.') != std::string_view::npos) {
        while (text.ends_with('0')) text.remove_suffix(1);
        if (text.ends_with('.')) text.remove_suffix(1);
    }
    return (negative ? "-" : "") + std::string(text);
}

std::string price_text(std::int64_t count, std::string_view unit_text, bool halved) {
    Unit unit = parse_unit(unit_text);
    if (halved) {
        unit.mantissa *= 5;
        ++unit.decimals;
    }
    const bool negative = count < 0;
    const std::uint64_t magnitude =
        negative ? 0 - static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
    std::string digits = product_digits(magnitude, unit.mantissa);
    const auto decimals = static_cast<std::size_t>(unit.decimals);
    if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
    std::string text = digits.substr(0, digits.size() - decimals);
    std::string fraction = digits.substr(digits.size() - decimals);
    while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
    if (!fraction.empty()) text += '.' + fraction;
    return negative ? '-' + text : text;
}

}  // namespace fixaccel
