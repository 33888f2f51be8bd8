// SPDX-License-Identifier: Apache-2.0
#include "market_channel.hpp"

#include "log.hpp"

namespace fixaccel {
namespace {

constexpr std::size_t kKept = 256;  // messages that may be asked for again

}  // namespace

void PassingStore::begin() {
    reset();
    anew_ = true;
}

void PassingStore::reset() {
    sent_.clear();
    next_sender_ = next_target_ = 1;
}

void PassingStore::set(int seq_num, const std::string& message) {
    sent_[seq_num] = message;
    if (sent_.size() > kKept) sent_.erase(sent_.begin());
}

void PassingStore::get(int first, int last, std::vector<std::string>& messages) const {
    for (auto each = sent_.lower_bound(first); each != sent_.end() && each->first <= last; ++each)
        messages.push_back(each->second);
}

void MarketChannel::begins(const Flow& flow) {
    begin();
    engine_.set_market_flow(flow);
}

void MarketChannel::established(Connection& connection) {
    engine_.set_market_window_scale(connection.local_wscale());
}

void MarketChannel::on_logon() noexcept {
    known();
    FixChannel::on_logon();
}

bool MarketChannel::before_send(const std::string& type) noexcept {
    try {
        // Nothing is seen of the market behind it.
        if (type == "5")
            engine_.disarm("the session of market data is being logged out",
                           logged_out() ? DisarmCause::session : DisarmCause::other);
        return connected();
    } catch (const std::exception& error) {
        end(error);
        return false;
    }
}

// Numbers that the parser counts on.
void MarketChannel::numbers_begin_anew() {
    engine_.disarm("the venue has begun the sequence numbers of market data anew");
}

void MarketChannel::heard(const std::string& type, const std::string& message) {
    if (type == "3" || type == "j")
        log_line("the venue rejected a message on the session of market data: " + printable(message));
}

void MarketChannel::end(const std::exception& error) {
    dynamic_cast<const CommitError*>(&error) != nullptr ? orders_.end(error) : FixChannel::end(error);
}

}  // namespace fixaccel
