// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/ledger.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "fixaccel/gen/hwmap.hpp"
#include "scratch_folder.hpp"

namespace fixaccel {
namespace {

constexpr std::uint32_t kGeneration = 77;

LoadedRule rule(const std::string& id, const std::string& hash) {
    return {id, hash, "MSFT", "last", "<=", "1180", "0.01", "sell", "2", "limit", "1100"};
}

Load load_of(const std::vector<LoadedRule>& rules) {
    return {kGeneration, "b", "/bundle", "quickstart", rules};
}

Fire fire(std::uint32_t entry, std::uint32_t index, std::uint32_t seq_num) {
    Fire out;
    out.entry = entry;
    out.generation = kGeneration;
    out.rule = index;
    out.source = hwmap::source_last;
    out.outcome = hwmap::outcome_sent;
    out.fires = 1;
    out.observed = 117950;
    out.time_ns = 1000 + entry;
    out.seq_num = seq_num;
    out.frame_end_cycle = 100;
    out.first_byte_cycle = 104;
    out.left = true;
    out.payload =
        "8=FIX.4.4\x01"
        "54=2\x01"
        "38=0000000002\x01"
        "40=2\x01"
        "44=01100.00\x01"
        "35=D\x01"
        "34=" +
        std::to_string(seq_num) +
        "\x01"
        "11=0001000000000000000" +
        std::to_string(entry) + "\x01";
    return out;
}

class LedgerTest : public ::testing::Test {
  protected:
    void SetUp() override { open(); }

    // As after a restart of the daemon.
    void open() {
        ledger_.reset();
        journal_.reset();
        journal_.emplace(folder_.path());
        ledger_.emplace(*journal_);
    }

    std::vector<std::string> stored(int first, int last) {
        std::vector<std::string> out;
        ledger_->get(first, last, out);
        return out;
    }

