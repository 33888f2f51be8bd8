// SPDX-License-Identifier: Apache-2.0
// Orders as the engine would write them, without a message of its own for each.
#pragma once

#include <quickfix/FieldTypes.h>
#include <quickfix/SessionID.h>

#include <string>

#include "fixaccel/fix_session.hpp"

namespace fixaccel {

class OrderWriter {
  public:
    explicit OrderWriter(const FIX::SessionID& session);
    // NewOrderSingle(D) of that MsgSeqNum, with `now` as SendingTime and TransactTime, of so many decimals of
    // a second. Good until the next call; takes no memory once there was one as long.
    const std::string& write(const OrderText& order, int seq_num, const FIX::UtcTimeStamp& now, int decimals);

  private:
    void add_number(const char* tag, int number);

    std::string begin_;   // BeginString and the tag of BodyLength
    std::string sender_;  // fields that are always the same
    std::string target_;
    std::string time_;  // of the message, as text
    std::string body_;  // what BodyLength counts
    std::string text_;
};

}  // namespace fixaccel
