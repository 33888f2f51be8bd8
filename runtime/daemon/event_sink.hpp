// SPDX-License-Identifier: Apache-2.0
// Where events go for whoever watches.
#pragma once

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
    virtual void publish(nlohmann::json event) = 0;
};

}  // namespace fixaccel
