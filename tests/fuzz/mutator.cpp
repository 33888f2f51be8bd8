// SPDX-License-Identifier: Apache-2.0
#include "mutator.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace fixaccel::fuzz {
namespace {

// Where arithmetic goes wrong, if it does.
constexpr std::array<std::string_view, 20> kNumbers{"0",
                                                    "-0",
                                                    "1",
                                                    "-1",
                                                    "127",
                                                    "128",
                                                    "255",
                                                    "256",
                                                    "32767",
                                                    "65536",
                                                    "2147483647",
                                                    "-2147483648",
                                                    "4294967295",
                                                    "4294967296",
                                                    "9223372036854775807",
                                                    "-9223372036854775808",
                                                    "18446744073709551615",
                                                    "99999999999999999999",
                                                    "0.00000001",
                                                    "1e400"};
constexpr std::array<char, 10> kBytes{'\0', '\x01', '\x7f', '\x80', '\xff', '\n', '"', '\\', '=', '|'};
constexpr std::size_t kMostWords = 4096;

bool is_letter(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           c == '-' || c == '.';
}

struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t size() const { return end - begin; }
};

// The word around or behind a place; what lies between words is one, too.
Range word_at(std::string_view text, std::size_t at) {
    Range word{at, at};
    const bool letters = is_letter(text[at]);
    while (word.begin > 0 && is_letter(text[word.begin - 1]) == letters) --word.begin;
    while (word.end < text.size() && is_letter(text[word.end]) == letters) ++word.end;
    return word;
}

// A line with its end.
Range line_at(std::string_view text, std::size_t at) {
    const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    const std::size_t behind = text.find('\n', at);
    return {before == std::string_view::npos ? 0 : before + 1,
            behind == std::string_view::npos ? text.size() : behind + 1};
}

// Short ones more often.
Range part_of(std::string_view text, Draw& draw) {
    if (text.empty()) return {};
    const std::size_t begin = draw.below(text.size());
    const std::size_t most = std::min(text.size() - begin, std::size_t{1} << draw.below(12));
    return {begin, begin + draw.below(most) + 1};
}

std::string_view view(std::string_view text, Range range) { return text.substr(range.begin, range.size()); }

}  // namespace

std::uint64_t Draw::next() {
    // splitmix64
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
    return mixed ^ (mixed >> 31);
}

Mutator::Mutator(const Inputs& seeds, std::size_t most) : most_(most) {
    std::set<std::string> words;
    for (const std::string& seed : seeds) {
        for (std::size_t at = 0; at < seed.size() && words.size() < kMostWords;) {
            const Range word = word_at(seed, at);
            if (is_letter(seed[word.begin])) words.emplace(view(seed, word));
            at = word.end;
        }
    }
    words_.assign(words.begin(), words.end());
}

std::string Mutator::change(std::string input, const Inputs& others, Draw& draw) const {
    const std::size_t changes = std::size_t{1} << draw.below(4);
    for (std::size_t i = 0; i < changes; ++i) change_once(input, others, draw);
    if (input.size() > most_) input.resize(most_);
    return input;
}

void Mutator::change_once(std::string& input, const Inputs& others, Draw& draw) const {
    switch (draw.below(8)) {
        case 0:
        case 1:
            return change_bytes(input, draw);
        case 2:
            return change_part(input, others, draw);
        case 3:
            return change_lines(input, draw);
        default:
            return change_word(input, draw);
    }
}

void Mutator::change_bytes(std::string& input, Draw& draw) const {
    const std::size_t at = draw.below(input.size() + 1);
    const char byte = draw.below(2) == 0 ? kBytes[draw.below(kBytes.size())] : static_cast<char>(draw.next());
    if (at == input.size() || draw.below(4) == 0)
        input.insert(at, 1, byte);
    else if (draw.below(3) == 0)
        input.erase(at, 1);
    else if (draw.below(2) == 0)
        input[at] = static_cast<char>(input[at] ^ static_cast<char>(1U << draw.below(8)));
    else
        input[at] = byte;
}

void Mutator::change_part(std::string& input, const Inputs& others, Draw& draw) const {
    const Range part = part_of(input, draw);
    const std::string& other = others[draw.below(others.size())];
    const std::string from(view(other, part_of(other, draw)));
    switch (draw.below(4)) {
        case 0:
            input.erase(part.begin, part.size());
            break;
        case 1:
            input.replace(part.begin, part.size(), from);
            break;
        case 2:
            input.insert(part.begin, from);
            break;
        default:
            input.insert(part.begin, std::string(view(input, part)));
    }
}

void Mutator::change_word(std::string& input, Draw& draw) const {
    if (input.empty()) return;
    const Range word = word_at(input, draw.below(input.size()));
    const auto replace = [&](std::string_view by) { input.replace(word.begin, word.size(), by); };
    switch (draw.below(6)) {
        case 0:
            return replace({});
        case 1:
            return replace(std::string(view(input, word)) + std::string(view(input, word)));
        case 2:
        case 3:
            return replace(kNumbers[draw.below(kNumbers.size())]);
        default:
            if (!words_.empty()) replace(words_[draw.below(words_.size())]);
    }
}

void Mutator::change_lines(std::string& input, Draw& draw) const {
    if (input.empty()) return;
    const Range line = line_at(input, draw.below(input.size()));
    const std::string text(view(input, line));
    const Range other = line_at(input, draw.below(input.size()));
    switch (draw.below(3)) {
        case 0:
            input.erase(line.begin, line.size());
            break;
        case 1:
            input.insert(other.begin, text);
            break;
        default:
            input.resize(line.begin + draw.below(line.size() + 1));  // torn there
    }
}

}  // namespace fixaccel::fuzz
