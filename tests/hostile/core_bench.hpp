// SPDX-License-Identifier: Apache-2.0
// The small Verilated core with raw frames on its streams, so that nothing about a frame need be legal, and
// with a register port whose accesses let the rest of the world run on.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "fixaccel/board.hpp"
#include "packet.hpp"

namespace fixaccel::hostile {

// A frame for the core's input: FCS and all, as it comes off the PHY.
struct RawFrame {
    Bytes bytes{};
    bool phy_error = false;  // raised with the last byte
    unsigned gap = 20;       // idle cycles before it; 20 are what a MAC leaves
};

// What is around the core. Called from within step().
class Surroundings {
  public:
    Surroundings() = default;
    Surroundings(const Surroundings&) = delete;
    Surroundings& operator=(const Surroundings&) = delete;
    virtual ~Surroundings() = default;

    // The next frame for the core, if there is one now; asked once a cycle while that side is idle.
    virtual std::optional<RawFrame> next_from_net() = 0;
    virtual std::optional<RawFrame> next_from_cpu() = 0;
    // It has entered whole; the cycles of its first and last byte.
    virtual void entered_from_net(const RawFrame& frame, std::uint64_t first, std::uint64_t last) = 0;
    virtual void entered_from_cpu(const RawFrame& frame) = 0;
    // A frame has left the core whole; `aborted`: with err on its last byte.
    virtual void left_to_net(Bytes bytes, bool aborted, std::uint64_t first, std::uint64_t last) = 0;
    virtual void left_to_cpu(Bytes bytes) = 0;
    // Whether the MACs take a byte in this cycle, and how much time passes in it, ns.
    virtual bool net_ready() = 0;
    virtual bool cpu_ready() = 0;
    virtual std::uint32_t elapsed_ns() = 0;
};

class CoreBench final : public Board {
  public:
    CoreBench();
    ~CoreBench() override;

    // Must be called before the first step; the former surroundings are forgotten.
    void attach(Surroundings& surroundings);

    // Pulls the reset line; memories keep what they hold.
    void reset();
    void step();
    std::uint64_t cycle() const;
    // A frame is entering or leaving.
    bool busy() const;

    using Board::read;
    using Board::write;
    void read(std::uint32_t addr, std::span<std::uint32_t> words) override;
    void write(std::uint32_t addr, std::span<const std::uint32_t> words) override;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace fixaccel::hostile
