// SPDX-License-Identifier: Apache-2.0
// The bytes of what one session sends: the application's messages without the FIX engine's detour over sorted
// fields, and what a resend request brings. Read as C++14 and as C++20.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "session/message.hpp"

namespace fixaccel {  // NOLINT(modernize-concat-nested-namespaces): read as C++14 too
namespace exchange {

// Each result stands until the next call. SendingTime(52) is UTC now, with milliseconds.
class Encoder {
  public:
    Encoder(const std::string& begin_string, const std::string& sender, const std::string& target);

    // Fields sorted by tag, then the groups. Fields without text are left out.
    const std::string& message(const OutgoingMessage& message, int msg_seq_num);
    // A message that was sent before, with PossDupFlag(43)=Y and its OrigSendingTime(122).
    const std::string& resent(const std::string& stored);
    // SequenceReset(4) that fills the gap from `begin` on: the next message is `next`.
    const std::string& gap_fill(int begin, int next);

  private:
    void begin(const std::string& type);
    void add(int tag, const std::string& text);
    void add(int tag, int number);
    const std::string& finish();
    const std::string& sending_time();

    const std::string begin_string_;
    const std::string sender_;
    const std::string target_;
    std::string body_;
    std::string bytes_;
    std::vector<const Field*> sorted_;
    std::string time_;
    std::chrono::seconds time_second_{-1};
};

}  // namespace exchange
}  // namespace fixaccel
