// SPDX-License-Identifier: Apache-2.0
// fixaccel-relay: from ring and journal to the servers of the bus, and nothing back.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "bus/images.hpp"
#include "bus/mirror.hpp"
#include "bus/nats_link.hpp"
#include "bus/ring.hpp"
#include "bus/subjects.hpp"
#include "config_bus.hpp"

namespace fixaccel::bus {

class Relay {
  public:
    Relay(const BusSettings& settings, const std::filesystem::path& journal);

    // Until `stop`. Throws MirrorError, TailError: the events cannot go on.
    void run(const std::atomic<bool>& stop);

  private:
    // Quotes, and what the ring says.
    void open_ring();
    // What was in the ring before this relay is not read yet.
    bool behind() const { return ring_ && ring_->seen() < old_until_; }
    void take(const RingRecord& record);
    void look_at_daemon(std::int64_t now_ns);
    void look_for_losses(std::int64_t now_ns);
    void lose_all(std::int64_t now_ns);
    void connect();
    void greet();
    void tell(Image& image, Telling telling, std::int64_t now_ns);
    void repeat(std::int64_t now_ns);
    void beat(std::int64_t now_ns);
    void publish(const std::string& subject, const std::string& text);

    // Events, on a thread and a connection of their own: a disk of the server delays no quote.
    void mirror(const std::atomic<bool>& stop);
    void mirror_connected(Link& link, const std::atomic<bool>& stop);

    void say(std::string& last, const std::string& text);

    const BusSettings& settings_;
    LinkSettings link_settings_;
    Subjects subjects_;
    std::uint64_t run_;  // milliseconds of UTC
    std::optional<RingReader> ring_;
    RingRecord record_;
    Images images_;
    std::uint64_t old_until_ = 0;    // records of the ring that were there before this relay
    std::uint64_t ring_lost_ = 0;    // as it was told
    std::uint64_t lost_before_ = 0;  // of rings before this one
    bool daemon_ = false;            // it is there
    std::unique_ptr<Link> link_;
    std::future<std::unique_ptr<Link>> coming_;
    std::int64_t next_try_ns_ = 0, next_beat_ns_ = 0, next_look_ns_ = 0;
    std::uint64_t published_ = 0, repeats_ = 0, connects_ = 0;
    std::string said_;

    std::mutex mutex_;
    std::condition_variable durable_moved_;
    std::uint64_t durable_ = 0;
    Mirror mirror_;
    std::atomic<std::uint64_t> events_ = 0, event_record_ = 0;
    std::string mirror_said_;
};

}  // namespace fixaccel::bus
