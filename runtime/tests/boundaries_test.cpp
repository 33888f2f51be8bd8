// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/boundaries.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "fake_board.hpp"
#include "fixaccel/fabric.hpp"

namespace fixaccel {
namespace {

namespace bits = hwmap::status_bits;
namespace reg = hwmap::reg;

constexpr std::uint32_t kLength = 150;  // bytes of a message

// Messages 1 to `count` have been read, the first from `from` on.
Boundaries after(std::size_t count, std::uint32_t from = 1000) {
    Boundaries read;
    for (std::uint32_t i = 1; i <= count; ++i) read.record({from + i * kLength, i + 1});
    return read;
}

TEST(Boundaries, KnowsTheNumberAtEachBoundary) {
    const Boundaries read = after(100);
    EXPECT_EQ(read.at(1000 + 40 * kLength), (Boundary{1000 + 40 * kLength, 41}));
    EXPECT_EQ(read.at(1000 + 100 * kLength), (Boundary{1000 + 100 * kLength, 101}));
    EXPECT_EQ(read.at(1000 + 40 * kLength + 1), std::nullopt) << "in the middle of a message";
    EXPECT_EQ(read.at(1000), std::nullopt) << "before the first";
    EXPECT_EQ(read.at(1000 + 101 * kLength), std::nullopt) << "not read yet";
}

TEST(Boundaries, SequenceNumbersWrap) {
    const std::uint32_t from = 0U - 20 * kLength;
    const Boundaries read = after(40, from);
    for (std::uint32_t i = 1; i <= 40; ++i)
        EXPECT_EQ(read.at(from + i * kLength), (Boundary{from + i * kLength, i + 1})) << i;
}

TEST(Boundaries, KeepsTheLastOfThem) {
    constexpr std::uint32_t kMore = 500;
    const Boundaries read = after(Boundaries::kKept + kMore);
    EXPECT_EQ(read.at(1000 + kMore * kLength), std::nullopt);
    EXPECT_EQ(read.at(1000 + (kMore + 1) * kLength), (Boundary{1000 + (kMore + 1) * kLength, kMore + 2}));
}

TEST(Boundaries, TheNumberAtABoundaryMayChange) {
    Boundaries read = after(3);
    read.record({1000 + 3 * kLength, 9});
    EXPECT_EQ(read.at(1000 + 3 * kLength), (Boundary{1000 + 3 * kLength, 9}));
    EXPECT_EQ(read.at(1000 + 2 * kLength), (Boundary{1000 + 2 * kLength, 3}));
}

TEST(Boundaries, ForgetsTheStreamBefore) {
    Boundaries read = after(3);
    read.clear();
    EXPECT_EQ(read.at(1000 + 2 * kLength), std::nullopt);
    EXPECT_EQ(read.resync_point(1000 + 3 * kLength, std::nullopt), std::nullopt);
}

TEST(ResyncPoint, AQuietWireIsTakenAtItsEnd) {
    const Boundaries read = after(3);
    const Boundary end{1000 + 3 * kLength, 4};
    EXPECT_EQ(read.resync_point(end.seq, std::nullopt), end);
    EXPECT_EQ(read.resync_point(end.seq, end.seq - kLength), end) << "what was found before does not matter";
}

TEST(ResyncPoint, ABusyWireIsTakenWhereTheFabricFoundTheStream) {
    const Boundaries read = after(30);
    const std::uint32_t wire = 1000 + 50 * kLength;
    EXPECT_EQ(read.resync_point(wire, std::nullopt), std::nullopt) << "the fabric hunts";
    EXPECT_EQ(read.resync_point(wire, 1000 + 31 * kLength), std::nullopt) << "not read yet";
    EXPECT_EQ(read.resync_point(wire, 1000 + 30 * kLength), (Boundary{1000 + 30 * kLength, 31}));
    EXPECT_EQ(read.resync_point(wire, 1000 + 12 * kLength), (Boundary{1000 + 12 * kLength, 13}));
}

TEST(ResyncPoint, WhatIsNoBoundaryIsAskedForAnew) {
    const Boundary newest{1000 + 30 * kLength, 31};
    EXPECT_EQ(after(30).resync_point(1000 + 50 * kLength, 1000 + 12 * kLength + 7), newest);
    EXPECT_EQ(after(30).resync_point(1000 + 50 * kLength, 500), newest);
}

// As much of the fabric's parser as answers to a resync, on a wire with a message after the other.
class Wire {
  public:
    explicit Wire(std::uint32_t number_off = 0) : number_off_(number_off) {
        board_.set_status(bits::gap, true);
        board_.on_write = [this](std::uint32_t addr, std::uint32_t word) {
            if (addr == reg::resync_seq) take_word(word);
        };
    }

    // A message has passed.
    void message() {
        ++messages_;
        board_.memory[reg::rcv_nxt] = 1000 + messages_ * kLength;
        if (!board_.has_status(bits::gap) || (found_ && !renew_)) return;
        renew_ = false;
        found_ = messages_;
        board_.memory[reg::found_seq] = board_.memory[reg::rcv_nxt];
        board_.set_status(bits::found, true);
    }
    std::uint32_t messages() const { return messages_; }
    void number_off(std::uint32_t off) { number_off_ = off; }
    FakeBoard& board() { return board_; }

  private:
    void take_word(std::uint32_t seq) {
        const std::uint32_t number = from_bcd(board_.memory[reg::rx_seq_num]);
        const bool quiet = seq == board_.memory[reg::rcv_nxt];
        if (quiet || (found_ && seq == 1000 + *found_ * kLength && number == *found_ + 1 + number_off_)) {
            board_.set_status(bits::gap, false);
            board_.set_status(bits::found, false);
        } else {
            renew_ = true;
        }
    }

    FakeBoard board_;
    std::uint32_t number_off_;
    std::uint32_t messages_ = 0;
    std::optional<std::uint32_t> found_;
    bool renew_ = false;
};

// Messages until a runtime that reads `latency` messages late has ended the gap.
std::uint32_t messages_until_resync(Wire& wire, std::uint32_t latency,
                                    const std::function<void(std::uint32_t)>& each = {}) {
    Fabric fabric(wire.board());
    Boundaries read;
    while (wire.messages() < 1000) {
        wire.message();
        const std::uint32_t i = wire.messages();
        if (each) each(i);
        if (i > latency) read.record({1000 + (i - latency) * kLength, i - latency + 1});
        if (fabric.resync(read)) return i;
    }
    return 0;
}

TEST(Resync, ABusyStreamIsTakenOneLatencyBehindTheAnchor) {
    for (const std::uint32_t latency : {1U, 2U, 15U, 400U}) {
        Wire wire;
        EXPECT_EQ(messages_until_resync(wire, latency), latency + 1) << latency;
    }
}

TEST(Resync, WaitsUntilFabricAndEngineCountTheSame) {
    Wire wire(3);
    const std::uint32_t latency = 15;
    const std::uint32_t done =
        messages_until_resync(wire, latency, [&](std::uint32_t i) { wire.number_off(i < 100 ? 3 : 0); });
    EXPECT_GE(done, 100U);
    EXPECT_LE(done, 100 + 2 * (latency + 1));
}

TEST(Resync, WithoutAGapNothingIsWritten) {
    FakeBoard board;
    Fabric fabric(board);
    EXPECT_TRUE(fabric.resync(after(3)));
    EXPECT_FALSE(board.memory.contains(reg::resync_seq));
}

}  // namespace
}  // namespace fixaccel
