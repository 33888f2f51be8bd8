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
    return {kGeneration, "0001", "b", "/bundle", "quickstart", rules, {}};
}

Load next_of(const std::vector<LoadedRule>& rules) {
    Load next = load_of(rules);
    ++next.generation;
    next.epoch = "0002";
    return next;
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
                (ledger.cancelled(each) ? " cancelled" : "") + (ledger.armed_by_order(each) ? " armed" : "") + ", ";
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
        EXPECT_TRUE(ledger_->fires()[2]["dry"]);
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

SoftwareFire software_fire(std::uint32_t rule, std::uint32_t fires = 1) {
    SoftwareFire out;
    out.generation = kGeneration;
    out.rule = rule;
    out.source = "last";
    out.observed = "1179.5";
    out.threshold = "1180";
    out.side = "sell";
    out.qty = "2";
    out.type = "limit";
    out.price = "1100";
    out.cl_ord_id = "X" + std::to_string(rule) + std::to_string(fires);
    out.fires = fires;
    out.time_ns = 5;
    return out;
}

std::string message_of(const SoftwareFire& fire) {
    return "35=D\x01"
           "11=" +
           fire.cl_ord_id + "\x01";
}

TEST_F(LedgerTest, AnOrderOfTheRuntimeIsSentOnceTheStoreHasIt) {
    ledger_->record_load(load_of({rule("a", "h"), rule("b", "h")}));
    ledger_->record_intent(software_fire(0));
    ledger_->set(1, message_of(software_fire(0)));
    ledger_->set_next_sender(2);
    EXPECT_TRUE(ledger_->settle_intent("session"));
    ledger_->record_intent(software_fire(1));
    EXPECT_FALSE(ledger_->settle_intent("session"));
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_EQ(ledger_->next_sender(), 2);
        ASSERT_EQ(ledger_->fires().size(), 2U);
        EXPECT_EQ(ledger_->fires()[0]["outcome"], "sent");
        EXPECT_EQ(ledger_->fires()[0]["where"], "runtime");
        EXPECT_EQ(ledger_->fires()[0]["msg_seq_num"], 1);
        EXPECT_EQ(ledger_->fires()[1]["outcome"], "rejected:session");
        EXPECT_FALSE(ledger_->fires()[1].contains("cl_ord_id"));
        EXPECT_EQ(ledger_->fires_of(rule("a", "h")), 1U);
        EXPECT_EQ(ledger_->fires_of(rule("b", "h")), 0U);
        EXPECT_TRUE(ledger_->spent(rule("b", "h"))) << "rejected is fired all the same";
        open();
    }
}

TEST_F(LedgerTest, ACrashOnTheWayToTheStoreLeavesTheRuleSpentAndNothingSent) {
    ledger_->record_load(load_of({rule("a", "h")}));
    ledger_->record_intent(software_fire(0));
    EXPECT_TRUE(ledger_->spent(rule("a", "h")));
    for (int restart = 0; restart < 2; ++restart) {
        open();
        ASSERT_EQ(ledger_->fires().size(), 1U);
        EXPECT_EQ(ledger_->fires()[0]["outcome"], "rejected:interrupted");
        EXPECT_TRUE(ledger_->spent(rule("a", "h")));
        EXPECT_EQ(ledger_->sent_orders().orders, 0);
    }
}

TEST_F(LedgerTest, ACrashBehindTheStoreIsAnOrderSent) {
    ledger_->record_load(load_of({rule("a", "h")}));
    ledger_->record_intent(software_fire(0));
    ledger_->set(1, message_of(software_fire(1)));  // of another order
    ledger_->set(2, message_of(software_fire(0)));
    for (int restart = 0; restart < 2; ++restart) {
        open();
        ASSERT_EQ(ledger_->fires().size(), 1U);
        EXPECT_EQ(ledger_->fires()[0]["outcome"], "sent");
        EXPECT_EQ(ledger_->fires()[0]["msg_seq_num"], 2);
        EXPECT_EQ(ledger_->next_sender(), 3);
    }
}

TEST_F(LedgerTest, OrdersAreCountedWhoeverSentThem) {
    ledger_->record_load(load_of({rule("a", "h"), rule("b", "h")}));
    ledger_->record({fire(1, 0, 1)});
    SoftwareFire buy = software_fire(1);
    buy.side = "buy";
    buy.qty = "7";
    ledger_->record_intent(buy);
    ledger_->set(2, message_of(buy));
    ledger_->settle_intent("session");
    ledger_->record_rejected(software_fire(1), "total_orders");
    ledger_->record_rearmed();
    open();
    EXPECT_EQ(ledger_->sent_orders().orders, 2);
    EXPECT_EQ(ledger_->sent_orders().quantities.at("MSFT").sold, 2);
    EXPECT_EQ(ledger_->sent_orders().quantities.at("MSFT").bought, 7);
    EXPECT_EQ(ledger_->fires().back()["outcome"], "rejected:total_orders");
}

