// SPDX-License-Identifier: Apache-2.0
// A client of a control socket, as a test needs it.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

namespace fixaccel {

// A connection that waits 20 s for an answer; -1: nobody listens there.
inline int connect_to(const std::string& path) {
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    const timeval limit{.tv_sec = 20, .tv_usec = 0};
    ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return fd;
    ::close(fd);
    return -1;
}

inline void say(int fd, const std::string& text) { ::send(fd, text.data(), text.size(), MSG_NOSIGNAL); }

// A line of JSON, or something discarded if none came.
inline nlohmann::json hear(int fd) {
    std::string line;
    for (char c = 0; ::recv(fd, &c, 1, 0) == 1 && c != '\n';) line += c;
    return nlohmann::json::parse(line, nullptr, false);
}

class ControlClient {
  public:
    explicit ControlClient(const std::string& path) : fd_(connect_to(path)) {}
    ControlClient(const ControlClient&) = delete;
    ControlClient& operator=(const ControlClient&) = delete;
    ~ControlClient() { ::close(fd_); }

    bool connected() const { return fd_ >= 0; }
    void say(const nlohmann::json& request) const { fixaccel::say(fd_, request.dump() + "\n"); }
    nlohmann::json hear() const { return fixaccel::hear(fd_); }
    nlohmann::json ask(const nlohmann::json& request) const {
        say(request);
        return hear();
    }

  private:
    int fd_;
};

}  // namespace fixaccel
