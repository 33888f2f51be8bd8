// SPDX-License-Identifier: Apache-2.0
// The bytes of a FIX message, split into tags and texts in their order on the wire. C++14 and C++20.
#pragma once

#include <string>

#include "session/message.hpp"

namespace fixaccel {  // NOLINT(modernize-concat-nested-namespaces): read as C++14 too
namespace exchange {

constexpr char kSoh = '\001';  // ends a field

// For messages that an engine has already found well formed; what is no TAG=TEXT ends the split.
IncomingMessage split_message(const std::string& raw, const std::string& client);

}  // namespace exchange
}  // namespace fixaccel
