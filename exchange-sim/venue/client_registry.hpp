// SPDX-License-Identifier: Apache-2.0
// Who is logged on, who subscribed to what, how many orders came in; and waiting for any of it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace fixaccel::exchange {

// Leaf of the lock order: takes no other lock while it holds its own.
class ClientRegistry {
  public:
    void logged_on(const std::string& client);
    // Market data ends with the session; it is asked for again at the next logon.
    void logged_out(const std::string& client);
    // How many subscriptions a client has now.
    void subscribed(const std::string& client, std::size_t count);
    void order_accepted();

    bool is_logged_on(const std::string& client) const;
    bool is_subscribed(const std::string& client) const;
    std::size_t accepted_orders() const;

    // Waits until `condition`, made of the questions above, holds. False at the deadline or when interrupted.
    bool wait(const std::function<bool()>& condition, std::chrono::nanoseconds timeout);
    // Ends all waits, now and later.
    void interrupt();
    bool interrupted() const;

  private:
    mutable std::recursive_mutex mutex_;  // conditions ask while wait() holds it
    std::condition_variable_any changed_;
    std::set<std::string> online_;
    std::map<std::string, std::size_t> subscriptions_;
    std::size_t accepted_ = 0;
    bool interrupted_ = false;
};

}  // namespace fixaccel::exchange
