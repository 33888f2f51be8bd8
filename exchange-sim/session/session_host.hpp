// SPDX-License-Identifier: Apache-2.0
// The FIX sessions of the venue, behind a header free of QuickFIX: its own headers compile as C++14 only,
// this one is read as C++14 and as C++20.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "session/fault.hpp"
#include "session/message.hpp"
#include "session/post.hpp"
#include "session/session_config.hpp"

namespace fixaccel {  // NOLINT(modernize-concat-nested-namespaces): read as C++14 too
namespace exchange {

// MsgSeqNum of the next message in each direction.
struct SequenceNumbers {
    int next_sender = 0;  // the venue's next
    int next_target = 0;  // the client's next
};

enum class Direction { kIn, kOut };

struct SessionStats {
    bool logged_on = false;
    int next_sender = 0;
    int next_target = 0;
    std::uint64_t bytes_in = 0;
    std::uint64_t bytes_out = 0;
    std::uint64_t messages_in = 0;
    std::uint64_t messages_out = 0;
    std::uint64_t outbox = 0;       // messages posted that have no MsgSeqNum yet
    std::uint64_t outbox_high = 0;  // the most that there ever were
    std::uint64_t dropped = 0;      // market data that was not taken
    std::uint64_t connects = 0;
    std::uint64_t disconnects = 0;
    std::uint64_t resends = 0;  // messages sent again
    std::string peer;           // its address, HOST:PORT; empty while it is away
};

// Receives what happens on the sessions, on the thread of the session that it is about, one call at a time
// for each client. Calls return quickly: that session stands still meanwhile, no other does. All may post().
class SessionEvents {
  public:
    virtual ~SessionEvents() = default;
    virtual void on_logon(const std::string& client) = 0;
    // The session is over, by Logout or by loss of the connection.
    virtual void on_logout(const std::string& client, SequenceNumbers numbers) = 0;
    // An application message that the session layer and the dictionary have let through. False: the venue
    // does not take this type, which is answered with a BusinessMessageReject (380=3).
    virtual bool on_application(IncomingMessage message) = 0;
    // Heartbeats, test and resend requests, gap fills, logons and logouts.
    virtual void on_session_message(Direction direction, const IncomingMessage& message) = 0;
    // A message that came with PossDupFlag(43)=Y, before it is known whether it fills a hole or is dropped.
    virtual void on_possible_duplicate(const IncomingMessage& message) = 0;
    // What the engine says about a session: refused logons, lost connections, sequence gaps. `client` is
    // empty where none is known yet; such calls come on the thread that accepts connections.
    virtual void on_notice(const std::string& client, const std::string& text) = 0;
    // Every whole FIX message either way, as it is on the wire (a garbled or dropped one as it was meant).
    virtual void on_wire(Direction, const std::string& /*client*/, const std::string& /*bytes*/) {}
    // The outbox is below the soft bound again, after post() has refused market data.
    virtual void on_drained(const std::string& /*client*/) {}
};

// The port is taken, the store cannot be written, and the like; what() tells the user.
class SessionHostError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class SessionHost {
  public:
    // Throws SessionHostError.
    SessionHost(const SessionConfig& config, SessionEvents& events);
    ~SessionHost();
    SessionHost(const SessionHost&) = delete;
    SessionHost& operator=(const SessionHost&) = delete;

    // Listens from here on. Throws SessionHostError.
    void start();
    // Logs all clients out, waits a bounded time for their answers, closes everything.
    void stop();

    std::uint16_t port() const;
    // Where clients for market data alone are listened to, in their order.
    std::uint16_t market_port(std::size_t index) const;

    // Queues a message for a client; never blocks, any thread. `sent` is told the MsgSeqNum on the session's
    // thread, also where the message is only kept for a resend request. False: market data that was dropped,
    // as the client is away or behind(); `sent` is not called then. Session messages (a resend or test
    // request) go the same way. Throws SessionHostError for a client that is not configured, as all of the
    // following do.
    bool post(const std::string& client, OutgoingMessage message, Urgency urgency = Urgency::kReport,
              std::function<void(int)> sent = {});
    // Market data would not be taken now. Any thread, cheap.
    bool behind(const std::string& client) const;
    // Any thread, cheap.
    bool logged_on(const std::string& client) const;
    bool has(const std::string& client) const;
    // With SessionConfig::confirmed: all of a client's requests up to that one are dealt with, and what they
    // are answered with is posted. Only then does the store count them as received: those after it come
    // again, on a resend request, where the program ends before. Any thread.
    void taken(const std::string& client, const ReceivedAs& request);
    // How often that was said, and how much of it the store has: what was posted before has its MsgSeqNum
    // then. Any thread, cheap.
    struct Taken {
        std::uint64_t given = 0;
        std::uint64_t done = 0;
    };
    Taken taken(const std::string& client) const;
    // The first of a client's messages that the store does not count as received. Before start().
    ReceivedAs expected(const std::string& client) const;
    // A program before this one had dealt with all up to that one, though the store does not say so. Before
    // start().
    void resume(const std::string& client, const ReceivedAs& last);
    // Starts a logout handshake from the venue's side, after what was posted before.
    void logout(const std::string& client, const std::string& reason);
    // Ends the connection without Logout: closed, or with a TCP reset.
    void disconnect(const std::string& client);
    void reset(const std::string& client);
    SessionStats stats(const std::string& client) const;
    // Acts on the session's thread, in order with posts.
    void fault(const std::string& client, const Fault& fault);

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace exchange
}  // namespace fixaccel
