// SPDX-License-Identifier: Apache-2.0
// A client of the venue made of QuickFIX's own initiator. C++14 and C++20.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "session/message.hpp"

namespace fixaccel {  // NOLINT(modernize-concat-nested-namespaces): read as C++14 too
namespace exchange {

class FixClient {
  public:
    // With a `dictionary`, a file, the engine rejects (35=3) what that does not allow.
    FixClient(const std::string& comp_id, const std::string& venue, std::uint16_t port,
              int heartbeat_seconds = 30, const std::string& dictionary = "");
    ~FixClient();

    // Connects; false if no Logon came back in time.
    bool log_on(std::chrono::milliseconds patience = std::chrono::seconds(5));
    // Logs out and waits for the answer.
    void log_out();
    // Sends and gives the MsgSeqNum.
    int send(const OutgoingMessage& message);

    // The next message of a type that was not taken before, in order of arrival, fields in their order on the
    // wire. An empty message if none comes in time.
    IncomingMessage next(const std::string& type,
                         std::chrono::milliseconds patience = std::chrono::seconds(5));
    // Messages of a type that have come and were not taken.
    std::size_t waiting(const std::string& type) const;

    int next_sender() const;
    int next_target() const;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace exchange
}  // namespace fixaccel
