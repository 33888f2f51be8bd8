// SPDX-License-Identifier: Apache-2.0
// Orders of the runtime, and those that rest.
#include "ledger_fixture.hpp"

namespace fixaccel {
namespace {

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
    ledger_->take_effect();
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

std::string report(const std::string& rest) {
    return "37=V\x01"
           "11=A\x01"
           "17=0\x01" +
           rest;
}

TEST_F(LedgerTest, AnExecIdThatComesAgainDropsNoReport) {
    ledger_->record_execution(
        report("150=0\x01"
               "39=0\x01"
               "14=0\x01"));
    ledger_->record_execution(
        report("150=F\x01"
               "39=1\x01"
               "14=1\x01"));
    ledger_->record_execution(
        report("150=F\x01"
               "39=2\x01"
               "14=2\x01"));
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_EQ(ledger_->orders().at("A").status, "filled");
        EXPECT_EQ(ledger_->orders().at("A").cum_qty, "2");
        ledger_->record_execution(
            report("150=F\x01"
                   "39=1\x01"
                   "14=1\x01"
                   "43=Y\x01"));
        open();
    }
    ledger_->record_execution(
        report("150=F\x01"
               "39=1\x01"
               "14=1\x01"));
    EXPECT_EQ(ledger_->orders().at("A").status, "partially filled") << "a correction that looks the same";
}

TEST_F(LedgerTest, ARejectOfAnOrderIsItsEnd) {
    ledger_->record_load(load_of({rule("a", "h")}));
    ledger_->set(1, "35=A\x01");
    ledger_->set_next_sender(2);
    ledger_->record({fire(1, 0, 2)});
    const std::string id = ledger_->fires()[0]["cl_ord_id"].text();
    ASSERT_EQ(ledger_->resting().all().size(), 1U);
    for (const char* other : {"35=3\x01"
                              "45=1\x01",
                              "35=3\x01"
                              "45=9\x01",
                              "35=j\x01",
                              "35=3\x01"
                              "45=x\x01"})
        ledger_->record_reject(other);
    EXPECT_TRUE(ledger_->orders().empty()) << "of no order of ours";
    ledger_->record_reject(
        "35=3\x01"
        "45=2\x01"
        "58=no\x01");
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_EQ(ledger_->orders().at(id).status, "rejected");
        EXPECT_EQ(ledger_->orders().at(id).text, "no");
        EXPECT_TRUE(ledger_->resting().all().empty());
        open();
    }
}

TEST_F(LedgerTest, WhatWasRejectedIsArmedAgainByName) {
    const LoadedRule a = rule("a", "h"), b = rule("b", "h");
    ledger_->record_load(load_of({a, b}));
    EXPECT_EQ(ledger_->rejection(a), nullptr);
    ledger_->record({fire(1, 0, 1)});
    ledger_->record_rejected(software_fire(1), "collar");
    ledger_->record_armed(true);
    ledger_->record_rejected(software_fire(0), "collar");
    ledger_->record_disarmed("the end of a dry run");
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_EQ(ledger_->rejection(a), nullptr) << "its order was sent, whatever a dry run came to";
        ASSERT_NE(ledger_->rejection(b), nullptr);
        EXPECT_EQ(ledger_->rejection(b)->at("outcome"), "rejected:collar");
        open();
    }
    ledger_->record_rearmed({b.key()});
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_TRUE(ledger_->spent(a));
        EXPECT_FALSE(ledger_->spent(b));
        EXPECT_EQ(ledger_->rejection(b), nullptr);
        open();
    }
}

