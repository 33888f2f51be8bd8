// SPDX-License-Identifier: Apache-2.0
#include "tap.hpp"

#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netinet/ether.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace fixaccel::gem {
namespace {

constexpr std::size_t kBuffer = 65536;  // a frame that is too long is seen as a whole, and refused

ifreq named(const std::string& name) {
    ifreq request{};
    if (name.empty() || name.size() >= sizeof request.ifr_name)
        throw GemError("'" + name + "' is no name of an interface: 1 to 15 characters");
    name.copy(request.ifr_name, name.size());
    return request;
}

[[noreturn]] void fail(const std::string& what) { throw GemError(what + ": " + std::strerror(errno)); }

void set_mac(int socket, const std::string& name, const std::string& mac) {
    ether_addr address{};
    if (ether_aton_r(mac.c_str(), &address) == nullptr)
        throw GemError("'" + mac + "' is no MAC address such as 02:00:00:00:00:01");
    ifreq request = named(name);
    request.ifr_hwaddr.sa_family = ARPHRD_ETHER;
    std::memcpy(request.ifr_hwaddr.sa_data, &address, sizeof address);
    if (::ioctl(socket, SIOCSIFHWADDR, &request) != 0) fail("interface " + name + " does not take " + mac);
}

}  // namespace

Tap::Tap(const std::string& name, const std::optional<std::string>& mac)
    : fd_(::open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC)), buffer_(kBuffer) {
    if (fd_ < 0) fail("/dev/net/tun");
    const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    try {
        ifreq request = named(name);
        request.ifr_flags = IFF_TAP | IFF_NO_PI;
        if (::ioctl(fd_, TUNSETIFF, &request) != 0) fail("interface " + name + " cannot be made");
        if (mac) set_mac(socket, name, *mac);
        request = named(name);
        if (::ioctl(socket, SIOCGIFFLAGS, &request) != 0) fail("interface " + name);
        request.ifr_flags = static_cast<short>(request.ifr_flags | IFF_UP);
        if (::ioctl(socket, SIOCSIFFLAGS, &request) != 0)
            fail("interface " + name + " cannot be switched on");
    } catch (...) {
        ::close(socket);
        ::close(fd_);
        throw;
    }
    ::close(socket);
}

Tap::~Tap() { ::close(fd_); }

std::optional<Frame> Tap::receive() {
    const ssize_t got = ::read(fd_, buffer_.data(), buffer_.size());
    if (got <= 0) return std::nullopt;
    return Frame(buffer_.begin(), buffer_.begin() + got);
}

void Tap::send(FrameView frame) {
    if (::write(fd_, frame.data(), frame.size()) != static_cast<ssize_t>(frame.size())) ++lost_;
}

}  // namespace fixaccel::gem
