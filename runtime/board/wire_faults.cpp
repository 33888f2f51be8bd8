// SPDX-License-Identifier: Apache-2.0
#include "wire_faults.hpp"

#include <algorithm>

#include "fixaccel/crc32.hpp"

namespace fixaccel::board {
namespace {

// More than the core ever holds; stopped frames never come out and must not pile up.
constexpr std::size_t kRemembered = 1024;

FrameView payload_of(FrameView frame) {
    const auto segment = parse_tcp(frame);
    return segment ? segment->payload : FrameView{};
}

}  // namespace

Fate WireFaults::from_exchange(FrameView frame) {
    const FrameView payload = payload_of(frame);
    if (payload.empty()) return Fate::pass;
    ++data_frames_;
    if (data_frames_ == plan_.drop_net) return Fate::lost;
    if (!held_ && !plan_.corrupt_holding.empty() &&
        !std::ranges::search(payload, plan_.corrupt_holding, {}, {}, [](char c) {
             return static_cast<std::uint8_t>(c);
         }).empty()) {
        held_ = true;
        return Fate::damaged;
    }
    return data_frames_ == plan_.corrupt_net ? Fate::damaged : Fate::pass;
}

void WireFaults::from_cpu(FrameView frame) {
    const FrameView payload = payload_of(frame);
    if (payload.empty()) return;
    cpu_payloads_.push_back(crc32(payload));
    if (cpu_payloads_.size() > kRemembered) cpu_payloads_.pop_front();
}

Fate WireFaults::to_exchange(FrameView frame) {
    const FrameView payload = payload_of(frame);
    if (payload.empty()) return Fate::pass;
    const auto known = std::find(cpu_payloads_.begin(), cpu_payloads_.end(), crc32(payload));
    if (known != cpu_payloads_.end()) {
        cpu_payloads_.erase(known);
        return Fate::pass;
    }
    return ++orders_ == plan_.drop_order ? Fate::lost : Fate::pass;
}

}  // namespace fixaccel::board
