// SPDX-License-Identifier: Apache-2.0
// Faults of the wire on the exchange's side, on demand, and the count of orders that tells which frame is
// meant.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "ethernet.hpp"

namespace fixaccel::board {

// Numbers count from 1; 0 means never. Each fault happens once.
struct FaultPlan {
    std::uint64_t drop_order = 0;   // order frame of the fabric that is lost
    std::uint64_t drop_net = 0;     // frame with TCP payload from the exchange that is lost
    std::uint64_t corrupt_net = 0;  // frame with TCP payload from the exchange that arrives with a wrong FCS
    std::string corrupt_holding{};  // so does the first one whose payload holds this text; empty: none
};

enum class Fate { pass, lost, damaged };

class WireFaults {
  public:
    explicit WireFaults(const FaultPlan& plan) : plan_(plan) {}

    // A frame from the exchange, before the core sees it.
    Fate from_exchange(FrameView frame);
    // A frame from the CPU, before the core sees it: what it carries is no order of the fabric.
    void from_cpu(FrameView frame);
    // A frame of the core, before the exchange sees it.
    Fate to_exchange(FrameView frame);

    // Frames with TCP payload that the fabric made itself.
    std::uint64_t orders() const { return orders_; }

  private:
    FaultPlan plan_;
    std::uint64_t data_frames_ = 0;
    bool held_ = false;  // the text has come
    std::uint64_t orders_ = 0;
    std::deque<std::uint32_t> cpu_payloads_;  // checksums of payloads that are on their way through the core
};

}  // namespace fixaccel::board
