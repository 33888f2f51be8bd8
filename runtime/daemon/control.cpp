// SPDX-License-Identifier: Apache-2.0
#include "control.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxLine = 64U * 1024;
constexpr std::size_t kMaxClients = 64;
constexpr std::string_view kScheme = "unix:";

sockaddr_un address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof address.sun_path)
        throw ControlError("the control socket's path must have 1 to " +
                           std::to_string(sizeof address.sun_path - 1) + " characters: " + path);
    std::memcpy(address.sun_path, path.data(), path.size());
    return address;
}

bool answers(const sockaddr_un& address) {
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool alive =
        fd >= 0 && ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    if (fd >= 0) ::close(fd);
    return alive;
}

bool send_all(int fd, std::string_view text) {
    while (!text.empty()) {
        // A client that does not read its answer is dropped rather than waited for.
        const ssize_t n = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

}  // namespace

ControlServer::ControlServer(const std::string& endpoint, Handler handler) : handler_(std::move(handler)) {
    if (!endpoint.starts_with(kScheme))
        throw ControlError("the control endpoint must be unix:PATH, not " + endpoint);
    path_ = endpoint.substr(kScheme.size());
    const sockaddr_un address = address_of(path_);
    if (answers(address)) throw ControlError("another daemon answers at " + endpoint);
    ::unlink(path_.c_str());
    listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const mode_t mask = ::umask(0117);
    const bool bound = ::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
                       ::listen(listener_, 16) == 0;
    const int error = errno;
    ::umask(mask);
    if (bound) return;
    ::close(listener_);
    throw ControlError("cannot listen at " + endpoint + ": " + std::strerror(error));
}

ControlServer::~ControlServer() {
    for (const auto& client : clients_) ::close(client.first);
    ::close(listener_);
    ::unlink(path_.c_str());
}

std::vector<int> ControlServer::fds() const {
    std::vector<int> out{listener_};
    for (const auto& client : clients_) out.push_back(client.first);
    return out;
}

void ControlServer::accept() {
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    if (clients_.size() >= kMaxClients) {
        ::close(fd);
        return;
    }
    clients_[fd];
}

void ControlServer::readable(int fd) {
    if (fd == listener_) return accept();
    const auto client = clients_.find(fd);
    if (client == clients_.end() || serve(fd, client->second)) return;
    ::close(fd);
    clients_.erase(client);
}

// False: the client is done with.
bool ControlServer::serve(int fd, std::string& buffer) {
    std::array<char, 4096> chunk;
    const ssize_t n = ::recv(fd, chunk.data(), chunk.size(), 0);
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    if (n == 0) return false;
    buffer.append(chunk.data(), static_cast<std::size_t>(n));
    for (std::size_t end = buffer.find('\n'); end != std::string::npos; end = buffer.find('\n')) {
        const std::string line = buffer.substr(0, end);
        buffer.erase(0, end + 1);
        const json reply = answer(line);
        if (!send_all(fd, reply.dump(-1, ' ', true, json::error_handler_t::replace) + '\n')) return false;
    }
    if (buffer.size() <= kMaxLine) return true;
    send_all(fd, R"({"ok":false,"error":"the request is too long"})"
                 "\n");
    return false;
}

json ControlServer::answer(const std::string& line) const {
    const json request = json::parse(line, nullptr, false);
    if (!request.is_object() || !request.contains("cmd") || !request["cmd"].is_string())
        return {{"ok", false}, {"error", "a request is a JSON object with a string \"cmd\""}};
    try {
        return handler_(request);
    } catch (const std::exception& error) {
        return {{"ok", false}, {"error", error.what()}};
    }
}

}  // namespace fixaccel
