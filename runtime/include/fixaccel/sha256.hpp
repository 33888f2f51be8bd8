// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fixaccel {

// SHA-256 of `bytes`, 64 lower-case hex digits.
std::string sha256_hex(std::string_view bytes);
// Likewise, into `text`, whose room is kept.
void sha256_hex(std::string_view bytes, std::string& text);

}  // namespace fixaccel
