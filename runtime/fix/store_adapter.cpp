// SPDX-License-Identifier: Apache-2.0
#include "store_adapter.hpp"

#include <exception>

namespace fixaccel {
namespace {

template <typename Action>
auto guarded(Action action) -> decltype(action()) {
    try {
        return action();
    } catch (const std::exception& error) {
        throw FIX::IOException(error.what());
    }
}

}  // namespace

void Present::is(const FIX::UtcTimeStamp& time) {
    time_ = time;
    engines_ = false;
}

void Present::is_the_engines() {
    time_ = FIX::UtcTimeStamp();
    engines_ = true;
}

FIX::UtcTimeStamp Present::creation_time() const {
    if (engines_ && FIX::UtcTimeStamp().getJulianDate() != time_.getJulianDate()) throw MidnightPassed();
    return time_;
}

bool StoreAdapter::set(int seq_num, const std::string& message) throw(FIX::IOException) {
    transport_.storing();
    guarded([&] { store_.set(seq_num, message); });
    transport_.stored();
    return true;
}

void StoreAdapter::get(int first, int last, std::vector<std::string>& messages) const
    throw(FIX::IOException) {
    // QuickFIX appends to what the caller passes and expects an empty start.
    messages.clear();
    guarded([&] { store_.get(first, last, messages); });
}

int StoreAdapter::getNextSenderMsgSeqNum() const throw(FIX::IOException) {
    return guarded([&] { return store_.next_sender(); });
}

int StoreAdapter::getNextTargetMsgSeqNum() const throw(FIX::IOException) {
    return guarded([&] { return store_.next_target(); });
}

void StoreAdapter::setNextSenderMsgSeqNum(int seq_num) throw(FIX::IOException) {
    guarded([&] { store_.set_next_sender(seq_num); });
}

void StoreAdapter::setNextTargetMsgSeqNum(int seq_num) throw(FIX::IOException) {
    guarded([&] { store_.set_next_target(seq_num); });
}

void StoreAdapter::incrNextSenderMsgSeqNum() throw(FIX::IOException) {
    guarded([&] { store_.set_next_sender(store_.next_sender() + 1); });
}

void StoreAdapter::incrNextTargetMsgSeqNum() throw(FIX::IOException) {
    guarded([&] { store_.set_next_target(store_.next_target() + 1); });
}

FIX::UtcTimeStamp StoreAdapter::getCreationTime() const throw(FIX::IOException) {
    return present_.creation_time();
}

void StoreAdapter::reset() throw(FIX::IOException) {
    transport_.before_reset();
    guarded([&] { store_.reset(); });
}

}  // namespace fixaccel
