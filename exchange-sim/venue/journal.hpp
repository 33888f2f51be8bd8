// SPDX-License-Identifier: Apache-2.0
// What of the venue outlives its program: its state at some time, and all calls since. Each call is in the
// file, as far as the system goes, before anything is said of what came of it: the end of the program,
// however sudden, loses none. The end of the machine may, but where sync() is called as well.
//
//   venue-N.state   the exchange at the beginning of venue-N.log; the first log has none
//   venue-N.fresh   the same, while reports of before are on their way
//   venue-N.log     records: length, checksum, kind, bytes
//
// A new log is begun at each start, and with a new state whenever a log has grown; those before go once the
// new state is there, and all that they would have to send again has been sent.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include "matching/call_bytes.hpp"
#include "matching/exchange.hpp"
#include "session/message.hpp"
#include "venue/received.hpp"

namespace fixaccel::exchange {

// The folder cannot be used; what() tells the user.
class JournalError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class Journal {
  public:
    struct Request {
        std::string client;
        ReceivedAs as;
    };
    // What a restart finds, in the order in which it happened.
    struct Listener {
        // Null: no client has asked for it.
        std::function<void(const ExchangeCall&, const CallResult&, const Request*)> call;
        // Reports up to that ExecID have their MsgSeqNum on the client's session.
        std::function<void(const std::string& client, std::uint64_t exec_id)> sent;
    };

    // `identity` says of which venue the state is. Throws JournalError: no folder, or of another venue.
    // `syncs`: what names its files is forced onto the disk, too.
    Journal(std::string folder, std::string identity, std::size_t log_bytes, bool syncs = false);
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    // The calls until end_request() are a client's request: none of it is done, or all. False: it was done
    // before.
    bool begin_request(const std::string& client, const ReceivedAs& as);
    void end_request();
    // What is done of each client's.
    ReceivedByClient& received() { return received_; }

    // Brings a fresh exchange to where the last one was, and begins to log its inputs.
    void recover(Exchange& exchange, const Listener& listener);
    // Writes what the exchange has taken in since the last call.
    void flush() {
        if (!calls_.bytes.empty()) write_out();
    }
    void sent(const std::string& client, std::uint64_t exec_id);
    // Writes what sent() said: with the next inputs it is in the same file.
    void flush_marks() {
        if (!marks_.empty()) write_out();
    }
    // Begins a new state where the log has grown.
    // True where a state is begun, which is to be settled once all that was posted until now is sent.
    bool tidy();
    bool pending() const { return pending_; }
    // The state takes the place of what was before, when it is written.
    void settle();
    // Waits until the disk has what is written. Throws JournalError.
    void sync();

  private:
    // 1 was an older way to write calls, 5 an older one to write what is received.
    enum class Kind : std::uint8_t { kSent = 2, kCalls, kRequest, kReceived = 6 };

    std::string path(std::uint64_t number, const char* ending) const;
    void read_state(const std::string& file);
    void read_log(std::uint64_t number, const Listener& listener, bool settled);
    // False: it is damaged.
    bool read_record(Kind kind, std::string_view bytes, const Listener& listener, bool settled);
    void begin_log();
    void begin_state();
    void append_calls();
    void append(Kind kind, std::string_view bytes);
    void write_out();
    void remove_before(std::uint64_t number);

    const std::string folder_;
    const std::string identity_;
    const std::size_t log_bytes_;
    const bool syncs_;
    std::uint64_t number_ = 0;
    std::uint64_t state_number_ = 0;
    int file_ = -1;
    std::size_t written_ = 0;  // since the last state
    std::size_t end_ = 0;      // of the file
    Exchange* exchange_ = nullptr;
    CallLog calls_;       // not written yet
    std::string buffer_;  // records on their way
    std::string marks_;   // sent, not written yet: with the next calls, or at the end
    bool asked_ = false;  // the calls are of a request
    Request request_;
    ReceivedByClient received_;
    bool unsynced_ = false;
    bool broken_ = false;   // a write has failed: what would follow it is not written
    bool pending_ = false;  // a state is begun that is not settled
    enum class Written { kNotYet, kWhole, kNot };
    std::atomic<Written> written_state_{Written::kNotYet};
    std::string state_error_;  // why it was not written
    std::thread writer_;       // of the last state
};

}  // namespace fixaccel::exchange
