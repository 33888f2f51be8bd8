// SPDX-License-Identifier: Apache-2.0
// The FIX sessions of the venue, behind a header free of QuickFIX: its own headers compile as C++14 only,
// this one is read as C++14 and as C++20.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "fix/message.hpp"

namespace fixaccel {  // NOLINT(modernize-concat-nested-namespaces): read as C++14 too
namespace exchange {

// A session for market data alone: the venue may have another CompID on it, and listen elsewhere.
struct MarketClient {
    std::string client;
    std::string comp_id;
    std::string host;
    std::uint16_t port = 0;
};

struct SessionConfig {
    std::string begin_string = "FIX.4.4";
    std::string comp_id;               // the venue's own
    std::vector<std::string> clients;  // CompIDs that may log on
    std::string host = "127.0.0.1";    // IPv4 address to listen on
    std::uint16_t port = 0;            // 0: any free port
    int heartbeat_seconds = 0;         // HeartBtInt(108) that a logon must ask for; 0: any
    std::string store_path;            // folder of the session store; empty: in memory
    std::vector<MarketClient> market_clients{};
};

// MsgSeqNum of the next message in each direction.
struct SequenceNumbers {
    int next_sender = 0;  // the venue's next
    int next_target = 0;  // the client's next
};

enum class Direction { kIn, kOut };

// What became of an application message; anything but kDone is answered with a BusinessMessageReject.
struct Disposition {
    enum class Kind { kDone, kMissingTag, kUnsupportedType };
    Kind kind = Kind::kDone;
    int missing_tag = 0;
    static Disposition done() { return Disposition(); }
    static Disposition missing(int which) {
        Disposition result;
        result.kind = Kind::kMissingTag;
        result.missing_tag = which;
        return result;
    }
    static Disposition unsupported() {
        Disposition result;
        result.kind = Kind::kUnsupportedType;
        return result;
    }
};

// Receives what happens on the sessions, from several threads. Only on_application may call
// SessionHost::send: the other callbacks come while the engine holds a session's lock.
class SessionEvents {
  public:
    virtual ~SessionEvents() = default;
    virtual void on_logon(const std::string& client) = 0;
    // The session is over, by Logout or by loss of the connection.
    virtual void on_logout(const std::string& client, SequenceNumbers numbers) = 0;
    virtual Disposition on_application(const IncomingMessage& message) = 0;
    // Heartbeats, test and resend requests, gap fills, logons and logouts.
    virtual void on_session_message(Direction direction, const IncomingMessage& message) = 0;
    // A message that came with PossDupFlag(43)=Y, before it is known whether it fills a hole or is dropped.
    virtual void on_possible_duplicate(const IncomingMessage& message) = 0;
    // What the engine says about a session: refused logons, lost connections, sequence gaps.
    virtual void on_notice(const std::string& client, const std::string& text) = 0;
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

    // Sends on a client's session; gives its MsgSeqNum. While the client is away the message is kept for its
    // resend request. Session messages (a resend or test request) go the same way.
    int send(const std::string& client, const OutgoingMessage& message);
    bool logged_on(const std::string& client) const;
    // Starts a logout handshake from the venue's side.
    void logout(const std::string& client, const std::string& reason);

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace exchange
}  // namespace fixaccel
