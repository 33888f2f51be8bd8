// SPDX-License-Identifier: Apache-2.0
// hwmap-pack: reads lines `record field=0xVALUE ...`, answers each with the record's words in hex, then its
// fields as the typed accessors read them back. Negative values are two's complement of 64 bits; a wide field
// is one long number.
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <type_traits>

#include "fixaccel/gen/hwmap.hpp"

namespace {

namespace hwmap = fixaccel::hwmap;

// The value as bytes, least significant first.
std::string bytes_of(std::string hex) {
    hex.erase(0, 2);
    if (hex.size() % 2 != 0) hex.insert(0, 1, '0');
    std::string bytes;
    for (std::size_t at = hex.size(); at > 0; at -= 2)
        bytes += static_cast<char>(std::stoul(hex.substr(at - 2, 2), nullptr, 16));
    return bytes;
}

template <typename Record>
void assign(Record& record, const std::string& name, const std::string& value) {
    bool known = false;
    record.visit([&](std::string_view field, auto current) {
        if (field != name) return;
        known = true;
        if constexpr (std::is_integral_v<decltype(current)>) {
            record.set(field, std::stoull(value, nullptr, 16));
        } else {
            const std::string bytes = bytes_of(value);
            for (unsigned i = 0; i < bytes.size(); ++i)
                record.set(field, static_cast<unsigned char>(bytes[i]), i);
        }
    });
    if (!known) throw std::invalid_argument("no field " + name);
}

std::string text_of(std::uint64_t value) { return std::to_string(value); }
std::string text_of(std::int64_t value) { return std::to_string(value); }
template <std::size_t Size>
std::string text_of(const std::array<std::uint8_t, Size>& bytes) {
    std::ostringstream text;
    text << "0x" << std::hex << std::setfill('0');
    for (std::size_t i = Size; i > 0; --i) text << std::setw(2) << static_cast<unsigned>(bytes[i - 1]);
    return text.str();
}

template <typename Record>
std::string answer(Record record, std::istringstream& fields) {
    for (std::string item; fields >> item;) {
        const std::size_t equals = item.find('=');
        assign(record, item.substr(0, equals), item.substr(equals + 1));
    }
    std::ostringstream text;
    for (const std::uint32_t word : record.words)
        text << std::hex << std::setw(8) << std::setfill('0') << word << ' ';
    record.visit(
        [&](std::string_view name, const auto& value) { text << name << '=' << text_of(value) << ' '; });
    return text.str();
}

}  // namespace

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream fields(line);
        std::string wanted;
        fields >> wanted;
        std::string text;
        hwmap::each_record([&](std::string_view name, auto record) {
            if (name == wanted) text = answer(record, fields);
        });
        if (text.empty()) {
            std::cerr << "hwmap-pack: no record " << wanted << '\n';
            return 1;
        }
        std::cout << text << std::endl;
    }
    return 0;
}
