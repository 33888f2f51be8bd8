// SPDX-License-Identifier: Apache-2.0
// Tells the kernel of bytes that the fabric sent on its connection (TCP_REPAIR).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace fixaccel {

// The kernel and the fabric cannot be brought together again: the connection has to end.
class CommitError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The kernel's side of the session's connection. Reads and commits must share one thread: recv() fails while
// the socket is in repair mode.
class KernelStream {
  public:
    KernelStream() = default;
    KernelStream(const KernelStream&) = delete;
    KernelStream& operator=(const KernelStream&) = delete;
    virtual ~KernelStream() = default;

    // Bytes that were written but not yet sent for the first time.
    virtual std::uint32_t unsent() = 0;
    // Next TCP sequence number that the kernel will send; only while unsent() is 0.
    virtual std::uint32_t snd_nxt() = 0;
    // Next TCP sequence number that the kernel expects.
    virtual std::uint32_t rcv_nxt() = 0;
    // Puts bytes that are on the wire already behind snd_nxt, transmitting nothing. Throws CommitError.
    virtual void commit(std::string_view bytes) = 0;
};

// A connected TCP socket, not owned. Needs CAP_NET_ADMIN.
class SocketStream final : public KernelStream {
  public:
    explicit SocketStream(int fd) : fd_(fd) {}
    std::uint32_t unsent() override;
    std::uint32_t snd_nxt() override;
    std::uint32_t rcv_nxt() override;
    void commit(std::string_view bytes) override;
    // Bytes that were put there so far.
    std::uint32_t committed() const { return committed_; }

  private:
    std::uint32_t queue_seq(int queue);
    int fd_;
    std::uint32_t committed_ = 0;
};

}  // namespace fixaccel
