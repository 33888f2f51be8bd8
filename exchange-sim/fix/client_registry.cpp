// SPDX-License-Identifier: Apache-2.0
#include "fix/client_registry.hpp"

#include <algorithm>

namespace fixaccel::exchange {

void ClientRegistry::logged_on(const std::string& client) {
    const std::lock_guard lock(mutex_);
    online_.insert(client);
    changed_.notify_all();
}

void ClientRegistry::logged_out(const std::string& client) {
    const std::lock_guard lock(mutex_);
    online_.erase(client);
    std::erase_if(subscriptions_, [&](const Subscription& held) { return held.client == client; });
    changed_.notify_all();
}

bool ClientRegistry::subscribe(const Subscription& subscription) {
    const std::lock_guard lock(mutex_);
    const bool taken =
        std::any_of(subscriptions_.begin(), subscriptions_.end(), [&](const Subscription& held) {
            return held.client == subscription.client && held.md_req_id == subscription.md_req_id;
        });
    if (taken) return false;
    subscriptions_.push_back(subscription);
    changed_.notify_all();
    return true;
}

bool ClientRegistry::unsubscribe(const std::string& client, const std::string& md_req_id) {
    const std::lock_guard lock(mutex_);
    return std::erase_if(subscriptions_, [&](const Subscription& held) {
               return held.client == client && held.md_req_id == md_req_id;
           }) != 0;
}

void ClientRegistry::order_accepted() {
    const std::lock_guard lock(mutex_);
    ++accepted_;
    changed_.notify_all();
}

std::vector<Subscription> ClientRegistry::subscriptions() const {
    const std::lock_guard lock(mutex_);
    return subscriptions_;
}

bool ClientRegistry::is_logged_on(const std::string& client) const {
    const std::lock_guard lock(mutex_);
    return online_.contains(client);
}

bool ClientRegistry::is_subscribed(const std::string& client) const {
    const std::lock_guard lock(mutex_);
    return std::any_of(subscriptions_.begin(), subscriptions_.end(),
                       [&](const Subscription& held) { return held.client == client; });
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
