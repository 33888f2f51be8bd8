// SPDX-License-Identifier: Apache-2.0
#include "session/framer.hpp"

#include <algorithm>
#include <cstring>

namespace fixaccel {
namespace exchange {
namespace {

constexpr char kEnd = '\001';
constexpr char kBeginString[] = "8=";
constexpr char kBodyLength[] = "9=";
constexpr char kCheckSum[] =
    "\001"
    "10=";
constexpr std::size_t kLongestBeginString = 16;  // 8=FIXT.1.1 and some
constexpr std::size_t kLongestCheckSum = 8;      // 10=nnn and its end
constexpr std::size_t kLengthDigits = 9;

}  // namespace

void Framer::append(const char* bytes, std::size_t size) {
    if (begin_ == buffer_.size()) {
        buffer_.clear();
        begin_ = 0;
    } else if (begin_ > longest_) {
        buffer_.erase(0, begin_);
        begin_ = 0;
    }
    buffer_.append(bytes, size);
}

void Framer::clear() {
    buffer_.clear();
    begin_ = 0;
}

bool Framer::begins_with(const std::string& text) const {
    const std::size_t size = std::min(held(), text.size());
    return buffer_.compare(begin_, size, text, 0, size) == 0;
}

std::string Framer::take_rest() {
    std::string rest = buffer_.substr(begin_);
    clear();
    return rest;
}

void Framer::skip(std::size_t count) {
    begin_ += count;
    skipped_ += count;
}

void Framer::skip_to_begin_string() {
    const std::size_t found = buffer_.find(kBeginString, begin_);
    if (found != std::string::npos) {
        skip(found - begin_);
    } else if (held() != 0) {
        skip(held() - (buffer_.back() == kBeginString[0] ? 1 : 0));
    }
}

// 8=...| 9=n| n bytes, the last of them the end of a field, 10=...|
Framer::Look Framer::look(std::size_t& size) const {
    const char* const bytes = buffer_.data() + begin_;
    const std::size_t held_bytes = held();
    const auto* end =
        static_cast<const char*>(std::memchr(bytes, kEnd, std::min(held_bytes, kLongestBeginString)));
    if (end == nullptr) return held_bytes < kLongestBeginString ? Look::kMore : Look::kGarbled;
    std::size_t at = static_cast<std::size_t>(end - bytes) + 1;
    const std::size_t name = std::min(held_bytes - at, std::strlen(kBodyLength));
    if (std::memcmp(bytes + at, kBodyLength, name) != 0) return Look::kGarbled;
    at += name;
    if (name < std::strlen(kBodyLength)) return Look::kMore;
    std::size_t length = 0;
    std::size_t digits = 0;
    while (at < held_bytes && bytes[at] >= '0' && bytes[at] <= '9' && digits < kLengthDigits) {
        length = length * 10 + static_cast<std::size_t>(bytes[at] - '0');
        ++at;
        ++digits;
    }
    if (at == held_bytes) return Look::kMore;
    if (digits == 0 || bytes[at] != kEnd || length > longest_) return Look::kGarbled;
    // From the end of the field before it.
    const std::size_t from = at + length;
    const std::size_t limit = longest_ + kLongestBeginString + kLengthDigits + kLongestCheckSum;
    if (from >= held_bytes) return Look::kMore;
    const std::size_t check = buffer_.find(kCheckSum, begin_ + from);
    if (check == std::string::npos) return held_bytes < limit ? Look::kMore : Look::kGarbled;
    const std::size_t last = buffer_.find(kEnd, check + std::strlen(kCheckSum));
    if (last == std::string::npos) return held_bytes < limit ? Look::kMore : Look::kGarbled;
    size = last + 1 - begin_;
    return size <= limit ? Look::kMessage : Look::kGarbled;
}

bool Framer::next(std::string& message) {
    while (true) {
        skip_to_begin_string();
        if (held() < std::strlen(kBeginString)) return false;
        std::size_t size = 0;
        switch (look(size)) {
            case Look::kMessage:
                message.assign(buffer_, begin_, size);
                begin_ += size;
                return true;
            case Look::kMore:
                return false;
            case Look::kGarbled:
                skip(1);
        }
    }
}

}  // namespace exchange
}  // namespace fixaccel