TEST_F(LedgerTest, ADayRollBeginsTheNumbersAnewAndNothingElse) {
    const LoadedRule a = rule("a", "h");
    ledger_->record_load(load_of({a, rule("b", "h")}));
    const std::string epoch = ledger_->new_epoch();
    ledger_->set(1, "logon");
    ledger_->set_next_sender(2);
    ledger_->record({fire(1, 0, 2)});
    const std::string id = ledger_->fires()[0]["cl_ord_id"].text();
    ledger_->record_execution(
        "37=V\x01"
        "11=" +
        id +
        "\x01"
        "17=E1\x01"
        "39=0\x01");
    ledger_->set_next_target(9);
    const std::int64_t began = ledger_->day_began_ns();
    ledger_->record_day_roll();
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_EQ(ledger_->next_sender(), 1);
        EXPECT_EQ(ledger_->next_target(), 1);
        EXPECT_TRUE(stored(1, 9).empty());
        EXPECT_TRUE(ledger_->begins_anew());
        EXPECT_GT(ledger_->day_began_ns(), began);
        EXPECT_TRUE(ledger_->spent(a));
        EXPECT_EQ(ledger_->fires_of(a), 1U);
        EXPECT_EQ(ledger_->epoch(), epoch);
        EXPECT_EQ(ledger_->sent_orders().orders, 0);
        EXPECT_TRUE(ledger_->sent_orders().quantities.empty());
        EXPECT_EQ(ledger_->sent_orders().last_ns.size(), 1U) << "`repeat` counts time, not days";
        EXPECT_TRUE(ledger_->resting().all().empty());
        EXPECT_EQ(ledger_->orders().at(id).status, "done for day");
        open();
    }
    ledger_->record_execution(
        "37=V\x01"
        "11=Z\x01"
        "17=E1\x01"
        "39=0\x01");
    EXPECT_EQ(ledger_->orders().count("Z"), 1U) << "an ExecID of the day before comes again";
    ledger_->record_session("logon", "");
    open();
    EXPECT_FALSE(ledger_->begins_anew());
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
    ledger_->take_effect();
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

// What an order on its way changes is put off until it has left; the journal has it before.
TEST_F(LedgerTest, WhatIsPutOffIsInTheJournalAtOnce) {
    const std::vector<LoadedRule> rules{rule("a", "1"), rule("b", "2")};
    ledger_->record_load(load_of(rules));
    for (std::uint32_t order = 0; order < 2; ++order) {
        const SoftwareFire fire = software_fire(order);
        ledger_->record_trails_ahead(kGeneration,
                                     {{1 - order, {true, true, -5, 7}}, {order, {false, false, 0, 0}}});
        ledger_->record_intent(fire);
        const int seq = ledger_->next_sender();
        ledger_->set(seq,
                     "35=D\x01"
                     "58=\xff\x01"
                     "11=" +
                         fire.cl_ord_id + "\x01");
        ledger_->set_next_sender(seq + 1);
        EXPECT_EQ(ledger_->next_sender(), seq + 1);
        EXPECT_FALSE(ledger_->spent(rules[order]));
        EXPECT_TRUE(stored(seq, seq).empty());
        const auto records = all_records(folder_.path());
        std::string types;
        for (auto record = records.end() - 3; record != records.end(); ++record)
            types += record->at("type").get<std::string>() + " ";
        EXPECT_EQ(types, "trails intent out ");
        if (order == 0)
            ledger_->take_effect();
        else
            ledger_->record_note("anything");
        EXPECT_TRUE(ledger_->spent(rules[order]));
        EXPECT_EQ(stored(seq, seq).size(), 1U);
        LedgerState replayed;
        for (const nlohmann::json& record : all_records(folder_.path())) replayed.replay(record);
        EXPECT_EQ(static_cast<const LedgerState&>(*ledger_), replayed);
        EXPECT_TRUE(ledger_->settle_intent("lease"));
    }
    EXPECT_EQ(ledger_->trail(rules[1]), std::nullopt) << "it has fired since";
}

TEST_F(LedgerTest, AnOrderWhoseDaemonDiedAheadOfTheSocketWasSent) {
    ledger_->record_load(load_of({rule("a", "1"), rule("b", "2")}));
    ledger_->record_intent(software_fire(0));
    ledger_->set(1, message_of(software_fire(0)));
    ledger_->set_next_sender(2);
    open();
    ASSERT_EQ(ledger_->fires().size(), 1U);
    EXPECT_EQ(ledger_->fires().back()["outcome"], "sent");
    EXPECT_EQ(ledger_->fires().back()["msg_seq_num"], 1);
    EXPECT_EQ(stored(1, 1), std::vector<std::string>{message_of(software_fire(0))});
    EXPECT_EQ(ledger_->next_sender(), 2);
}

}  // namespace
}  // namespace fixaccel
