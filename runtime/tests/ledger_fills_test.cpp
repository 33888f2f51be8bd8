// SPDX-License-Identifier: Apache-2.0
// What orders have filled, whose fills arm and size others, and what is to be cancelled for an order.
#include "ledger_fixture.hpp"

namespace fixaccel {
namespace {

const LoadedRule kEntry = rule("entry", "h"), kStop = rule("stop", "h"), kTarget = rule("target", "h"),
                 kOther = rule("other", "h");

// The entry's first fill arms the stop, its end the target; the stop sends what was filled and cancels the
// rest.
Load bracket() {
    Load load = load_of({kEntry, kStop, kTarget, kOther});
    load.links = {
        {.senders = {{0, 0}}, .cancels = {}, .arms = {{1, 1}}, .on = ArmedOn::first_fill, .sizes = true},
        {.senders = {{0, 0}}, .cancels = {}, .arms = {{2, 2}}, .on = ArmedOn::filled},
        {.senders = {{1, 1}}, .cancels = {}, .arms = {}, .ends = {{0, 0}}}};
    return load;
}

std::string message(const std::string& type, const std::vector<std::pair<int, std::string>>& fields) {
    std::string text = "35=" + type + "\x01";
    for (const auto& [tag, value] : fields) text += std::to_string(tag) + '=' + value + '\x01';
    return text;
}

struct Said {
    std::string exec_id;
    std::string type;    // ExecType(150)
    std::string status;  // OrdStatus(39)
    std::string filled;  // CumQty(14)
    std::string last;    // LastQty(32)
};

class LedgerFillsTest : public LedgerTest {
  protected:
    void SetUp() override {
        LedgerTest::SetUp();
        ledger_->record_load(bracket());
    }

    // That rule of the runtime sends an order; returns its ClOrdID.
    std::string send(std::uint32_t index, const std::string& tif = "0", std::uint32_t fires = 1) {
        SoftwareFire fire = software_fire(index, fires);
        fire.qty = "10";
        ledger_->record_intent(fire);
        store("D",
              {{11, fire.cl_ord_id}, {55, "MSFT"}, {54, "1"}, {38, "10"}, {40, "2"}, {44, "5"}, {59, tif}});
        ledger_->settle_intent("session");
        return fire.cl_ord_id;
    }

    void store(const std::string& type, const std::vector<std::pair<int, std::string>>& fields) {
        ledger_->set(ledger_->next_sender(), message(type, fields));
        ledger_->set_next_sender(ledger_->next_sender() + 1);
    }

    std::string report(const std::string& order, const Said& said,
                       std::vector<std::pair<int, std::string>> more = {}) {
        std::vector<std::pair<int, std::string>> fields{{11, order},       {17, said.exec_id},
                                                        {150, said.type},  {39, said.status},
                                                        {14, said.filled}, {32, said.last}};
        fields.insert(fields.end(), more.begin(), more.end());
        return ledger_->record_execution(message("8", fields));
    }

    // What somebody, or a rule, asks for about an order; returns its ClOrdID.
    std::string ask(HandRequest::What what, const std::string& order, const std::string& by = "somebody") {
        HandRequest request = ledger_->next_by_hand();
        request.what = what;
        request.by = by;
        request.order = order;
        request.terms = {"MSFT", "buy", "10", "limit", "5", "day", ""};
        ledger_->record_by_hand(request);
        const bool cancels = what == HandRequest::What::cancel;
        std::vector<std::pair<int, std::string>> fields{{11, request.cl_ord_id}, {41, order}};
        if (!cancels)
            fields.insert(fields.end(),
                          {{55, "MSFT"}, {54, "1"}, {38, "10"}, {40, "2"}, {44, "6"}, {59, "0"}});
        store(cancels ? "F" : "G", fields);
        ledger_->settle_by_hand("session");
        return request.cl_ord_id;
    }

