// SPDX-License-Identifier: Apache-2.0
// What a kill guard has taken of a client, as a test of its other thread needs it.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>

#include <utility>

#include "kill_guard.hpp"

namespace fixaccel {

// The one request that comes within 10 s.
inline ControlRequest await_request(KillGuard& guard) {
    pollfd there{guard.requests_fd(), POLLIN, 0};
    EXPECT_EQ(::poll(&there, 1, 10'000), 1);
    auto requests = guard.take_requests();
    EXPECT_EQ(requests.size(), 1U);
    return requests.empty() ? ControlRequest{} : std::move(requests.front());
}

}  // namespace fixaccel