// The runtime's rule 0 sends its order.
void send_order(Ledger& ledger) {
    const SoftwareFire order = software_fire(0);
    ledger.record_intent(order);
    ledger.set(ledger.next_sender(), message_of(order));
    ASSERT_TRUE(ledger.settle_intent("session"));
}

TEST_F(LedgerTest, AnOrderConcernsTheRulesThatWereLoadedThen) {
    const LoadedRule a = rule("a", "h"), b = rule("b", "h"), c = rule("c", "h"), d = rule("d", "h");
    Load load = load_of({a, b, c});
    load.links = {{.senders = {{0, 1}}, .cancels = {{0, 1}}, .arms = {}},
                  {.senders = {{0, 0}}, .cancels = {}, .arms = {{2, 2}}}};
    ledger_->record_load(load);
    send_order(*ledger_);
    load.rules = {a, b, c, d};
    load.links = {{.senders = {{0, 1}}, .cancels = {{0, 1}, {3, 3}}, .arms = {}}};
    ledger_->record_load(load);
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_TRUE(ledger_->cancelled(ledger_->load().rules.at(1)));
        EXPECT_TRUE(ledger_->armed_by_order(ledger_->load().rules.at(2)))
            << "of the links that were loaded then";
        EXPECT_FALSE(ledger_->cancelled(ledger_->load().rules.at(3))) << "loaded later";
        open();
    }
    ledger_->record_load(load_of({c}));
    EXPECT_TRUE(ledger_->armed_by_order(ledger_->load().rules.at(0)))
        << "whatever becomes of the rule whose order it was";
    ledger_->record_load(load_of({a, b, c}));
    EXPECT_FALSE(ledger_->cancelled(ledger_->load().rules.at(1))) << "was gone in between";
    EXPECT_TRUE(ledger_->armed_by_order(ledger_->load().rules.at(2))) << "was not";
    ledger_->record_rearmed();
    EXPECT_FALSE(ledger_->armed_by_order(ledger_->load().rules.at(2)));
}

TEST_F(LedgerTest, WhatIsCancelledIsNotArmed) {
    for (const bool arms_first : {true, false}) {
        Load load = load_of({rule("a", "h"), rule("b", "h"), rule("c", "h")});
        const Links arms{.senders = {{0, 0}}, .cancels = {}, .arms = {{2, 2}}};
        const Links cancels{.senders = {{1, 1}}, .cancels = {{1, 2}}, .arms = {}};
        load.links = {arms, cancels};
        ledger_->record_load(load);
        const auto entry = static_cast<std::uint32_t>(ledger_->fires().size());
        ledger_->record({fire(entry + 1, arms_first ? 0 : 1, entry + 1)});
        EXPECT_EQ(ledger_->armed_by_order(ledger_->load().rules.at(2)), arms_first);
        ledger_->record({fire(entry + 2, arms_first ? 1 : 0, entry + 2)});
        EXPECT_TRUE(ledger_->cancelled(ledger_->load().rules.at(2)));
        EXPECT_FALSE(ledger_->armed_by_order(ledger_->load().rules.at(2)));
        ledger_->record_rearmed();
    }
}

// A load while armed: until it has come about, both generations may have fired.
TEST_F(LedgerTest, FiresBelongToTheirGeneration) {
    ledger_->record_load(load_of({rule("a", "1"), rule("b", "1")}));
    ledger_->record_next_load(next_of({rule("c", "1"), rule("a", "1")}));
    ledger_->record({fire(1, 0, 1)});
    EXPECT_EQ(ledger_->load().generation, kGeneration) << "the old one's fire says nothing of the new one";
    Fire second = fire(2, 0, 2);
    ++second.generation;
    ledger_->record({second});
    for (const bool again : {false, true}) {
        if (again) open();
        EXPECT_EQ(ledger_->load().generation, kGeneration + 1);
        EXPECT_FALSE(ledger_->next_load());
        EXPECT_EQ(ledger_->fires().at(0)["rule"], "a");
        EXPECT_EQ(ledger_->fires().at(1)["rule"], "c");
        EXPECT_TRUE(ledger_->fired(ledger_->load().rules[0]));
        EXPECT_TRUE(ledger_->fired(ledger_->load().rules[1])) << "it is the same rule";
    }
}

TEST_F(LedgerTest, ALoadThatWasDroppedWasNone) {
    ledger_->record_load(load_of({rule("a", "1")}));
    ledger_->record_next_load(next_of({rule("b", "1")}));
    EXPECT_EQ(ledger_->next_load()->epoch, "0002");
    EXPECT_NE(ledger_->load_of(kGeneration + 1), nullptr);
    ledger_->record_load_dropped("test");
    open();
    EXPECT_EQ(ledger_->load().rules.at(0).id, "a");
    EXPECT_FALSE(ledger_->next_load());
    EXPECT_EQ(ledger_->load_of(kGeneration + 1), nullptr);
    EXPECT_TRUE(ledger_->knows_generation(kGeneration + 1)) << "its fires are not another journal's";
}

