// SPDX-License-Identifier: Apache-2.0
// The Verilated fabric with whole frames on its streams and Board access on its AXI4-Lite port.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "ethernet.hpp"
#include "fixaccel/board.hpp"

namespace fixaccel::gem {
class GemBus;
}

namespace fixaccel::board {

struct GemTiming;
struct GemMoments;
struct GemFigures;

enum class Side { net, cpu };

// A frame that the core has sent, FCS checked and removed.
struct SentFrame {
    Frame bytes;
    std::array<std::uint8_t, kFcsBytes> fcs{};  // as it was sent
    bool fcs_good = true;
    bool aborted = false;  // net side only: the core raised err on the last byte
    std::uint64_t first_cycle = 0;
    std::uint64_t last_cycle = 0;
};

class VerilatedCore : public Board {
  public:
    // Nanoseconds that pass in the next cycle.
    using Elapsed = std::function<std::uint32_t()>;

    static constexpr std::uint32_t kCycleNs = 8;  // of the hardware's clock

    // A core after reset, with zeroed tables. `trace` is a VCD file to write, empty for none; throws
    // BoardError if the model was built without tracing.
    explicit VerilatedCore(const std::string& trace = {});
    // The same behind gem_port and a model of the Ethernet controller: the `gem-bram` interface. The net
    // side's frames pass the controller; the CPU side's are fixaccel-gemd's, or those of a driver in here
    // (drive_mailboxes). Without `timing`: the `wire` interface.
    VerilatedCore(const std::string& trace, const GemTiming* timing);
    ~VerilatedCore() override;

    // Called once a cycle from now on; the default says kCycleNs.
    void set_elapsed(Elapsed elapsed);
    // Pulls the reset line and forgets frames that are under way. Memories keep what they hold.
    void reset();
    // Runs the clock. Register accesses run it too, as long as they take.
    void step(unsigned cycles = 1);

    // Queues a frame, without FCS, for the core's input. `bad_fcs` damages its FCS (net side only).
    void push(Side side, FrameView frame, bool bad_fcs = false);
    // Frames that wait for the core's input or are entering it.
    std::size_t queued(Side side) const;
    // Frames that the core has sent on `side` since the caller last emptied the queue.
    std::deque<SentFrame>& sent(Side side);
    // The wire towards the exchange takes no frame until it is told to again.
    void stall(bool on);
    // So it does in the middle of a frame, behind the first `text` in one (`wire` interface).
    void stall_behind(const std::string& text);
    // No frame waits, enters or leaves, but for one in whose middle the wire stalls.
    bool quiet() const;
    // Cycle of the last byte that moved on any stream, or of the last register write: nothing comes of a
    // read, nor of a kick to the watchdog.
    std::uint64_t last_activity() const;
    std::uint64_t cycles() const;

    // Of the `gem-bram` interface: the window and the controller's registers as the CPU reaches them. An
    // access runs the clock.
    gem::GemBus& gem_bus();
    // Starts the driver of fixaccel-gemd in here, so that push() and sent() serve the CPU side too; reset()
    // starts it anew.
    void drive_mailboxes();
    // Frames of the CPU that the core was given, without FCS, since the caller last emptied the queue.
    std::deque<Frame>& gem_handed();
    bool has_gem() const;  // else there is nothing to ask the next two for
    // When what the figures count has happened: on the controller's side, on the fabric's.
    const GemMoments& gem_moments() const;
    const GemFigures& gem_figures() const;

    using Board::read;
    using Board::write;
    void read(std::uint32_t addr, std::span<std::uint32_t> words) override;
    void write(std::uint32_t addr, std::span<const std::uint32_t> words) override;

  private:
    struct Impl;
    class CpuBus;
    std::unique_ptr<Impl> impl_;
};

}  // namespace fixaccel::board
