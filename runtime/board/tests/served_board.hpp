// SPDX-License-Identifier: Apache-2.0
// A FakeBoard behind a real RegisterServer in a thread of its own.
#pragma once

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

#include "fake_board.hpp"
#include "register_server.hpp"
#include "temp_dir.hpp"

namespace fixaccel::test {

class ServedBoard {
  public:
    ServedBoard() : path(directory_.path() / "board.sock"), server_(path, epoll_) {
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.fd = stop_;
        ::epoll_ctl(epoll_, EPOLL_CTL_ADD, stop_, &event);
        thread_ = std::thread([this] { serve(); });
    }
    ~ServedBoard() {
        ::eventfd_write(stop_, 1);
        thread_.join();
        ::close(stop_);
        ::close(epoll_);
    }
    ServedBoard(const ServedBoard&) = delete;
    ServedBoard& operator=(const ServedBoard&) = delete;

    FakeBoard board;  // of the server's thread while requests are under way

  private:
    void serve() {
        std::array<epoll_event, 8> events;
        while (true) {
            const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), -1);
            for (int i = 0; i < count; ++i) {
                const int fd = events[static_cast<std::size_t>(i)].data.fd;
                if (fd == stop_) return;
                if (server_.owns(fd)) server_.on_readable(fd);
            }
            while (server_.serve(board, 7)) {
            }
        }
    }

    TempDir directory_;
    int epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
    int stop_ = ::eventfd(0, EFD_CLOEXEC);

  public:
    const std::string path;

  private:
    board::RegisterServer server_;
    std::thread thread_;
};

}  // namespace fixaccel::test
