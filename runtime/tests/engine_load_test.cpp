// SPDX-License-Identifier: Apache-2.0
// A load while armed, as the daemon goes through it. Under market data it is tested end to end.
#include "engine_fixture.hpp"

namespace fixaccel {
namespace {

class HotLoadTest : public EngineTest {
  protected:
    HotLoadTest() {
        load();
        arm();
        first_ = ledger_->load().generation;
        rules_[3].second = "2";  // another rule of that name
    }

    std::uint32_t generation(std::uint32_t bank) {
        return board_->memory[bank != 0 ? hwmap::reg::generation_upper : hwmap::reg::generation];
    }
    void see_loaded(const std::string& states_of_bank) {
        EXPECT_FALSE(engine_->loading());
        EXPECT_TRUE(engine_->armed());
        EXPECT_EQ(engine_->load_report().state, std::string("loaded"));
        EXPECT_NE(ledger_->load().generation, first_);
        EXPECT_EQ(ledger_->load().generation, generation(1));
        EXPECT_EQ(states(1), states_of_bank);
    }

    std::uint32_t first_ = 0;
};

TEST_F(HotLoadTest, TheOtherBankIsWrittenAndThenEvaluated) {
    fire(0);
    board_->memory[hwmap::reg::flip_cycles] = 33;
    hot_load();
    EXPECT_EQ(engine_->load_report().state, std::string("writing"));
    engine_->advance_load();
    EXPECT_GT(engine_->load_report().written, 0);
    EXPECT_EQ(states(1), "----") << "nothing is live while it is written";
    advance();
    see_loaded("-LLL");
    EXPECT_EQ(states(0), "LDDL") << "the bank before is as it was";
    EXPECT_EQ(generation(0), first_);
    EXPECT_EQ(engine_->load_report().hold_cycles, 33U);
    EXPECT_EQ(engine_->load_report().first_seq_num, 7U);
    EXPECT_NE(board_->memory[hwmap::reg::epoch], board_->memory[hwmap::reg::epoch_upper]);
    EXPECT_EQ(told(), "fired armed armed armed");
    // And back into the first one, once the runtime has come to the first message.
    EXPECT_THROW(engine_->begin_hot_load(engine_->loadable(bundle())), Refused);
    ledger_->set_next_target(7);
    engine_->advance_load();
    rules_[3].second = "3";
    hot_load();
    advance();
    EXPECT_EQ(ledger_->load().generation, generation(0));
    EXPECT_EQ(states(0), "-LLL");
}

TEST_F(HotLoadTest, OnlyWhatDiffersTakesItsWay) {
    const auto load = [this] {
        hot_load();
        advance();
        const std::size_t words = engine_->load_report().words;
        ledger_->set_next_target(ledger_->next_target() + 7);
        begins_at_ += 7;
        engine_->advance_load();
        return words;
    };
    const std::size_t whole = load();
    // The bank that came first has been written by the load that was disarmed.
    rules_[3].second = "3";
    const std::size_t same = load();
    EXPECT_LT(same, whole);
    hwmap::trigger_record& trigger = image_.triggers()[2];
    trigger.set_threshold(trigger.threshold() + 1);
    const std::size_t one = load();
    EXPECT_EQ(one, same + hwmap::trigger_record::kStride);
    restart_daemon();
    engine_->recover();
    engine_->load(engine_->loadable(bundle()), "");
    EXPECT_GT(engine_->load_report().words, whole) << "a new daemon does not know what is there";
    board_->memory[hwmap::reg::generation] = 0;
    engine_->load(engine_->loadable(bundle()), "");
    EXPECT_GT(engine_->load_report().words, whole) << "the board has lost it";
}

// Its bytes are in tables that a load would change: of the bank before, once a load has come about.
TEST_F(HotLoadTest, NothingIsLoadedWhileAnOrderStandsOnTheWire) {
    board_->set_status(hwmap::status_bits::order_busy, true);
    const auto before = board_->memory;
    const std::string epoch = ledger_->epoch();
    EXPECT_THROW(engine_->begin_hot_load(engine_->loadable(bundle())), Refused);
    EXPECT_THROW(engine_->check_fits(bundle()), Refused);
    EXPECT_EQ(board_->memory, before);
    EXPECT_EQ(ledger_->epoch(), epoch);
    EXPECT_FALSE(engine_->loading());
    EXPECT_TRUE(engine_->armed());
    EXPECT_THROW(load_bundle(*board_, bundle()), BoardError) << "not even by whoever does not ask";
    board_->set_status(hwmap::status_bits::order_busy, false);
    engine_->check_fits(bundle());
    hot_load();
    advance();
    see_loaded("LDDL");
}

TEST_F(HotLoadTest, WhatFiresBeforeTheFlipIsTakenAccountOf) {
    begins_at_ = 0;
    hot_load();
    advance();
    EXPECT_EQ(engine_->load_report().state, std::string("flipping"));
    EXPECT_EQ(states(1), "LDDL");
    ring(3, first_);
    ring(0, first_);
    begins_at_ = 7;
    follow();
    EXPECT_TRUE(board_->has_status(hwmap::status_bits::flip_waits));
    advance();
    see_loaded("-DDL");
    EXPECT_EQ(board_->memory[hwmap::reg::flip_head], 2U);
}

TEST_F(HotLoadTest, WhatCountsOnInTheFabricIsTheSame) {
    const BundleLimits none = limits_;
    limits_.total_orders = 3;
    EXPECT_NE(engine_->not_hot(engine_->loadable(bundle())), "");
    limits_ = none;
    limits_.unlimited_orders = false;
    EXPECT_NE(engine_->not_hot(engine_->loadable(bundle())), "");
    limits_ = none;
    limits_.orders_per_second = 3;
    EXPECT_NE(engine_->not_hot(engine_->loadable(bundle())), "");
    limits_ = none;
    Bundle other = bundle();
    other.collar = 1;
    EXPECT_NE(engine_->not_hot(engine_->loadable(other)), "");
    EXPECT_EQ(engine_->not_hot(engine_->loadable(bundle())), "");
}

TEST_F(HotLoadTest, ADryRunIsNotLoadedInto) {
    engine_->disarm("test");
    EXPECT_NE(engine_->not_hot(engine_->loadable(bundle())), "");
    arm(true);
    EXPECT_NE(engine_->not_hot(engine_->loadable(bundle())), "");
}

// A dry run behind a load while armed: its end restores the bank that is evaluated.
TEST_F(HotLoadTest, ADryRunEndsInItsBank) {
    hot_load();
    advance();
    engine_->disarm("test");
    arm(true);
    board_->memory[hwmap::memory::live.base + 4] = 0b1110;
    board_->memory[hwmap::memory::dormant.base + 4] = 0;
    fire(0, hwmap::outcome_dry);
    engine_->disarm("test");
    EXPECT_EQ(states(1), "LDDL");
}

TEST_F(HotLoadTest, ARefusedFlipIsAskedForAgain) {
    busy_ = true;
    hot_load();
    advance();
    EXPECT_EQ(engine_->load_report().state, std::string("flipping"));
    ring(0, first_);
    busy_ = false;
    advance();
    see_loaded("-DDL");
}

TEST_F(HotLoadTest, AFireOfTheNewRulesSaysThatTheyAreEvaluated) {
    begins_at_ = 0;
    hot_load();
    advance();
    const std::uint32_t second = ledger_->next_load()->generation;
    begins_at_ = 7;
    follow();
    ring(3, second);
    engine_->take_fires();
    see_loaded("LDDL");
    EXPECT_EQ(told(), "armed disarmed disarmed fired");
}

TEST_F(HotLoadTest, DisarmedBeforeItHasBegunItIsDropped) {
    begins_at_ = 0;
    hot_load();
    advance();
    engine_->disarm("test");
    EXPECT_FALSE(engine_->loading());
    EXPECT_EQ(engine_->load_report().state, std::string("dropped"));
    EXPECT_EQ(ledger_->load().generation, first_);
    EXPECT_FALSE(ledger_->next_load());
    EXPECT_EQ(engine_->bundle()->rules[3].hash, "1");
}

TEST_F(HotLoadTest, DisarmedWhileMessagesWaitItIsLoaded) {
    begins_at_ = 0;
    hot_load();
    advance();
    ring(0, first_);
    begins_at_ = 7;
    held_ = true;
    follow();
    engine_->disarm("test");
    EXPECT_EQ(engine_->load_report().state, std::string("loaded"));
    EXPECT_EQ(ledger_->load().generation, generation(1));
    EXPECT_EQ(engine_->bundle()->rules[3].hash, "2");
    ASSERT_TRUE(engine_->arm(Boundaries(), false));
    EXPECT_EQ(states(1), "-DDL") << "the last fire was taken, but not told to the bank";
}

TEST_F(HotLoadTest, ADaemonThatDiesBeforeTheFlipFindsTheOldRules) {
    begins_at_ = 0;
    hot_load();
    advance();
    restart_daemon();
    engine_->recover();
    EXPECT_EQ(ledger_->load().generation, first_);
    EXPECT_FALSE(ledger_->next_load());
    EXPECT_TRUE(ledger_->in_doubt().empty());
}

TEST_F(HotLoadTest, ADaemonThatDiesBehindTheFlipFindsTheNewOnes) {
    begins_at_ = 0;
    hot_load();
    advance();
    const std::uint32_t second = ledger_->next_load()->generation;
    begins_at_ = 7;
    ring(0, first_);
    follow();
    held_ = true;
    restart_daemon();
    ring(3, second);
    engine_->recover();
    EXPECT_EQ(ledger_->load().generation, second);
    EXPECT_TRUE(ledger_->fired(ledger_->load().rules[0]));
    EXPECT_TRUE(ledger_->fired(ledger_->load().rules[3])) << "each fire is one of its own generation";
    EXPECT_TRUE(ledger_->in_doubt().empty());
}

TEST_F(HotLoadTest, ABoardThatForgotLeavesTheRulesOfBothInDoubt) {
    begins_at_ = 0;
    hot_load();
    advance();
    restart();
    engine_->recover();
    EXPECT_EQ(ledger_->in_doubt().size(), 5U);
    EXPECT_FALSE(ledger_->next_load());
}

TEST_F(HotLoadTest, WhatCannotBeLoadedSoSaysWhy) {
    Bundle whole = bundle();
    whole.banked = false;
    EXPECT_EQ(engine_->not_hot(engine_->loadable(whole)), "it takes more than half of the board");
    Loadable moved = engine_->loadable(bundle());
    moved.bundle.rules.edit(1).trigger.reset();
    EXPECT_EQ(engine_->not_hot(moved), "rule stop moves from the fabric to the runtime");
    Bundle timed = bundle();
    timed.windows = {{{.start = 540, .end = 600}}};
    EXPECT_EQ(engine_->not_hot(engine_->loadable(timed)), "it has a window of time that nothing loaded has");
    EXPECT_THROW(engine_->begin_hot_load(engine_->loadable(timed)), Refused) << "whoever has not asked";
    EXPECT_FALSE(engine_->loading());
    engine_->load(engine_->loadable(whole), "test");
    arm();
    EXPECT_EQ(engine_->not_hot(engine_->loadable(bundle())),
              "what is loaded takes more than half of the board");
    EXPECT_FALSE(board_->has_status(hwmap::status_bits::banked));
    engine_->disarm("test");
    EXPECT_EQ(engine_->not_hot(engine_->loadable(bundle())), "the board is not armed");
}

TEST_F(HotLoadTest, OneLoadAtATime) {
    begins_at_ = 0;
    hot_load();
    EXPECT_THROW(engine_->begin_hot_load(engine_->loadable(bundle())), Refused);
}

}  // namespace
}  // namespace fixaccel
