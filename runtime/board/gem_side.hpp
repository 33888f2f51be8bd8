// SPDX-License-Identifier: Apache-2.0
// gem_port, Verilated, with the model of the controller on one side; the core's four streams on the other.
#pragma once

#include <cstdint>
#include <memory>

#include "gem_controller.hpp"
#include "gem_window.hpp"

class VerilatedContext;
class Vfixaccel_core;
class Vgem_port;

namespace fixaccel::board {

// Cycles in which the last order came about in the fabric; frames of the CPU do not count.
struct GemFigures {
    std::uint64_t first_byte = 0;    // taken from the core
    std::uint64_t first_word = 0;    // from this one on its first word is readable
    std::uint64_t start_issued = 0;  // the write of net_ctrl is on the bus
    std::uint64_t whole = 0;         // from this one on all of it is readable
};

class GemSide {
  public:
    GemSide(VerilatedContext& context, const GemTiming& timing);
    ~GemSide();
    GemSide(const GemSide&) = delete;
    GemSide& operator=(const GemSide&) = delete;

    // A clock cycle in three steps. The core's inputs: they are registers of the port.
    void drive(Vfixaccel_core& core) const;
    // The core's outputs, settled, and the bus. True if a frame moved.
    bool settle(const Vfixaccel_core& core, std::uint64_t cycle);
    void edge();

    void set_reset(bool on);
    // A burst of the CPU: it is done some cycles from now.
    void access(GemBurst& burst) { window_.cpu(burst); }
    // What the CPU has asked for and nobody answers is no longer wanted.
    void forget() { window_.reset(); }
    GemController& controller() { return controller_; }
    const GemFigures& figures() const { return figures_; }
    // Frames of the CPU that the core has been given since the caller last emptied the queue, the last few of
    // them.
    std::deque<Frame>& handed() { return handed_; }

  private:
    void answer_start();
    void measure(std::uint64_t cycle);
    void collect_cpu_byte();

    std::unique_ptr<Vgem_port> port_;
    GemWindow window_;
    GemController controller_;
    unsigned start_wait_;
    unsigned starting_ = 0;  // cycles that a write of net_ctrl has been on its way
    enum class Start { idle, take, answer } start_ = Start::idle;
    std::uint8_t response_ = 0;
    std::uint64_t now_ = 0;
    GemFigures figures_;
    Frame handing_;
    std::deque<Frame> handed_;
    unsigned bytes_ = 0;         // of the frame that the core sends
    bool cpu_comes_ = false;     // the next one is the CPU's
    bool of_cpu_ = false;        // so is this one
    bool awaits_start_ = false;  // an order has begun that has not been announced
};

}  // namespace fixaccel::board
