// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/message_scan.hpp"

#include <array>
#include <charconv>

#include "fixaccel/digits.hpp"
#include "fixaccel/framer.hpp"

namespace fixaccel {
namespace {

constexpr std::uint64_t kMostTag = 0x7FFFFFFF;
constexpr std::size_t kMostHeaderFields = 16;
constexpr std::size_t kUsualFields = 5;  // of those that are counted: MsgType and what follows it
constexpr std::size_t kMostDigits = 9;   // of a MsgSeqNum that everybody can count to

// As QuickFIX 1.15.1 sorts them.
constexpr std::array kHeader{8,   9,   34,  35,  43,  49,  50,  52,  56,  57,  90,  91,  97,  115,  116,
                             122, 128, 129, 142, 143, 144, 145, 212, 213, 347, 369, 370, 627, 1128, 1129};
// A field that counts the bytes of the next one, or that: what looks like fields may be its bytes. And the
// trailer's.
constexpr std::array kRefused{10,  89,  90,  91,  93,  95,  96,  212, 213, 348, 349,
                              350, 351, 352, 353, 354, 355, 356, 357, 358, 359, 360,
                              361, 362, 363, 364, 365, 445, 446, 618, 619, 621, 622};

constexpr std::uint8_t kOfBody = 0xFF;
constexpr std::uint8_t kOdd = 0xFE;

// By tag: a place in kHeader, or one of the above.
constexpr auto kKinds = [] {
    std::array<std::uint8_t, kHeader.back() + 1> kinds{};
    kinds.fill(kOfBody);
    for (std::size_t i = 0; i < kHeader.size(); ++i) kinds[kHeader[i]] = static_cast<std::uint8_t>(i);
    for (const int tag : kRefused) kinds[static_cast<std::size_t>(tag)] = kOdd;
    return kinds;
}();
static_assert(kHeader.size() <= 32, "MessageScan::seen_ has a bit for each");

std::uint8_t kind_of(std::uint32_t tag) { return tag < kKinds.size() ? kKinds[tag] : kOfBody; }

// Without leading zeros or a sign: as the engine would write it, too.
int plain_count(std::string_view digits) {
    int number = 0;
    if (digits.size() > kMostDigits || digits.front() < '1') return 0;
    const auto [past, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() && past == digits.data() + digits.size() ? number : 0;
}

}  // namespace

MessageScan::MessageScan(std::string_view message, MarketHeader& header)
    : message_(message),
      header_(header),
      trailer_at_(message.size() < kTrailerBytes ? 0 : message.size() - kTrailerBytes),
      odd_(message.size() < kTrailerBytes) {
    header_ = {};
}

bool MessageScan::next(FixField& field) {
    if (at_ == message_.size()) {
        finish();
        return false;
    }
    const std::size_t start = at_;
    const char* at = message_.data() + start;
    const char* const end = message_.data() + message_.size();
    std::uint32_t sum = 0;
    std::uint64_t tag = 0;
    for (; at != end && *at != '=' && *at != kSoh; ++at) {
        const std::uint32_t byte = static_cast<unsigned char>(*at);
        sum += byte;
        const std::uint32_t digit = byte - '0';
        tag = digit <= 9 && tag <= kMostTag ? tag * 10 + digit : kMostTag + 1;
    }
    const bool has_value = at != end && *at == '=';
    field.tag = has_value && tag <= kMostTag ? static_cast<std::uint32_t>(tag) : 0;
    if (has_value) sum += static_cast<unsigned char>(*at++);
    const char* const value = at;
    for (; at != end && *at != kSoh; ++at) sum += static_cast<unsigned char>(*at);
    field.value = {value, static_cast<std::size_t>(at - value)};
    const bool ended = at != end;
    if (ended) sum += static_cast<unsigned char>(*at++);
    at_ = static_cast<std::size_t>(at - message_.data());
    if (start < trailer_at_) sum_ += sum;
    if (!odd_) look(start, field, ended);
    return true;
}

void MessageScan::look(std::size_t start, const FixField& field, bool ended) {
    const std::string_view text = message_.substr(start, at_ - start);
    switch (fields_++) {
        case 0:
            odd_ = !ended || !text.starts_with("8=");
            header_.begin = part(text);
            header_.begin_string = part(field.value);
            return;
        case 1:
            odd_ = !ended || !text.starts_with("9=");
            if (!odd_) look_at_length(field.value);
            return;
        case 2:
            odd_ = text != "35=W\x01" && text != "35=X\x01";
            if (odd_) return;
            header_.type = field.value.front();
            header_.fields.at = start;
            break;
        default:
            break;
    }
    if (start < trailer_at_) look_at_body(start, field, ended);
}

void MessageScan::look_at_length(std::string_view value) {
    int length = -1;
    const auto [past, error] = std::from_chars(value.data(), value.data() + value.size(), length);
    odd_ = error != std::errc() || past != value.data() + value.size() || value.front() == '-' ||
           at_ > trailer_at_ || static_cast<std::size_t>(length) != trailer_at_ - at_;
}

void MessageScan::look_at_body(std::size_t start, const FixField& field, bool ended) {
    const std::uint8_t kind = kind_of(field.tag);
    odd_ = field.tag == 0 || field.value.empty() || !ended || at_ > trailer_at_ || kind == kOdd;
    if (odd_) return;
    const bool header_is_over = header_.fields.size != 0;
    if (kind == kOfBody) {
        if (!header_is_over) header_.fields.size = start - header_.fields.at;
        return;
    }
    const std::uint32_t bit = std::uint32_t{1} << kind;
    odd_ = header_is_over || (seen_ & bit) != 0 || headers_ == kMostHeaderFields;
    if (odd_) return;
    seen_ |= bit;
    ++headers_;
    note(start, field);
}

// What the usual ones say; a tag with zeros ahead is none of them.
void MessageScan::note(std::size_t start, const FixField& field) {
    if (message_[start] == '0') return;
    ++usual_;
    switch (field.tag) {
        case 34:
            header_.number = plain_count(field.value);
            break;
        case 35:
            break;
        case 49:
            header_.sender = part(field.value);
            break;
        case 52:
            header_.sending_time = part(field.value);
            break;
        case 56:
            header_.target = part(field.value);
            break;
        default:
            --usual_;
    }
}

void MessageScan::finish() {
    header_.plain = !odd_ && header_.fields.size != 0 && message_.substr(trailer_at_) == trailer(sum_).data();
    header_.usual = header_.plain && headers_ == kUsualFields && usual_ == kUsualFields &&
                    header_.begin_string.size != 0 && header_.number != 0;
}

}  // namespace fixaccel
