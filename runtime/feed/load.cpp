// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/feed_load.hpp"

#include <cstddef>

#include "fixaccel/gen/feed.hpp"

namespace fixaccel::feed {

namespace {

std::uint64_t little(std::span<const std::uint8_t> bytes) {
    std::uint64_t value = 0;
    for (std::size_t place = bytes.size(); place-- != 0;) value = value << 8 | bytes[place];
    return value;
}

}  // namespace

std::vector<Write> writes_of(std::span<const std::uint8_t> file) {
    constexpr std::size_t kWordBytes = 8;
    const auto word = [&](std::size_t index) {
        return static_cast<std::uint32_t>(little(file.subspan(4 * index, 4)));
    };
    const std::size_t words = program_head::words.in(word(2));
    const std::size_t numbers_there = program_head::numbers.in(word(3));
    const std::size_t strings_there = program_head::strings.in(word(3));
    std::vector<Write> writes;
    const auto add = [&](Into into, std::size_t at, std::uint64_t low, std::uint8_t high = 0) {
        writes.push_back({into, static_cast<std::uint16_t>(at), low, high});
    };
    add(Into::multiplier, 0, word(4));
    std::size_t from = program_head::stride_bytes;
    const auto take = [&](std::size_t count) {
        from += count;
        return file.subspan(from - count, count);
    };
    for (std::size_t at = 0; at < words; ++at) add(Into::words, at, little(take(kWordBytes)));
    for (std::size_t row = 0; row < template_slots; ++row)
        for (std::size_t half = 0; half < 2; ++half)
            add(Into::template_rows, 2 * row + half, little(take(4)));
    for (std::size_t slot = 0; slot < numbers_there; ++slot) {
        const auto bytes = take(number_row::stride_bytes);
        add(Into::initial_numbers, slot, little(bytes.first(8)),
            static_cast<std::uint8_t>(
                number_row::exponent.in(static_cast<std::uint32_t>(little(bytes.subspan(8, 4))))));
    }
    for (std::size_t slot = 0; slot < strings_there; ++slot) {
        add(Into::text_lengths, slot, take(1)[0]);
        for (std::size_t place = 0; place < kept_bytes; ++place)
            add(Into::initial_texts, slot * kept_bytes + place, take(1)[0]);
    }
    return writes;
}

}  // namespace fixaccel::feed
