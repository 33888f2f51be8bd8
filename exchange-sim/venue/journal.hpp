// SPDX-License-Identifier: Apache-2.0
// What of the venue outlives its program: its state at some time, and all inputs since. Each input is in the
// file, as far as the system goes, before anything is said of what came of it: the end of the program,
// however sudden, loses none. It is not forced onto the disk: the end of the machine may.
//
//   venue-N.state   the exchange at the beginning of venue-N.log; the first log has none
//   venue-N.log     records: length, checksum, kind, bytes
//
// A new log is begun at each start, and with a new state whenever a log has grown; those before go once the
// new state is there.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "matching/exchange.hpp"

namespace fixaccel::exchange {

// The folder cannot be used; what() tells the user.
class JournalError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class Journal {
  public:
    // What a restart finds, in the order in which it happened.
    struct Listener {
        std::function<void(const std::vector<Execution>&)> executions;
        // Reports up to that ExecID have their MsgSeqNum on the client's session.
        std::function<void(const std::string& client, std::uint64_t exec_id)> sent;
    };

    // `identity` says of which venue the state is. Throws JournalError: no folder, or of another venue.
    Journal(std::string folder, std::string identity, std::size_t log_bytes);
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    // Brings a fresh exchange to where the last one was, and begins to log its inputs.
    void recover(Exchange& exchange, const Listener& listener);
    // Writes what the exchange has taken in since the last call.
    void flush() {
        if (!inputs_.empty()) write_out();
    }
    void sent(const std::string& client, std::uint64_t exec_id);
    // Writes what sent() said: with the next inputs it is in the same file.
    void flush_marks() {
        if (!marks_.empty()) write_out();
    }
    // Begins a new state where the log has grown. Only between reports: those without a MsgSeqNum would not
    // come again from a log that begins behind them.
    void tidy(Exchange& exchange) {
        if (written_ >= log_bytes_) begin_state(exchange);
    }

  private:
    enum class Kind : std::uint8_t { kInputs = 1, kSent = 2 };

    std::string path(std::uint64_t number, const char* ending) const;
    void read_log(std::uint64_t number, Exchange& exchange, const Listener& listener);
    void begin_log();
    void begin_state(Exchange& exchange);
    void append(Kind kind, std::string_view bytes);
    void write_out();
    void remove_before(std::uint64_t number);

    const std::string folder_;
    const std::string identity_;
    const std::size_t log_bytes_;
    std::uint64_t number_ = 0;
    int file_ = -1;
    std::size_t written_ = 0;
    std::string inputs_;  // of the exchange, not written yet
    std::string buffer_;  // records on their way
    std::string marks_;   // sent, not written yet: with the next inputs, or at the end
    std::thread writer_;  // of the last state
};

}  // namespace fixaccel::exchange
