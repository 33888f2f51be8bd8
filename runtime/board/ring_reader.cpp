// SPDX-License-Identifier: Apache-2.0
#include "ring_reader.hpp"

#include <nlohmann/json.hpp>

#include "fixaccel/journal.hpp"
#include "fixaccel/sent_bytes.hpp"

namespace fixaccel::board {
namespace {

using nlohmann::ordered_json;

}  // namespace

std::string Fire::json() const {
    ordered_json line;
    const auto add = [&line](std::string_view name, auto value) { line[std::string(name)] = value; };
    record.visit(add);
    // `entry` and `reserved` of the second record only repeat what the first one says.
    line["first_byte_cycle"] = sent.first_byte_cycle();
    line["last_byte_cycle"] = sent.last_byte_cycle();
    line["tcp_checksum"] = sent.tcp_checksum();
    line["payload"] = bytes_to_text(payload);
    return line.dump();
}

std::optional<Fire> RingReader::next(std::uint64_t departed) {
    if (board_.read(hwmap::reg::ring_head) == tail_) return {};
    const std::uint32_t entry = tail_ + 1;
    const auto record = read_ring_record(board_, entry);
    if (!record) throw BoardError("ring record " + std::to_string(entry) + " holds another number");
    Fire fire{.record = *record, .sent = {}, .payload = {}};
    if (fire.was_sent()) {
        // The former run of a reset core may have left the same number here: the caller's count tells them
        // apart.
        if (sent_ == departed) return {};
        const auto sent = read_ring_sent_record(board_, entry);
        if (!sent) return {};
        fire.sent = *sent;
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
