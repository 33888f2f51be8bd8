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
#include "fixaccel/seq.hpp"
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
        board_ = std::make_unique<FakeBoard>();
        board_->memory[hwmap::reg::magic] = hwmap::reg_reset::magic;
        board_->memory[hwmap::reg::hwmap_hash] = hwmap::kHwmapHash;
        board_->memory[hwmap::reg::cap_instruments] = 8;
        board_->memory[hwmap::reg::cap_triggers] = 64;
        board_->memory[hwmap::reg::cap_orders] = 16;
        board_->memory[hwmap::reg::cap_groups] = 4;
        board_->on_write = [this](std::uint32_t addr, std::uint32_t word) { act(addr, word); };
        restart_daemon();
    }

    void restart_daemon() {
        engine_.reset();
        ledger_.reset();
        journal_.reset();
        journal_ = std::make_unique<Journal>(folder_.path());
        ledger_ = std::make_unique<Ledger>(*journal_);
        engine_ = std::make_unique<Engine>(*board_, *ledger_, config_);
    }

    // Arming and flips as the fabric has them; a flip begins when `begins_at` names its first message.
    void act(std::uint32_t addr, std::uint32_t word) {
        namespace bits = hwmap::status_bits;
        if (addr == hwmap::reg::arm) {
            board_->set_status(bits::armed, word != 0);
            board_->set_status(bits::dry, word == 2);
            if (board_->has_status(bits::flip_begun)) board_->set_status(bits::bank, new_bank_);
            for (const unsigned bit : {bits::flip_asked, bits::flip_begun, bits::flip_waits})
                board_->set_status(bit, false);
        }
        if (addr == hwmap::reg::banked) {
            board_->set_status(bits::banked, word != 0);
            board_->set_status(bits::bank, false);
        }
        const bool same =
            board_->memory[hwmap::reg::flip_head] == board_->memory[hwmap::reg::ring_head] && !busy_;
        if (addr == hwmap::reg::flip && same) {
            new_bank_ = !board_->has_status(bits::bank);
            board_->set_status(bits::flip_asked, true);
            follow();
        }
        if (addr == hwmap::reg::flip_head && board_->has_status(bits::flip_waits)) follow();
    }

    void follow() {
        namespace bits = hwmap::status_bits;
        if (!board_->has_status(bits::flip_asked) || begins_at_ == 0) return;
        board_->memory[hwmap::reg::flip_seq_num] = to_bcd(begins_at_, 8);
        board_->set_status(bits::flip_begun, true);
        const bool same =
            board_->memory[hwmap::reg::flip_head] == board_->memory[hwmap::reg::ring_head] && !held_;
        board_->set_status(bits::flip_waits, !same);
        if (!same) return;
        for (const unsigned bit : {bits::flip_asked, bits::flip_begun}) board_->set_status(bit, false);
        board_->set_status(bits::bank, new_bank_);
    }

    // Goes on with a load until it waits for something.
    void advance() {
        for (int i = 0; i < 1000 && engine_->loading(); ++i) engine_->advance_load();
    }

    void load() { engine_->load(bundle(), ""); }
    void hot_load() {
        ASSERT_EQ(engine_->not_hot(bundle()), "");
        engine_->begin_hot_load(bundle());
    }

    Bundle bundle() {
        Bundle bundle;
        bundle.banked = banked_;
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
        return bundle;
    }

    // The fabric has fired, as its ring says.
    void ring(std::uint32_t rule, std::uint32_t generation) {
        const std::uint32_t entry = ++board_->memory[hwmap::reg::ring_head];
        hwmap::ring_record record;
        record.set_entry(entry);
        record.set_generation(generation);
        record.set_rule(rule);
        record.set_trigger(rule);
        record.set_outcome(hwmap::outcome_kill);
        std::uint32_t addr =
            hwmap::memory::ring.base + (entry - 1) % hwmap::ring_entries * hwmap::memory::ring.stride_bytes;
        for (const std::uint32_t word : record.words) {
            board_->memory[addr] = word;
            addr += 4;
        }
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

    // A character a trigger as the board has it, in a bank: L live, D dormant, - neither.
    std::string states(std::uint32_t bank = 0) {
        std::string text;
        for (std::size_t i = 0; i < rules_.size(); ++i) {
            const bool live = ((board_->memory[hwmap::memory::live.base + 4 * bank] >> i) & 1U) != 0;
            const bool dormant = ((board_->memory[hwmap::memory::dormant.base + 4 * bank] >> i) & 1U) != 0;
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
    bool banked_ = true;
    bool busy_ = false;  // a fire waits: no flip is taken
    bool held_ = false;  // messages wait, whatever is told
    bool new_bank_ = false;
    std::uint32_t begins_at_ = 7;  // MsgSeqNum; 0: no message begins
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
    EXPECT_THROW(engine_->begin_hot_load(bundle()), Refused);
    ledger_->set_next_target(7);
    engine_->advance_load();
    rules_[3].second = "3";
    hot_load();
    advance();
    EXPECT_EQ(ledger_->load().generation, generation(0));
    EXPECT_EQ(states(0), "-LLL");
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
    EXPECT_NE(engine_->not_hot(bundle()), "");
    limits_ = none;
    limits_.unlimited_orders = false;
    EXPECT_NE(engine_->not_hot(bundle()), "");
    limits_ = none;
    limits_.orders_per_second = 3;
    EXPECT_NE(engine_->not_hot(bundle()), "");
    limits_ = none;
    Bundle other = bundle();
    other.collar = 1;
    EXPECT_NE(engine_->not_hot(other), "");
    EXPECT_EQ(engine_->not_hot(bundle()), "");
}

TEST_F(HotLoadTest, ADryRunIsNotLoadedInto) {
    engine_->disarm("test");
    EXPECT_NE(engine_->not_hot(bundle()), "");
    arm(true);
    EXPECT_NE(engine_->not_hot(bundle()), "");
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
    EXPECT_EQ(engine_->not_hot(whole), "it takes more than half of the board");
    Bundle moved = bundle();
    moved.rules[1].trigger.reset();
    EXPECT_EQ(engine_->not_hot(moved), "rule stop moves from the fabric to the runtime");
    Bundle timed = bundle();
    timed.windows = {{{.start = 540, .end = 600}}};
    EXPECT_EQ(engine_->not_hot(timed), "it has a window of time that nothing loaded has");
    engine_->load(whole, "test");
    arm();
    EXPECT_EQ(engine_->not_hot(bundle()), "what is loaded takes more than half of the board");
    EXPECT_FALSE(board_->has_status(hwmap::status_bits::banked));
    engine_->disarm("test");
    EXPECT_EQ(engine_->not_hot(bundle()), "the board is not armed");
}

TEST_F(HotLoadTest, OneLoadAtATime) {
    begins_at_ = 0;
    hot_load();
    EXPECT_THROW(engine_->begin_hot_load(bundle()), Refused);
}

}  // namespace
}  // namespace fixaccel
