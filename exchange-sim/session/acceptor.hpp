// SPDX-License-Identifier: Apache-2.0
// Connections before their Logon: one thread, and bounds on what strangers can make the venue hold. Read as
// C++14 and as C++20.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "session/framer.hpp"
#include "session/session_config.hpp"

namespace fixaccel {  // NOLINT(modernize-concat-nested-namespaces): read as C++14 too
namespace exchange {

class Acceptor {
  public:
    struct Place {
        std::string host;  // IPv4 address
        std::uint16_t port = 0;
    };
    // A socket with what it has sent so far, which begins with a whole message.
    struct Newcomer {
        int socket = -1;
        std::string logon;
        std::string bytes;  // the Logon and all behind it
        std::string peer;
    };
    // Takes the socket over; otherwise the reason why it is closed. On the acceptor's thread.
    using Take = std::function<std::string(const Newcomer&)>;
    using Notice = std::function<void(const std::string&)>;

    // Binds and listens at once, so that the ports are known; throws SessionHostError.
    Acceptor(const std::vector<Place>& places, const SessionBounds& bounds, Take take, Notice notice);
    ~Acceptor();
    Acceptor(const Acceptor&) = delete;
    Acceptor& operator=(const Acceptor&) = delete;

    // Of a place, in their order.
    std::uint16_t port(std::size_t place) const;
    void start();
    void stop();

  private:
    using Clock = std::chrono::steady_clock;
    struct Guest {
        int socket;
        std::string peer;
        Clock::time_point leaves;
        Framer framer;
    };
    using Guests = std::list<Guest>;  // oldest first

    void run();
    void accept_all(int listener);
    void crowd_out();
    void out_of_descriptors();
    void listen_again(bool on);
    void read(Guests::iterator guest);
    void close(Guests::iterator guest, const std::string& why);
    void close_all();
    int timeout_ms() const;

    const SessionBounds bounds_;
    const Take take_;
    const Notice notice_;
    std::vector<int> listeners_;
    int wake_ = -1;  // eventfd that ends the thread
    int epoll_ = -1;
    int spare_ = -1;  // a descriptor to give up when there are no more
    bool paused_ = false;
    Clock::time_point pause_ends_{};
    Clock::time_point crowded_until_{};  // nobody is told so again before
    Guests guests_;
    std::unordered_map<int, Guests::iterator> by_socket_;
    std::thread thread_;
};

}  // namespace exchange
}  // namespace fixaccel
