// SPDX-License-Identifier: Apache-2.0
// What the board is told of rules that are armed again after a time.
#include <chrono>

#include "engine_fixture.hpp"

namespace fixaccel {
namespace {

constexpr std::uint64_t kAfter = 60'000'000'000;  // no test takes so long
constexpr std::uint32_t kWatchRow = 4;

// Rule 3 is armed again after a minute, five times at most.
class EngineRearmTest : public EngineTest {
  protected:
    EngineRearmTest() {
        image_ = TableImage(5);
        image_.again(kWatchRow, 3, 5, kAfter);
        image_.link({kWatchRow}, {{3, 3, true, true}});
        load();
    }

    static std::uint64_t now() {
        const auto since = std::chrono::system_clock::now().time_since_epoch();
        return static_cast<std::uint64_t>(std::chrono::nanoseconds(since).count());
    }

    Fire of_ring(std::uint32_t trigger, std::uint32_t outcome) {
        Fire fire;
        fire.generation = ledger_->load().generation;
        fire.entry = ++fires_;
        fire.trigger = trigger;
        fire.outcome = outcome;
        fire.time_ns = now();
        return fire;
    }
    // Sent at `time_ns`, and taken off the ring.
    std::uint64_t sent(std::uint64_t time_ns) {
        Fire fire = of_ring(3, ledger_->dry() ? hwmap::outcome_dry : hwmap::outcome_sent);
        fire.rule = 3;
        fire.time_ns = time_ns;
        fire.fires = 1;
        if (fire.sent()) fire.seq_num = static_cast<std::uint32_t>(ledger_->next_sender());
        fire.payload =
            "54=2\x01"
            "38=1\x01";
        ledger_->record({fire});
        engine_->take_fires();
        return time_ns + kAfter;
    }
    void again() {
        ledger_->record({of_ring(kWatchRow, hwmap::outcome_watch)});
        engine_->take_fires();
    }

    // When it is due as a bank has it; 0: it does not wait.
    std::uint64_t due(unsigned bank = 0) {
        hwmap::rearm_record record;
        const std::uint32_t slot = bank * hwmap::rearm_slots / 2 + kWatchRow;
        for (std::uint32_t i = 0; i < hwmap::rearm_record::kWords; ++i)
            record.words[i] =
                board_->memory[hwmap::memory::rearm.base + slot * hwmap::memory::rearm.stride_bytes + 4 * i];
        return record.pending() != 0 ? record.due() : 0;
    }
    void forget() {
        for (auto& [addr, word] : board_->memory)
            if (addr >= hwmap::memory::rearm.base && addr < hwmap::memory::rearm.base + 0x1000) word = 0;
    }
};

TEST_F(EngineRearmTest, WhileArmedTheBoardGoesByItself) {
    arm();
    EXPECT_EQ(due(), 0U);
    const std::uint64_t first = sent(now());
    EXPECT_EQ(due(), 0U) << "it may have fired again by now";
    EXPECT_EQ(told(), "armed armed armed rearming");
    again();
    EXPECT_EQ(told(), "armed armed armed armed");
    EXPECT_EQ(due(), 0U);
    EXPECT_NE(first, 0U);
}

TEST_F(EngineRearmTest, ArmingTellsWhatTheJournalHas) {
    arm();
    const std::uint64_t first = sent(now());
    engine_->disarm("test");
    forget();
    arm();
    EXPECT_EQ(due(), first);
    restart();
    load();
    EXPECT_EQ(due(), first) << "board and daemon have started anew";
}

TEST_F(EngineRearmTest, ADryRunIsTakenBack) {
    arm();
    const std::uint64_t first = sent(now());
    engine_->disarm("test");
    arm(true);
    again();
    sent(now() + 1);
    forget();  // as the fabric does in the course of it
    engine_->disarm("test");
    EXPECT_EQ(due(), first);
}

TEST_F(EngineRearmTest, ALoadWhileArmedTakesItAlong) {
    arm();
    const std::uint64_t first = sent(now());
    rules_[0].second = "2";
    begins_at_ = 0;
    hot_load();
    advance();
    EXPECT_EQ(due(1), first);
    again();
    held_ = true;
    begins_at_ = 7;
    follow();  // messages wait, for something has hit meanwhile
    held_ = false;
    engine_->advance_load();
    advance();
    ASSERT_FALSE(engine_->loading());
    EXPECT_EQ(due(1), 0U) << "it has been armed";
    sent(now());
    EXPECT_EQ(due(1), 0U) << "from now on the bank goes by itself";
}

TEST_F(EngineRearmTest, AChangedRuleWaitsForNothing) {
    arm();
    sent(now());
    rules_[3].second = "2";
    hot_load();
    advance();
    ASSERT_FALSE(engine_->loading());
    EXPECT_EQ(due(1), 0U);
    EXPECT_EQ(told(), "armed armed armed armed");
}

}  // namespace
}  // namespace fixaccel
