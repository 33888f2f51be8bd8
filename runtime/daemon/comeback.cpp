// SPDX-License-Identifier: Apache-2.0
#include "comeback.hpp"

#include <algorithm>

namespace fixaccel {
namespace {

constexpr auto kMinute = std::chrono::minutes(1);

}  // namespace

void Comeback::pause(Time now, const DaemonConfig& config) {
    constexpr unsigned kMostDoublings = 20;
    const std::int64_t times = std::int64_t{1} << std::min(tries_, kMostDoublings);
    next_ = now + std::min(config.reconnect * times, config.reconnect_most);
}

std::chrono::nanoseconds Comeback::wait(Time now) const {
    return std::max<std::chrono::nanoseconds>(next_ - now, std::chrono::nanoseconds(0));
}

void Comeback::logged_on() {
    tries_ = 0;
    session_ = true;
}

void Comeback::was_armed(bool dry, bool stands) {
    dry_ = dry;
    refused_.clear();
    session_ = stands;
}

void Comeback::overrule() {
    armed();
    arms_.clear();
}

void Comeback::refuse(const std::string& reason) {
    dry_.reset();
    awaited_.clear();
    refused_ = reason;
}

bool Comeback::once_more(Time now, std::uint32_t most) {
    std::erase_if(arms_, [&](Time at) { return now - at >= kMinute; });
    if (arms_.size() >= most) return false;
    arms_.push_back(now);
    return true;
}

void Comeback::armed() {
    dry_.reset();
    awaited_.clear();
    refused_.clear();
}

std::string first_unreported(const Ledger& ledger, std::int64_t since_ns) {
    const auto& fires = ledger.fires();
    for (auto fire = fires.rbegin(); fire != fires.rend() && fire->value("time_ns", since_ns) >= since_ns;
         ++fire) {
        if (fire->at("outcome") != "sent" || !fire->contains("cl_ord_id")) continue;
        auto id = fire->at("cl_ord_id").get<std::string>();
        // It did not leave while the daemon waited, so its bytes are not known; it may have left since.
        if (id.empty()) return "with MsgSeqNum " + std::to_string(fire->at("msg_seq_num").get<int>());
        if (ledger.orders().find(id) == ledger.orders().end()) return id;
    }
    for (const auto& [id, order] : ledger.placed())
        if (!order.by.empty() && order.time_ns >= since_ns &&
            ledger.orders().find(id) == ledger.orders().end())
            return id;
    if (fires.size() >= kFiresKept && fires.front().value("time_ns", since_ns) >= since_ns)
        return "ahead of the last " + std::to_string(kFiresKept) + " fires";
    return {};
}

}  // namespace fixaccel
