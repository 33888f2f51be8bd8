// SPDX-License-Identifier: Apache-2.0
#include "control.hpp"

#include <sys/ioctl.h>

#include <algorithm>
#include <array>
#include <utility>

#include "log.hpp"
#include "tls_control.hpp"
#include "unix_control.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;
using std::chrono::steady_clock;

constexpr std::size_t kMaxLine = 64U * 1024;
constexpr std::ptrdiff_t kMaxClients = 64;          // of a role
constexpr std::ptrdiff_t kMaxGreeted = 32;          // of a machine, at a time
constexpr std::size_t kMaxUntold = 1024U * 1024;    // of events
constexpr std::size_t kChunk = 16384;               // a whole record of TLS
constexpr std::size_t kMostRecords = 4;             // of TLS, of a client in a round
constexpr std::size_t kMostSent = 1024U * 1024;     // to a client in a round
constexpr unsigned kMostComplaints = 10;            // a second, about those that have not been let in
constexpr auto kGoodbye = std::chrono::seconds(5);  // to read why it is refused

std::string host_of(const ControlStream& stream) {
    const std::string address = stream.address();
    return address.substr(0, address.rfind(':'));
}

std::string text_of(const json& reply) {
    return reply.dump(-1, ' ', true, json::error_handler_t::replace) + '\n';
}

}  // namespace

ControlServer::ControlServer(const ControlDoors& doors, Handler handler, const TlsSettings* tls)
    : handler_(std::move(handler)), complaints_(kMostComplaints) {
    for (const auto& [role, door] : doors)
        open(std::make_unique<UnixControl>(role, door, users_), {Way::socket, role});
    if (tls == nullptr) return;
    auto listener = std::make_unique<TlsControl>(*tls);
    tls_address_ = listener->address();
    handshake_ = tls->handshake;
    open(std::move(listener), {Way::tls, Role::none});
}

ControlServer::~ControlServer() = default;

void ControlServer::open(std::unique_ptr<ControlListener> listener, Room room) {
    const int fd = listener->fd();
    doors_.emplace(fd, Door{std::move(listener), room});
}

std::vector<pollfd> ControlServer::watched() const {
    std::vector<pollfd> out;
    out.reserve(doors_.size() + clients_.size());
    for (const auto& each : doors_) out.push_back({each.first, POLLIN, 0});
    for (const auto& [fd, client] : clients_) {
        const int has_to_write = client.unsent() != 0 ? POLLOUT : 0;
        out.push_back({fd, static_cast<short>(POLLIN | has_to_write | client.stream->also_waits_for()), 0});
    }
    return out;
}

void ControlServer::accept(const Door& door) {
    // Whoever finds no place in the queue is turned away by the kernel.
    for (std::ptrdiff_t taken = 0; taken < kMaxClients && has_room(door.room); ++taken) {
        std::unique_ptr<ControlStream> stream = door.listener->accept();
        if (!stream) return;
        if (door.room.second == Role::none) make_room_of(host_of(*stream));
        const int fd = stream->fd();
        Client& client = clients_[fd] = Client{std::move(stream), door.room};
        if (door.room.second == Role::none)
            client.until = steady_clock::now() + handshake_;
        else
            client.state = State::talks;
    }
}

bool ControlServer::has_room(Room room) {
    const auto is_there = [room](const auto& client) { return client.second.room == room; };
    return std::count_if(clients_.begin(), clients_.end(), is_there) < kMaxClients || make_room(room);
}

// Whoever begins one handshake after the other keeps nobody of another machine from it.
void ControlServer::make_room_of(const std::string& host) {
    auto oldest = clients_.end();
    std::ptrdiff_t count = 0;
    for (auto at = clients_.begin(); at != clients_.end(); ++at) {
        if (at->second.room.second != Role::none || host_of(*at->second.stream) != host) continue;
        ++count;
        if (oldest == clients_.end() || at->second.heard < oldest->second.heard) oldest = at;
    }
    if (count >= kMaxGreeted) drop(oldest->first);
}