    std::int64_t filled() { return ledger_->fills_of(kEntry).filled; }
    bool armed(const LoadedRule& child) { return ledger_->armed_by_order(child); }
    std::vector<std::string> to_cancel() {
        std::vector<std::string> orders;
        for (const auto& [order, rule] : ledger_->cancels_to_send()) orders.push_back(order);
        return orders;
    }
};

TEST_F(LedgerFillsTest, PartialFillsAddUpAndArm) {
    const std::string order = send(0);
    EXPECT_EQ(report(order, {"1", "0", "0", "0", ""}), "");
    EXPECT_FALSE(armed(kStop)) << "nothing is filled yet";
    EXPECT_EQ(report(order, {"2", "F", "1", "3", "3"}), "");
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_EQ(filled(), 3);
        EXPECT_TRUE(armed(kStop));
        EXPECT_FALSE(armed(kTarget)) << "the order rests still";
        EXPECT_FALSE(armed(kOther));
        open();
    }
    report(order, {"3", "F", "2", "10.000", "7"});
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_EQ(filled(), 10);
        EXPECT_EQ(ledger_->fills_of(kEntry).done, 1U);
        EXPECT_TRUE(armed(kTarget));
        open();
    }
}

TEST_F(LedgerFillsTest, AnOrderThatEndsWithSomethingFilledIsFilled) {
    const std::string first = send(0), ended = send(0, "0", 2);
    report(first, {"1", "4", "4", "0", ""});
    EXPECT_FALSE(armed(kTarget)) << "cancelled with nothing filled";
    report(ended, {"2", "F", "1", "4", "4"});
    report("cancel", {"3", "4", "4", "4", ""}, {{41, ended}});
    EXPECT_TRUE(armed(kTarget));
    EXPECT_EQ(filled(), 4);
    EXPECT_EQ(ledger_->fills_of(kEntry).sent, 20);
}

TEST_F(LedgerFillsTest, AnExecutionCountsOnceHoweverOftenItComes) {
    const std::string order = send(0);
    report(order, {"1", "F", "1", "3", "3"});
    report(order, {"2", "F", "1", "5", "2"});
    const std::size_t lines = all_records(folder_.path()).size();
    EXPECT_EQ(report(order, {"1", "F", "1", "3", "3"}, {{43, "Y"}}), "");
    EXPECT_EQ(all_records(folder_.path()).size(), lines) << "said again";
    EXPECT_EQ(report(order, {"1", "F", "1", "3", "3"}), "") << "delivered twice";
    EXPECT_EQ(report(order, {"9", "F", "1", "5", "2"}, {{797, "Y"}}), "") << "a copy, by another ExecID";
    EXPECT_EQ(report(order, {"8", "F", "1", "3", "3"}, {{97, "Y"}}), "") << "resent";
    EXPECT_EQ(report(order, {"2", "F", "1", "5", "2"}), "") << "delivered twice";
    EXPECT_EQ(filled(), 5);
    EXPECT_EQ(report(order, {"3", "F", "2", "10", "5"}), "");
    EXPECT_EQ(report(order, {"7", "0", "0", "0", ""}, {{43, "Y"}}), "")
        << "of before, and not in the journal";
    open();
    EXPECT_EQ(filled(), 10);
    EXPECT_EQ(ledger_->fills_of(kEntry).done, 1U);
    EXPECT_EQ(ledger_->asked(), Arming::armed);
}

TEST_F(LedgerFillsTest, WhatWasMissedIsMadeUpForByTheNextReport) {
    const std::string order = send(0);
    EXPECT_EQ(report(order, {"5", "F", "1", "6", "2"}), "") << "CumQty is the one word";
    EXPECT_EQ(filled(), 6);
    EXPECT_EQ(report(order, {"6", "I", "1", "8", ""}), "") << "the answer to a question";
    EXPECT_EQ(filled(), 8);
}

TEST_F(LedgerFillsTest, ReportsBehindARestartCountOnceAndArmThen) {
    const std::string order = send(0);
    open();
    report(order, {"1", "F", "1", "3", "3"}, {{43, "Y"}});
    EXPECT_TRUE(armed(kStop));
    report(order, {"2", "4", "4", "3", ""}, {{43, "Y"}});
    EXPECT_TRUE(armed(kTarget));
    open();
    report(order, {"1", "F", "1", "3", "3"}, {{43, "Y"}});
    report(order, {"2", "4", "4", "3", ""}, {{43, "Y"}});
    EXPECT_EQ(filled(), 3);
    EXPECT_EQ(ledger_->fills_of(kEntry).done, 1U);
}