    ScratchFolder folder_;
    std::optional<Journal> journal_;
    std::optional<Ledger> ledger_;
};

TEST_F(LedgerTest, MessagesAndNumbersSurvive) {
    ledger_->set(1, "logon");
    ledger_->set_next_sender(2);
    ledger_->set_next_target(5);
    ledger_->flush();
    const std::int64_t created = ledger_->created();
    open();
    EXPECT_EQ(ledger_->next_sender(), 2);
    EXPECT_EQ(ledger_->next_target(), 5);
    EXPECT_EQ(ledger_->created(), created);
    EXPECT_EQ(stored(1, 9), std::vector<std::string>{"logon"});
}

TEST_F(LedgerTest, KeepingAMessageDoesNotCountIt) {
    // The engine keeps a message, then counts it: once together, not twice.
    for (int seq = 1; seq <= 3; ++seq) {
        ASSERT_EQ(ledger_->next_sender(), seq);
        ledger_->set(seq, "m");
        ledger_->set_next_sender(ledger_->next_sender() + 1);
    }
    EXPECT_EQ(ledger_->next_sender(), 4);
    open();
    EXPECT_EQ(ledger_->next_sender(), 4);
}

TEST_F(LedgerTest, ANumberIsUsedUpByTheMessageItself) {
    ledger_->set(1, "logon");  // the daemon dies before the engine advances its number
    open();
    EXPECT_EQ(ledger_->next_sender(), 2);
}

TEST_F(LedgerTest, AFireIsInTheStoreAndSpendsItsRule) {
    const LoadedRule a = rule("a", "h");
    ledger_->record_load(load_of({a, rule("b", "h")}));
    ledger_->set(1, "logon");
    ledger_->set_next_sender(2);
    ledger_->record({fire(1, 0, 2)});
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_EQ(ledger_->next_sender(), 3);
        EXPECT_EQ(stored(2, 2), std::vector<std::string>{fire(1, 0, 2).payload});
        EXPECT_TRUE(ledger_->spent(a));
        EXPECT_FALSE(ledger_->spent(rule("b", "h")));
        EXPECT_FALSE(ledger_->spent(rule("a", "other"))) << "a changed rule starts afresh";
        ASSERT_EQ(ledger_->fires().size(), 1U);
        EXPECT_EQ(ledger_->fires()[0]["observed"], "1179.5");
        EXPECT_EQ(ledger_->fires()[0]["cycles"], 4);
        EXPECT_EQ(ledger_->fires()[0]["side"], "sell");
        EXPECT_EQ(ledger_->fires()[0]["qty"], "2");
        EXPECT_EQ(ledger_->fires()[0]["type_of_order"], "limit");
        EXPECT_EQ(ledger_->fires()[0]["price"], "1100");
        open();
    }
}

TEST_F(LedgerTest, TheSameFireTwiceCountsOnce) {
    ledger_->record_load(load_of({rule("a", "h")}));
    ledger_->record({fire(1, 0, 1)});
    open();  // died before the ring's tail moved
    ledger_->record({fire(1, 0, 1), fire(2, 0, 2)});
    EXPECT_EQ(ledger_->fires().size(), 2U);
    EXPECT_EQ(ledger_->next_sender(), 3);
    ledger_.reset();
    journal_.reset();
    Journal journal(folder_.path());
    int written = 0;
    for (const auto& record : journal.take_records()) written += record["type"] == "fire" ? 1 : 0;
    EXPECT_EQ(written, 2) << "whoever reads the journal sees each fire once";
}

TEST_F(LedgerTest, AnOrderThatNeverLeftHasNoMessageToResend) {
    ledger_->record_load(load_of({rule("a", "h")}));
    Fire stuck = fire(1, 0, 1);
    stuck.left = false;
    stuck.payload.clear();
    ledger_->record({stuck});
    EXPECT_EQ(ledger_->next_sender(), 2);
    EXPECT_TRUE(stored(1, 1).empty());
}

TEST_F(LedgerTest, RejectedFiresSpendAndUseNoNumber) {
    ledger_->record_load(load_of({rule("a", "h")}));
    Fire rejected = fire(1, 0, 0);
    rejected.outcome = hwmap::outcome_kill;
    rejected.payload.clear();
    ledger_->record({rejected});
    EXPECT_EQ(ledger_->next_sender(), 1);
    EXPECT_TRUE(ledger_->spent(rule("a", "h")));
    EXPECT_EQ(ledger_->fires()[0]["outcome"], "rejected:kill");
}

TEST_F(LedgerTest, RearmedRulesKeepTheirCount) {
    ledger_->record_load(load_of({rule("a", "h")}));
    ledger_->record({fire(1, 0, 1)});
    ledger_->record_rearmed();
    open();
    EXPECT_FALSE(ledger_->spent(rule("a", "h")));
    EXPECT_EQ(ledger_->fires_of(rule("a", "h")), 1U);
}

TEST_F(LedgerTest, WhatWasArmedAtABoardLossStaysSpentUntilReconciled) {
    ledger_->record_load(load_of({rule("a", "h"), rule("b", "h")}));
    ledger_->record_armed();
    ledger_->record({fire(1, 0, 1)});
    open();
    EXPECT_TRUE(ledger_->armed());
    ledger_->record_board_lost();
    open();
    EXPECT_FALSE(ledger_->armed());
    EXPECT_EQ(ledger_->in_doubt().size(), 1U) << "the rule that is known to have fired is in no doubt";
    EXPECT_TRUE(ledger_->spent(rule("b", "h")));
    ledger_->record_reconciled();
    open();
    EXPECT_FALSE(ledger_->spent(rule("b", "h")));
    EXPECT_TRUE(ledger_->spent(rule("a", "h")));
}

TEST_F(LedgerTest, EpochsNeverRepeat) {
    EXPECT_EQ(ledger_->new_epoch(), "0001");
    open();
    EXPECT_EQ(ledger_->new_epoch(), "0002");
    EXPECT_EQ(ledger_->new_epoch(), "0003");
}

TEST_F(LedgerTest, AResetForgetsMessagesButNoFires) {
    ledger_->record_load(load_of({rule("a", "h")}));
    ledger_->record({fire(1, 0, 1)});
    ledger_->reset();
    open();
    EXPECT_EQ(ledger_->next_sender(), 1);
    EXPECT_TRUE(stored(1, 9).empty());
    EXPECT_TRUE(ledger_->spent(rule("a", "h")));
}

TEST_F(LedgerTest, ExecutionReportsTellTheOrdersState) {
    const std::string accepted =
        "35=8\x01"
        "17=E1\x01"
        "11=X\x01"
        "39=0\x01"
        "14=0\x01";
    const std::string filled =
        "35=8\x01"
        "43=Y\x01"
        "17=E2\x01"
        "11=X\x01"
        "39=2\x01"
        "14=2\x01";
    ledger_->record_execution(accepted);
    ledger_->record_execution(filled);  // marked as a possible duplicate, but not seen before
    ledger_->record_execution("43=Y\x01" + accepted);
    open();
    ledger_->record_execution("43=Y\x01" + accepted);
    EXPECT_EQ(ledger_->orders().at("X").status, "filled")
        << "a report sent again must not turn the clock back";
    EXPECT_EQ(ledger_->orders().at("X").cum_qty, "2");
}

}  // namespace
}  // namespace fixaccel
