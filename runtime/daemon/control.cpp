// SPDX-License-Identifier: Apache-2.0
#include "control.hpp"

#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxLine = 64U * 1024;
constexpr std::ptrdiff_t kMaxClients = 64;             // of a role
constexpr std::size_t kMaxUnread = 64U * 1024 * 1024;  // of answers
constexpr std::size_t kMaxUntold = 1024U * 1024;       // of events
constexpr std::string_view kScheme = "unix:";

std::string path_of(const std::string& endpoint) {
    if (endpoint.starts_with(kScheme)) return endpoint.substr(kScheme.size());
    throw ControlError("the control endpoint must be unix:PATH, not " + endpoint);
}

std::string text_of(const json& reply) {
    return reply.dump(-1, ' ', true, json::error_handler_t::replace) + '\n';
}

std::string peer_of(int fd, const UserNames& users) {
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return "the control socket";
    return users.text(peer.uid) + ", process " + std::to_string(peer.pid);
}

}  // namespace

ControlServer::ControlServer(const ControlDoors& doors, Handler handler) : handler_(std::move(handler)) {
    for (const auto& [role, door] : doors) {
        auto socket = std::make_unique<UnixListener>(path_of(door.endpoint), SOMAXCONN,
                                                     SocketRights{door.mode, door.group});
        const int fd = socket->fd();
        listeners_.emplace(fd, Listener{role, std::move(socket)});
    }
}

ControlServer::~ControlServer() {
    for (const auto& client : clients_) ::close(client.first);
}

std::vector<pollfd> ControlServer::watched() const {
    std::vector<pollfd> out;
    out.reserve(listeners_.size() + clients_.size());
    for (const auto& each : listeners_) out.push_back({each.first, POLLIN, 0});
    for (const auto& [fd, client] : clients_)
        out.push_back({fd, static_cast<short>(client.out.empty() ? POLLIN : POLLIN | POLLOUT), 0});
    return out;
}

void ControlServer::accept(const Listener& listener) {
    const auto is_of_role = [&](const auto& client) { return client.second.role == listener.role; };
    // All that wait: whoever finds no place in the queue is turned away by the kernel.
    while (std::count_if(clients_.begin(), clients_.end(), is_of_role) < kMaxClients ||
           make_room(listener.role)) {
        const int fd = ::accept4(listener.socket->fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) return;
        clients_[fd] = {
            listener.role, peer_of(fd, users_), {}, {}, {}, std::chrono::steady_clock::now(), false, 0};
    }
}

// False: all have said something that is still to be read or answered.
bool ControlServer::make_room(Role role) {
    const auto is_silent = [role](int fd, const Client& client) {
        int unread = 0;
        return client.role == role && client.answers.empty() && ::ioctl(fd, FIONREAD, &unread) == 0 &&
               unread == 0;
    };
    auto silent = clients_.end();
    for (auto at = clients_.begin(); at != clients_.end(); ++at)
        if (is_silent(at->first, at->second) &&
            (silent == clients_.end() || at->second.heard < silent->second.heard))
            silent = at;
    if (silent == clients_.end()) return false;
    drop(silent->first);
    return true;
}

void ControlServer::drop(int fd) {
    ::close(fd);
    clients_.erase(fd);
}

void ControlServer::ready(int fd) {
    if (const auto listener = listeners_.find(fd); listener != listeners_.end())
        return accept(listener->second);
    const auto client = clients_.find(fd);
    if (client == clients_.end()) return;
    if (!serve(fd, client->second)) drop(fd);
}

// False: the client is done with.
bool ControlServer::serve(int fd, Client& client) {
    std::array<char, 4096> chunk;
    const ssize_t n = ::recv(fd, chunk.data(), chunk.size(), 0);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) return false;
    if (n > 0) {
        client.heard = std::chrono::steady_clock::now();
        client.in.append(chunk.data(), static_cast<std::size_t>(n));
    }
    for (std::size_t end = client.in.find('\n'); end != std::string::npos; end = client.in.find('\n')) {
        const std::string line = client.in.substr(0, end);
        client.in.erase(0, end + 1);
        take(client, line);
    }
    if (client.in.size() > kMaxLine) {
        client.answers.push_back({0, text_of({{"ok", false}, {"error", "the request is too long"}})});
        flush(fd, client);
        return false;
    }
    return flush(fd, client);
}

void ControlServer::take(Client& client, const std::string& line) {
    const std::uint64_t ticket = ++tickets_;
    std::optional<json> reply;
    json request = json::parse(line, nullptr, false);
    if (!request.is_object() || !request.contains("cmd") || !request["cmd"].is_string()) {
        reply = {{"ok", false}, {"error", "a request is a JSON object with a string \"cmd\""}};
    } else {
        try {
            reply = handler_({std::move(request), ticket, client.by, client.role});
        } catch (const std::exception& error) {
            reply = {{"ok", false}, {"error", error.what()}};
        }
    }
    client.answers.push_back({ticket, reply ? std::optional(text_of(*reply)) : std::nullopt});
}

void ControlServer::answer(std::uint64_t ticket, const json& reply) {
    for (auto& [fd, client] : clients_) {
        for (Answer& each : client.answers) {
            if (each.ticket != ticket) continue;
            each.text = text_of(reply);
            if (!flush(fd, client)) drop(fd);
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
        if (client.out.size() + text.size() > kMaxUntold) {
            client.dropped += text.empty() ? 0 : 1;
            continue;
        }
        say_dropped(client);
        client.out += text;
        if (!flush(fd, client)) gone.push_back(fd);
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

// Sends what can be sent. False: the client is done with.
bool ControlServer::flush(int fd, Client& client) {
    for (; !client.answers.empty() && client.answers.front().text; client.answers.pop_front())
        client.out += *client.answers.front().text;
    while (!client.out.empty()) {
        const ssize_t n = ::send(fd, client.out.data(), client.out.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR) continue;
        // One that does not read its answers is dropped rather than kept for ever.
        if (n < 0) return errno == EAGAIN && client.out.size() <= kMaxUnread;
        client.out.erase(0, static_cast<std::size_t>(n));
        if (client.out.empty()) say_dropped(client);
    }
    return true;
}

}  // namespace fixaccel
