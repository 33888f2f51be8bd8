// SPDX-License-Identifier: Apache-2.0
// The control socket: one JSON request a line, one JSON answer a line.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace fixaccel {

class ControlError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class ControlServer {
  public:
    // Answers a request that is a JSON object with a string "cmd". What it throws becomes {"ok": false,
    // "error": ...}.
    using Handler = std::function<nlohmann::json(const nlohmann::json&)>;

    // `endpoint`: unix:PATH. A stale socket of a dead daemon is replaced. Throws ControlError.
    ControlServer(const std::string& endpoint, Handler handler);
    ControlServer(const ControlServer&) = delete;
    ControlServer& operator=(const ControlServer&) = delete;
    ~ControlServer();

    // Sockets to watch for reading.
    std::vector<int> fds() const;
    bool owns(int fd) const { return fd == listener_ || clients_.count(fd) != 0; }
    void readable(int fd);

  private:
    void accept();
    bool serve(int fd, std::string& buffer);
    nlohmann::json answer(const std::string& line) const;

    std::string path_;
    Handler handler_;
    int listener_ = -1;
    std::map<int, std::string> clients_;  // by socket: what of a line has come
};

}  // namespace fixaccel
