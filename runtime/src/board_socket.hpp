// SPDX-License-Identifier: Apache-2.0
// A board behind a Unix socket that speaks board_protocol.hpp.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "fixaccel/board.hpp"
#include "fixaccel/board_protocol.hpp"

namespace fixaccel {

class SocketBoard : public Board {
  public:
    // Connects to the socket at `path`; `answers` is the longest wait for an answer. Throws BoardError.
    SocketBoard(const std::string& path, std::chrono::milliseconds answers);
    ~SocketBoard() override;

    using Board::read;
    using Board::write;
    void read(std::uint32_t addr, std::span<std::uint32_t> words) override;
    void write(std::uint32_t addr, std::span<const std::uint32_t> words) override;

  private:
    void exchange(const board_protocol::RequestHeader& request, std::span<const std::uint32_t> out,
                  std::span<std::uint32_t> in);
    void send_all(std::span<const std::byte> bytes);
    std::size_t receive(std::span<std::byte> bytes, std::size_t got, std::size_t least);
    [[noreturn]] void fail(const std::string& what);

    std::string path_;
    std::vector<std::byte> buffer_;  // of the longest request; an answer is no longer
    int fd_ = -1;
};

}  // namespace fixaccel