TEST_F(LedgerFillsTest, BustsAndCorrectionsChangeTheSumAndUnarmNothing) {
    const std::string order = send(0);
    report(order, {"1", "F", "1", "3", "3"});
    report(order, {"2", "F", "1", "5", "2"});
    EXPECT_EQ(report(order, {"3", "H", "1", "3", "2"}, {{19, "2"}}), "");
    EXPECT_EQ(filled(), 3);
    EXPECT_EQ(report(order, {"3", "H", "1", "3", "2"}, {{19, "2"}}), "") << "twice";
    EXPECT_EQ(report(order, {"4", "G", "1", "4", "4"}, {{19, "1"}}), "");
    EXPECT_EQ(filled(), 4);
    EXPECT_EQ(report(order, {"5", "H", "0", "0", ""}, {{19, "1"}}), "");
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_EQ(filled(), 0);
        EXPECT_TRUE(armed(kStop));
        EXPECT_FALSE(armed(kTarget));
        open();
    }
    report(order, {"6", "F", "2", "10", "10"});
    EXPECT_TRUE(armed(kTarget));
    report(order, {"7", "H", "1", "4", "6"});
    report(order, {"8", "F", "2", "10", "6"});
    EXPECT_EQ(ledger_->fills_of(kEntry).done, 2U) << "it rested again, and is done once more";
    EXPECT_EQ(filled(), 10);
}

TEST_F(LedgerFillsTest, ReportsThatContradictEachOtherDisarmAndNothingArmsByItself) {
    const std::vector<Said> wrong{
        {"2", "F", "1", "5", "3"},    // adds nothing
        {"2", "F", "1", "7", "3"},    // less than it says
        {"2", "F", "1", "3", "3"},    // less than before
        {"2", "4", "4", "3", ""},     // likewise
        {"2", "F", "1", "", "3"},     // no CumQty
        {"2", "F", "1", "5.5", "1"},  // no whole quantity
        {"1", "F", "1", "8", "3"},    // an ExecID that was used
        {"2", "H", "1", "5", "5"},    // a bust that takes nothing back
        {"2", "H", "1", "6", ""},     // or gives more
    };
    std::uint32_t number = 0;
    for (const Said& said : wrong) {
        SCOPED_TRACE(said.type + ' ' + said.filled + ' ' + said.last);
        const std::string order = send(0, "0", ++number);
        report(order, {"1", "F", "1", "5", "5"});
        const std::string text = report(order, said);
        EXPECT_NE(text.find("order " + order + " contradict"), std::string::npos) << text;
        EXPECT_EQ(ledger_->asked(), Arming::disarmed);
        if (number == 1) open();
        EXPECT_EQ(ledger_->asked(), Arming::disarmed) << "nor behind a crash";
        ledger_->record_asked(Arming::armed);
    }
    const std::string unheeded = send(3);
    report(unheeded, {"1", "F", "1", "5", "5"});
    EXPECT_EQ(report(unheeded, {"2", "F", "1", "3", "3"}), "") << "nobody goes by its fills";
}

TEST_F(LedgerFillsTest, AReplacedOrderGoesOn) {
    const std::string order = send(0);
    report(order, {"1", "F", "1", "3", "3"});
    const std::string next = ask(HandRequest::What::replace, order);
    report(next, {"2", "E", "E", "3", ""}, {{41, order}});
    report(order, {"3", "F", "1", "4", "1"});
    report(next, {"4", "5", "5", "4", ""}, {{41, order}});
    EXPECT_FALSE(ledger_->order_fills(order)->done);
    EXPECT_FALSE(armed(kTarget));
    open();
    report(next, {"5", "F", "1", "6", "2"});
    EXPECT_EQ(filled(), 6) << "CumQty goes on";
    send(1);
    EXPECT_EQ(to_cancel(), std::vector{next}) << "by its new name";
    report(next, {"6", "F", "2", "10", "4"});
    EXPECT_TRUE(armed(kTarget));
    EXPECT_EQ(filled(), 10);
    EXPECT_EQ(ledger_->fills_of(kEntry).done, 1U);
    EXPECT_EQ(ledger_->fills_of(kEntry).sent, 10);
}

