// SPDX-License-Identifier: Apache-2.0
// A FIX session on its connection to the venue: what comes is handed to the FIX engine, message by message.
// What may be sent on it, and who hears what the engine has taken, is for those that derive from it.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "config.hpp"
#include "connection.hpp"
#include "fixaccel/fix_session.hpp"
#include "fixaccel/framer.hpp"
#include "market_text.hpp"
#include "order_times.hpp"

namespace fixaccel {

class MarketFeed;

class FixChannel : public FixTransport {
  public:
    // `name`: as the log calls it. `settings`: those of QuickFIX. Throws FixConfigError.
    FixChannel(const char* name, const FixFile& settings, const DaemonConfig& config, FixStore& store,
               OrderTimes& times);

    const FixSettings& settings() const { return fix_.settings(); }
    // Market data come on it.
    void carry(MarketFeed& feed) { feed_ = &feed; }

    // Opens the connection. Throws ConnectionError.
    void connect();
    // The socket to watch, -1 if there is none.
    int fd() const { return connection_ ? connection_->fd() : -1; }
    bool connecting() const { return connection_ != nullptr && !connection_->established(); }
    void writable();
    // Reads what has come. What the fabric has sent until now must be known before it is handed over.
    void read();
    // Hands whole messages to the FIX engine, as many as a turn has time for.
    void hand_over();
    // It had no time for all.
    bool more() const { return more_; }
    void tick();
    // A connection that is not logged on has come to its end at once.
    void logout(const std::string& reason);
    // Ends the connection.
    void close();

    bool connected() const { return connection_ != nullptr && connection_->established(); }
    bool logged_on() const { return connected() && fix_.logged_on(); }
    // Why the connection has to be closed; empty while it is fine, or there is none.
    const std::string& ended() const { return ended_; }
    void end(const std::string& reason);
    virtual void end(const std::exception& error);
    // Kernel and fabric disagree on what was sent.
    bool parted() const { return parted_; }
    // Both sides have said Logout: there is nothing to come back to.
    bool logged_out() const { return logged_out_; }
    // Both numbers have begun anew in mid-session since the last call.
    bool take_reset() { return std::exchange(reset_, false); }

    // What was written to the connection is on its way.
    bool flows() const { return connected() && connection_->stream().unsent() == 0; }
    // Nothing that the venue has sent is missing: what it was asked to send again has come.
    bool complete() const { return static_cast<std::uint32_t>(store_.next_target()) > highest_; }
    // MsgSeqNum that the venue's next message must have.
    int next_number() const { return store_.next_target(); }
    // When the kernel was asked last for what has come.
    std::chrono::steady_clock::time_point read_at() const { return read_at_; }
    // The message that is being handed over.
    Arrival arrival() const;
    // TCP sequence number up to which messages have been handed over.
    std::uint32_t read_seq() const;
    bool timestamps() const { return connection_->timestamps(); }
    FixSession& fix() { return fix_; }

    bool write(const std::string& message) noexcept override;
    void before_reset() noexcept override;
    void disconnect() noexcept override;
    void on_logon() noexcept override;
    void on_logout() noexcept override;
    void on_message(const std::string& type, const std::string& message) noexcept override;
    void on_event(const std::string& text) noexcept override;

  protected:
    // The order in hand is done with.
    void settle();
    // When the kernel got the last message.
    std::chrono::steady_clock::time_point written_at() const { return written_at_; }

    // The connection has its addresses; no packet of it has left.
    virtual void begins(const Flow& flow) = 0;
    // The handshake is over. Throws CommitError.
    virtual void established(Connection& connection) = 0;
    // It is about to be closed.
    virtual void closing(Connection& connection) = 0;
    // So many bytes are about to be written.
    virtual void writing(std::size_t /*bytes*/) {}
    // Ahead of new numbers: nothing may count on the old ones.
    virtual void numbers_begin_anew() = 0;
    // The FIX engine has taken it; empty if it is market data.
    virtual void heard(const std::string& type, const std::string& message) = 0;

    const DaemonConfig& config_;
    OrderTimes& times_;

  private:
    void note_times(const std::string& message);
    void take_departures();

    const char* name_;
    FixStore& store_;
    FixSession fix_;
    std::unique_ptr<Connection> connection_;
    MarketFeed* feed_ = nullptr;
    FixFramer framer_;
    std::string message_;        // handed over last; kept for its room
    MarketText seen_;            // it, taken apart
    std::uint32_t highest_ = 0;  // MsgSeqNum that was seen on this connection
    std::string ended_;
    bool parted_ = false;
    bool logged_out_ = false;
    std::string peer_text_;  // Text(58) of the peer's Logout
    bool closed_ = false;    // by the peer, when it was read last
    bool more_ = false;
    bool reset_ = false;
    Arrival arrival_;  // of the last byte that was read
    std::chrono::steady_clock::time_point read_at_{}, written_at_{}, ticked_{};
    bool late_ = false;  // the engine has not heard what came while nobody looked at its timers
};

}  // namespace fixaccel
