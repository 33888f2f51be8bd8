// SPDX-License-Identifier: Apache-2.0
// What a load makes of the fabric's triggers, from image and journal. Sessions and fires are tested end to
// end.
#include "engine_fixture.hpp"
#include "fixaccel/limits_left.hpp"

namespace fixaccel {
namespace {

TEST_F(EngineTest, AFreshLoadIsTheImage) {
    load();
    EXPECT_EQ(states(), "LDDL");
}

TEST_F(EngineTest, WhatOrdersCancelledAndArmedOutlivesARestart) {
    load();
    fire(0);
    restart();
    load();
    EXPECT_EQ(states(), "-LLL");
    fire(2);
    restart();
    load();
    EXPECT_EQ(states(), "---L");
    EXPECT_EQ(board_->memory[hwmap::memory::fire_count.base + 2 * hwmap::memory::fire_count.stride_bytes],
              1U);
}

TEST_F(EngineTest, AnOrderIsTheLastOneOfItsRuleAsWritten) {
    rules_[0].first = "steps[1]";
    rules_[3].first = "steps[2]";
    load();
    using Times = std::map<std::string, std::int64_t>;
    fire(0);
    EXPECT_EQ(ledger_->sent_orders().last_ns, (Times{{"steps", 1}}));
    fire(3);
    fire(1);
    restart();
    EXPECT_EQ(ledger_->sent_orders().last_ns, (Times{{"steps", 2}, {"stop", 3}}));
}

TEST_F(EngineTest, StatesAreToldAsTheyBecome) {
    load();
    EXPECT_EQ(told(), "disarmed disarmed disarmed disarmed");
    arm();
    EXPECT_EQ(told(), "armed disarmed disarmed armed");
    fire(0);
    EXPECT_EQ(told(), "fired armed armed armed");
    fire(1);
    EXPECT_EQ(told(), "fired fired cancelled armed");
    engine_->disarm("test");
    EXPECT_EQ(told(), "fired fired disarmed disarmed");
}

// Rule 3 waits for watch 4, and watch 5 refuses it.
class JudgedTest : public EngineTest {
  protected:
    JudgedTest() {
        image_ = TableImage(6);
        image_.wait(3);
        image_.watch(4, 3);
        image_.watch(5, 3);
        image_.link({4}, {{5, 5}, {3, 3, true}});
        image_.link({5}, {{3, 4}});
        load();
    }

