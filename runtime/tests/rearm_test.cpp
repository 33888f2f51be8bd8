// SPDX-License-Identifier: Apache-2.0
// Rules that the fabric arms again after a time: how the journal has it, and what the board is told when it
// is armed.
#include <algorithm>
#include <map>

#include "fixaccel/loads.hpp"
#include "fixaccel/rearm_table.hpp"
#include "ledger_fixture.hpp"
#include "lists.hpp"
#include "table_image.hpp"

namespace fixaccel {
namespace {

constexpr std::uint32_t kTimes = 2;
constexpr std::uint64_t kAfter = 500;
constexpr std::uint32_t kNoRule = 9;  // the ring says nothing of the rule

// Rules 0 and 1 are armed again by watches 2 and 3, twice at most.
class RearmAfterTest : public LedgerTest {
  protected:
    RearmAfterTest() {
        for (const std::uint32_t index : {0U, 1U}) {
            image_.again(2 + index, index, kTimes, kAfter);
            image_.link({2 + index}, {{index, index, true, true}});
            BundleRule& rule = add_rule(bundle_);
            rule.index = index;
            rule.id = "r" + std::to_string(index);
            rule.hash = "h";
            rule.instrument = "MSFT";
            rule.trigger = index;
        }
        bundle_.instruments.push_back({"MSFT", 0, "0.01"});
        bundle_.memories = image_.memories();
        check_links(bundle_);
    }

    void SetUp() override {
        LedgerTest::SetUp();
        ledger_->record_load(describe_load(bundle_, kGeneration, "0001"));
    }

    const LoadedRule& rule(std::uint32_t index = 0) const { return ledger_->load().rules[index]; }

    void sent(std::uint64_t time_ns, std::uint32_t outcome = hwmap::outcome_sent) {
        Fire fire = fixaccel::fire(++entry_, 0, static_cast<std::uint32_t>(ledger_->next_sender()));
        fire.time_ns = time_ns;
        fire.fires = ++fires_;
        fire.outcome = outcome;
        ledger_->record({fire});
    }
    void again(std::uint32_t outcome = hwmap::outcome_watch) {
        Fire fire;
        fire.entry = ++entry_;
        fire.generation = kGeneration;
        fire.rule = kNoRule;
        fire.trigger = 2;
        fire.outcome = outcome;
        fire.time_ns = 10'000 + entry_;
        ledger_->record({fire});
    }

    // When rule 0 is due, and the states of all triggers; the same after a restart.
    std::string state() {
        std::string text;
        for (const bool again : {false, true}) {
            if (again) open();
            const auto due = ledger_->rearm_due(rule());
            std::string now = due ? std::to_string(*due) : "-";
            now += ' ';
            for (const TriggerState& one : trigger_states(bundle_, ledger_->load(), *ledger_))
                now += one.live ? 'L' : one.dormant ? 'D' : '-';
            EXPECT_TRUE(!again || now == text) << now;
            text = now;
        }
        return text;
    }

