// SPDX-License-Identifier: Apache-2.0
// A board in this machine's own memory: the window of registers and tables that its fabric has there.
#pragma once

#include <string>

#include "fixaccel/board.hpp"
#include "fixaccel/uio_map.hpp"

namespace fixaccel {

// How words pass one by one: each once, in ascending order, 32 bits wide. So a register of 64 bits is two
// reads, the lower half first, which has the upper one stay as it was (hwmap: clock_ns_lo); and one that is
// an action at the upper half's write (windows_at_hi) sees the lower one.
class MappedBoard : public Board {
  public:
    using Board::read;
    using Board::write;
    void read(std::uint32_t addr, std::span<std::uint32_t> words) override;
    // Ends with a read, which comes behind the writes: then the board has taken them. Of tables it looks at
    // the count of those that were refused, too: nobody is told of an error answer to a write that was not
    // waited for. Throws BoardRefused.
    void write(std::uint32_t addr, std::span<const std::uint32_t> words) override;

  protected:
    virtual std::uint32_t load(std::uint32_t addr) = 0;
    virtual void store(std::uint32_t addr, std::uint32_t word) = 0;

    std::uint32_t refused_ = 0;  // writes that the fabric has refused so far
};

// By a UIO device. An access has no time limit: what does not answer stops the CPU.
class UioBoard : public MappedBoard {
  public:
    // See UioMap. Throws BoardError.
    UioBoard(const std::string& root, const std::string& device);

  protected:
    std::uint32_t load(std::uint32_t addr) override { return *at(addr); }
    void store(std::uint32_t addr, std::uint32_t word) override { *at(addr) = word; }

  private:
    volatile std::uint32_t* at(std::uint32_t addr);

    UioMap map_;
};

}  // namespace fixaccel
