// SPDX-License-Identifier: Apache-2.0
#include "session/raw_message.hpp"

#include <algorithm>
#include <cstring>

#include "fixaccel/digits.hpp"

namespace fixaccel {
namespace exchange {
namespace {

constexpr std::size_t kLongestTag = 9;  // digits, so that a tag fits an int
constexpr std::size_t kUsualFields = 24;

}  // namespace

IncomingMessage split_message(const std::string& raw, const std::string& client) {
    IncomingMessage result;
    result.client = client;
    result.fields.reserve(kUsualFields);
    const char* const end = raw.data() + raw.size();
    for (const char* next = raw.data(); next < end;) {
        int tag = 0;
        const char* at = next;
        for (; at < end && *at >= '0' && *at <= '9' && at - next < static_cast<long>(kLongestTag); ++at)
            tag = tag * 10 + (*at - '0');
        if (at == next || at == end || *at != '=') break;
        ++at;
        const auto* soh = static_cast<const char*>(std::memchr(at, kSoh, static_cast<std::size_t>(end - at)));
        if (soh == nullptr) soh = end;
        result.fields.push_back({tag, std::string(at, soh)});
        next = soh + 1;
    }
    return result;
}

std::string field_text(const std::string& raw, int tag) {
    const std::string name = kSoh + std::to_string(tag) + "=";
    const std::size_t found = raw.find(name);
    if (found == std::string::npos) return std::string();
    const std::size_t begin = found + name.size();
    return raw.substr(begin, std::min(raw.find(kSoh, begin), raw.size()) - begin);
}

bool is_session_type(const std::string& type) {
    return type.size() == 1 && (type[0] == 'A' || (type[0] >= '0' && type[0] <= '5'));
}

std::string check_sum(const char* bytes, std::size_t size) {
    return std::string(trailer(byte_sum(bytes, size)).data() + 3, 3);
}

}  // namespace exchange
}  // namespace fixaccel
