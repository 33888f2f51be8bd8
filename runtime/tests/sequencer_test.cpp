// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/sequencer.hpp"

#include <gtest/gtest.h>

#include "fake_board.hpp"

namespace fixaccel {
namespace {

namespace reg = hwmap::reg;
using std::chrono::milliseconds;
using Trace = std::vector<std::string>;

constexpr std::uint32_t kStart = 0xFFFFFFF0U;  // the sequence numbers wrap within the first message

class FakeStream final : public KernelStream {
  public:
    explicit FakeStream(Trace& trace) : trace_(trace) {}
    std::uint32_t unsent() override { return waiting; }
    std::uint32_t snd_nxt() override { return next; }
    std::uint32_t rcv_nxt() override { return 0; }
    void commit(std::string_view bytes) override {
        if (fails) throw CommitError("refused");
        trace_.push_back("commit " + std::string(bytes));
        next += static_cast<std::uint32_t>(bytes.size());
    }
    std::uint32_t waiting = 0;
    std::uint32_t next = kStart;
    bool fails = false;

  private:
    Trace& trace_;
};

class FakeSink final : public FireSink {
  public:
    explicit FakeSink(Trace& trace) : trace_(trace) {}
    void record(const std::vector<Fire>& fires) override {
        for (const Fire& fire : fires)
            trace_.push_back("record " + std::to_string(fire.entry) + (fire.committed ? " committed" : ""));
    }

  private:
    Trace& trace_;
};

class SequencerTest : public ::testing::Test {
  protected:
    void SetUp() override {
        board_.memory[reg::snd_nxt] = kStart;
        board_.trace = &trace_;
        sequencer_.attach(&stream_);
        sequencer_.set_firing(true);
    }

    // What does not come about in this test is not waited for.
    void wait_no_longer() { sequencer_.set_times({milliseconds(20), milliseconds(50), milliseconds(20)}); }

