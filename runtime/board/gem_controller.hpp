// SPDX-License-Identifier: Apache-2.0
// A model of the Zynq's Ethernet controller, as far as fixaccel sees it: its registers, both packet buffers,
// and its DMA, cycle by cycle at the fabric's clock. Frames are stored whole in either direction before they
// go on, as the controller does at its default settings. Facts of UG585; what it does not say is chosen at
// random by a seed, within bounds.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <random>

#include "ethernet.hpp"
#include "gem_window.hpp"
#include "verilated_core.hpp"

namespace fixaccel::board {

// How the bus between controller and fabric behaves, and what goes wrong.
struct GemTiming {
    unsigned seed = 1;
    unsigned most_wait = 12;  // cycles ahead of a burst, at random up to
    unsigned most_gap = 1;    // cycles between two beats, at random up to, the same within a burst
    unsigned start_wait = 6;  // cycles that a write of net_ctrl takes
    // Faults, each once, counted from 1; 0 for never.
    std::uint64_t under_run = 0;  // the N-th frame to be sent is cut off for want of data
    std::uint64_t bus_error = 0;  // so it is by an error of the bus
};

// When the controller did what the figures count from or to, in cycles: the last frame's.
struct GemMoments {
    std::uint64_t frame_ready = 0;      // beat of the receive descriptor's second word
    std::uint64_t start_tx = 0;         // net_ctrl was written
    std::uint64_t descriptor_read = 0;  // beat with the transmit descriptor's second word
    std::uint64_t last_word = 0;        // beat with the last word of the frame to be sent
};

class GemController {
  public:
    GemController(GemWindow& window, const GemTiming& timing);

    // Registers by their byte address. A write of net_ctrl by the fabric is one like any other.
    std::uint32_t read(std::uint32_t addr);
    void write(std::uint32_t addr, std::uint32_t value);

    // The line: frames with FCS from the exchange at line rate, frames with FCS to it.
    void arrive(Frame frame) { line_in_.push_back(std::move(frame)); }
    std::size_t arriving() const { return line_in_.size() + stored_in_.size(); }
    bool leaving() const { return !stored_out_.empty() || transmit_.state != Transmit::idle; }
    std::deque<SentFrame>& left() { return left_; }
    void stall(bool on) { stalled_ = on; }

    // A clock cycle. True if anything moved.
    bool step(std::uint64_t cycle);
    void reset();
    const GemMoments& moments() const { return moments_; }

  private:
    struct Receive {
        enum State { idle, descriptor, data, status, own } state = idle;
        GemBurst burst;
        std::uint32_t at = 0;      // address of the descriptor
        std::uint32_t first = 0;   // its first word
        std::size_t position = 0;  // bytes of the frame that are written
        bool stops = false;        // behind the burst that is under way
    };
    struct Transmit {
        enum State { idle, address, control, data, line, back } state = idle;
        GemBurst burst;
        std::uint32_t at = 0;
        std::uint32_t buffer = 0, second = 0;
        Frame frame;
        std::uint64_t number = 0;  // frames so far
        bool stops = false;
    };

    bool on(std::uint32_t addr, std::uint32_t mask) const;
    std::uint32_t& reg(std::uint32_t addr) { return registers_[addr]; }
    void flag(std::uint32_t addr, std::uint32_t mask) { registers_[addr] |= mask; }
    void count(std::uint32_t addr) { ++registers_[addr]; }
    void phy(std::uint32_t command);
    GemBurst burst(bool write, std::uint32_t physical, std::vector<std::uint32_t> words);
    bool step_line_in();
    bool step_line_out(std::uint64_t cycle);
    bool step_receive();
    void receive_data();
    bool step_transmit(std::uint64_t cycle);
    void transmit_data();
    void stop_receive();
    void stop_transmit();
    unsigned chance(unsigned most) { return static_cast<unsigned>(random_() % (most + 1)); }

    GemWindow& window_;
    GemTiming timing_;
    std::mt19937 random_;
    std::map<std::uint32_t, std::uint32_t> registers_;
    std::deque<Frame> line_in_;    // not yet received whole
    unsigned in_position_ = 0;     // cycles of the first of them
    std::deque<Frame> stored_in_;  // received, in the packet buffer
    std::size_t stored_bytes_ = 0;
    std::deque<Frame> stored_out_;  // on the line, at most one
    unsigned out_position_ = 0;
    std::uint64_t out_first_ = 0;
    std::deque<SentFrame> left_;
    Receive receive_;
    Transmit transmit_;
    GemMoments moments_;
    bool stalled_ = false;
};

}  // namespace fixaccel::board
