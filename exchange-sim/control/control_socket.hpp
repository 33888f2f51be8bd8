// SPDX-License-Identifier: Apache-2.0
// The control socket: whoever may open it watches the venue and acts on it. One thread serves all; the venue
// waits for none of them.
#pragma once

#include <poll.h>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "control/control_client.hpp"
#include "control/requests.hpp"
#include "control/watch_queue.hpp"
#include "fixaccel/unix_listener.hpp"

namespace fixaccel::exchange {

class ControlSocket {
  public:
    static constexpr std::size_t kMostClients = 64;

    // `endpoint` is unix:FILE; the file is the user's alone. A socket that nobody serves is replaced,
    // whatever else stands there is left as it is. Throws std::runtime_error with words for the user. `venue`
    // outlives it.
    ControlSocket(const std::string& endpoint, ControlledVenue& venue, const std::string& version);
    ControlSocket(const ControlSocket&) = delete;
    ControlSocket& operator=(const ControlSocket&) = delete;
    // Ends the connections. The venue answers until then.
    ~ControlSocket();

    // To be told what happens; the venue may keep it.
    std::shared_ptr<Observer> observer() const { return queue_; }
    // Serves from here on.
    void start();

  private:
    using Clock = ControlClient::Clock;

    void serve();
    int wait_ms(Clock::time_point now) const;
    void hear(const std::vector<pollfd>& watched);
    void accept(Clock::time_point now);
    std::string answer(ControlClient& client, std::string_view line);
    void tell_what_happened(Clock::time_point now);
    void tell_event(const Happened& event, Clock::time_point now);
    void tell_sessions(Clock::time_point now);
    void tell_books(Clock::time_point now);
    void flush_all();
    void count_wanted();

    ControlledVenue& venue_;
    ControlRequests requests_;
    std::vector<const Instrument*> instruments_;
    std::shared_ptr<WatchQueue> queue_;
    UnixListener listener_;
    int stop_;
    std::map<int, std::unique_ptr<ControlClient>> clients_;  // by descriptor
    Clock::time_point next_harvest_{};
    Clock::time_point next_accept_{};
    Clock::time_point next_sessions_{};
    bool sessions_now_ = false;
    std::thread thread_;
};

}  // namespace fixaccel::exchange
