// SPDX-License-Identifier: Apache-2.0
#include "held_resends.hpp"

#include <quickfix/Exceptions.h>
#include <quickfix/FieldConvertors.h>
#include <quickfix/FixFields.h>

#include <algorithm>

namespace fixaccel {
namespace {

int number_of(const FIX::Message& message) {
    return FIX::IntConvertor::convert(message.getHeader().getField(FIX::FIELD::MsgSeqNum));
}

}  // namespace

// Throws FIX::IncorrectDataFormat, which the engine answers with a Reject, if what it asks for is no number.
void HeldResends::begin(const FIX::Message& request) {
    held_from_ = 0;
    begun_ = false;
    FIX::EndSeqNo end(0);
    asked_to_ = request.getFieldIfSet(end) ? end.getValue() : 0;
}

bool HeldResends::hold(const FIX::Message& message, bool may_leave) {
    if (holding()) return true;
    begun_ = begun_ || may_leave;
    if (may_leave) return false;
    held_from_ = number_of(message);
    const bool all = asked_to_ == 0 || (waiting() && to_ == 0);
    to_ = all ? 0 : std::max(asked_to_, to_);
    from_ = waiting() ? std::min(from_, held_from_) : held_from_;
    return true;
}

void HeldResends::shorten(FIX::Message& gap_fill) const {
    if (!holding()) return;
    if (number_of(gap_fill) >= held_from_) throw FIX::IOException("an order waits");
    gap_fill.setField(FIX::NewSeqNo(held_from_));
}

FIX::Message HeldResends::take_request(const FIX::SessionID& id) {
    FIX::Message request;
    FIX::Header& header = request.getHeader();
    header.setField(FIX::BeginString(id.getBeginString()));
    header.setField(FIX::MsgType(FIX::MsgType_ResendRequest));
    header.setField(FIX::SenderCompID(id.getTargetCompID()));
    header.setField(FIX::TargetCompID(id.getSenderCompID()));
    // One that was read long ago: it does not count as read now.
    header.setField(FIX::MsgSeqNum(1));
    header.setField(FIX::SendingTime(FIX::UtcTimeStamp()));
    request.setField(FIX::BeginSeqNo(from_));
    request.setField(FIX::EndSeqNo(to_));
    forget();
    return request;
}

}  // namespace fixaccel
