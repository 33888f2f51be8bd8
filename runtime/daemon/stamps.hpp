// SPDX-License-Identifier: Apache-2.0
// When something came, or left, and who says so.
#pragma once

#include <chrono>
#include <cstdint>

namespace fixaccel {

// What moments are taken from: the clock around calls, the kernel's stamps on what comes and goes, or the
// card's.
enum class Stamps { off, app, kernel, hardware };

// Where one moment comes from. `shared`: the kernel's or the card's, of the last segment of a read that had
// more behind the message, which may have come earlier. `fabric`: cycles that the fabric has counted.
enum class StampBy : std::uint8_t { app, kernel, shared, card, fabric };

// One moment.
struct Stamp {
    std::chrono::steady_clock::time_point at{};
    StampBy by = StampBy::app;
};

// Something came on a socket, and was read.
struct Arrival {
    std::chrono::steady_clock::time_point at{};
    std::chrono::steady_clock::time_point read{};
    StampBy by = StampBy::app;
};

}  // namespace fixaccel
