// SPDX-License-Identifier: Apache-2.0
#include "session/raw_message.hpp"

#include <algorithm>

namespace fixaccel {
namespace exchange {
namespace {

constexpr std::size_t kLongestTag = 9;  // digits, so that a tag fits an int

}  // namespace

IncomingMessage split_message(const std::string& raw, const std::string& client) {
    IncomingMessage result;
    result.client = client;
    for (std::size_t begin = 0; begin < raw.size();) {
        const std::size_t end = std::min(raw.find(kSoh, begin), raw.size());
        const std::size_t equals = raw.find('=', begin);
        if (equals >= end) break;
        const std::string number = raw.substr(begin, equals - begin);
        if (number.empty() || number.size() > kLongestTag ||
            number.find_first_not_of("0123456789") != std::string::npos) {
            break;
        }
        result.fields.push_back({std::stoi(number), raw.substr(equals + 1, end - equals - 1)});
        begin = end + 1;
    }
    return result;
}

}  // namespace exchange
}  // namespace fixaccel