// False: all have said something that is still to be read or answered.
bool ControlServer::make_room(Room room) {
    const auto may_go = [room](int fd, const Client& client) {
        int unread = 0;
        if (client.room != room) return false;
        // Who has no role yet has nothing to say.
        if (room.second == Role::none) return true;
        return client.answers.empty() && ::ioctl(fd, FIONREAD, &unread) == 0 && unread == 0;
    };
    auto silent = clients_.end();
    for (auto at = clients_.begin(); at != clients_.end(); ++at)
        if (may_go(at->first, at->second) &&
            (silent == clients_.end() || at->second.heard < silent->second.heard))
            silent = at;
    if (silent == clients_.end()) return false;
    drop(silent->first);
    return true;
}

void ControlServer::drop(int fd) { clients_.erase(fd); }

void ControlServer::ready(int fd) {
    if (const auto door = doors_.find(fd); door != doors_.end()) return accept(door->second);
    const auto client = clients_.find(fd);
    if (client == clients_.end()) return;
    if (client->second.state == State::greets)
        client->second.due = true;
    else if (!serve(client->second))
        drop(fd);
}

void ControlServer::turn() {
    const auto is_due = [](const auto& client) { return client.second.due; };
    auto next = std::find_if(clients_.upper_bound(greeted_), clients_.end(), is_due);
    if (next == clients_.end()) next = std::find_if(clients_.begin(), clients_.end(), is_due);
    if (next != clients_.end()) {
        greeted_ = next->first;
        next->second.due = false;
        if (!greet(next->second)) drop(greeted_);
    }
    const auto now = steady_clock::now();
    std::vector<int> late;
    for (auto& [fd, client] : clients_) {
        if (now < client.until) continue;
        if (client.state == State::greets) refuse(client, "its handshake takes too long");
        late.push_back(fd);
    }
    for (const int fd : late) drop(fd);
}

// False: the client is done with.
bool ControlServer::greet(Client& client) {
    std::string why;
    switch (client.stream->greet(why)) {
        case ControlStream::Greeting::goes_on:
            return true;
        case ControlStream::Greeting::done:
            return welcome(client);
        case ControlStream::Greeting::failed:
            refuse(client, why);
            end(client);
            return flush(client);
    }
    return false;
}

void ControlServer::refuse(Client& client, const std::string& why) {
    if (const auto more = complaints_.take())
        log_line("control: " + client.stream->address() + " is refused: " + why +
                     (*more == 0 ? "" : " (" + std::to_string(*more) + " more were refused before it)"),
                 {LogLevel::warning, "refused", {{"address", client.stream->address()}, {"reason", why}}});
}

bool ControlServer::welcome(Client& client) {
    const ControlPeer& peer = client.stream->peer();
    client.heard = steady_clock::now();
    if (peer.role == Role::none) {
        hand_on(client, {{"cmd", "connect"}}, peer.refused);
    } else if (const Room room{Way::tls, peer.role}; has_room(room)) {
        client.room = room;
        client.state = State::talks;
        client.until = steady_clock::time_point::max();
        return serve(client);  // what came with the handshake's end wakes nobody
    } else {
        client.answers.push_back({0, text_of({{"ok", false}, {"error", "too many clients have this role"}})});
    }
    end(client);
    return flush(client);
}

// The client is told no more than what it has asked for, and what comes from it is not looked at.
void ControlServer::end(Client& client) {
    client.state = State::ends;
    client.until = steady_clock::now() + kGoodbye;
}

// False: the client is done with.
bool ControlServer::serve(Client& client) {
    if (client.state == State::ends) return discard(client.stream->fd()) && flush(client);
    for (std::size_t records = 0; records < kMostRecords && client.state == State::talks; ++records) {
        if (!hear(client)) return false;
        if (!client.stream->has_more()) break;
    }
    return flush(client);
}

