// SPDX-License-Identifier: Apache-2.0
// The journal's events on the bus. Their stream is a mirror: event n has sequence n in it, and is stored only
// behind n-1. What is in the stream is the only thing that says how far the mirror has come, so nothing is
// lost and nothing is there twice, whoever was killed when.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "bus/journal_tail.hpp"
#include "bus/nats_link.hpp"
#include "bus/subjects.hpp"

namespace fixaccel::bus {

// The stream is not this relay's to go on with: another journal, another relay, or none that is understood.
// The text says what to do.
class MirrorError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The kind of an event; empty: a record of that type is none.
std::string_view kind_of(std::string_view type);
// What an event says: the record, but for raw FIX, which never leaves the host in it.
std::string event_json(const Record& record, std::string_view kind, std::uint64_t n, std::uint64_t number);

class Mirror {
  public:
    Mirror(std::filesystem::path journal, Subjects subjects);

    // A connection begins: reads how far the stream has come. False: there is no such stream yet, and
    // `problem` says who makes it. Throws LinkError, MirrorError, TailError.
    bool attach(Link& link, std::string& problem);
    // Publishes what is durable: up to `durable`, by the daemon's word, or by a sync of its own where the
    // daemon has left it undone for a while. Whether there was something. Throws LinkError, after which
    // attach() is due; MirrorError, TailError.
    bool publish(Link& link, std::uint64_t durable, std::chrono::steady_clock::time_point now);

    // Events in the stream, and the record of the last one that was looked at.
    std::uint64_t events() const { return events_; }
    std::uint64_t record() const { return record_; }
    std::uint64_t syncs() const { return syncs_; }

  private:
    struct Pending {
        std::uint64_t number = 0;
        std::string kind, data;  // kind empty: no event
    };

    void read_ahead();
    void settle(std::uint64_t durable, std::chrono::steady_clock::time_point now);
    void send(Link& link, std::size_t count);

    std::filesystem::path journal_;
    Subjects subjects_;
    std::string id_;
    std::optional<JournalTail> tail_;
    std::deque<Pending> pending_;
    std::uint64_t events_ = 0;     // acknowledged
    std::uint64_t attempted_ = 0;  // sent by this process
    std::uint64_t record_ = 0;
    std::uint64_t settled_ = 0;
    std::uint64_t syncs_ = 0;
    std::optional<std::chrono::steady_clock::time_point> unsettled_since_;
};

}  // namespace fixaccel::bus
