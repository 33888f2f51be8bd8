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

// Waits 20 s for an answer.
class ControlClient {
  public:
    explicit ControlClient(const std::string& path) : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
        const timeval limit{.tv_sec = 20, .tv_usec = 0};
        ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        connected_ = ::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    }
    ControlClient(const ControlClient&) = delete;
    ControlClient& operator=(const ControlClient&) = delete;
    ~ControlClient() { ::close(fd_); }

    bool connected() const { return connected_; }
    void say(const nlohmann::json& request) const {
        const std::string line = request.dump() + "\n";
        ::send(fd_, line.data(), line.size(), MSG_NOSIGNAL);
    }
    // A line, or something discarded if none came.
    nlohmann::json hear() const {
        std::string line;
        for (char c = 0; ::recv(fd_, &c, 1, 0) == 1 && c != '\n';) line += c;
        return nlohmann::json::parse(line, nullptr, false);
    }
    nlohmann::json ask(const nlohmann::json& request) const {
        say(request);
        return hear();
    }

  private:
    int fd_;
    bool connected_ = false;
};

}  // namespace fixaccel
