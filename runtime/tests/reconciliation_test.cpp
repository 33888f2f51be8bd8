// SPDX-License-Identifier: Apache-2.0
#include "reconciliation.hpp"

#include <map>
#include <set>

#include "fixaccel/seq.hpp"
#include "ledger_fixture.hpp"

namespace fixaccel {
namespace {

using Time = Reconciliation::Time;

const std::set<std::string> kNothing;

// A venue that has counted so many orders of these rules and knows them, or so it says.
class ReconciliationTest : public LedgerTest {
  protected:
    void SetUp() override {
        LedgerTest::SetUp();
        std::vector<LoadedRule> rules;
        for (int i = 0; i < 100; ++i) rules.push_back(rule("r" + std::to_string(i), "h"));
        ledger_->record_load(load_of(rules));
        ledger_->record_armed(false);
        ledger_->record_board_lost();
        reconciliation_.emplace(*ledger_);
    }

    static std::string id(std::uint32_t rule, std::uint32_t fires = 1) {
        return cl_ord_id_of("0001", rule, fires);
    }
    static std::string of_known(const std::string& order) { return text("11=" + order + "|39=2|37=V|"); }
    static std::string of_unknown(const std::string& order) {
        return text("11=" + order + "|39=8|37=NONE|103=5|150=I|");
    }
    static std::string text(std::string fields) {
        std::replace(fields.begin(), fields.end(), '|', '\x01');
        return fields;
    }

    void ask(std::size_t most = 1000) {
        reconciliation_->go_on([&](const FixFields& body) {
            const std::map<int, std::string> fields(body.begin(), body.end());
            EXPECT_EQ(fields.at(55), "MSFT");
            EXPECT_EQ(fields.at(54), "2");
            asked_.push_back(fields.at(11));
        });
        EXPECT_LE(asked_.size() - answered_, most);
    }
    // All that is asked, as long as something is.
    void answer(const std::set<std::string>& known) {
        for (ask(32); answered_ < asked_.size(); ask(32)) {
            const std::string order = asked_[answered_++];
            const bool is_known = known.count(order) != 0;
            EXPECT_EQ(reconciliation_->heard(is_known ? of_known(order) : of_unknown(order), now_),
                      !is_known);
        }
    }
    // It takes our Logon behind so many orders that nobody has seen, and `refused` Logons before.
    void log_on(int orders, int refused = 0) {
        for (int i = 0; i < refused; ++i) ledger_->set(ledger_->next_sender(), text("35=A|"));
        ledger_->set_next_sender(ledger_->counted_from() + orders);
        ledger_->set(ledger_->next_sender(), text("35=A|"));
        reconciliation_->begin(now_);
    }
    std::set<std::string> spent() const {
        std::set<std::string> ids;
        for (const LoadedRule& rule : ledger_->load().rules)
            if (ledger_->spent(rule)) ids.insert(rule.id);
        return ids;
    }

