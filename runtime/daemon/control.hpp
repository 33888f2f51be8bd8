// SPDX-License-Identifier: Apache-2.0
// The control API, on a socket for each role and with TLS over TCP: one JSON request a line, one JSON answer
// a line, in the order of a client's requests.
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
#include <string>
#include <utility>
#include <vector>

#include "control_stream.hpp"
#include "per_second.hpp"
#include "roles.hpp"
#include "user_names.hpp"

namespace fixaccel {

struct TlsSettings;

// A JSON object with a string "cmd".
struct ControlRequest {
    nlohmann::json body;
    std::uint64_t ticket;  // for a later answer
    std::string by;        // user and process that ask, or whose certificate it is, from where
    Role role = Role::admin;
    std::string refused{};             // why their role may not ask for that; empty if it may
    std::uint64_t refused_before = 0;  // of whom the daemon was not told
    Way way = Way::socket;
    // When it came, and when it was handed to the thread that trades.
    std::chrono::steady_clock::time_point received{}, handed{};
};

// Nobody is kept out by others that say nothing: where there are too many of a role, the one of them that
// has been silent longest has to go; those at sockets and those over TCP are counted apart. Whose certificate
// has no role is taken to ask for "connect", which the handler refuses with what stands in `refused`.
class ControlServer {
  public:
    // Answers a request; nothing if answer() will. What it throws becomes {"ok": false, "error": ...}.
    using Handler = std::function<std::optional<nlohmann::json>(ControlRequest)>;

    // A stale socket of a dead daemon is replaced. `tls`: over TCP, too. Throws ControlError, ListenError.
    ControlServer(const ControlDoors& doors, Handler handler, const TlsSettings* tls = nullptr);
    ControlServer(const ControlServer&) = delete;
    ControlServer& operator=(const ControlServer&) = delete;
    ~ControlServer();

    // What to wait for.
    std::vector<pollfd> watched() const;
    bool owns(int fd) const { return doors_.count(fd) != 0 || clients_.count(fd) != 0; }
    void ready(int fd);
    // Behind those that are ready, each time: a step of one handshake, for they take the processor's time,
    // and whose time is up.
    void turn();
    // Where it listens with TLS; empty: nowhere.
    const std::string& tls_address() const { return tls_address_; }
    // Of a client that has gone: nothing happens.
    void answer(std::uint64_t ticket, const nlohmann::json& reply);

    // Whoever has that ticket gets what tell() says from now on, behind its answer. For one that does not
    // read so much is kept; what is more is dropped, and said to have been once there is room.
    void watch(std::uint64_t ticket);
    void tell(const nlohmann::json& event);
    // So many events were dropped before they came here.
    void lose(std::uint64_t events);
    std::size_t watchers() const;

    // So many bytes of answers are kept for one that does not read them and asks on. One answer may have
    // more.
    void keep_unread(std::size_t bytes) { most_unread_ = bytes; }

  private:
    struct Answer {
        std::uint64_t ticket;
        std::optional<std::string> text;
    };
    // Those that are counted together.
    using Room = std::pair<Way, Role>;
    struct Door {
        std::unique_ptr<ControlListener> listener;
        Room room;  // of those that have just come
    };
    enum class State { greets, talks, ends };
    struct Client {
        std::unique_ptr<ControlStream> stream;
        Room room;
        State state = State::greets;
        bool due = false;   // its handshake may go on
        bool said = false;  // all that there was to say before the end
        std::string in{};   // what of a line has come
        std::deque<Answer> answers{};
        std::string out{};     // not yet sent
        std::size_t sent = 0;  // of that; dropped now and then
        std::chrono::steady_clock::time_point heard = std::chrono::steady_clock::now();
        std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
        bool watches = false;
        std::uint64_t dropped = 0;  // events that it has not been told, nor that there were any

        std::size_t unsent() const { return out.size() - sent; }
    };
    using Clients = std::map<int, Client>;  // by descriptor

    void open(std::unique_ptr<ControlListener> listener, Room room);
    void tell(const std::string& text, std::uint64_t lost);
    void accept(const Door& door);
    bool has_room(Room room);
    bool make_room(Room room);
    void make_room_of(const std::string& host);
    void drop(int fd);
    bool greet(Client& client);
    void refuse(Client& client, const std::string& why);
    bool welcome(Client& client);
    bool serve(Client& client);
    bool hear(Client& client);
    void take(Client& client, const std::string& line);
    void hand_on(Client& client, nlohmann::json request, const std::string& refused);
    void end(Client& client);
    static void say_dropped(Client& client);
    static void collect(Client& client);
    static bool flush(Client& client);

    Handler handler_;
    UserNames users_;
    std::string tls_address_;
    std::chrono::milliseconds handshake_{};
    std::map<int, Door> doors_;  // by descriptor
    Clients clients_;
    int greeted_ = -1;  // whose handshake had its turn last
    PerSecond complaints_;
    std::uint64_t tickets_ = 0;
    std::size_t most_unread_ = 64U * 1024 * 1024;
};

}  // namespace fixaccel
