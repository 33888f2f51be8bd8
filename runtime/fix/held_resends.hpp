// SPDX-License-Identifier: Apache-2.0
// Orders that a resend request covers while none may leave, and what of its answer there was no time for. The
// request is answered up to the first of them; the rest waits, in its order.
#pragma once

#include <quickfix/Message.h>
#include <quickfix/SessionID.h>

namespace fixaccel {

class HeldResends {
  public:
    // A resend request is going to be answered.
    void begin(const FIX::Message& request);
    // Whether the message has to wait: `may_leave` says nothing of one behind another that does.
    bool hold(const FIX::Message& message, bool may_leave);
    // Something of the answer that is being given has not had to wait.
    bool begun() const { return begun_; }
    // The engine takes what was held for passed over: its gap fill goes up to the first of that. Throws
    // IOException if it is to stay away.
    void shorten(FIX::Message& gap_fill) const;

    // Of the answer that is being given: whether something of it has to wait, and its first MsgSeqNum.
    bool holding() const { return held_from_ != 0; }
    int held_from() const { return held_from_; }
    bool waiting() const { return from_ != 0; }
    // Ends with the connection or the logon: the peer asks anew.
    void forget() { from_ = to_ = held_from_ = 0; }
    // What waits, as a request that the peer might have made; nothing waits any more.
    FIX::Message take_request(const FIX::SessionID& id);

  private:
    bool begun_ = false;
    int asked_to_ = 0;   // of the request that is being answered, 0: to the end
    int held_from_ = 0;  // the first message of its answer that has to wait, 0 if none
    int from_ = 0;       // what waits of all requests, 0 if nothing does
    int to_ = 0;
};

}  // namespace fixaccel