    Time now_ = Time() + std::chrono::hours(1);
    std::optional<Reconciliation> reconciliation_;
    std::vector<std::string> asked_;
    std::size_t answered_ = 0;
};

TEST_F(ReconciliationTest, NothingWasSent) {
    log_on(0);
    EXPECT_EQ(spent().size(), 100U);
    EXPECT_FALSE(reconciliation_->over(now_));
    answer(kNothing);
    EXPECT_TRUE(reconciliation_->over(now_));
    EXPECT_EQ(reconciliation_->conclude(),
              "reconciled with the venue: it has 0 orders of rules that were in doubt");
    EXPECT_EQ(spent(), kNothing);
    EXPECT_EQ(asked_.size(), 100U);
}

TEST_F(ReconciliationTest, WhatWasSentIsSpentAndNothingElse) {
    log_on(3);
    answer({id(7), id(40), id(40, 2)});
    EXPECT_EQ(reconciliation_->conclude(),
              "reconciled with the venue: it has 3 orders of rules that were in doubt");
    EXPECT_EQ(spent(), (std::set<std::string>{"r7", "r40"}));
    EXPECT_EQ(ledger_->fires_of(ledger_->load().rules[40]), 2U);
    EXPECT_TRUE(ledger_->in_doubt().empty());
}

TEST_F(ReconciliationTest, WhatTheVenueHasCountedAndDoesNotKnowLeavesAllInDoubt) {
    log_on(2);
    answer({id(7)});
    EXPECT_EQ(
        reconciliation_->conclude(),
        "reconciled with the venue: it has 1 order of rules that were in doubt; 100 rules stay in doubt, for "
        "the venue has counted 2 messages that the journal does not have");
    EXPECT_EQ(spent().size(), 100U);
    EXPECT_TRUE(ledger_->doubts_judged());
}

TEST_F(ReconciliationTest, WhatItKnowsAndHasNotCountedDoesSo) {
    log_on(0);
    answer({id(7)});
    reconciliation_->conclude();
    EXPECT_EQ(spent().size(), 100U);
}

TEST_F(ReconciliationTest, AVenueThatAnswersNoQuestionsStillCounts) {
    log_on(0);
    ask();
    reconciliation_->refused(text("35=j|372=V|"));
    EXPECT_FALSE(reconciliation_->over(now_)) << "that was about something else";
    reconciliation_->refused(text("35=j|372=H|"));
    EXPECT_TRUE(reconciliation_->over(now_));
    reconciliation_->conclude();
    EXPECT_EQ(spent(), kNothing);
}

TEST_F(ReconciliationTest, ItIsWaitedForAVenueThatSaysNothing) {
    log_on(1);
    ask();
    EXPECT_FALSE(reconciliation_->over(now_ + std::chrono::seconds(9)));
    EXPECT_TRUE(reconciliation_->over(now_ + std::chrono::seconds(10)));
    reconciliation_->conclude();
    EXPECT_EQ(spent().size(), 100U);
}

TEST_F(ReconciliationTest, ReportsThatComeUnaskedCount) {
    log_on(1);
    EXPECT_FALSE(reconciliation_->heard(of_known(id(7)), now_));
    EXPECT_FALSE(reconciliation_->heard(text("11=OTHER|39=2|37=V|"), now_));
    ask();
    reconciliation_->refused(text("35=3|372=H|"));
    reconciliation_->conclude();
    EXPECT_EQ(spent(), (std::set<std::string>{"r7"}));
}

TEST_F(ReconciliationTest, AnOrderIsCountedOnce) {
    log_on(2);
    reconciliation_->heard(of_known(id(7)), now_);
    reconciliation_->heard(of_known(id(7)), now_);
    EXPECT_EQ(ledger_->found_orders(), 1);
}

TEST_F(ReconciliationTest, AnOrderThatTheVenueRejectedWasSent) {
    log_on(1);
    EXPECT_FALSE(reconciliation_->heard(text("11=" + id(7) + "|39=8|37=V5|"), now_));
    answer(kNothing);
    reconciliation_->conclude();
    EXPECT_EQ(spent(), (std::set<std::string>{"r7"}));
}

TEST_F(ReconciliationTest, AVenueThatCountsFromOneHasForgotten) {
    log_on(0);
    reconciliation_->asked_again(text("35=2|7=1|16=0|"));
    answer({id(7)});
    EXPECT_EQ(reconciliation_->conclude(),
              "reconciled with the venue: it has 1 order of rules that were in doubt; 100 rules stay in "
              "doubt, for the "
              "sequence numbers have begun anew since the board was lost");
    EXPECT_EQ(spent().size(), 100U);
}

TEST_F(ReconciliationTest, RefusedLogonsTakeNumbersAndAreNotCounted) {
    log_on(3, 2);
    EXPECT_EQ(ledger_->unseen_numbers(), 3);
}

// What the venue asks for again it has not counted: ours were on their way when all was lost.
TEST_F(ReconciliationTest, WhatTheVenueMissesItHasNotCounted) {
    for (int i = 0; i < 3; ++i) ledger_->set(ledger_->next_sender(), text("35=0|"));
    log_on(5);
    reconciliation_->asked_again(text("35=2|7=" + std::to_string(ledger_->counted_from() + 2) + "|16=0|"));
    EXPECT_EQ(ledger_->unseen_numbers(), 2);
    EXPECT_FALSE(ledger_->doubts_uncountable());
}

TEST_F(ReconciliationTest, ASecondTryGoesOnFromTheFirst) {
    log_on(2);
    ask();
    reconciliation_->heard(of_known(id(7)), now_);
    open();
    reconciliation_.emplace(*ledger_);
    ledger_->set(ledger_->next_sender(), text("35=A|"));
    reconciliation_->begin(now_);
    asked_.clear();
    answer({id(7), id(8)});
    reconciliation_->conclude();
    EXPECT_EQ(spent(), (std::set<std::string>{"r7", "r8"}));
}

}  // namespace
}  // namespace fixaccel
