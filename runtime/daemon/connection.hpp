// SPDX-License-Identifier: Apache-2.0
// The TCP connection to the venue.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "fixaccel/commit.hpp"
#include "fixaccel/fabric.hpp"

namespace fixaccel {

class ConnectionError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// A non-blocking socket. It is bound at once, so that its local port is known before the SYN leaves: the
// fabric must know the flow by then.
class Connection {
  public:
    // Looks up `host` (IPv4) and binds. `max_segment`: most TCP payload bytes of a frame in either direction,
    // 0 for what the path takes. Throws ConnectionError.
    Connection(const std::string& host, std::uint16_t port, std::uint32_t max_segment = 0);
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
    // Whether read() has something to say at once.
    bool readable() const;
    // Next TCP sequence number that read() will deliver.
    std::uint32_t read_seq() const { return read_seq_; }
    // Writes all of it, waiting for room at most `limit`. False: the connection is of no more use.
    bool write(std::string_view bytes, std::chrono::milliseconds limit);

    // Closing ends it with a RST: what is still to be sent, or sent again, is not.
    void abandon();

    // From the handshake.
    bool timestamps() const;
    std::uint32_t peer_wscale() const;
    std::uint32_t local_wscale() const;

  private:
    int fd_ = -1;
    Flow flow_;
    std::optional<SocketStream> stream_;
    bool established_ = false;
    std::uint32_t read_seq_ = 0;
};

}  // namespace fixaccel
