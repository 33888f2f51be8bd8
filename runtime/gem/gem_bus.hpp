// SPDX-License-Identifier: Apache-2.0
// The one layer below the driver: words of the fabric's window and of the controller's registers. Mapped
// memory on a board, a virtual board's socket elsewhere; the driver does not know which.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "fixaccel/gen/zynq_gem.hpp"

namespace fixaccel::gem {

// The window or the controller cannot be reached, or is not what this program knows.
class GemError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

enum class Place { window, controller };

// 32-bit words at byte addresses of the hwmaps gem_port and zynq_gem.
class GemBus {
  public:
    GemBus() = default;
    GemBus(const GemBus&) = delete;
    GemBus& operator=(const GemBus&) = delete;
    virtual ~GemBus() = default;

    // Consecutive words. Throw GemError.
    virtual void read(Place place, std::uint32_t addr, std::span<std::uint32_t> words) = 0;
    virtual void write(Place place, std::uint32_t addr, std::span<const std::uint32_t> words) = 0;
    // Where they lie for the controller and for the fabric: physical addresses.
    virtual std::uint32_t window_base() const = 0;
    virtual std::uint32_t controller_base() const = 0;
    // A descriptor that is readable when a frame waits for the CPU; -1: there is none, look now and then.
    virtual int interrupt_fd() const { return -1; }
    // Lets one interrupt come: called ahead of each wait. The line is a level, so a frame that came before is
    // told at once.
    virtual void enable_interrupt() {}
    // Behind a wait that it ended.
    virtual void take_interrupt() {}

    std::uint32_t read(Place place, std::uint32_t addr) {
        std::uint32_t word = 0;
        read(place, addr, std::span(&word, 1));
        return word;
    }
    void write(Place place, std::uint32_t addr, std::uint32_t value) {
        write(place, addr, std::span<const std::uint32_t>(&value, 1));
    }
};

// Where the bus of a virtual board lies in the addresses of its socket.
inline constexpr std::uint32_t kWindowAt = 0x0000000;
inline constexpr std::uint32_t kControllerAt = 0x1000000;
// And in a Zynq's memory, as the model and the block design have it.
inline constexpr std::uint32_t kModelWindowBase = zynq_gem::base_gp0;

// "unix:PATH": the bus socket of a virtual board. "uio:WINDOW,CONTROLLER": devices such as uio0. Throws
// GemError.
std::unique_ptr<GemBus> open_bus(std::string_view endpoint);

}  // namespace fixaccel::gem
