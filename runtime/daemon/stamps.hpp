// SPDX-License-Identifier: Apache-2.0
// When something came, or left, and who says so.
#pragma once

#include <chrono>
#include <cstdint>

namespace fixaccel {

// What moments are taken from: the clock around calls, or the kernel's stamps on what comes and goes.
enum class Stamps { off, app, kernel };

// Where one moment comes from. `shared`: the kernel's, of the last segment of a read that had more behind the
// message, which may have come earlier.
enum class StampBy : std::uint8_t { app, kernel, shared };

// Something came on a socket, and was read.
struct Arrival {
    std::chrono::steady_clock::time_point at{};
    std::chrono::steady_clock::time_point read{};
    StampBy by = StampBy::app;
};

}  // namespace fixaccel
