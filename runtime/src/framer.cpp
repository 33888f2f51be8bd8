// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/framer.hpp"

#include <charconv>

namespace fixaccel {
namespace {

constexpr std::string_view kStart = "8=";
constexpr std::string_view kLength = "9=";
constexpr std::size_t kTrailerBytes = 7;     // 10=ddd<SOH>
constexpr std::size_t kMaxBeginString = 16;  // FIXT.1.1 and its relatives are half of it
constexpr std::size_t kMaxLengthDigits = 8;
constexpr std::size_t kMaxBody = 16U * 1024 * 1024;  // a longer message is taken for a broken length
constexpr std::size_t kCompactBytes = 64U * 1024;

}  // namespace

FixFramer::Verdict FixFramer::measure(std::string_view bytes, std::size_t& length) const {
    // Too long is broken, whether its end has come yet or not.
    const std::size_t begin_end = bytes.substr(0, kStart.size() + kMaxBeginString + 1).find(kSoh);
    if (begin_end == std::string_view::npos)
        return bytes.size() > kStart.size() + kMaxBeginString ? Verdict::broken : Verdict::more;
    const std::string_view rest = bytes.substr(begin_end + 1);
    if (rest.substr(0, kLength.size()) != kLength.substr(0, rest.size())) return Verdict::broken;
    const std::size_t length_end = rest.substr(0, kLength.size() + kMaxLengthDigits + 1).find(kSoh);
    if (length_end == std::string_view::npos)
        return rest.size() > kLength.size() + kMaxLengthDigits ? Verdict::broken : Verdict::more;
    std::size_t body = 0;
    const char* const first = rest.data() + kLength.size();
    const char* const last = rest.data() + length_end;
    const auto parsed = std::from_chars(first, last, body);
    if (first == last || parsed.ec != std::errc() || parsed.ptr != last || body > kMaxBody)
        return Verdict::broken;
    length = begin_end + 1 + length_end + 1 + body + kTrailerBytes;
    if (bytes.size() < length) return Verdict::more;
    const std::string_view trailer = bytes.substr(length - kTrailerBytes, kTrailerBytes);
    return trailer.starts_with("10=") && trailer.back() == kSoh ? Verdict::whole : Verdict::broken;
}

void FixFramer::skip(std::size_t bytes) {
    start_ += bytes;
    skipped_ += bytes;
}

bool FixFramer::next(std::string& message) {
    while (true) {
        const std::string_view bytes = std::string_view(buffer_).substr(start_);
        const std::size_t at = bytes.find(kStart);
        if (at == std::string_view::npos) {
            // An "8" at the very end may be the start of a message whose "=" is still to come.
            const bool half = !bytes.empty() && bytes.back() == kStart.front();
            skip(bytes.size() - (half ? 1 : 0));
            compact();
            return false;
        }
        skip(at);
        std::size_t length = 0;
        const Verdict verdict = measure(std::string_view(buffer_).substr(start_), length);
        if (verdict == Verdict::more) {
            compact();
            return false;
        }
        if (verdict == Verdict::broken) {
            skip(kStart.size());
            continue;
        }
        message.assign(buffer_, start_, length);
        start_ += length;
        return true;
    }
}

void FixFramer::compact() {
    if (start_ < kCompactBytes && start_ != buffer_.size()) return;
    buffer_.erase(0, start_);
    start_ = 0;
}

void FixFramer::clear() {
    buffer_.clear();
    start_ = 0;
}

}  // namespace fixaccel
