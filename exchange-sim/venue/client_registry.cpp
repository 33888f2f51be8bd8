// SPDX-License-Identifier: Apache-2.0
#include "venue/client_registry.hpp"

namespace fixaccel::exchange {

void ClientRegistry::logged_on(const std::string& client) {
    const std::lock_guard lock(mutex_);
    online_.insert(client);
    changed_.notify_all();
}

void ClientRegistry::logged_out(const std::string& client) {
    const std::lock_guard lock(mutex_);
    online_.erase(client);
    subscriptions_.erase(client);
    changed_.notify_all();
}

void ClientRegistry::subscribed(const std::string& client, std::size_t count) {
    const std::lock_guard lock(mutex_);
    subscriptions_[client] = count;
    changed_.notify_all();
}

void ClientRegistry::order_accepted() {
    const std::lock_guard lock(mutex_);
    ++accepted_;
    changed_.notify_all();
}

bool ClientRegistry::is_logged_on(const std::string& client) const {
    const std::lock_guard lock(mutex_);
    return online_.contains(client);
}

bool ClientRegistry::is_subscribed(const std::string& client) const {
    const std::lock_guard lock(mutex_);
    const auto found = subscriptions_.find(client);
    return found != subscriptions_.end() && found->second > 0;
}

std::size_t ClientRegistry::accepted_orders() const {
    const std::lock_guard lock(mutex_);
    return accepted_;
}

bool ClientRegistry::wait(const std::function<bool()>& condition, std::chrono::nanoseconds timeout) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, timeout, [&] { return interrupted_ || condition(); });
    return !interrupted_ && condition();
}

void ClientRegistry::interrupt() {
    const std::lock_guard lock(mutex_);
    interrupted_ = true;
    changed_.notify_all();
}

bool ClientRegistry::interrupted() const {
    const std::lock_guard lock(mutex_);
    return interrupted_;
}

}  // namespace fixaccel::exchange
