// SPDX-License-Identifier: Apache-2.0
// The bus of a virtual board, over its socket.
#pragma once

#include "fixaccel/board.hpp"
#include "gem_bus.hpp"

namespace fixaccel::gem {

class SocketBus : public GemBus {
  public:
    // Throws GemError.
    explicit SocketBus(std::string_view endpoint);

    using GemBus::read;
    using GemBus::write;
    void read(Place place, std::uint32_t addr, std::span<std::uint32_t> words) override;
    void write(Place place, std::uint32_t addr, std::span<const std::uint32_t> words) override;
    std::uint32_t window_base() const override { return kModelWindowBase; }
    std::uint32_t controller_base() const override;

  private:
    std::unique_ptr<Board> board_;
};

}  // namespace fixaccel::gem
