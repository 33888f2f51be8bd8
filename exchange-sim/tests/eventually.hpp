// SPDX-License-Identifier: Apache-2.0
// Waits for what nobody tells of: a test that waits in vain fails, and does not go on for ever.
#pragma once

#include <chrono>
#include <thread>

namespace fixaccel::exchange {

// False: it has not come true in a minute, which is more than the slowest machine takes.
template <typename Condition>
bool eventually(const Condition& condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!condition()) {
        if (std::chrono::steady_clock::now() >= deadline) return false;
        std::this_thread::yield();
    }
    return true;
}

}  // namespace fixaccel::exchange
