// SPDX-License-Identifier: Apache-2.0
#include "uio_bus.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "fixaccel/board.hpp"
#include "fixaccel/gen/gem_port.hpp"
#include "fixaccel/gen/zynq_gem.hpp"
#include "socket_bus.hpp"

namespace fixaccel::gem {
namespace {

constexpr std::size_t kWord = sizeof(std::uint32_t);

UioMap mapped(const std::string& root, const std::string& device, unsigned address_bits) {
    try {
        return UioMap(root, device, std::size_t{1} << address_bits);
    } catch (const BoardError& error) {
        throw GemError(error.what());
    }
}

}  // namespace

UioBus::UioBus(const std::string& root, const std::string& window, const std::string& controller)
    : window_(mapped(root, window, gem_port::address_bits)),
      controller_(mapped(root, controller, zynq_gem::address_bits)) {}

volatile std::uint32_t* UioBus::at(Place place, std::uint32_t addr, std::size_t count) {
    const UioMap& map = place == Place::window ? window_ : controller_;
    if (addr % kWord != 0 || addr + count * kWord > map.bytes())
        throw GemError("an access beyond the mapping");
    return map.words() + addr / kWord;
}

void UioBus::read(Place place, std::uint32_t addr, std::span<std::uint32_t> words) {
    const volatile std::uint32_t* from = at(place, addr, words.size());
    for (std::uint32_t& word : words) word = *from++;
}

void UioBus::write(Place place, std::uint32_t addr, std::span<const std::uint32_t> words) {
    volatile std::uint32_t* to = at(place, addr, words.size());
    for (const std::uint32_t word : words) *to++ = word;
}

// The kernel switches the interrupt off each time it has come, also one that a program before this one has
// left behind. Where it is on, this changes nothing.
void UioBus::enable_interrupt() {
    const std::uint32_t enable = 1;
    if (::write(window_.fd(), &enable, sizeof enable) != sizeof enable)
        throw GemError(std::string("the interrupt cannot be enabled: ") + std::strerror(errno));
}

// Reading takes the count of interrupts so far, with which a wait ends.
void UioBus::take_interrupt() {
    std::uint32_t count = 0;
    if (::read(window_.fd(), &count, sizeof count) != sizeof count)
        throw GemError(std::string("the interrupt cannot be read: ") + std::strerror(errno));
}

std::unique_ptr<GemBus> open_bus(std::string_view endpoint) {
    if (endpoint.starts_with(kUnixScheme)) return std::make_unique<SocketBus>(endpoint);
    const std::size_t comma = endpoint.find(',');
    if (endpoint.starts_with(kUioScheme) && comma != std::string_view::npos) {
        const std::string window(endpoint.substr(kUioScheme.size(), comma - kUioScheme.size()));
        return std::make_unique<UioBus>("", window, std::string(endpoint.substr(comma + 1)));
    }
    throw GemError("bus '" + std::string(endpoint) +
                   "' is not understood: use uio:WINDOW,CONTROLLER, such as uio:uio0,uio1, or unix:PATH");
}

}  // namespace fixaccel::gem
