// SPDX-License-Identifier: Apache-2.0
// A TAP interface: the kernel's end of the wire.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver.hpp"

namespace fixaccel::gem {

class Tap {
  public:
    // Makes the interface `name` and switches it on; `mac` is its address, none: the kernel's choice. Needs
    // CAP_NET_ADMIN, from here on nothing does. Throws GemError.
    Tap(const std::string& name, const std::optional<std::string>& mac);
    ~Tap();
    Tap(const Tap&) = delete;
    Tap& operator=(const Tap&) = delete;

    int fd() const { return fd_; }
    // The next frame that the kernel sends, if there is one.
    std::optional<Frame> receive();
    // A frame for the kernel; one that it does not take is lost and counted.
    void send(FrameView frame);
    std::uint64_t lost() const { return lost_; }

  private:
    int fd_ = -1;
    std::vector<std::uint8_t> buffer_;
    std::uint64_t lost_ = 0;
};

}  // namespace fixaccel::gem
