// SPDX-License-Identifier: Apache-2.0
// What the ledger keeps over a restart.
#include <chrono>
#include <set>
#include <thread>

#include "fixaccel/seq.hpp"
#include "ledger_fixture.hpp"

namespace fixaccel {
namespace {

TEST_F(LedgerTest, MessagesAndNumbersSurvive) {
    ledger_->set(1, "logon");
    ledger_->set_next_sender(2);
    ledger_->set_next_target(5);
    ledger_->flush();
    open();
    EXPECT_EQ(ledger_->next_sender(), 2);
    EXPECT_EQ(ledger_->next_target(), 5);
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

Fire dry_fire(std::uint32_t entry, std::uint32_t index, std::uint32_t outcome = hwmap::outcome_dry) {
    Fire out = fire(entry, index, 0);
    out.outcome = outcome;
    out.left = false;
    out.payload.clear();
    return out;
}

// Fire counts, spent rules, links and sums.
std::string effects(const Ledger& ledger) {
    std::string text;
    for (std::uint32_t i = 0; i < ledger.load().rules.size(); ++i) {
        const LoadedRule& each = ledger.load().rules[i];
        text += each.id + std::to_string(ledger.fires_of(each)) + (ledger.spent(each) ? " spent" : "") +
                (ledger.cancelled(each) ? " cancelled" : "") + (ledger.armed_by_order(each) ? " armed" : "") +
                ", ";
    }
    text += std::to_string(ledger.sent_orders().orders) + " orders";
    for (const auto& [symbol, quantity] : ledger.sent_orders().quantities)
        text += ", " + symbol + " " + std::to_string(quantity.bought) + " " + std::to_string(quantity.sold);
    return text;
}

TEST_F(LedgerTest, WhatADryRunDidIsForgottenAtItsEnd) {
    Load load = load_of({rule("a", "h"), rule("b", "h"), rule("c", "h"), rule("d", "h")});
    load.links.push_back({{{0, 0}}, {{1, 1}}, {{2, 2}}});
    ledger_->record_load(load);
    ledger_->record_armed(false);
    ledger_->record({fire(1, 3, 1)});
    ledger_->record_disarmed("test");
    const std::string before = effects(*ledger_);
    EXPECT_EQ(before, "a0, b0, c0, d1 spent, 1 orders, MSFT 0 2");
    ledger_->record_armed(true);
    ledger_->record({dry_fire(2, 0)});
    open();
    EXPECT_TRUE(ledger_->dry());
    EXPECT_EQ(effects(*ledger_), "a1 spent, b0 cancelled, c0 armed, d1 spent, 2 orders, MSFT 0 4");
    ledger_->record({dry_fire(3, 2, hwmap::outcome_window)});
    EXPECT_TRUE(ledger_->spent(rule("c", "h"))) << "rejected, for the time being";
    ledger_->record_disarmed("test");
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_FALSE(ledger_->dry());
        EXPECT_EQ(effects(*ledger_), before);
        EXPECT_EQ(ledger_->next_sender(), 2);
        ASSERT_EQ(ledger_->fires().size(), 3U);
        EXPECT_EQ(ledger_->fires()[1]["outcome"], "dry");
        EXPECT_EQ(ledger_->fires()[1]["qty"], "2");
        EXPECT_EQ(ledger_->fires()[2]["outcome"], "rejected:window");
        EXPECT_TRUE(ledger_->fires()[2]["dry"].get<bool>());
        open();
    }
}

TEST_F(LedgerTest, ALoadDuringADryRunKeepsWhatWasBefore) {
    Load load = load_of({rule("a", "h"), rule("b", "h"), rule("c", "h")});
    load.links.push_back({{{0, 0}}, {}, {{1, 1}}});
    load.links.push_back({{{2, 2}}, {{1, 1}}, {}});
    ledger_->record_load(load);
    ledger_->record({fire(1, 0, 1)});
    ledger_->record_armed(true);
    ledger_->record({dry_fire(2, 2)});
    ledger_->record_load(load_of({rule("c", "h"), rule("b", "h")}));
    EXPECT_EQ(effects(*ledger_), "c1 spent, b0 cancelled, 2 orders, MSFT 0 4");
    ledger_->record_disarmed("test");
    EXPECT_EQ(effects(*ledger_), "c0, b0 armed, 1 orders, MSFT 0 2");
}

TEST_F(LedgerTest, TheOperatorsLastWordOutlivesARestart) {
    EXPECT_EQ(ledger_->asked(), Arming::armed);
    for (const Arming word : {Arming::disarmed, Arming::dry, Arming::armed}) {
        ledger_->record_asked(word);
        open();
        EXPECT_EQ(ledger_->asked(), word);
    }
}

TEST_F(LedgerTest, TheSameFireTwiceCountsOnce) {
    ledger_->record_load(load_of({rule("a", "h")}));
    ledger_->record({fire(1, 0, 1)});
    open();  // died before the ring's tail moved
    ledger_->record({fire(1, 0, 1), fire(2, 0, 2)});
    EXPECT_EQ(ledger_->fires().size(), 2U);
    EXPECT_EQ(ledger_->next_sender(), 3);
    int written = 0;
    for (const auto& record : all_records(folder_.path())) written += record["type"] == "fire" ? 1 : 0;
    EXPECT_EQ(written, 2) << "whoever reads the journal sees each fire once";
}

TEST_F(LedgerTest, AllThatTheRingHoldsMayComeTwice) {
    ledger_->record_load(load_of({rule("a", "h")}));
    std::vector<Fire> ring;
    for (std::uint32_t i = 0; i < hwmap::ring_entries; ++i) ring.push_back(fire(1000 + i, 0, 1 + i));
    ledger_->record(ring);
    open();
    ledger_->record(ring);
    EXPECT_EQ(ledger_->fires().size(), ring.size());
    EXPECT_EQ(ledger_->sent_orders().orders, hwmap::ring_entries);
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

TEST_F(LedgerTest, OnlyAnOrderThatTheFabricSentHasEffects) {
    Load load = load_of({rule("a", "h"), rule("b", "h"), rule("c", "h"), rule("d", "h")});
    load.links = {{.senders = {{0, 0}}, .cancels = {{2, 2}}, .arms = {}},
                  {.senders = {{1, 1}}, .cancels = {}, .arms = {{3, 3}}}};
    ledger_->record_load(load);
    Fire rejected = fire(2, 1, 0);
    rejected.outcome = hwmap::outcome_kill;
    rejected.payload.clear();
    ledger_->record({fire(1, 0, 1), rejected});
    open();
    EXPECT_TRUE(ledger_->cancelled(ledger_->load().rules.at(2)));
    EXPECT_FALSE(ledger_->armed_by_order(ledger_->load().rules.at(3)));
    EXPECT_TRUE(ledger_->spent(rule("b", "h")));
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
    ledger_->record_armed(false);
    ledger_->record({fire(1, 0, 1)});
    open();
    EXPECT_TRUE(ledger_->armed());
    ledger_->record_board_lost();
    open();
    EXPECT_FALSE(ledger_->armed());
    EXPECT_EQ(ledger_->in_doubt().size(), 1U) << "the rule that is known to have fired is in no doubt";
    EXPECT_TRUE(ledger_->spent(rule("b", "h")));
    clear_doubts(*ledger_);
    open();
    EXPECT_FALSE(ledger_->spent(rule("b", "h")));
    EXPECT_TRUE(ledger_->spent(rule("a", "h")));
}

TEST_F(LedgerTest, EpochsNeverRepeat) {
    std::set<std::string> seen;
    for (int load = 0; load < 40; ++load) {
        if (load % 10 == 0) open();
        EXPECT_EQ(ledger_->new_epoch().size(), kEpochChars);
        EXPECT_TRUE(seen.insert(ledger_->epoch()).second) << "within a second, and over restarts";
    }
}

TEST_F(LedgerTest, AnotherJournalHasOtherEpochs) {
    const std::string first = ledger_->new_epoch();
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    const ScratchFolder folder;
    Journal journal(folder.path());
    EXPECT_NE(Ledger(journal).new_epoch(), first);
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

// Its wire stood still for longer than the daemon waits, and went on later.
TEST_F(LedgerTest, WhatLeavesOnceItWasGivenUpIsInTheStore) {
    ledger_->record_load(load_of({rule("a", "h")}));
    const Fire whole = fire(1, 0, 1);
    Fire given_up = whole;
    given_up.left = false;
    given_up.payload.clear();
    ledger_->record({given_up});
    const auto stored = [this] {
        std::vector<std::string> messages;
        ledger_->get(1, 1, messages);
        return messages;
    };
    EXPECT_TRUE(stored().empty());
    EXPECT_EQ(ledger_->not_left(), (std::map<std::uint32_t, std::uint32_t>{{1, kGeneration}}));
    EXPECT_EQ(ledger_->sent_orders().quantities.at("MSFT").sold, 2) << "as its rule has it";
    for (int times = 0; times < 2; ++times) {
        ledger_->record_left(whole);
        EXPECT_EQ(stored(), std::vector{whole.payload});
        EXPECT_TRUE(ledger_->not_left().empty());
        EXPECT_EQ(ledger_->sent_orders().orders, 1);
        EXPECT_EQ(ledger_->placed().count(whole.cl_ord_id()), 1U);
        EXPECT_EQ(ledger_->fires().back()["cl_ord_id"], whole.cl_ord_id());
        EXPECT_TRUE(ledger_->fires().back()["left"].get<bool>());
    }
    expect_same_from_any_snapshot(all_records(folder_.path()));
}

TEST_F(LedgerTest, WhatHasNotLeftBeforeTheNumbersBeganAnewIsNotLookedFor) {
    ledger_->record_load(load_of({rule("a", "h")}));
    Fire given_up = fire(1, 0, 1);
    given_up.left = false;
    given_up.payload.clear();
    ledger_->record({given_up});
    ledger_->reset();
    EXPECT_TRUE(ledger_->not_left().empty());
    ledger_->record_left(fire(1, 0, 1));
    std::vector<std::string> messages;
    ledger_->get(1, 9, messages);
    EXPECT_TRUE(messages.empty());
}

}  // namespace
}  // namespace fixaccel
