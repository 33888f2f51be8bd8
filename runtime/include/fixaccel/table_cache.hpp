// SPDX-License-Identifier: Apache-2.0
// A board whose tables are known as far as they were written through this: of a load only what differs takes
// its way over the bus.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "fixaccel/board.hpp"

namespace fixaccel {

// Whoever else writes these tables, or a board that has lost them, makes it wrong: see forget(). Memories in
// which the fabric keeps state, and registers, are written as they are told; but fire counts, since each fire
// is told of, see changed().
class TableCache final : public Board {
  public:
    explicit TableCache(Board& board) : board_(board) {}

    using Board::read;
    using Board::write;
    void read(std::uint32_t addr, std::span<std::uint32_t> words) override { board_.read(addr, words); }
    // Whole records, where it is a table.
    void write(std::uint32_t addr, std::span<const std::uint32_t> words) override;
    void changed(std::uint32_t addr) override;
    bool is_there() const override { return board_.is_there(); }

    // Nothing is known of the tables.
    void forget() { tables_.clear(); }
    // Words that have taken their way, in all.
    std::size_t written() const { return written_; }

  private:
    struct Table {
        std::vector<std::uint32_t> words;
        std::vector<bool> known;  // by record
    };

    void pass_on(std::uint32_t addr, std::span<const std::uint32_t> words);

    Board& board_;
    std::map<std::uint32_t, Table> tables_;  // by the address of the memory
    std::size_t written_ = 0;
};

}  // namespace fixaccel
