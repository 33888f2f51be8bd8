// SPDX-License-Identifier: Apache-2.0
// The thread that only does kill and the short status, at once, whatever the other one is doing. It owns the
// control socket; every other request it hands on. An undo it does itself too, but only once the other thread
// has seen the kill: one that is arming just then would not notice that there was one.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "control.hpp"
#include "event_sink.hpp"
#include "kill_switch.hpp"
#include "mailbox.hpp"
#include "per_second.hpp"

namespace fixaccel {

class KillGuard final : public EventSink {
  public:
    // Begins: from here on the switch belongs to the guard's thread. `control`: where it listens, for whom;
    // `tls`: over TCP, too. SIGUSR1 kills; it must be blocked in all threads. Throws ControlError,
    // ListenError.
    KillGuard(KillSwitch& kill, const ControlDoors& control, const TlsSettings* tls = nullptr);
    KillGuard(const KillGuard&) = delete;
    KillGuard& operator=(const KillGuard&) = delete;
    // Gives clients the answers that are there.
    ~KillGuard() override;

    // Where it listens with TLS; empty: nowhere.
    const std::string& tls_address() const { return control_.tls_address(); }

    const KillFlag& flag() const { return kill_.flag(); }
    std::vector<KillWord> take_said() { return kill_.take_said(); }

    // For the thread that answers everything else: when requests are there, each of which is to be answered.
    int requests_fd() const { return requests_.fd(); }
    std::deque<ControlRequest> take_requests() { return requests_.take(); }
    void answer(std::uint64_t ticket, nlohmann::json reply);
    // EventSink, for that thread: whoever asked to watch, and it said yes, gets what it publishes.
    bool watched() const override { return watchers_.load() != 0; }
    void publish(nlohmann::json event, std::uint64_t ticket = 0) override;
    std::deque<Told> take_told() override { return told_.take(); }
    // It is alive: the short status says for how long it has not been.
    void turn() { turned_.store(std::chrono::steady_clock::now()); }

  private:
    struct Undo {
        std::string by;
        bool overruled = false;  // by a kill behind it
    };

    std::optional<nlohmann::json> handle(ControlRequest request);
    void refuse(ControlRequest& request);
    void kill(const std::string& by);
    nlohmann::json undo(const Undo& undo);
    nlohmann::json short_status() const;
    void killed_by_signal();
    void serve();
    void look_round();
    void tell_watchers();

    KillSwitch& kill_;
    ControlServer control_;
    int signals_;
    Mailbox<ControlRequest> requests_;
    Mailbox<std::pair<std::uint64_t, nlohmann::json>> answers_;
    std::map<std::uint64_t, Undo> undos_;  // by ticket: the other thread's answer is awaited
    std::set<std::uint64_t> watches_;      // tickets of requests to watch
    struct Event {
        nlohmann::json text;
        std::uint64_t ticket;
    };

    Mailbox<Event> events_;
    std::deque<Event> untold_;
    Mailbox<Told> told_;
    std::chrono::steady_clock::time_point woken_{};
    std::atomic<std::size_t> published_{0};  // that have not been told yet
    std::atomic<std::uint64_t> dropped_{0};
    std::atomic<std::size_t> watchers_{0};
    std::map<std::uint64_t, Role> waiting_;  // by ticket: requests that were handed on and not answered
    PerSecond refusals_;                     // of which the other thread is told
    std::atomic<std::chrono::steady_clock::time_point> turned_{std::chrono::steady_clock::now()};
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

}  // namespace fixaccel
