// SPDX-License-Identifier: Apache-2.0
// Where events go for whoever watches.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <nlohmann/json.hpp>

namespace fixaccel {

class EventSink {
  public:
    EventSink() = default;
    EventSink(const EventSink&) = delete;
    EventSink& operator=(const EventSink&) = delete;
    virtual ~EventSink() = default;

    // Somebody watches: else nothing needs to be told.
    virtual bool watched() const = 0;
    // Never waits: what is too much is dropped, and the watchers are told how much.
    // `ticket`: take_told() says when it was written to them; 0: nobody wants to know.
    virtual void publish(nlohmann::json event, std::uint64_t ticket = 0) = 0;
    struct Told {
        std::uint64_t ticket;
        std::chrono::steady_clock::time_point at;
    };
    virtual std::deque<Told> take_told() = 0;
};

}  // namespace fixaccel
