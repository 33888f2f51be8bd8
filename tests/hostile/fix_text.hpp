// SPDX-License-Identifier: Apache-2.0
// FIX tag=value text: putting it together, cutting a stream into messages, and taking a message apart.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fixaccel::hostile {

inline constexpr char kSoh = '\x01';

// Tags that more than one looks at.
inline constexpr unsigned kMsgType = 35, kPossDupFlag = 43, kSenderCompId = 49, kTargetCompId = 56;

struct Field {
    unsigned tag = 0;
    std::string value{};
};
using Fields = std::vector<Field>;

// BeginString, BodyLength and CheckSum around `fields`, MsgType first among them.
std::string fix_message(const Fields& fields);
unsigned fix_sum(std::string_view bytes);

// Fields in order. Nothing if the text is not made of fields. SOH ends a data field too: without a dictionary
// the FIX engine does not know one.
std::optional<Fields> fix_fields(std::string_view message);
// The first field of that tag.
const std::string* find(const Fields& fields, unsigned tag);

// How FIX::Parser sees the front of a stream.
struct Framed {
    enum class What { whole, more, broken } what = What::more;
    std::size_t length = 0;  // of a whole message
    bool sum_right = false;
};
Framed frame_message(std::string_view stream);

}  // namespace fixaccel::hostile
