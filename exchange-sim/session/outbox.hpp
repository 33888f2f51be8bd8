// SPDX-License-Identifier: Apache-2.0
// What other threads ask of a session, in order. Read as C++14 and as C++20.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "session/fault.hpp"
#include "session/post.hpp"
#include "session/session_config.hpp"

namespace fixaccel {  // NOLINT(modernize-concat-nested-namespaces): read as C++14 too
namespace exchange {

// Anything but a message.
struct Command {
    enum class Kind { kAdopt, kLogout, kDisconnect, kReset, kFault, kStop };
    Kind kind = Kind::kDisconnect;
    int socket = -1;   // kAdopt
    std::string text;  // of a logout; what a socket has already brought
    std::string peer;  // kAdopt
    Fault fault{};
};

class Outbox {
  public:
    struct Item {
        Post post;
        std::unique_ptr<Command> command;  // null: the post
        ReceivedAs taken{};                // with a number: the venue has the client's message, and no post
    };

    explicit Outbox(const SessionBounds& bounds);
    ~Outbox();
    Outbox(const Outbox&) = delete;
    Outbox& operator=(const Outbox&) = delete;

    // Any thread. False: market data that was dropped.
    bool post(Post post);
    void command(Command command);
    void taken(const ReceivedAs& request);
    bool behind() const { return size_.load(std::memory_order_relaxed) >= soft_; }
    std::size_t size() const { return size_.load(std::memory_order_relaxed); }
    std::size_t high() const { return high_.load(std::memory_order_relaxed); }
    // How often taken() was called since the beginning, and how often the store was told.
    std::uint64_t taken_given() const { return taken_given_.load(std::memory_order_relaxed); }
    std::uint64_t taken_done() const { return taken_done_.load(std::memory_order_acquire); }
    std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }
    // Whether the client can be sent to. Market data is taken only then.
    bool online() const { return online_.load(std::memory_order_relaxed); }

    // The session's thread. The descriptor is readable when there is something.
    int descriptor() const { return wake_; }
    void set_online(bool online);
    void take(std::vector<Item>& items);
    // One that was taken is done; true: market data was refused before, and there is room for it again.
    bool done();
    void drop() { ++dropped_; }
    void told(std::uint64_t count) { taken_done_ += count; }
    void acknowledge();
    // More than the hard bound waits: its client must go.
    bool overflowed() const { return size_.load(std::memory_order_relaxed) > hard_; }
    // There is a command that cannot wait for a slow client.
    bool urgent() const { return urgent_.load(std::memory_order_relaxed); }
    void urgent_done() { urgent_ = false; }

  private:
    void wake();

    const std::size_t soft_;
    const std::size_t hard_;
    int wake_ = -1;  // eventfd
    std::mutex mutex_;
    std::vector<Item> items_;
    std::atomic<std::size_t> size_{0};  // posts that are not done
    std::atomic<std::size_t> high_{0};
    std::atomic<std::uint64_t> taken_given_{0};
    std::atomic<std::uint64_t> taken_done_{0};
    std::atomic<std::uint64_t> dropped_{0};
    std::atomic<bool> online_{false};
    std::atomic<bool> urgent_{false};
    std::atomic<bool> refused_{false};
};

}  // namespace exchange
}  // namespace fixaccel
