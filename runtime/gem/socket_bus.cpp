// SPDX-License-Identifier: Apache-2.0
#include "socket_bus.hpp"

#include "fixaccel/gen/zynq_gem.hpp"

namespace fixaccel::gem {
namespace {

// A virtual board on a machine that is busy elsewhere may rest for long; nobody's order waits for this
// program.
constexpr std::chrono::milliseconds kBusAnswers{30000};

std::uint32_t at(Place place, std::uint32_t addr) {
    return (place == Place::window ? kWindowAt : kControllerAt) + addr;
}

}  // namespace

SocketBus::SocketBus(std::string_view endpoint) {
    try {
        board_ = open_board(endpoint, kBusAnswers);
    } catch (const BoardError& error) {
        throw GemError(error.what());
    }
}

std::uint32_t SocketBus::controller_base() const { return zynq_gem::base_gem0; }

void SocketBus::read(Place place, std::uint32_t addr, std::span<std::uint32_t> words) {
    try {
        board_->read(at(place, addr), words);
    } catch (const BoardError& error) {
        throw GemError(error.what());
    }
}

void SocketBus::write(Place place, std::uint32_t addr, std::span<const std::uint32_t> words) {
    try {
        board_->write(at(place, addr), words);
    } catch (const BoardError& error) {
        throw GemError(error.what());
    }
}

}  // namespace fixaccel::gem
