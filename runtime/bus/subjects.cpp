// SPDX-License-Identifier: Apache-2.0
#include "bus/subjects.hpp"

#include <array>
#include <cstdio>

namespace fixaccel::bus {

std::string token(std::string_view symbol) {
    std::string out;
    for (const char c : symbol) {
        if (c > ' ' && c < 0x7F && std::string_view(".*>%").find(c) == std::string_view::npos) {
            out += c;
            continue;
        }
        std::array<char, 4> hex{};
        std::snprintf(hex.data(), hex.size(), "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
        out += hex.data();
    }
    return out;
}

}  // namespace fixaccel::bus
