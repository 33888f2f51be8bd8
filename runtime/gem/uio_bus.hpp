// SPDX-License-Identifier: Apache-2.0
// The bus on a board: two devices of the kernel's generic UIO driver, the window with its interrupt and the
// controller.
#pragma once

#include <cstddef>

#include "fixaccel/uio_map.hpp"
#include "gem_bus.hpp"

namespace fixaccel::gem {

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
