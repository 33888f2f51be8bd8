// SPDX-License-Identifier: Apache-2.0
// The bus on a board: two devices of the kernel's generic UIO driver, the window with its interrupt and the
// controller.
#pragma once

#include <cstddef>

#include "gem_bus.hpp"

namespace fixaccel::gem {

// One mapping of a UIO device. Throws GemError.
class UioMap {
  public:
    // `root` is where /dev and /sys lie: a test has its own. At least `bytes` are wanted.
    UioMap(const std::string& root, const std::string& device, std::size_t bytes);
    ~UioMap();
    UioMap(const UioMap&) = delete;
    UioMap& operator=(const UioMap&) = delete;

    // 32-bit accesses, nothing else: what lies there are registers.
    volatile std::uint32_t* words() const { return words_; }
    std::size_t bytes() const { return bytes_; }
    std::uint32_t physical() const { return physical_; }
    int fd() const { return fd_; }

  private:
    int fd_ = -1;
    volatile std::uint32_t* words_ = nullptr;
    std::size_t bytes_ = 0;
    std::uint32_t physical_ = 0;
};

class UioBus : public GemBus {
  public:
    UioBus(const std::string& root, const std::string& window, const std::string& controller);

    using GemBus::read;
    using GemBus::write;
    void read(Place place, std::uint32_t addr, std::span<std::uint32_t> words) override;
    void write(Place place, std::uint32_t addr, std::span<const std::uint32_t> words) override;
    std::uint32_t window_base() const override { return window_.physical(); }
    std::uint32_t controller_base() const override { return controller_.physical(); }
    int interrupt_fd() const override { return window_.fd(); }
    void enable_interrupt() override;
    void take_interrupt() override;

  private:
    volatile std::uint32_t* at(Place place, std::uint32_t addr, std::size_t count);

    UioMap window_;
    UioMap controller_;
};

}  // namespace fixaccel::gem