    Trace trace_;
    FakeBoard board_;
    Fabric fabric_{board_};
    FakeStream stream_{trace_};
    FakeSink sink_{trace_};
    Sequencer sequencer_{fabric_, sink_, {milliseconds(5000), milliseconds(5000), milliseconds(5000)}};
};

TEST_F(SequencerTest, KernelFirstThenSinkThenTail) {
    board_.add_fire(1, std::string(20, 'a'));
    board_.add_fire(2, "bb");
    EXPECT_EQ(sequencer_.drain(), 2U);
    EXPECT_EQ(trace_, (Trace{"commit " + std::string(20, 'a'), "committed 4", "commit bb", "committed 6",
                             "record 1 committed", "record 2 committed", "tail 2"}));
    EXPECT_EQ(sequencer_.drain(), 0U);
}

TEST_F(SequencerTest, RejectedFiresAreRecordedOnly) {
    board_.add_rejected(hwmap::outcome_kill);
    sequencer_.drain();
    EXPECT_EQ(trace_, (Trace{"record 1", "tail 1"}));
}

TEST_F(SequencerTest, WithoutAConnectionNothingIsCommitted) {
    sequencer_.attach(nullptr);
    board_.add_fire(1, "a");
    sequencer_.drain();
    EXPECT_EQ(trace_, (Trace{"record 1", "tail 1"}));
}

TEST_F(SequencerTest, AnOrderThatDidNotLeaveIsNeverCommitted) {
    wait_no_longer();
    board_.add_fire(1, "a", false);
    board_.add_fire(2, "b");
    EXPECT_THROW(sequencer_.drain(), CommitError);
    EXPECT_EQ(trace_, (Trace{"record 1", "record 2", "tail 2"}));
}

TEST_F(SequencerTest, PartedSequenceNumbersAreNotCommitted) {
    stream_.next = kStart + 1;
    board_.add_fire(1, "a");
    EXPECT_THROW(sequencer_.drain(), CommitError);
    EXPECT_EQ(trace_, (Trace{"record 1", "tail 1"}));
}

TEST_F(SequencerTest, AFailedCommitStillRecordsEverything) {
    stream_.fails = true;
    board_.add_fire(1, "a");
    board_.add_fire(2, "b");
    EXPECT_THROW(sequencer_.drain(), CommitError);
    EXPECT_EQ(trace_, (Trace{"record 1", "record 2", "tail 2"}));
}

TEST_F(SequencerTest, RingIndexWraps) {
    for (std::uint32_t i = 1; i <= hwmap::ring_entries + 3; ++i) {
        board_.add_fire(i, "x");
        ASSERT_EQ(sequencer_.drain(), 1U) << i;
    }
    EXPECT_EQ(trace_.back(), "tail " + std::to_string(hwmap::ring_entries + 3));
}

TEST_F(SequencerTest, PackedBytesAreReadOverTheEndOfTheirMemory) {
    const std::string longest(hwmap::message_bytes - 3, 'z');
    for (std::uint32_t i = 1; i <= hwmap::sent_bytes / hwmap::message_bytes + 3; ++i) {
        const std::string payload = std::to_string(i) + longest.substr(3);
        board_.add_fire(i, payload);
        EXPECT_EQ(fabric_.read_fire(i).payload, payload);
        ASSERT_EQ(sequencer_.drain(), 1U) << i;
    }
}

TEST_F(SequencerTest, AFullRingIsEmptiedWhileTheLeaseIsAwaited) {
    board_.grants = false;
    bool raised = false;
    board_.on_status_read = [&] {  // the fabric fires once more before it grants
        if (board_.memory[reg::ring_tail] == 1 && !raised) {
            raised = true;
            board_.add_fire(2, "b");
        }
        if (board_.memory[reg::ring_tail] == 2) board_.set_status(hwmap::status_bits::lease_held, true);
    };
    board_.add_fire(1, "a");
    EXPECT_TRUE(sequencer_.take());
    EXPECT_EQ(trace_.back(), "tail 2");
}

TEST_F(SequencerTest, TakingTheLeaseDrainsFirst) {
    board_.add_fire(1, "a");
    EXPECT_TRUE(sequencer_.take());
    EXPECT_TRUE(sequencer_.held());
    EXPECT_EQ(trace_.back(), "tail 1");
    EXPECT_TRUE(sequencer_.take()) << "taking it twice is taking it once";
}

TEST_F(SequencerTest, GivesItBackWithTheNextNumbers) {
    ASSERT_TRUE(sequencer_.take());
    stream_.next += 30;
    board_.memory[reg::snd_nxt] = stream_.next;
    EXPECT_TRUE(sequencer_.give(8));
    EXPECT_FALSE(sequencer_.held());
    EXPECT_FALSE(fabric_.status().lease_held());
    EXPECT_EQ(board_.memory[reg::lease_seq_num], 0x8U);
    EXPECT_EQ(board_.memory[reg::lease_snd_nxt], stream_.next);
}

TEST_F(SequencerTest, KeepsItWhileBytesAreUnsent) {
    wait_no_longer();
    ASSERT_TRUE(sequencer_.take());
    stream_.waiting = 1;
    EXPECT_FALSE(sequencer_.give(2));
    EXPECT_TRUE(fabric_.status().lease_held());
}

TEST_F(SequencerTest, KeepsItWhileTheFabricHasNotSeenTheFrame) {
    wait_no_longer();
    ASSERT_TRUE(sequencer_.take());
    stream_.next += 5;
    EXPECT_FALSE(sequencer_.give(2));
    EXPECT_TRUE(fabric_.status().lease_held());
}

TEST_F(SequencerTest, ADeniedLeaseIsNotHeld) {
    wait_no_longer();
    board_.grants = false;
    EXPECT_FALSE(sequencer_.take());
    EXPECT_FALSE(sequencer_.held());
}

TEST_F(SequencerTest, NoLeaseIsNeededWhileNothingFires) {
    sequencer_.set_firing(false);
    board_.grants = false;
    EXPECT_TRUE(sequencer_.take());
    EXPECT_FALSE(sequencer_.held());
    EXPECT_TRUE(sequencer_.give(1));
}

TEST_F(SequencerTest, AgreeWaitsForTheFabric) {
    stream_.next = kStart + 9;
    EXPECT_FALSE(sequencer_.agree(milliseconds(5)));
    board_.memory[reg::snd_nxt] = kStart + 9;
    EXPECT_EQ(sequencer_.agree(milliseconds(5)), kStart + 9);
}

}  // namespace
}  // namespace fixaccel