    void hit(std::uint32_t trigger) {
        Fire fire;
        fire.generation = ledger_->load().generation;
        fire.entry = ++fires_;
        fire.rule = 3;
        fire.trigger = trigger;
        fire.outcome = hwmap::outcome_watch;
        fire.fires = 1;
        ledger_->record({fire});
    }
};

TEST_F(JudgedTest, IsToldAsItBecomes) {
    arm();
    EXPECT_EQ(told(), "armed armed armed waiting");
    hit(4);
    EXPECT_EQ(told(), "armed armed armed armed");
    engine_->disarm("test");
    EXPECT_EQ(told(), "disarmed disarmed disarmed disarmed");
    arm();
    hit(5);
    EXPECT_EQ(told(), "armed armed armed refused");
    EXPECT_TRUE(ledger_->fires().empty()) << "what is watched is no fire";
}

TEST_F(JudgedTest, IsJudgedAnewWhenTheBoardIsArmedAgain) {
    arm();
    EXPECT_EQ(states(), "LLLD");
    for (const std::uint32_t trigger : {4U, 5U}) {
        hit(trigger);
        board_->memory[hwmap::memory::live.base] =
            trigger == 4 ? 0b001111 : 0b000111;  // as the fabric has it
        board_->memory[hwmap::memory::dormant.base] = 0;
        engine_->disarm("test");
        arm();
        EXPECT_EQ(states(), "LLLD");
        EXPECT_EQ(board_->memory[hwmap::memory::live.base], 0b110111U);
    }
}

TEST_F(JudgedTest, ALoadWhileArmedKeepsIt) {
    arm();
    hit(4);
    EXPECT_EQ(engine_->not_hot(engine_->loadable(bundle())), "");
    rules_[3].second = "2";
    EXPECT_EQ(engine_->not_hot(engine_->loadable(bundle())),
              "rule other is new or changed, and its `if_already_through` needs the value known then");
    rules_[3].second = "1";
    rules_[0].second = "2";
    hot_load();
    advance();
    EXPECT_EQ(states(1), "LLLL");
    EXPECT_EQ(board_->memory[hwmap::memory::live.base + 4], 0b001111U) << "nothing is watched any more";
}

TEST_F(EngineTest, WhatWasSentIsNotLeft) {
    limits_.total_orders = 3;
    load();
    EXPECT_EQ(board_->memory[hwmap::reg::orders_left], 3U);
    fire(0);
    fire(1, hwmap::outcome_kill);
    fire(2);
    load();
    EXPECT_EQ(board_->memory[hwmap::reg::orders_left], 1U);
    restart();
    load();
    EXPECT_EQ(board_->memory[hwmap::reg::orders_left], 1U);
    limits_.total_orders = 1;
    load();
    EXPECT_EQ(board_->memory[hwmap::reg::orders_left], 0U);
}

TEST_F(EngineTest, AChangedLimitIsOnTheBoardWhenItIsArmedAgain) {
    limits_.total_orders = 9;
    load();
    arm();
    fire(0);
    engine_->disarm("a limit is changed");
    engine_->change_limits({{"total_orders", 3}, {"orders_per_second", 2}, {"collar", 10'000}});
    EXPECT_EQ(board_->memory[hwmap::reg::orders_left], 9U) << "the board has them when it is armed";
    arm();
    EXPECT_EQ(board_->memory[hwmap::reg::orders_left], 2U);
    EXPECT_EQ(board_->memory[hwmap::reg::order_rate], 2U);
    EXPECT_EQ(board_->memory[hwmap::reg::collar_hi], 1U << 30U);
    EXPECT_NE(engine_->not_hot(engine_->loadable(bundle())), "")
        << "a bundle that is not held to them has others";
    Bundle held = bundle();
    hold_limits(held, {{"total_orders", 3}, {"orders_per_second", 2}, {"collar", 10'000}});
    EXPECT_EQ(engine_->not_hot(engine_->loadable(held)), "");
    engine_->disarm("a limit is reverted");
    engine_->change_limits({});
    arm();
    EXPECT_EQ(board_->memory[hwmap::reg::orders_left], 8U);
    EXPECT_EQ(board_->memory[hwmap::reg::order_rate], 0U);
    EXPECT_EQ(board_->memory[hwmap::reg::collar_hi], 0U);
}

// It rolls once more before anybody has told the board, with nothing sent in between.
TEST_F(EngineTest, ABoardThatIsBehindTheDayStaysSoUntilItIsArmedAnew) {
    limits_.total_orders = 3;
    Bundle rolling = bundle();
    rolling.day_roll = 0;
    rolling.zone = {{0}, {0}};
    engine_->load(engine_->loadable(rolling), "");
    fire(0);
    engine_->load(engine_->loadable(rolling), "");
    engine_->plan_roll();
    arm();
    engine_->come_to(engine_->rolls_ns() - 1);
    EXPECT_EQ(ledger_->sent_orders().orders, 1U);
    EXPECT_FALSE(engine_->board_behind());
    for (const char* roll : {"the first", "with nothing sent since"}) {
        engine_->come_to(engine_->rolls_ns());
        EXPECT_EQ(ledger_->sent_orders().orders, 0U);
        EXPECT_TRUE(engine_->board_behind()) << roll;
        EXPECT_EQ(board_->memory[hwmap::reg::orders_left], 2U);
    }
    engine_->disarm("the venue's day has rolled");
    arm();
    EXPECT_FALSE(engine_->board_behind());
    EXPECT_EQ(board_->memory[hwmap::reg::orders_left], 3U);
    engine_->come_to(engine_->rolls_ns());
    EXPECT_FALSE(engine_->board_behind()) << "it has sent nothing of the day before";
}

TEST_F(EngineTest, ARejectedOrderIsSpentAndHasNoEffects) {
    load();
    fire(0, hwmap::outcome_kill);
    load();
    EXPECT_EQ(states(), "-DDL");
}

TEST_F(EngineTest, AChangedRuleStartsAsAtAFreshLoad) {
    load();
    fire(0);
    rules_[2].second = "2";
    load();
    EXPECT_EQ(states(), "-LDL") << "the order was sent before the new target was there";
}

TEST_F(EngineTest, WhatAnOrderDidOutlivesItsRule) {
    load();
    fire(0);
    rules_[0].second = "2";
    load();
    EXPECT_EQ(states(), "LLLL") << "stop and target mean what they meant";
    fire(1);
    rules_[1].second = "2";
    load();
    EXPECT_EQ(states(), "LD-L");
}

TEST_F(EngineTest, RearmedRulesAndTheirLinksStartAfresh) {
    load();
    fire(0);
    fire(1);
    ledger_->record_rearmed();
    load();
    EXPECT_EQ(states(), "LDDL");
}

TEST_F(EngineTest, ADryRunIsToldAndThenAllIsAsItWas) {
    load();
    arm(true);
    EXPECT_TRUE(engine_->dry());
    EXPECT_FALSE(engine_->may_send());
    fire_entry_dry();
    EXPECT_EQ(told(), "fired armed armed armed");
    engine_->disarm("test");
    EXPECT_FALSE(engine_->dry());
    EXPECT_EQ(told(), "disarmed disarmed disarmed disarmed");
    EXPECT_EQ(states(), "LDDL");
    EXPECT_EQ(board_->memory[hwmap::memory::fire_count.base], 0U);
    arm();
    EXPECT_FALSE(engine_->dry());
    fire(0);
    EXPECT_EQ(told(), "fired armed armed armed");
}

TEST_F(EngineTest, NothingIsArmedWhileTheKillSwitchIsOnOrTheJournalDoesNotKnowThatItWas) {
    load();
    engine_->attach(&stream_);
    KillWord word{true, 1, "me", 0};
    kill_.set(word);
    EXPECT_THROW(engine_->arm(Boundaries(), false), Refused);
    word.on = false;
    kill_.set(word);
    EXPECT_TRUE(engine_->killed());
    EXPECT_THROW(engine_->arm(Boundaries(), false), Refused);
    EXPECT_FALSE(board_->has_status(hwmap::status_bits::armed));
    ledger_->record_kill(word);
    arm();
    EXPECT_TRUE(engine_->armed());
}

TEST_F(EngineTest, AKillWhileItIsBeingArmedDisarms) {
    load();
    engine_->attach(&stream_);
    board_->on_write = [this](std::uint32_t addr, std::uint32_t word) {
        act(addr, word);
        if (addr == hwmap::reg::arm && word != 0) kill_.set({true, 1, "me", 0});
    };
    EXPECT_THROW(engine_->arm(Boundaries(), false), Refused);
    EXPECT_FALSE(engine_->armed());
    EXPECT_FALSE(board_->has_status(hwmap::status_bits::armed));
}

// What the board says comes after the flag: its answer may be late, or never come.
TEST_F(EngineTest, WithTheLeaseTheKillSwitchIsLookedAtOnceMore) {
    load();
    arm();
    ASSERT_TRUE(engine_->take_lease());
    EXPECT_TRUE(engine_->may_send());
    board_->on_status_read = [this] { kill_.set({true, 1, "me", 0}); };
    EXPECT_FALSE(engine_->may_send());
    board_->on_status_read = nullptr;
    kill_.set({false, 1, "me", 0});
    EXPECT_FALSE(engine_->may_send()) << "it was on since it was armed";
}

TEST_F(EngineTest, WhatLeavesOnceItWasGivenUpIsTakenAheadOfTheNextConnection) {
    load();
    arm();
    const std::string order =
        "35=D\x01"
        "11=F1\x01"
        "54=2\x01"
        "38=1\x01";
    board_->add_fire(static_cast<std::uint32_t>(ledger_->next_sender()), order, false);
    board_->memory[hwmap::memory::ring.base + 4] = ledger_->load().generation;
    EXPECT_THROW(engine_->take_fires(), CommitError);
    engine_->take_left();
    EXPECT_EQ(ledger_->not_left().size(), 1U) << "it stands on the wire still";
    board_->has_left(1);
    engine_->take_left();
    EXPECT_TRUE(ledger_->not_left().empty());
    std::vector<std::string> messages;
    ledger_->get(1, ledger_->next_sender(), messages);
    ASSERT_FALSE(messages.empty());
    EXPECT_EQ(messages.back(), order);
}

// The ring of a board that was loaded since says nothing of it.
TEST_F(EngineTest, WhatWasGivenUpIsNotTakenForAnother) {
    load();
    arm();
    board_->add_fire(static_cast<std::uint32_t>(ledger_->next_sender()), "35=D\x01", false);
    board_->memory[hwmap::memory::ring.base + 4] = ledger_->load().generation;
    EXPECT_THROW(engine_->take_fires(), CommitError);
    board_->has_left(1);
    ++board_->memory[hwmap::memory::ring.base + 4];
    engine_->take_left();
    EXPECT_EQ(ledger_->not_left().size(), 1U);
    board_->memory[hwmap::memory::ring.base] = 0;
    engine_->take_left();
    EXPECT_EQ(ledger_->not_left().size(), 1U);
}

// A thousand stops on one price with a heartbeat due, on a disk that takes its time.
TEST_F(EngineTest, TheLeaseIsAwaitedForAsLongAsFiresComeAndTheBoardIsKept) {
    using std::chrono::milliseconds;
    using std::chrono::steady_clock;
    config_.limits.lease = config_.limits.watchdog = config_.limits.clock_max_age = milliseconds(80);
    load();
    engine_->take_limits();
    arm();
    board_->grants = false;
    int kicks = 0;
    int clocks = 0;
    board_->on_write = [&](std::uint32_t addr, std::uint32_t) {
        kicks += addr == hwmap::reg::watchdog_kick;
        clocks += addr == hwmap::reg::clock_set;
    };
    const auto end = steady_clock::now() + std::chrono::seconds(5);
    board_->on_status_read = [&] {
        if ((kicks < 2 || clocks < 2) && steady_clock::now() < end)
            ring(3, ledger_->load().generation);
        else if (board_->memory[hwmap::reg::ring_tail] == board_->memory[hwmap::reg::ring_head])
            board_->set_status(hwmap::status_bits::lease_held, true);
    };
    EXPECT_TRUE(engine_->take_lease());
    EXPECT_GE(kicks, 2);
    EXPECT_GE(clocks, 2);
}

TEST_F(EngineTest, ADryRunLeavesNothingInDoubtWhateverItEndsIn) {
    for (const bool board_lost : {false, true}) {
        load();
        arm(true);
        fire_entry_dry();
        const std::uint32_t generation = ledger_->load().generation;
        restart();
        if (!board_lost) board_->memory[hwmap::reg::generation] = generation;
        engine_->recover();
        EXPECT_TRUE(ledger_->in_doubt().empty());
        EXPECT_FALSE(ledger_->armed());
        load();
        EXPECT_EQ(states(), "LDDL");
    }
}

TEST_F(EngineTest, AFireThatTheDaemonHasNotSeenWasDryToo) {
    load();
    arm(true);
    auto board = std::move(board_->memory);
    restart();
    board_->memory = std::move(board);
    board_->add_rejected(hwmap::outcome_dry);
    board_->memory[hwmap::memory::ring.base + 4] = ledger_->load().generation;
    engine_->recover();
    ASSERT_EQ(ledger_->fires().size(), 1U);
    EXPECT_EQ(ledger_->fires()[0]["outcome"], "dry");
    EXPECT_EQ(ledger_->fires()[0]["rule"], "entry");
    load();
    EXPECT_EQ(states(), "LDDL");
}

// Its registers answer, but what they held is gone, the ring's records among it.
TEST_F(EngineTest, AMemoryThatWasLostWhileArmedLeavesItInDoubt) {
    for (const bool dry : {true, false}) {
        load();
        arm(dry);
        board_->memory[hwmap::reg::generation] = 0;
        board_->set_status(hwmap::status_bits::armed, false);
        EXPECT_THROW(engine_->disarm("it is not armed any more"), BoardError);
        EXPECT_EQ(ledger_->in_doubt().empty(), dry);
        restart();
        engine_->recover();
        EXPECT_FALSE(ledger_->armed());
        load();
        EXPECT_EQ(states(), dry ? "LDDL" : "----");
    }
}

TEST_F(EngineTest, ABoardThatIsArmedInAnotherWayIsDisarmed) {
    load();
    board_->on_write = [this](std::uint32_t addr, std::uint32_t word) {
        if (addr == hwmap::reg::arm) board_->set_status(hwmap::status_bits::armed, word != 0);
    };
    engine_->attach(&stream_);
    EXPECT_THROW(engine_->arm(Boundaries(), true), Refused);
    EXPECT_FALSE(board_->has_status(hwmap::status_bits::armed));
}

TEST_F(EngineTest, WhatIsInDoubtIsNeitherLiveNorArmed) {
    load();
    fire(0);
    ledger_->record_armed(false);
    ledger_->record_board_lost();
    load();
    EXPECT_EQ(states(), "----");
    for (const LoadedRule& rule : ledger_->load().rules) ledger_->record_told({rule.key()}, false, "me");
    load();
    EXPECT_EQ(states(), "-LLL");
}

}  // namespace
}  // namespace fixaccel
