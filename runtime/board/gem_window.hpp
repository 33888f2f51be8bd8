// SPDX-License-Identifier: Apache-2.0
// Masters in front of gem_port's AXI slave: a write and a read at a time, of the controller's DMA or of the
// CPU.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

class Vgem_port;

namespace fixaccel::board {

// One burst. Whoever has it made keeps it until it is done.
struct GemBurst {
    bool write = false;
    std::uint32_t addr = 0;            // within the window
    std::vector<std::uint32_t> words;  // to write, or as many as are to be read
    unsigned wait = 0;                 // cycles ahead of its address
    unsigned gap = 0;                  // cycles ahead of each beat but the first
    bool done = false;
    bool refused = false;             // answered with an error
    std::uint64_t last_beat = 0;      // cycle of it
    std::vector<std::uint64_t> when;  // of a read: cycle of each beat
};

// Drives the slave's pins. A burst of the controller goes ahead of one of the CPU.
class GemWindow {
  public:
    void controller(GemBurst& burst) { of(burst).queue.push_front(&burst); }
    void cpu(GemBurst& burst) { of(burst).queue.push_back(&burst); }
    // Ahead of a clock edge: the pins as they stand; behind the settling: what the edge will take.
    void drive(Vgem_port& port);
    void sample(const Vgem_port& port, std::uint64_t cycle);
    // Bursts that are under way are over, unfinished.
    void reset();

  private:
    struct Channel {
        std::deque<GemBurst*> queue;
        GemBurst* burst = nullptr;
        bool addressed = false;  // the address was taken
        std::size_t beat = 0;    // beats that were taken
        unsigned wait = 0;       // cycles until the next step
        void next();
    };
    Channel& of(const GemBurst& burst) { return burst.write ? write_ : read_; }

    Channel write_;
    Channel read_;
};

}  // namespace fixaccel::board
