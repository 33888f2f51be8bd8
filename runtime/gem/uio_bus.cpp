// SPDX-License-Identifier: Apache-2.0
#include "uio_bus.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "fixaccel/gen/gem_port.hpp"
#include "fixaccel/gen/zynq_gem.hpp"
#include "socket_bus.hpp"

namespace fixaccel::gem {
namespace {

constexpr std::string_view kUnix = "unix:";
constexpr std::string_view kUio = "uio:";
constexpr std::size_t kWord = sizeof(std::uint32_t);

// A number of this machine's address space, as /sys/class/uio has it: 0x...
std::size_t number_in(const std::string& file) {
    std::ifstream in(file);
    std::string text;
    if (!(in >> text)) throw GemError(file + " cannot be read: is the device bound to generic-uio?");
    try {
        return std::stoul(text, nullptr, 0);
    } catch (const std::exception&) {
        throw GemError(file + ": '" + text + "' is no number");
    }
}

}  // namespace

UioMap::UioMap(const std::string& root, const std::string& device, std::size_t bytes) {
    const std::string about = root + "/sys/class/uio/" + device + "/maps/map0/";
    const std::size_t physical = number_in(about + "addr");
    bytes_ = number_in(about + "size");
    if (bytes_ < bytes)
        throw GemError(device + " maps " + std::to_string(bytes_) + " bytes, " + std::to_string(bytes) +
                       " are needed: look at `reg` in the device tree overlay");
    physical_ = static_cast<std::uint32_t>(physical);
    const std::string path = root + "/dev/" + device;
    fd_ = ::open(path.c_str(), O_RDWR | O_SYNC | O_CLOEXEC);
    if (fd_ < 0) throw GemError(path + ": " + std::strerror(errno));
    void* mapped = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    if (mapped == MAP_FAILED) {
        const std::string why = std::strerror(errno);
        ::close(fd_);
        throw GemError(path + " cannot be mapped: " + why);
    }
    words_ = static_cast<volatile std::uint32_t*>(mapped);
}

UioMap::~UioMap() {
    ::munmap(const_cast<std::uint32_t*>(words_), bytes_);
    ::close(fd_);
}

UioBus::UioBus(const std::string& root, const std::string& window, const std::string& controller)
    : window_(root, window, 1U << gem_port::address_bits),
      controller_(root, controller, 1U << zynq_gem::address_bits) {}

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
    if (endpoint.starts_with(kUnix)) return std::make_unique<SocketBus>(endpoint);
    const std::size_t comma = endpoint.find(',');
    if (endpoint.starts_with(kUio) && comma != std::string_view::npos) {
        const std::string window(endpoint.substr(kUio.size(), comma - kUio.size()));
        return std::make_unique<UioBus>("", window, std::string(endpoint.substr(comma + 1)));
    }
    throw GemError("bus '" + std::string(endpoint) +
                   "' is not understood: use uio:WINDOW,CONTROLLER, such as uio:uio0,uio1, or unix:PATH");
}

}  // namespace fixaccel::gem
