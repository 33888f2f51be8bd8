// SPDX-License-Identifier: Apache-2.0
// What a load makes of the fabric's triggers, from image and journal. Sessions and fires are tested end to
// end.
#include "engine.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fake_board.hpp"
#include "rule_states.hpp"
#include "scratch_folder.hpp"
#include "table_image.hpp"

namespace fixaccel {
namespace {

// A kernel that has sent what it has.
class QuietStream final : public KernelStream {
  public:
    std::uint32_t unsent() override { return 0; }
    std::uint32_t snd_nxt() override { return 0; }
    std::uint32_t rcv_nxt() override { return 0; }
    void commit(std::string_view /*bytes*/) override {}
};

// A bracket: the entry arms stop and target, of which one cancels the other; and another rule.
class EngineTest : public ::testing::Test {
  protected:
    EngineTest() {
        image_.wait(1);
        image_.wait(2);
        image_.link({0}, {{1, 2, true}});
        image_.link({1, 2}, {{1, 2}});
        restart();
    }

    // Daemon and board start anew with this journal.
    void restart() {
        engine_.reset();
        ledger_.reset();
        journal_.reset();
        board_ = std::make_unique<FakeBoard>();
        board_->memory[hwmap::reg::magic] = hwmap::reg_reset::magic;
        board_->memory[hwmap::reg::hwmap_hash] = hwmap::kHwmapHash;
        board_->on_write = [this](std::uint32_t addr, std::uint32_t word) {
            if (addr != hwmap::reg::arm) return;
            board_->set_status(hwmap::status_bits::armed, word != 0);
            board_->set_status(hwmap::status_bits::dry, word == 2);
        };
        board_->memory[hwmap::reg::cap_instruments] = 8;
        board_->memory[hwmap::reg::cap_triggers] = 64;
        board_->memory[hwmap::reg::cap_orders] = 16;
        board_->memory[hwmap::reg::cap_groups] = 4;
        journal_ = std::make_unique<Journal>(folder_.path());
        ledger_ = std::make_unique<Ledger>(*journal_);
        engine_ = std::make_unique<Engine>(*board_, *ledger_, config_);
    }

    void load() {
        Bundle bundle;
        bundle.capacity["instruments"] = 8;
        bundle.memories = image_.memories();
        bundle.limits = limits_;
        bundle.instruments.push_back({"MSFT", 0, "0.01"});
        for (const auto& [id, hash] : rules_) {
            BundleRule& rule = bundle.rules.emplace_back();
            rule.id = id;
            rule.rule = id.substr(0, id.find('['));
            rule.hash = hash;
            rule.instrument = "MSFT";
            rule.index = static_cast<std::uint32_t>(bundle.rules.size() - 1);
            rule.trigger = rule.index;
        }
        engine_->load(bundle);
    }

    void fire(std::uint32_t rule, std::uint32_t outcome = hwmap::outcome_sent) {
        Fire fire;
        fire.generation = ledger_->load().generation;
        fire.entry = ++fires_;
        fire.rule = fire.trigger = rule;
        fire.outcome = outcome;
        fire.time_ns = fires_;
        if (fire.sent()) {
            fire.seq_num = static_cast<std::uint32_t>(ledger_->next_sender());
            fire.fires = 1;
            fire.left = true;
            fire.payload =
                "54=2\x01"
                "38=1\x01";
        }
        ledger_->record({fire});
    }

    void arm(bool dry = false) {
        engine_->attach(&stream_);
        ASSERT_TRUE(engine_->arm(Boundaries(), dry));
    }

    // The entry's fire in a dry run, on the board and in the journal.
    void fire_entry_dry() {
        board_->memory[hwmap::memory::live.base] = 0b1110;
        board_->memory[hwmap::memory::dormant.base] = 0;
        board_->memory[hwmap::memory::fire_count.base] = 1;
        fire(0, hwmap::outcome_dry);
    }

    std::string told() {
        std::string text;
        for (const char* state : rule_states(*engine_, *ledger_))
            text += (text.empty() ? "" : " ") + std::string(state);
        return text;
    }

    // A character a trigger as the board has it: L live, D dormant, - neither.
    std::string states() {
        std::string text;
        for (std::size_t i = 0; i < rules_.size(); ++i) {
            const bool live = ((board_->memory[hwmap::memory::live.base] >> i) & 1U) != 0;
            const bool dormant = ((board_->memory[hwmap::memory::dormant.base] >> i) & 1U) != 0;
            EXPECT_FALSE(live && dormant);
            text += live ? 'L' : dormant ? 'D' : '-';
        }
        return text;
    }

    TableImage image_{4};
    BundleLimits limits_{.orders_per_second = {}, .total_orders = {}, .unlimited_orders = true};
    std::vector<std::pair<std::string, std::string>> rules_{
        {"entry", "1"}, {"stop", "1"}, {"target", "1"}, {"other", "1"}};
    std::uint32_t fires_ = 0;
    ScratchFolder folder_;
    DaemonConfig config_;
    QuietStream stream_;
    std::unique_ptr<FakeBoard> board_;
    std::unique_ptr<Journal> journal_;
    std::unique_ptr<Ledger> ledger_;
    std::unique_ptr<Engine> engine_;
};

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

TEST_F(EngineTest, TheKillSwitchEndsADryRunAlone) {
    load();
    arm(true);
    fire_entry_dry();
    engine_->kill(true);
    EXPECT_FALSE(engine_->armed());
    EXPECT_EQ(states(), "LDDL");
    engine_->kill(false);
    arm();
    engine_->kill(true);
    EXPECT_TRUE(engine_->armed());
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
    ledger_->record_reconciled();
    load();
    EXPECT_EQ(states(), "-LLL");
}

}  // namespace
}  // namespace fixaccel
