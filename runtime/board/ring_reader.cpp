// SPDX-License-Identifier: Apache-2.0
#include "ring_reader.hpp"

#include <nlohmann/json.hpp>

#include "fixaccel/sent_bytes.hpp"

namespace fixaccel::board {
namespace {

using nlohmann::ordered_json;

std::string bytes_as_utf8(const std::string& bytes) {
    std::string text;
    for (const char byte : bytes) {
        const auto value = static_cast<unsigned char>(byte);
        if (value < 0x80) {
            text += byte;
        } else {
            text += static_cast<char>(0xC0U | (value >> 6U));
            text += static_cast<char>(0x80U | (value & 0x3FU));
        }
    }
    return text;
}

template <typename Record>
Record read_record(Board& board, const hwmap::Window& window, std::uint32_t index) {
    Record record;
    board.read(window.base + index * window.stride_bytes, record.words);
    return record;
}

}  // namespace

std::string Fire::json() const {
    ordered_json line;
    const auto add = [&line](std::string_view name, auto value) { line[std::string(name)] = value; };
    record.visit(add);
    // `entry` and `reserved` of the second record only repeat what the first one says.
    line["first_byte_cycle"] = sent.first_byte_cycle();
    line["last_byte_cycle"] = sent.last_byte_cycle();
    line["tcp_checksum"] = sent.tcp_checksum();
    line["payload"] = bytes_as_utf8(payload);
    if (stop) line["stop"] = *stop;
    return line.dump();
}

std::optional<Fire> RingReader::next(std::uint64_t departed) {
    if (board_.read(hwmap::reg::ring_head) == tail_) return {};
    const std::uint32_t index = tail_ % hwmap::ring_entries;
    Fire fire{.record = read_record<hwmap::ring_record>(board_, hwmap::memory::ring, index),
              .sent = {},
              .payload = {}};
    if (fire.record.entry() != tail_ + 1)
        throw BoardError("ring record " + std::to_string(tail_ + 1) + " says it is number " +
                         std::to_string(fire.record.entry()));
    if (fire.was_sent()) {
        // The former run of a reset core may have left the same number here: the caller's count tells them
        // apart.
        if (sent_ == departed) return {};
        fire.sent = read_record<hwmap::ring_sent_record>(board_, hwmap::memory::ring_sent, index);
        if (fire.sent.entry() != fire.record.entry()) return {};
        if (kept_bytes_)
            fire.payload = read_sent_bytes(board_, static_cast<std::uint32_t>(fire.record.sent_at()),
                                           fire.record.length());
        board_.write(hwmap::reg::committed,
                     static_cast<std::uint32_t>(fire.record.tcp_seq() + fire.record.length()));
        ++sent_;
    }
    board_.write(hwmap::reg::ring_tail, ++tail_);
    return fire;
}

}  // namespace fixaccel::board
