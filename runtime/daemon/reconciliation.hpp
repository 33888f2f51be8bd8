// SPDX-License-Identifier: Apache-2.0
// Rules in doubt, compared with the venue: it has counted our messages, and is asked for the order that each
// rule would have sent next.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "fixaccel/fix_session.hpp"
#include "fixaccel/ledger.hpp"

namespace fixaccel {

// What is found goes into the journal at once: a crash in the middle costs nothing but the asking.
class Reconciliation {
  public:
    using Time = std::chrono::steady_clock::time_point;
    // Sends OrderStatusRequest(H) with this body.
    using Ask = std::function<void(const FixFields& body)>;

    explicit Reconciliation(Ledger& ledger);

    // The venue has taken our Logon. Nothing that was asked on another connection is answered any more.
    void begin(Time now);
    // Asks for some more.
    void go_on(const Ask& ask);
    // An ExecutionReport. True: it says that there is no such order, and is no order's.
    bool heard(const std::string& report, Time now);
    // Reject(3) or BusinessMessageReject(j): the venue may not answer such questions.
    void refused(const std::string& reject);
    // ResendRequest(2): from its number on the venue has counted nothing.
    void asked_again(const std::string& request);
    // All that was asked has been answered, or there was no answer for long.
    bool over(Time now) const;
    // What it has come to, which the journal has then.
    std::string conclude();

  private:
    void look_for_all();

    Ledger& ledger_;
    std::deque<std::string> to_ask_;            // keys of rules
    std::map<std::string, std::string> rules_;  // keys, by the ClOrdID that is looked for
    std::set<std::string> asked_;               // ClOrdIDs, not yet answered
    Time heard_{};
};

}  // namespace fixaccel
