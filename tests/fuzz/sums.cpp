// SPDX-License-Identifier: Apache-2.0
#include "sums.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "fix_text.hpp"
#include "fixaccel/crc32.hpp"

namespace fixaccel::fuzz {
namespace {

constexpr std::string_view kMark = "~ ";
constexpr std::size_t kSumChars = 8;

std::string sum_of(std::string_view text) {
    std::array<char, kSumChars + 1> hex{};
    std::snprintf(hex.data(), hex.size(), "%08x", crc32(text));
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
    return test::framed(fields);
}

}  // namespace fixaccel::fuzz