    TableImage image_{4};
    Bundle bundle_;
    std::uint32_t entry_ = 0, fires_ = 0;
};

TEST_F(RearmAfterTest, IsDueSoLongBehindItsOrderSoManyTimes) {
    EXPECT_EQ(state(), "- LL--");
    sent(1000);
    EXPECT_EQ(state(), "1500 -L--");
    again();
    EXPECT_EQ(state(), "- LL--");
    EXPECT_FALSE(ledger_->fired(rule()));
    EXPECT_EQ(ledger_->rearmed(rule()), 1U);
    sent(2000);
    EXPECT_EQ(state(), "2500 -L--");
    again();
    sent(3000);
    EXPECT_EQ(state(), "- -L--") << "twice at most";
    EXPECT_EQ(ledger_->rearmed(rule()), kTimes);
    EXPECT_EQ(ledger_->fires().size(), 3U) << "what is watched is no fire";
}

TEST_F(RearmAfterTest, OnlyASentOrderStartsIt) {
    sent(1000, hwmap::outcome_kill);
    EXPECT_EQ(state(), "- -L--");
}

TEST_F(RearmAfterTest, AHitThatWentWrongArmsNothing) {
    sent(1000);
    again(hwmap::outcome_fault);
    EXPECT_EQ(state(), "- -L--");
}

TEST_F(RearmAfterTest, ADryRunTakesItBack) {
    sent(1000);
    ledger_->record_armed(true);
    again();
    sent(2000, hwmap::outcome_dry);
    EXPECT_EQ(state(), "2500 -L--") << "what would be sent counts";
    ledger_->record_disarmed("test");
    EXPECT_EQ(state(), "1500 -L--");
}

TEST_F(RearmAfterTest, InDoubtItIsNotDue) {
    sent(1000);
    ledger_->record_armed(false);
    ledger_->record_board_lost();
    EXPECT_EQ(state(), "- ----") << "it may have been armed again and have fired unseen";
    clear_doubts(*ledger_);
    EXPECT_EQ(state(), "1500 -L--");
}

TEST_F(RearmAfterTest, ALoadKeepsItWhileItsMeaningIsTheSame) {
    sent(1000);
    ledger_->record_load(describe_load(bundle_, kGeneration + 1, "0002"));
    EXPECT_EQ(state(), "1500 -L--");
    bundle_.rules.edit(0).hash = "other";
    ledger_->record_load(describe_load(bundle_, kGeneration + 2, "0003"));
    EXPECT_EQ(state(), "- LL--");
}

TEST_F(RearmAfterTest, ArmedByHandItStartsAfresh) {
    sent(1000);
    ledger_->record_rearmed();
    EXPECT_EQ(state(), "- LL--");
}

// Slots are told in the order of the words, the last one says whether it counts.
class Slots final : public Board {
  public:
    using Board::read;
    using Board::write;
    void read(std::uint32_t /*addr*/, std::span<std::uint32_t> /*words*/) override {}
    void write(std::uint32_t addr, std::span<const std::uint32_t> words) override {
        ASSERT_EQ(words.size(), hwmap::rearm_record::kWords);
        hwmap::rearm_record record;
        std::copy(words.begin(), words.end(), record.words.begin());
        EXPECT_TRUE(record.again() != 0 && record.after() == kAfter);
        told += std::to_string((addr - hwmap::memory::rearm.base) / hwmap::memory::rearm.stride_bytes) + ":" +
                (record.pending() != 0 ? std::to_string(record.due()) : "-") + "<" +
                std::to_string(record.last()) + " ";
    }
    std::string take() { return std::exchange(told, {}); }
    std::string told;
};

TEST_F(RearmAfterTest, TheBoardIsToldWhatWasSoBeforeItWasArmed) {
    Slots board;
    RearmTable table(bundle_);
    const auto told = [&](const Watch& watch) { return ledger_->told(rule(watch.rule), watch); };
    const auto again_told = [&](unsigned bank) {
        table.forget();
        table.follow(board, told, bank);
        return board.take();
    };
    table.follow(board, told, 0);
    EXPECT_EQ(board.take(), "2:-<3 3:-<3 ") << "what the board has is not known";
    sent(1000);
    table.follow(board, told, 0);
    EXPECT_EQ(board.take(), "") << "that it waits the board knows by itself";
    EXPECT_EQ(again_told(0), "2:1500<3 3:-<3 ");
    again();
    sent(2000);
    EXPECT_EQ(again_told(0), "2:2500<3 3:-<3 ");
    again();
    sent(3000);
    EXPECT_EQ(again_told(0), "2:-<4 3:-<3 ") << "it has fired for the last time, and does so no more";
    ledger_->record_rearmed();
    EXPECT_EQ(again_told(0), "2:-<6 3:-<3 ") << "armed by hand it begins anew, its count goes on";
    sent(4000);
    EXPECT_EQ(again_told(1), "18:4500<6 19:-<3 ") << "of two banks the upper half";
}

TEST_F(RearmAfterTest, AnOrderThatWasNotSentCountsAsAFire) {
    Slots board;
    RearmTable table(bundle_);
    sent(1000, hwmap::outcome_kill);
    ledger_->record_rearmed();
    table.follow(
        board, [&](const Watch& watch) { return ledger_->told(rule(watch.rule), watch); }, 0);
    EXPECT_EQ(board.take(), "2:-<4 3:-<3 ");
}

TEST_F(RearmAfterTest, TablesThatContradictEachOtherAreRefused) {
    const auto refusal = [&](TableImage image) {
        bundle_.memories = image.memories();
        try {
            check_links(bundle_);
        } catch (const BundleError& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    const auto with = [&](auto change) {
        TableImage image = image_;
        change(image.rearms().at(3));
        return refusal(image);
    };
    EXPECT_EQ(refusal(image_), "accepted");
    for (const std::uint32_t trigger : {0U, 2U, 4U})
        EXPECT_NE(with([=](auto& one) { one.set_trigger(trigger); }).find("rearm 3 is of a trigger"),
                  std::string::npos);
    EXPECT_NE(with([](auto& one) { one.set_order(2); }).find("rearm 3 is of a trigger"), std::string::npos);
    EXPECT_NE(with([](auto& one) { one.set_again(0); }).find("rearm 3 is for something else"),
              std::string::npos);
    EXPECT_NE(with([](auto& one) {
                  one.set_trigger(2);
                  one.set_order(2);
              }).find("rearm 3 is not where its trigger leads to"),
              std::string::npos);
    EXPECT_NE(with([](auto& one) { one.set_pending(1); }).find("rearm 3 waits at load"), std::string::npos);
}

}  // namespace
}  // namespace fixaccel
