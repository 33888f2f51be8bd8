// SPDX-License-Identifier: Apache-2.0
#include "sums.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace fixaccel::fuzz {
namespace {

constexpr std::string_view kMark = "~ ";
constexpr std::size_t kSumChars = 8;

std::string sum_of(std::string_view text) {
    std::array<char, kSumChars + 1> hex{};
    std::snprintf(hex.data(), hex.size(), "%08x", slow_crc32(text));
    return hex.data();
}

}  // namespace

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

void write_text(const std::filesystem::path& file, std::string_view text) {
    std::ofstream out(file, std::ios::binary);
    out << text;
    require(static_cast<bool>(out.flush()), "a file can be written");
}

std::string read_text(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::uint32_t slow_crc32(std::string_view text) {
    std::uint32_t crc = 0xFFFFFFFFU;
    for (const char c : text) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
    }
    return ~crc;
}

std::string with_sums(std::string_view lines) {
    std::string out;
    for (std::size_t begin = 0; begin < lines.size();) {
        const std::size_t end = std::min(lines.find('\n', begin), lines.size());
        std::string_view line = lines.substr(begin, end - begin);
        if (line.starts_with(kMark)) {
            line.remove_prefix(kMark.size());
            out.append(sum_of(line)).append(" ");
        }
        out += line;
        if (end < lines.size()) out += '\n';
        begin = end + 1;
    }
    return out;
}

bool sum_fits(std::string_view line) {
    return line.size() > kSumChars && line[kSumChars] == ' ' &&
           line.substr(0, kSumChars) == sum_of(line.substr(kSumChars + 1));
}

std::string framed(std::string_view body) {
    std::string fields(body);
    std::replace(fields.begin(), fields.end(), '|', '\x01');
    if (!fields.empty() && fields.back() != '\x01') fields += '\x01';
    const std::string text =
        "8=FIX.4.4\x01"
        "9=" +
        std::to_string(fields.size()) + '\x01' + fields;
    unsigned sum = 0;
    for (const char c : text) sum += static_cast<unsigned char>(c);
    std::array<char, 16> check{};
    std::snprintf(check.data(), check.size(), "10=%03u\x01", sum % 256);
    return text + check.data();
}

}  // namespace fixaccel::fuzz
