// SPDX-License-Identifier: Apache-2.0
// What the fabric watches for rules: how the journal has it, and the states of triggers that follow.
#include "fixaccel/loads.hpp"
#include "ledger_fixture.hpp"
#include "lists.hpp"
#include "table_image.hpp"

namespace fixaccel {
namespace {

constexpr std::uint32_t kRearms = 2;

// Rule 0 is armed again by watch 1, twice at most; rule 2 is a sibling of it.
class RearmTest : public LedgerTest {
  protected:
    RearmTest() {
        image_.watch(1, 0, kMostFires - kRearms);
        image_.link({0}, {{0, 0}, {2, 2}, {1, 1, true, true}});
        image_.link({1}, {{0, 0, true, true}});
        image_.link({2}, {{0, 0}, {2, 2}});
        for (const std::uint32_t trigger : {0U, 2U}) {
            BundleRule& rule = add_rule(bundle_);
            rule.index = static_cast<std::uint32_t>(bundle_.rules.size() - 1);
            rule.id = "r" + std::to_string(trigger);
            rule.hash = "h";
            rule.instrument = "MSFT";
            rule.trigger = trigger;
        }
        bundle_.instruments.push_back({"MSFT", 0, "0.01"});
        bundle_.memories = image_.memories();
    }

    void SetUp() override {
        LedgerTest::SetUp();
        ledger_->record_load(describe_load(bundle_, kGeneration, "0001"));
    }

    void sent() {
        Fire fire = fixaccel::fire(++entry_, 0, static_cast<std::uint32_t>(ledger_->next_sender()));
        fire.fires = ++fires_;
        ledger_->record({fire});
    }
    void watched(std::uint32_t outcome = hwmap::outcome_watch) {
        Fire fire;
        fire.entry = ++entry_;
        fire.generation = kGeneration;
        fire.trigger = 1;
        fire.fires = std::min(kMostFires - kRearms + ++hits_, kMostFires);
        fire.outcome = outcome;
        fire.source = hwmap::source_last;
        fire.time_ns = entry_;
        ledger_->record({fire});
    }

    // L live, D dormant, - neither, and how often each has fired; the same after a restart.
    std::string states() {
        std::string text;
        for (const bool again : {false, true}) {
            if (again) open();
            std::string now;
            for (const TriggerState& one : trigger_states(bundle_, ledger_->load(), *ledger_))
                now += (one.live ? 'L' : one.dormant ? 'D' : '-') + std::to_string(one.fires) + ' ';
            EXPECT_TRUE(!again || now == text) << now;
            text = now;
        }
        return text;
    }

    TableImage image_{3};
    Bundle bundle_;
    std::uint32_t entry_ = 0, fires_ = 0, hits_ = 0;
};

TEST_F(RearmTest, IsArmedAgainSoManyTimes) {
    EXPECT_EQ(states(), "L0 -32765 L0 ");
    sent();
    EXPECT_EQ(states(), "-1 L32765 -0 ");
    EXPECT_TRUE(ledger_->awaits_rearm(ledger_->load().rules[0]));
    watched();
    EXPECT_EQ(states(), "L1 -32766 -0 ");
    EXPECT_FALSE(ledger_->fired(ledger_->load().rules[0]));
    sent();
    watched();
    EXPECT_EQ(states(), "L2 -32767 -0 ");
    sent();
    EXPECT_EQ(states(), "-3 L32767 -0 ");
    watched(hwmap::outcome_exhausted);
    EXPECT_EQ(states(), "-3 -32767 -0 ");
    EXPECT_EQ(ledger_->fires().size(), 3U) << "what is watched is no fire";
}

TEST_F(RearmTest, ARejectedFireAwaitsNothing) {
    Fire rejected;
    rejected.entry = ++entry_;
    rejected.generation = kGeneration;
    rejected.outcome = hwmap::outcome_kill;
    ledger_->record({rejected});
    EXPECT_EQ(states(), "-0 -32765 L0 ");
}

TEST_F(RearmTest, OnceArmedAgainItsSiblingCancelsIt) {
    sent();
    watched();
    Fire sibling = fire(++entry_, 1, static_cast<std::uint32_t>(ledger_->next_sender()));
    sibling.trigger = 2;
    ledger_->record({sibling});
    EXPECT_EQ(states(), "-1 -32766 -1 ");
}

TEST_F(RearmTest, ReadTwiceFromTheRingItCountsOnce) {
    sent();
    watched();
    --entry_, --hits_;
    watched();
    EXPECT_EQ(states(), "L1 -32766 -0 ");
}

TEST_F(RearmTest, ArmedByHandItStartsAfresh) {
    sent();
    watched();
    sent();
    ledger_->record_rearmed();
    EXPECT_EQ(states(), "L2 -32765 L0 ");
}

TEST_F(RearmTest, ADryRunTakesItBack) {
    sent();
    ledger_->record_armed(true);
    watched();
    EXPECT_EQ(states(), "L1 -32766 -0 ");
    ledger_->record_disarmed("test");
    EXPECT_EQ(states(), "-1 L32765 -0 ");
}

TEST_F(RearmTest, InDoubtItAwaitsNothing) {
    sent();
    ledger_->record_armed(false);
    ledger_->record_board_lost();
    EXPECT_EQ(states(), "-1 -32765 -0 ") << "it may have been armed again and have fired unseen";
    clear_doubts(*ledger_);
    EXPECT_EQ(states(), "-1 L32765 -0 ");
}

TEST_F(RearmTest, ALoadKeepsItWhileItsMeaningIsTheSame) {
    sent();
    watched();
    sent();
    Load next = describe_load(bundle_, kGeneration + 1, "0002");
    ledger_->record_load(next);
    EXPECT_EQ(states(), "-2 L32766 -0 ");
    bundle_.rules.edit(0).hash = "other";
    ledger_->record_load(describe_load(bundle_, kGeneration + 2, "0003"));
    EXPECT_EQ(states(), "L0 -32765 -0 ");
}

}  // namespace
}  // namespace fixaccel
