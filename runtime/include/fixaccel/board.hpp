// SPDX-License-Identifier: Apache-2.0
// Register access to a board, whatever carries it: a virtual board's socket, mapped memory on hardware.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fixaccel {

// The board cannot be reached, refused an access, or is not one that this program knows.
class BoardError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The fabric answered a write with SLVERR: tables are locked while it is armed.
class BoardRefused : public BoardError {
  public:
    using BoardError::BoardError;
};

// 32-bit words at byte addresses of the hwmap (gen/hwmap.hpp). Not safe for use by several threads at once;
// open a second Board for a second thread.
class Board {
  public:
    Board() = default;
    Board(const Board&) = delete;
    Board& operator=(const Board&) = delete;
    virtual ~Board() = default;

    // Reads consecutive words from byte address `addr` (a multiple of 4). Throws BoardError.
    virtual void read(std::uint32_t addr, std::span<std::uint32_t> words) = 0;
    // Writes consecutive words, in ascending order, from byte address `addr`. On return the board has taken
    // them all. Throws BoardError.
    virtual void write(std::uint32_t addr, std::span<const std::uint32_t> words) = 0;
    // The board has changed the record at `addr` by itself: whoever remembers what was written there does so
    // no more.
    virtual void changed(std::uint32_t /*addr*/) {}
    // False: this only stands where a board would, see no_board.hpp.
    virtual bool is_there() const { return true; }

    std::uint32_t read(std::uint32_t addr);
    void write(std::uint32_t addr, std::uint32_t value);
};

// A virtual board answers within microseconds; after this long it hangs.
inline constexpr std::chrono::milliseconds kBoardAnswers{5000};

inline constexpr std::string_view kUnixScheme = "unix:";
inline constexpr std::string_view kUioScheme = "uio:";

// Opens `endpoint`: "unix:PATH" is the socket of a virtual board, "uio:DEVICE" the window of a board in this
// machine (see UioMap), "none" no board at all. An access over a socket that takes longer than `answers`
// fails. Throws BoardError.
std::unique_ptr<Board> open_board(std::string_view endpoint,
                                  std::chrono::milliseconds answers = kBoardAnswers);

// Refuses a board whose magic or hwmap hash is not the one that this program was built with. Throws
// BoardError.
void check_hwmap(Board& board);

}  // namespace fixaccel
