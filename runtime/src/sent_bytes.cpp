// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/sent_bytes.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace fixaccel {
namespace {

template <typename Record>
std::optional<Record> read_record(Board& board, const hwmap::Window& window, std::uint32_t entry) {
    const std::uint32_t index = (entry - 1) % hwmap::ring_entries;
    Record record;
    board.read(window.base + index * window.stride_bytes, record.words);
    return record.entry() == entry ? std::optional(record) : std::nullopt;
}

}  // namespace

std::optional<hwmap::ring_record> read_ring_record(Board& board, std::uint32_t entry) {
    return read_record<hwmap::ring_record>(board, hwmap::memory::ring, entry);
}

std::optional<hwmap::ring_sent_record> read_ring_sent_record(Board& board, std::uint32_t entry) {
    return read_record<hwmap::ring_sent_record>(board, hwmap::memory::ring_sent, entry);
}

std::string read_sent_bytes(Board& board, std::uint32_t sent_at, std::size_t length) {
    constexpr std::size_t kWordBytes = sizeof(std::uint32_t);
    constexpr std::size_t kWords = hwmap::sent_bytes / kWordBytes;
    constexpr auto& kWindow = hwmap::memory::sent;
    length = std::min<std::size_t>(length, hwmap::message_bytes);
    const std::size_t first = sent_at % kWords;
    std::vector<std::uint32_t> words((length + kWordBytes - 1) / kWordBytes);
    const std::size_t straight = std::min(words.size(), kWords - first);
    const std::span all(words);
    if (straight != 0)
        board.read(kWindow.base + static_cast<std::uint32_t>(first) * kWindow.stride_bytes,
                   all.first(straight));
    if (straight != words.size()) board.read(kWindow.base, all.subspan(straight));
    std::string bytes(length, '\0');
    for (std::size_t i = 0; i < length; ++i)
        bytes[i] = static_cast<char>(words[i / kWordBytes] >> (8 * (i % kWordBytes)));
    return bytes;
}

}  // namespace fixaccel
