// SPDX-License-Identifier: Apache-2.0
// Numbers and texts in a row of bytes, for what the same program reads again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fixaccel::exchange {

// Seven bits a byte, the lowest first: small numbers are short.
inline void put_number(std::string& out, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) out.push_back(static_cast<char>(value | 0x80U));
    out.push_back(static_cast<char>(value));
}

inline void put_text(std::string& out, std::string_view text) {
    put_number(out, text.size());
    out.append(text);
}

// Integers, enumerations and truths, one after the other.
template <typename... Values>
void put_values(std::string& out, const Values&... values) {
    (put_number(out, static_cast<std::uint64_t>(values)), ...);
}

// Reads what the functions above wrote. Past the end, or where it is something else, it gives zeros and empty
// texts and is not good any more.
class ByteReader {
  public:
    explicit ByteReader(std::string_view bytes) : left_(bytes) {}

    bool good() const { return good_; }
    bool empty() const { return left_.empty(); }

    std::uint64_t number() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64 && !left_.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(left_.front());
            left_.remove_prefix(1);
            value |= std::uint64_t{byte & 0x7fU} << shift;
            if (byte < 0x80) return value;
        }
        good_ = false;
        return 0;
    }
    std::int64_t signed_number() { return static_cast<std::int64_t>(number()); }

    std::string_view text() {
        const std::uint64_t length = number();
        if (length > left_.size()) {
            good_ = false;
            return {};
        }
        const std::string_view result = left_.substr(0, length);
        left_.remove_prefix(length);
        return result;
    }

    // What put_values() wrote.
    template <typename... Values>
    void values(Values&... out) {
        ((out = static_cast<Values>(number())), ...);
    }

  private:
    std::string_view left_;
    bool good_ = true;
};

}  // namespace fixaccel::exchange