TEST_F(LedgerFillsTest, OrdersOfTheFabricAndThoseThatTheVenueFoundCountLikewise) {
    Fire late = fire(1, 0, 1);
    late.payload += "55=MSFT\x01";
    report(late.cl_ord_id(), {"1", "F", "1", "1", "1"});
    EXPECT_EQ(filled(), 0);
    ledger_->record({late});
    EXPECT_EQ(filled(), 1) << "taken off the ring behind its report";
    EXPECT_TRUE(armed(kStop));
    ledger_->record_armed(false);
    ledger_->record_board_lost();
    ledger_->record_found(kOther.key(), message("8", {{55, "MSFT"}, {38, "2"}, {54, "1"}, {40, "2"}}));
    const std::string found = ledger_->fires().back()["cl_ord_id"].text();
    report(found, {"2", "F", "2", "2", "2"});
    EXPECT_EQ(ledger_->fills_of(kOther).filled, 2);
    EXPECT_EQ(ledger_->placed().at(found).terms.side, "buy");
}

TEST_F(LedgerFillsTest, ArmedAnewByHandTheSumBeginsAnew) {
    const std::string order = send(0);
    report(order, {"1", "F", "1", "5", "5"});
    send(1);
    ledger_->record_rearmed();
    EXPECT_EQ(filled(), 0);
    EXPECT_EQ(ledger_->fills_of(kStop).sent, 0);
    EXPECT_FALSE(armed(kStop));
    report(order, {"2", "H", "1", "3", "2"});
    EXPECT_EQ(filled(), -2) << "the stop has sold these, too";
    report(order, {"3", "F", "1", "7", "4"});
    EXPECT_EQ(filled(), 2);
    EXPECT_TRUE(armed(kStop));
}

TEST_F(LedgerFillsTest, ARuleThatIsGoneHasNoFills) {
    const std::string order = send(0);
    report(order, {"1", "F", "1", "5", "5"});
    ledger_->record_load(load_of({kOther}));
    report(order, {"2", "F", "1", "6", "1"});
    ledger_->record_load(bracket());
    EXPECT_EQ(filled(), 0);
    EXPECT_FALSE(armed(kStop));
    report(order, {"3", "F", "1", "8", "2"});
    EXPECT_EQ(filled(), 2);
}

TEST_F(LedgerFillsTest, WhatADryRunFindsFilledStaysSo) {
    const std::string order = send(0);
    ledger_->record_armed(true);
    report(order, {"1", "F", "1", "5", "5"});
    EXPECT_TRUE(armed(kStop));
    SoftwareFire dry = software_fire(1);
    ledger_->record_dry(dry);
    EXPECT_TRUE(to_cancel().empty()) << "its order has not left";
    ledger_->record_disarmed("the end of a dry run");
    EXPECT_TRUE(armed(kStop));
    EXPECT_EQ(filled(), 5);
}

TEST_F(LedgerFillsTest, WhatIsFilledBehindItsExitIsUncovered) {
    const std::string order = send(0);
    report(order, {"1", "F", "1", "5", "5"});
    EXPECT_TRUE(ledger_->uncovered().empty()) << "its exit may come yet";
    SoftwareFire exit = software_fire(1);
    exit.qty = "5";
    ledger_->record_intent(exit);
    store("D", {{11, exit.cl_ord_id}, {55, "MSFT"}, {54, "2"}, {38, "5"}, {40, "1"}});
    ledger_->settle_intent("session");
    EXPECT_TRUE(ledger_->uncovered().empty());
    report(order, {"2", "F", "1", "8", "3"});
    EXPECT_EQ(ledger_->uncovered(), (std::map<std::uint32_t, std::int64_t>{{1, 3}}));
}

TEST_F(LedgerFillsTest, AnOrderCancelsWhatRestsOfOthers) {
    const std::string rests = send(0), whole = send(0, "1", 2), at_once = send(0, "3", 3), other = send(3);
    report(whole, {"1", "F", "2", "10", "10"});
    EXPECT_TRUE(to_cancel().empty());
    const std::string later = send(1);
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_EQ(ledger_->cancels_to_send(),
                  (std::vector<std::pair<std::string, std::string>>{{rests, "stop"}}))
            << "acknowledged or not, but neither what is filled nor what is over at once";
        open();
    }
    const std::string request = ask(HandRequest::What::cancel, rests, "rule stop");
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_TRUE(to_cancel().empty()) << "it is under way";
        EXPECT_EQ(ledger_->cancels_due().size(), 1U);
        open();
    }
    report(request, {"2", "6", "6", "0", ""}, {{41, rests}});
    EXPECT_TRUE(to_cancel().empty());
    report(request, {"3", "4", "4", "0", ""}, {{41, rests}});
    EXPECT_TRUE(ledger_->cancels_due().empty());
    ledger_->record_session("logon", "");
    EXPECT_TRUE(to_cancel().empty()) << "it is done";
}

