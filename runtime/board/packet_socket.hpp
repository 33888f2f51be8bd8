// SPDX-License-Identifier: Apache-2.0
// Whole Ethernet frames from and to one network interface.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "ethernet.hpp"

namespace fixaccel::board {

class PacketError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class PacketSocket {
  public:
    // Opens `interface` in promiscuous mode. Throws PacketError that says what is missing.
    explicit PacketSocket(const std::string& interface);
    ~PacketSocket();
    PacketSocket(const PacketSocket&) = delete;
    PacketSocket& operator=(const PacketSocket&) = delete;

    int fd() const { return fd_; }
    const std::string& interface() const { return interface_; }
    // The next frame that came in, if there is one. Frames that a wire could not carry (offloads left on at
    // the other end) are dropped, counted and reported once. Throws PacketError if the interface is gone.
    std::optional<Frame> receive();
    // Sends a frame; one that the interface does not take is lost, as on a wire, and counted.
    void send(FrameView frame);

    std::uint64_t received() const { return received_; }
    std::uint64_t sent() const { return sent_; }
    std::uint64_t lost() const { return lost_; }

  private:
    bool refuse(const char* why);

    std::string interface_;
    int fd_ = -1;
    std::vector<std::uint8_t> buffer_;
    std::uint64_t received_ = 0;
    std::uint64_t sent_ = 0;
    std::uint64_t lost_ = 0;
    bool told_ = false;
};

}  // namespace fixaccel::board