// The runtime reads its messages later than the fabric: a rule of the load before has its effects on the
// rules of now that mean the same.
TEST_F(LedgerTest, TheLoadBeforeStillHasItsSay) {
    Load before = load_of({rule("entry", "1"), rule("stop", "1"), rule("target", "1")});
    before.links.push_back({{{0, 0}}, {}, {{1, 1}}});
    before.links.push_back({{{1, 2}}, {{1, 2}}, {}});
    ledger_->record_load(before);
    ledger_->record_next_load(next_of({rule("target", "1"), rule("stop", "2")}));
    ledger_->record_flipped(9, 100);
    for (const std::uint32_t index : {0U, 1U}) {
        SoftwareFire order = software_fire(index);
        ledger_->record_intent(order);
        ledger_->set(ledger_->next_sender(), message_of(order));
        EXPECT_TRUE(ledger_->settle_intent("lease"));
    }
    for (const bool again : {false, true}) {
        if (again) open();
        EXPECT_EQ(ledger_->fires().at(1)["rule"], "stop");
        EXPECT_TRUE(ledger_->cancelled(ledger_->load().rules[0]));
        EXPECT_FALSE(ledger_->cancelled(ledger_->load().rules[1])) << "another stop";
        EXPECT_FALSE(ledger_->armed_by_order(ledger_->load().rules[1]));
    }
}

// A report on the order of that ClOrdID.
std::string report_on(const std::string& cl_ord_id, const std::string& exec_id, const std::string& status) {
    return "35=8\x01"
           "17=" +
           exec_id +
           "\x01"
           "11=" +
           cl_ord_id +
           "\x01"
           "39=" +
           status + "\x01";
}

TEST_F(LedgerTest, OrdersRestUntilAReportEndsThemWhoeverSentThem) {
    const auto met = [&](std::int64_t price) {
        return ledger_->resting().meets("MSFT", true, price * 100'000'000);
    };
    ledger_->record_load(load_of({rule("a", "h"), rule("b", "h")}));
    Fire fabric = fire(1, 0, 1);
    fabric.payload +=
        "55=MSFT\x01"
        "59=0\x01";
    ledger_->record({fabric});
    const SoftwareFire order = software_fire(1);
    ledger_->record_intent(order);
    EXPECT_EQ(ledger_->resting().all().size(), 1U) << "nobody has the order yet";
    ledger_->set(2, message_of(order) +
                        "55=MSFT\x01"
                        "54=2\x01"
                        "40=2\x01"
                        "44=1090\x01");
    EXPECT_TRUE(met(1090)) << "the FIX store has it: it may leave";
    ledger_->settle_intent("session");
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_EQ(ledger_->resting().all().size(), 2U);
        EXPECT_FALSE(met(1089));
        EXPECT_TRUE(met(1090));
        open();
    }
    ledger_->record_execution(report_on(order.cl_ord_id, "1", "0"));
    EXPECT_TRUE(met(1090));
    ledger_->record_execution(report_on("cancel", "2", "4") + "41=" + order.cl_ord_id + "\x01");
    EXPECT_FALSE(met(1090));
    EXPECT_TRUE(met(1100));
    open();
    EXPECT_FALSE(met(1099));
    ledger_->record_execution(report_on(fabric.cl_ord_id(), "3", "2"));
    EXPECT_FALSE(met(2000));
    open();
    EXPECT_EQ(ledger_->resting().all().size(), 0U);
}

TEST_F(LedgerTest, AReportMayComeBeforeTheFireIsTakenOffTheRing) {
    ledger_->record_load(load_of({rule("a", "h")}));
    Fire late = fire(1, 0, 1);
    late.payload += "55=MSFT\x01";
    ledger_->record_execution(report_on(late.cl_ord_id(), "1", "2"));
    ledger_->record({late});
    EXPECT_EQ(ledger_->resting().all().size(), 0U);
}

TEST_F(LedgerTest, TheLastOrderOfARuleIsThatOfAnyOfItsParts) {
    LoadedRule first = rule("steps[1]", "h"), second = rule("steps[2]", "h");
    first.rule = second.rule = "steps";
    ledger_->record_load(load_of({first, second, rule("alone", "h")}));
    ledger_->record({fire(7, 0, 1)});
    SoftwareFire later = software_fire(1);
    later.time_ns = 2000;
    ledger_->record_intent(later);
    ledger_->set(2, message_of(later));
    ledger_->settle_intent("session");
    ledger_->record_rejected(software_fire(2), "repeat");
    const std::map<std::string, std::int64_t> expected{{"steps", 2000}};
    EXPECT_EQ(ledger_->sent_orders().last_ns, expected);
    ledger_->record_armed(true);
    later.time_ns = 3000;
    ledger_->record_dry(later);
    EXPECT_EQ(ledger_->sent_orders().last_ns.at("steps"), 3000);
    EXPECT_EQ(ledger_->resting().all().size(), 1U) << "of a dry run nothing rests at the venue";
    open();
    ledger_->record_disarmed("test");
    EXPECT_EQ(ledger_->sent_orders().last_ns, expected);
}

}  // namespace
}  // namespace fixaccel
