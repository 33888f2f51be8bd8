// SPDX-License-Identifier: Apache-2.0
// Register access for programs on this machine: board_protocol.hpp over a Unix socket, any number of clients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fixaccel/board.hpp"
#include "fixaccel/board_protocol.hpp"
#include "fixaccel/unix_listener.hpp"

namespace fixaccel::board {

class RegisterServer {
  public:
    // Listens at `path`, over the remains of a server that is gone. `epoll` watches the server's sockets.
    // Throws ListenError.
    RegisterServer(const std::string& path, int epoll);
    ~RegisterServer();
    RegisterServer(const RegisterServer&) = delete;
    RegisterServer& operator=(const RegisterServer&) = delete;

    // `fd` is one of the server's.
    bool owns(int fd) const { return fd == listener_.fd() || clients_.contains(fd); }
    // Takes what epoll says has arrived on `fd`.
    void on_readable(int fd);
    // Carries out requests, a few words of each client in turn, at most `words` in all. True if there is more
    // to do.
    bool serve(Board& board, unsigned words);

  private:
    struct Client {
        std::vector<std::byte> in;   // received, not yet understood
        std::vector<std::byte> out;  // not yet sent
        board_protocol::RequestHeader request{};
        std::vector<std::uint32_t> words;  // of the request under way
        std::size_t done = 0;              // words of it
        bool active = false;               // a request is under way
        bool closing = false;              // after the answer that is being sent
    };

    void accept_clients();
    bool next_request(Client& client);
    void advance(Client& client, Board& board, std::size_t count);
    static void answer(Client& client, board_protocol::Status status);
    bool flush(int fd, Client& client);
    void drop(int fd);

    int epoll_;
    UnixListener listener_;
    std::map<int, Client> clients_;
};

}  // namespace fixaccel::board
