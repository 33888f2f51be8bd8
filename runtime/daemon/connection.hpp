// SPDX-License-Identifier: Apache-2.0
// The TCP connection to the venue.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "fixaccel/commit.hpp"
#include "fixaccel/fabric.hpp"
#include "stamps.hpp"

namespace fixaccel {

class ConnectionError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// A non-blocking socket. It is bound at once, so that its local port is known before the SYN leaves: the
// fabric must know the flow by then.
class Connection {
  public:
    using Time = std::chrono::steady_clock::time_point;

    // Looks up `host` (IPv4) and binds. `max_segment`: most TCP payload bytes of a frame in either direction,
    // 0 for what the path takes. `busy_poll`: for which a read waits at the card, where the kernel lets us.
    // `stamps`: by the kernel or the card, the kernel says when what is read came, and when what is written
    // left. Throws ConnectionError.
    Connection(const std::string& host, std::uint16_t port, std::uint32_t max_segment = 0,
               std::chrono::microseconds busy_poll = {}, Stamps stamps = Stamps::off);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    int fd() const { return fd_; }
    const Flow& flow() const { return flow_; }
    KernelStream& stream() { return *stream_; }

    void start();
    // Call when the socket is writable. Throws ConnectionError if it could not connect.
    void finish();
    bool established() const { return established_; }

    enum class Read { data, nothing, closed };
    // Appends what has arrived, at most `limit` bytes.
    Read read(std::string& bytes, std::size_t limit);
    // When the segment came with the last byte of what was read last; none: the kernel has not said so.
    std::optional<Stamp> came() const { return came_; }
    // Whether read() has something to say at once.
    bool readable() const;
    // Next TCP sequence number that read() will deliver.
    std::uint32_t read_seq() const { return read_seq_; }
    // Writes all of it, waiting for room at most `limit`. False: the connection is of no more use, and
    // nothing is written to it any more: what it has of a message must not be taken for the beginning of the
    // next.
    // `stamped`: left() is to say when it has left.
    bool write(std::string_view bytes, std::chrono::milliseconds limit, bool stamped = false);
    // Bytes that were written or committed, as left() counts them.
    std::uint32_t written() const { return own_written_ + stream_->committed(); }
    // The driver has got so many of those bytes.
    struct Left {
        std::uint32_t bytes = 0;
        Stamp at{};
    };
    // What the kernel says next of what was `stamped`; none: nothing more by now. It says it at once, unless
    // it holds bytes back. Of what then goes in one piece it says only when all of it has left; and of what
    // it sends again, it says it again. Until this has said none, there is something to read().
    std::optional<Left> left();

    // Closing ends it with a RST: what is still to be sent, or sent again, is not.
    void abandon();

    // From the handshake.
    bool timestamps() const;
    std::uint32_t peer_wscale() const;
    std::uint32_t local_wscale() const;

  private:
    bool write_all(std::string_view bytes, std::chrono::milliseconds limit, bool stamped);
    ssize_t receive(std::span<char> room);
    ssize_t send(std::string_view bytes, bool stamped);

    int fd_ = -1;
    Flow flow_;
    std::optional<SocketStream> stream_;
    bool established_ = false;
    bool broken_ = false;  // a message was written in part
    std::uint32_t read_seq_ = 0;
    bool stamps_;
    bool card_;  // has them
    std::optional<Stamp> came_;
    std::uint32_t own_written_ = 0;  // bytes, since the kernel counts them
};

}  // namespace fixaccel
