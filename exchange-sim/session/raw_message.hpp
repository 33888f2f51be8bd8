// SPDX-License-Identifier: Apache-2.0
// The bytes of a FIX message: split into tags and texts in their order on the wire, and what is asked of them
// without a split. C++14 and C++20.
#pragma once

#include <string>

#include "session/message.hpp"

namespace fixaccel {  // NOLINT(modernize-concat-nested-namespaces): read as C++14 too
namespace exchange {

constexpr char kSoh = '\001';  // ends a field

// For messages that an engine has already found well formed; what is no TAG=TEXT ends the split.
IncomingMessage split_message(const std::string& raw, const std::string& client);

// The text of the first field of that tag behind BeginString(8), empty if there is none.
std::string field_text(const std::string& raw, int tag);

// Whether a session is meant by a message of that MsgType, and not the application.
bool is_session_type(const std::string& type);

// CheckSum(10) of bytes up to the field itself: three digits.
std::string check_sum(const char* bytes, std::size_t size);

}  // namespace exchange
}  // namespace fixaccel
