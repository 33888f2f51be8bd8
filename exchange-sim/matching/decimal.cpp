// SPDX-License-Identifier: Apache-2.0
#include "matching/decimal.hpp"

#include <algorithm>

namespace fixaccel::exchange {
std::optional<std::int64_t> parse_whole(std::string_view text) {
    const auto scaled = parse_decimal(text);
    if (!scaled || *scaled < 0 || *scaled % kDecimalScale != 0) return std::nullopt;
    return *scaled / kDecimalScale;
}

int decimals_needed(std::int64_t scaled) {
    int places = kDecimalPlaces;
    while (places > 0 && scaled % 10 == 0) {
        scaled /= 10;
        --places;
    }
    return places;
}

std::string format_decimal(std::int64_t scaled, int decimals) {
    const int places = std::max(decimals, decimals_needed(scaled));
    const auto magnitude = static_cast<std::uint64_t>(scaled < 0 ? -scaled : scaled);
    std::string text = std::to_string(magnitude / kDecimalScale);
    if (places > 0) {
        std::string fraction = std::to_string(magnitude % kDecimalScale);
        fraction.insert(0, kDecimalPlaces - fraction.size(), '0');
        text += '.' + fraction.substr(0, static_cast<std::size_t>(places));
    }
    return scaled < 0 ? '-' + text : text;
}

}  // namespace fixaccel::exchange
