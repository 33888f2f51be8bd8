// SPDX-License-Identifier: Apache-2.0
// The control sockets, one a role: one JSON request a line, one JSON answer a line, in the order of a
// client's requests.
#pragma once

#include <poll.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "fixaccel/unix_listener.hpp"
#include "roles.hpp"
#include "user_names.hpp"

namespace fixaccel {

class ControlError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// A JSON object with a string "cmd".
struct ControlRequest {
    nlohmann::json body;
    std::uint64_t ticket;  // for a later answer
    std::string by;        // user and process that ask
    Role role = Role::admin;
    std::string refused{};             // why their role may not ask for that; empty if it may
    std::uint64_t refused_before = 0;  // of whom the daemon was not told
};

// Nobody is kept out by others that say nothing: where there are too many at a socket, the one of them that
// has been silent longest has to go.
class ControlServer {
  public:
    // Answers a request; nothing if answer() will. What it throws becomes {"ok": false, "error": ...}.
    using Handler = std::function<std::optional<nlohmann::json>(ControlRequest)>;

    // A stale socket of a dead daemon is replaced. Throws ControlError, ListenError.
    ControlServer(const ControlDoors& doors, Handler handler);
    ControlServer(const ControlServer&) = delete;
    ControlServer& operator=(const ControlServer&) = delete;
    ~ControlServer();

    // What to wait for.
    std::vector<pollfd> watched() const;
    bool owns(int fd) const { return listeners_.count(fd) != 0 || clients_.count(fd) != 0; }
    void ready(int fd);
    // Of a client that has gone: nothing happens.
    void answer(std::uint64_t ticket, const nlohmann::json& reply);

    // Whoever has that ticket gets what tell() says from now on, behind its answer. For one that does not
    // read so much is kept; what is more is dropped, and said to have been once there is room.
    void watch(std::uint64_t ticket);
    void tell(const nlohmann::json& event);
    // So many events were dropped before they came here.
    void lose(std::uint64_t events);
    std::size_t watchers() const;

  private:
    struct Answer {
        std::uint64_t ticket;
        std::optional<std::string> text;
    };
    struct Listener {
        Role role;
        std::unique_ptr<UnixListener> socket;
    };
    struct Client {
        Role role;
        std::string by;
        std::string in;  // what of a line has come
        std::deque<Answer> answers;
        std::string out;  // not yet sent
        std::chrono::steady_clock::time_point heard;
        bool watches = false;
        std::uint64_t dropped = 0;  // events that it has not been told, nor that there were any
    };

    void tell(const std::string& text, std::uint64_t lost);
    void accept(const Listener& listener);
    bool make_room(Role role);
    void drop(int fd);
    bool serve(int fd, Client& client);
    void take(Client& client, const std::string& line);
    static void say_dropped(Client& client);
    static bool flush(int fd, Client& client);

    Handler handler_;
    UserNames users_;
    std::map<int, Listener> listeners_;  // by socket
    std::map<int, Client> clients_;      // by socket
    std::uint64_t tickets_ = 0;
};

}  // namespace fixaccel
