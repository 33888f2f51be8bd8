// SPDX-License-Identifier: Apache-2.0
#include "fix_text.hpp"

#include <algorithm>
#include <charconv>

namespace fixaccel::hostile {
namespace {

constexpr std::size_t kTrailer = 7;  // 10=nnn and its SOH

std::optional<unsigned> number(std::string_view text) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return {};
    return value;
}

}  // namespace

unsigned fix_sum(std::string_view bytes) {
    unsigned sum = 0;
    for (const char c : bytes) sum += static_cast<unsigned char>(c);
    return sum % 256;
}

std::string fix_message(const Fields& fields) {
    std::string body;
    for (const Field& field : fields) body += std::to_string(field.tag) + '=' + field.value + kSoh;
    std::string out = std::string("8=FIX.4.4") + kSoh + "9=" + std::to_string(body.size()) + kSoh + body;
    const std::string sum = std::to_string(fix_sum(out));
    return out + "10=" + std::string(3 - sum.size(), '0') + sum + kSoh;
}

std::optional<Fields> fix_fields(std::string_view message) {
    Fields out;
    std::size_t at = 0;
    while (at < message.size()) {
        const std::size_t equal = message.find('=', at);
        if (equal == std::string_view::npos) return {};
        const auto tag = number(message.substr(at, equal - at));
        if (!tag) return {};
        const std::size_t end = message.find(kSoh, equal + 1);
        if (end == std::string_view::npos) return {};
        out.push_back({*tag, std::string(message.substr(equal + 1, end - equal - 1))});
        at = end + 1;
    }
    return out;
}

const std::string* find(const Fields& fields, unsigned tag) {
    const auto at =
        std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return field.tag == tag; });
    return at == fields.end() ? nullptr : &at->value;
}

Framed frame_message(std::string_view s) {
    const std::string_view begin = "8=";
    const auto more_or = [&](bool broken) {
        return Framed{.what = broken ? Framed::What::broken : Framed::What::more};
    };
    if (s.size() < begin.size()) return more_or(!begin.starts_with(s));
    if (!s.starts_with(begin)) return more_or(true);
    const std::size_t version = s.find(kSoh);
    if (version == std::string_view::npos) return more_or(s.size() > 16);
    const std::string_view rest = s.substr(version + 1);
    if (rest.size() < 2) return more_or(!std::string_view("9=").starts_with(rest));
    if (!rest.starts_with("9=")) return more_or(true);
    const std::size_t end = rest.find(kSoh);
    if (end == std::string_view::npos) return more_or(rest.size() > 12);
    const auto length = number(rest.substr(2, end - 2));
    if (!length) return more_or(true);
    const std::size_t body = version + 1 + end + 1;
    const std::size_t total = body + *length + kTrailer;
    if (s.size() >= body + *length && *length > 0 && s[body + *length - 1] != kSoh) return more_or(true);
    if (s.size() < total) return more_or(false);
    const std::string_view trailer = s.substr(body + *length, kTrailer);
    const auto sum = number(trailer.substr(3, 3));
    if (!trailer.starts_with("10=") || trailer.back() != kSoh || !sum) return more_or(true);
    return {.what = Framed::What::whole,
            .length = total,
            .sum_right = *sum == fix_sum(s.substr(0, body + *length))};
}

}  // namespace fixaccel::hostile
