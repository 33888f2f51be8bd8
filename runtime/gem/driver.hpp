// SPDX-License-Identifier: Apache-2.0
// The driver of the controller and of the fabric's window in front of it: sets both up, takes frames that the
// fabric lets go to the CPU, hands over frames of the CPU, gives the controller back as it was.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ethernet.hpp"
#include "gem_bus.hpp"

namespace fixaccel::gem {

using board::Frame;
using board::FrameView;

// What the PHY has agreed on.
struct Link {
    bool up = false;
    unsigned mbit_s = 0;
    bool full_duplex = false;
};

struct Counts {
    std::uint64_t received = 0;   // frames handed to the kernel
    std::uint64_t sent = 0;       // frames handed to the fabric
    std::uint64_t bad = 0;        // mailboxes with a wrong FCS or length, dropped
    std::uint64_t oversized = 0;  // frames of the kernel that no wire takes, dropped
};

class GemDriver {
  public:
    explicit GemDriver(GemBus& bus) : bus_(bus) {}

    // Sets the port and the controller up and starts both. Throws GemError if the window is not one that this
    // program knows, or there is no PHY.
    void start();
    // Sends what is under way, at most for a bounded number of looks, then stops the DMA and restores the
    // controller's registers; receiving and sending are off then, as a driver of the kernel expects them.
    void stop();

    // The next whole frame for the CPU, without FCS, if one waits; what is none is dropped and counted.
    // Throws GemError if the window counts more frames than it has mailboxes: it is not the one that was set
    // up.
    std::optional<Frame> receive();
    // Hands over a frame without FCS; false: no mailbox is free, try again later.
    bool send(FrameView frame);

    // Why the port has failed, empty while it has not; from then on nothing leaves until restart().
    std::string fault();
    // Empties the port and starts it again; the fabric stays disarmed until somebody arms it.
    void restart();

    Link link();
    const Counts& counts() const { return counts_; }

  private:
    void set_up_controller();
    void set_up_port();
    void switch_off();
    bool all_sent();
    void look();
    void give_back();
    std::optional<Frame> take_out(std::uint32_t box);
    std::uint32_t phy_access(std::uint32_t way, std::uint32_t number, std::uint32_t word);
    std::uint32_t phy_read(std::uint32_t number);
    void phy_write(std::uint32_t number, std::uint32_t word);
    void find_phy();
    void wake_phy();
    std::uint32_t port(std::uint32_t addr) { return bus_.read(Place::window, addr); }
    void set_port(std::uint32_t addr, std::uint32_t value) { bus_.write(Place::window, addr, value); }
    std::uint32_t controller(std::uint32_t addr) { return bus_.read(Place::controller, addr); }
    void set_controller(std::uint32_t addr, std::uint32_t value) {
        bus_.write(Place::controller, addr, value);
    }

    GemBus& bus_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found_;  // registers as they were
    std::uint32_t phy_ = 0;
    std::uint32_t to_cpu_slots_ = 0, from_cpu_slots_ = 0;
    // Frames ever taken and handed over; of the fabric's two counts what was read last, for a read takes
    // longest of all.
    std::uint32_t to_cpu_tail_ = 0, from_cpu_head_ = 0;
    std::uint32_t to_cpu_head_ = 0, from_cpu_tail_ = 0;
    std::uint32_t given_back_ = 0;  // boxes to the CPU that the fabric knows to be free again
    std::uint32_t unsent_ = 0;  // frames that were queued and never sent, of all times before the last set-up
    Counts counts_;
};

}  // namespace fixaccel::gem
