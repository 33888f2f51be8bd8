// SPDX-License-Identifier: Apache-2.0
// A client that sends exactly the bytes that a test wants, right or wrong, and reads what comes.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "session/framer.hpp"
#include "session/message.hpp"

namespace fixaccel::exchange {

// UTC as in SendingTime(52), so many seconds from now.
std::string utc_text(int seconds = 0);

// A whole message of the fields behind BodyLength(9), written with | for the end of a field: both sums are
// added.
std::string framed(const std::string& fields, const std::string& begin_string = "FIX.4.4");

// With | for the end of a field, for what a test prints and compares.
std::string shown(const std::string& bytes);

class RawClient {
  public:
    explicit RawClient(std::uint16_t port, const std::string& client = "CLIENT1",
                       const std::string& venue = "SIMULATOR");
    ~RawClient();
    RawClient(RawClient&& other) noexcept;
    RawClient& operator=(RawClient&&) = delete;
    RawClient(const RawClient&) = delete;

    // Header and sums are added; the next MsgSeqNum is used up. Header fields of its own come first in
    // `fields`.
    void send(const std::string& type, const std::string& fields = "");
    // The same with another MsgSeqNum, which leaves the count alone.
    void send_as(const std::string& number, const std::string& type, const std::string& fields = "");
    // False: the venue has closed the connection.
    bool send_bytes(const std::string& bytes);
    // Begins the numbers of both sides anew.
    void log_on(const std::string& fields = "98=0|108=30|141=Y");

    // The next message, or none by the end of patience or the connection.
    std::optional<IncomingMessage> next(std::chrono::milliseconds patience = std::chrono::seconds(10));
    // The next of that type; others are passed over.
    std::optional<IncomingMessage> next(const std::string& type);
    // Its bytes as they came.
    const std::string& bytes() const { return bytes_; }
    // Whether the connection ends before patience does; what still comes is passed over.
    bool closed(std::chrono::milliseconds patience = std::chrono::seconds(10));
    // The last read told of a TCP reset.
    bool was_reset() const { return was_reset_; }
    // Reads no more, into a small buffer.
    void shrink_window();

    int next_number = 1;
    std::size_t received = 0;  // bytes

  private:
    bool receive(std::chrono::steady_clock::time_point deadline);

    const std::string client_;
    const std::string venue_;
    int socket_;
    Framer framer_{1 << 20};
    std::string bytes_;
    bool closed_ = false;
    bool was_reset_ = false;
};

}  // namespace fixaccel::exchange