TEST_F(LedgerFillsTest, ACancelThatIsNotAnsweredIsAskedForAgainBehindALogon) {
    const std::string order = send(0);
    send(1);
    ask(HandRequest::What::cancel, order, "rule stop");
    open();
    EXPECT_TRUE(to_cancel().empty());
    ledger_->record_session("logon", "");
    EXPECT_EQ(to_cancel(), std::vector{order});
    const std::string again = ask(HandRequest::What::cancel, order, "rule stop");
    const auto refuse = [&](const std::string& reason) {
        ledger_->record_cancel_reject(
            message("9", {{11, again}, {41, order}, {39, "0"}, {102, reason}, {434, "1"}}));
    };
    refuse("3");
    EXPECT_TRUE(to_cancel().empty()) << "the first one is under way";
    EXPECT_FALSE(ledger_->cancels_due().begin()->second.refused);
    refuse("0");
    EXPECT_TRUE(to_cancel().empty());
    EXPECT_TRUE(ledger_->cancels_due().begin()->second.refused);
    ledger_->record_session("logon", "");
    EXPECT_TRUE(to_cancel().empty()) << "nor is it asked for again";
    report(order, {"1", "F", "2", "10", "10"});
    EXPECT_TRUE(ledger_->cancels_due().empty());
}

TEST_F(LedgerFillsTest, ACancelThatNeverReachedTheStoreIsStillToBeSent) {
    const std::string order = send(0);
    SoftwareFire exit = software_fire(1);
    ledger_->record_intent(exit);
    store("D", {{11, exit.cl_ord_id}, {55, "MSFT"}, {54, "2"}, {38, "2"}, {40, "1"}});
    open();
    EXPECT_EQ(to_cancel(), std::vector{order}) << "the crash came ahead of the record of the fire";
    HandRequest request = ledger_->next_by_hand();
    request.what = HandRequest::What::cancel;
    request.order = order;
    request.terms = ledger_->placed().at(order).terms;
    ledger_->record_by_hand(request);
    open();
    EXPECT_EQ(to_cancel(), std::vector{order});
}

TEST_F(LedgerFillsTest, ACancelThatMetAReplacementNamesTheNewOrder) {
    const std::string order = send(0);
    const std::string next = ask(HandRequest::What::replace, order);
    send(1);
    EXPECT_EQ(to_cancel(), std::vector{order}) << "the venue has not said yes";
    const std::string request = ask(HandRequest::What::cancel, order, "rule stop");
    report(next, {"1", "5", "0", "0", ""}, {{41, order}});
    ledger_->record_cancel_reject(message("9", {{11, request}, {41, order}, {39, "8"}, {102, "1"}}));
    EXPECT_EQ(to_cancel(), std::vector{next});
    store("0", {});
    ask(HandRequest::What::cancel, next, "rule stop");
    const int number = ledger_->next_sender() - 1;
    ledger_->record_reject(message("3", {{45, std::to_string(number)}, {58, "no"}}));
    EXPECT_TRUE(to_cancel().empty());
    EXPECT_TRUE(ledger_->cancels_due().begin()->second.refused);
}

TEST_F(LedgerFillsTest, TheEndOfTheVenuesDayEndsOrders) {
    const std::string day = send(0), lasting = send(0, "1", 2);
    report(day, {"1", "F", "1", "4", "4"});
    ledger_->record_day_roll();
    EXPECT_TRUE(ledger_->order_fills(day)->done);
    EXPECT_FALSE(ledger_->order_fills(lasting)->done);
    EXPECT_TRUE(armed(kTarget));
    EXPECT_EQ(filled(), 4);
}

TEST_F(LedgerFillsTest, OrdersCountForTheirRuleToo) {
    send(0);
    send(0, "0", 2);
    send(1);
    const auto& rules = ledger_->sent_orders().rules;
    EXPECT_EQ(rules.at("entry").orders, 2);
    EXPECT_EQ(rules.at("entry").quantities.at("MSFT").sold, 20);
    EXPECT_EQ(rules.at("stop").orders, 1);
    ledger_->record_day_roll();
    EXPECT_TRUE(ledger_->sent_orders().rules.empty());
}

}  // namespace
}  // namespace fixaccel
