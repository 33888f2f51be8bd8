// SPDX-License-Identifier: Apache-2.0
// What a scenario may do at a venue, and what it may ask.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "matching/exchange.hpp"
#include "session/fault.hpp"

namespace fixaccel::exchange {

// Safe from several threads.
class Stage {
  public:
    virtual ~Stage() = default;

    // Runs a house action where nothing else touches the exchange; what it returns is reported, and each book
    // that changed is published once. Returns when that is done.
    virtual void act(const std::function<std::vector<Execution>(Exchange&)>& action) = 0;
    virtual void fault(const std::string& client, const Fault& fault) = 0;
    virtual void log_out(const std::string& client, const std::string& reason) = 0;
    // `end` 0 is everything up to now.
    virtual void request_resend(const std::string& client, std::int64_t begin, std::int64_t end) = 0;
    virtual void request_test(const std::string& client, const std::string& id) = 0;

    virtual bool logged_on(const std::string& client) const = 0;
    virtual bool subscribed(const std::string& client) const = 0;
    virtual std::size_t accepted_orders() const = 0;

    // Waits until a condition made of the questions above holds. False at the deadline or when interrupted.
    virtual bool wait(const std::function<bool()>& condition, std::chrono::nanoseconds timeout) = 0;
    virtual bool interrupted() const = 0;
};

}  // namespace fixaccel::exchange
