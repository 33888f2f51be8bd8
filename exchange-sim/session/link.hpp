// SPDX-License-Identifier: Apache-2.0
// A client's socket, never waited for, and what it has not taken yet. Read as C++14 and as C++20; of one
// thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace fixaccel {  // NOLINT(modernize-concat-nested-namespaces): read as C++14 too
namespace exchange {

// Where to listen or whence somebody came, as HOST:PORT.
std::string peer_of(int socket);
// A socket as the venue wants it: not waited for, without delay, and given up when its peer takes nothing for
// so long.
void prepare_socket(int socket, std::chrono::milliseconds stalled_peer);

class Link {
  public:
    Link() = default;
    ~Link() { close(); }
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    void open(int socket);
    bool is_open() const { return socket_ >= 0; }
    int socket() const { return socket_; }

    void append(const std::string& bytes) { out_ += bytes; }
    std::size_t pending() const { return out_.size() - begin_; }
    // Gives the socket what it takes. False: the connection is broken.
    bool flush();
    // The same, each byte by itself; what is pending goes first. Waits for none of them.
    bool flush_split(const std::string& bytes);
    // Up to `size` bytes; 0: nothing there, -1: the connection is over.
    long read(char* bytes, std::size_t size);
    // When something last left, or when there was nothing to leave.
    std::chrono::steady_clock::time_point progress() const { return progress_; }

    // Gives what is pending a bounded time to leave.
    void close_gently(std::chrono::milliseconds patience);
    void close();
    void reset();

    std::uint64_t bytes_in() const { return bytes_in_.load(std::memory_order_relaxed); }
    std::uint64_t bytes_out() const { return bytes_out_.load(std::memory_order_relaxed); }

  private:
    int socket_ = -1;
    std::string out_;
    std::size_t begin_ = 0;
    std::chrono::steady_clock::time_point progress_{};
    std::atomic<std::uint64_t> bytes_in_{0};
    std::atomic<std::uint64_t> bytes_out_{0};
};

}  // namespace exchange
}  // namespace fixaccel
