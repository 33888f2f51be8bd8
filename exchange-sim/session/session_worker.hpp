// SPDX-License-Identifier: Apache-2.0
// A thread that owns one session: nobody else calls into the FIX engine for it, and it waits for its own
// client alone. C++14, includes QuickFIX.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "session/engine_session.hpp"
#include "session/faults.hpp"
#include "session/framer.hpp"
#include "session/link.hpp"
#include "session/outbox.hpp"

namespace fixaccel {
namespace exchange {

class SessionWorker : private Line {
  public:
    // Throws SessionHostError.
    SessionWorker(const SessionConfig& config, const std::string& comp_id, const std::string& client,
                  const FIX::DataDictionaryProvider& dictionaries, SessionEvents& events);
    ~SessionWorker() override;

    void start();
    // Logs the client out and ends the thread, within a bounded time; join() waits for it.
    void begin_stop();
    void join();

    // Any thread.
    Outbox& outbox() { return outbox_; }
    const Outbox& outbox() const { return outbox_; }
    SessionStats stats() const;
    // Before start().
    ReceivedAs expected() const { return engine_.expected(); }
    void resume(const ReceivedAs& last) { engine_.resume(last); }
    const std::string& comp_id() const { return comp_id_; }
    const std::string& client() const { return client_; }

  private:
    using Time = Faults::Time;

    // Line
    bool write(const std::string& bytes) override;
    void close() override;
    void logged_on(bool on) override;

    void run();
    void wait(Time now);
    void handle(Outbox::Item& item);
    void handle(Command& command);
    void adopt(const Command& command);
    void apply(const Fault& fault);
    // The post leaves, unless a fault keeps it.
    void submit(Post& post);
    void number(Post& post);
    void number(std::vector<Post>& posts);
    void read_socket();
    void process_frames();
    // Waits until the client has taken enough of what it is owed; false: it does not.
    bool make_room();
    void drop(const std::string& why);
    void tell_taken();
    void tidy();

    const SessionConfig& config_;
    const std::string comp_id_;
    const std::string client_;
    SessionEvents& events_;
    Outbox outbox_;
    Link link_;
    Framer framer_;
    Faults faults_;
    EngineSession engine_;
    std::thread thread_;

    std::vector<Outbox::Item> items_;
    std::vector<Post> leaving_;
    std::vector<char> chunk_;
    std::string frame_;
    std::string broken_;  // why the connection has ended from our side; empty: it has not
    Time next_tick_{};
    Time window_opens_ = Time::min();
    Time stop_deadline_ = Time::max();
    ReceivedAs taken_{};        // the last request that the venue has; the store is to know of it
    std::uint64_t untold_ = 0;  // how many of these it does not know of
    bool readable_ = false;     // the socket has something, or has ended
    bool stopping_ = false;
    bool reset_ = false;  // the connection is to end with a TCP reset

    mutable std::mutex peer_mutex_;
    std::string peer_;
    std::atomic<std::uint64_t> messages_in_{0};
    std::atomic<std::uint64_t> messages_out_{0};
    std::atomic<std::uint64_t> connects_{0};
    std::atomic<std::uint64_t> disconnects_{0};
};

}  // namespace exchange
}  // namespace fixaccel