bool ControlServer::hear(Client& client) {
    std::array<char, kChunk> chunk;
    const auto n = client.stream->read(chunk);
    if (!n) return false;
    if (*n == 0) return true;
    client.heard = steady_clock::now();
    client.in.append(chunk.data(), *n);
    for (std::size_t end = client.in.find('\n'); end != std::string::npos; end = client.in.find('\n')) {
        // An answer may be of any length. Whoever asks on and does not read is dropped rather than kept for
        // ever.
        collect(client);
        if (client.unsent() > most_unread_) return false;
        const std::string line = client.in.substr(0, end);
        client.in.erase(0, end + 1);
        take(client, line);
    }
    if (client.in.size() > kMaxLine) {
        client.answers.push_back({0, text_of({{"ok", false}, {"error", "the request is too long"}})});
        end(client);
    }
    return true;
}

void ControlServer::take(Client& client, const std::string& line) {
    json request = json::parse(line, nullptr, false);
    if (request.is_object() && request.contains("cmd") && request["cmd"].is_string())
        return hand_on(client, std::move(request), {});
    const json reply{{"ok", false}, {"error", "a request is a JSON object with a string \"cmd\""}};
    client.answers.push_back({++tickets_, text_of(reply)});
}

void ControlServer::hand_on(Client& client, json request, const std::string& refused) {
    const std::uint64_t ticket = ++tickets_;
    const ControlPeer& peer = client.stream->peer();
    std::optional<json> reply;
    try {
        reply = handler_({std::move(request), ticket, peer.by, peer.role, refused, 0, client.room.first});
    } catch (const std::exception& error) {
        reply = {{"ok", false}, {"error", error.what()}};
    }
    client.answers.push_back({ticket, reply ? std::optional(text_of(*reply)) : std::nullopt});
}

void ControlServer::answer(std::uint64_t ticket, const json& reply) {
    for (auto& [fd, client] : clients_) {
        for (Answer& each : client.answers) {
            if (each.ticket != ticket) continue;
            each.text = text_of(reply);
            if (!flush(client)) drop(fd);
            return;
        }
    }
}

void ControlServer::watch(std::uint64_t ticket) {
    for (auto& [fd, client] : clients_)
        for (const Answer& each : client.answers)
            if (each.ticket == ticket) client.watches = true;
}

void ControlServer::tell(const json& event) { tell(text_of(event), 0); }

void ControlServer::lose(std::uint64_t events) { tell({}, events); }

// Whoever has no room for it has lost it.
void ControlServer::tell(const std::string& text, std::uint64_t lost) {
    std::vector<int> gone;
    for (auto& [fd, client] : clients_) {
        if (!client.watches) continue;
        client.dropped += lost;
        if (client.unsent() + text.size() > kMaxUntold) {
            client.dropped += text.empty() ? 0 : 1;
            continue;
        }
        say_dropped(client);
        client.out += text;
        if (!flush(client)) gone.push_back(fd);
    }
    for (const int fd : gone) drop(fd);
}

std::size_t ControlServer::watchers() const {
    return static_cast<std::size_t>(std::count_if(clients_.begin(), clients_.end(),
                                                  [](const auto& client) { return client.second.watches; }));
}

void ControlServer::say_dropped(Client& client) {
    if (client.dropped != 0)
        client.out += text_of({{"event", "dropped"}, {"events", std::exchange(client.dropped, 0)}});
}

// Answers that no other has to come ahead of.
void ControlServer::collect(Client& client) {
    for (; !client.answers.empty() && client.answers.front().text; client.answers.pop_front())
        client.out += *client.answers.front().text;
}

// Sends what can be sent, but of much only a part. False: the client is done with.
bool ControlServer::flush(Client& client) {
    collect(client);
    for (std::size_t most = client.sent + kMostSent; client.unsent() != 0 && client.sent < most;) {
        const auto n = client.stream->write(std::string_view(client.out).substr(client.sent));
        if (!n) return false;
        if (*n == 0) return true;
        client.sent += *n;
        if (client.unsent() != 0) continue;
        client.out.clear();
        client.sent = 0;
        say_dropped(client);
    }
    // Not each time: what is left is moved by it.
    if (client.sent >= kMostSent && client.sent >= client.unsent())
        client.out.erase(0, std::exchange(client.sent, 0));
    if (client.state == State::ends && !client.said && client.answers.empty() && client.out.empty()) {
        client.said = true;
        client.stream->end();
    }
    return true;
}

}  // namespace fixaccel
