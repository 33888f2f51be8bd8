// SPDX-License-Identifier: Apache-2.0
// Rules in doubt: which they are, and what the journal keeps of what is found out.
#include "fixaccel/fire.hpp"
#include "ledger_fixture.hpp"

namespace fixaccel {
namespace {

std::string fields_of(const std::string& written) {
    std::string text = written;
    std::replace(text.begin(), text.end(), '|', '\x01');
    return text;
}

class DoubtTest : public LedgerTest {
  protected:
    void SetUp() override {
        LedgerTest::SetUp();
        LoadedRule of_runtime = rule("c", "h");
        of_runtime.in_fabric = false;
        Load load = load_of({rule("a", "h"), rule("b", "h"), of_runtime});
        load.links = {{{{0, 0}}, {{1, 1}}, {}}};  // an order of `a` cancels `b`
        ledger_->record_load(load);
        ledger_->record_armed(false);
    }
    const LoadedRule& loaded(std::size_t index) const { return ledger_->load().rules.at(index); }
    const Doubt& doubt(std::size_t index) const { return ledger_->in_doubt().at(loaded(index).key()); }
};

TEST_F(DoubtTest, OfTheFabricsRulesThatHaveNotFired) {
    ledger_->record({fire(1, 0, 1)});
    ledger_->record_board_lost();
    ASSERT_EQ(ledger_->in_doubt().size(), 1U);
    EXPECT_EQ(doubt(1).cl_ord_id(), "00010000000100000001");
    EXPECT_FALSE(ledger_->armed());
    EXPECT_FALSE(ledger_->spent(loaded(2))) << "what the runtime sends is in the journal first";
    EXPECT_FALSE(ledger_->doubts_judged());
}

TEST_F(DoubtTest, AnOrderThatIsFoundIsAFireLikeAnyOther) {
    ledger_->record_board_lost();
    ledger_->record_counted(ledger_->next_sender() + 1);
    ledger_->record_found(loaded(0).key(), fields_of("39=2|55=MSFT|54=2|38=0000000002|40=2|44=01100.00|"));
    open();
    EXPECT_EQ(ledger_->fires_of(loaded(0)), 1U);
    EXPECT_TRUE(ledger_->fired(loaded(0)));
    EXPECT_TRUE(ledger_->cancelled(loaded(1)));
    EXPECT_EQ(ledger_->sent_orders().orders, 1);
    EXPECT_EQ(ledger_->sent_orders().quantities.at("MSFT").sold, 2);
    EXPECT_EQ(doubt(0).cl_ord_id(), "00010000000000000002") << "it may have fired once more";
    EXPECT_EQ(ledger_->unseen_numbers(), 1);
    EXPECT_EQ(ledger_->found_orders(), 1);
    const nlohmann::json& found = ledger_->fires().back();
    EXPECT_EQ(found.at("cl_ord_id"), "00010000000000000001");
    EXPECT_EQ(found.at("price"), "1100");
    EXPECT_EQ(found.at("qty"), "2");
    ledger_->record_reconciled({loaded(0).key(), loaded(1).key()}, "the venue");
    EXPECT_TRUE(ledger_->spent(loaded(0))) << "its order was sent";
    EXPECT_TRUE(ledger_->doubts_judged());
}

TEST_F(DoubtTest, AReportThatSaysLittleIsCompletedFromTheRule) {
    ledger_->record_board_lost();
    ledger_->record_found(loaded(0).key(), fields_of("39=0|55=MSFT|"));
    EXPECT_EQ(ledger_->fires().back().at("qty"), "2");
    EXPECT_EQ(ledger_->fires().back().at("side"), "sell");
}

TEST_F(DoubtTest, WhatIsInDoubtAlreadyIsNotOfTheNextLoss) {
    ledger_->record_board_lost();
    ledger_->record_reconciled({loaded(1).key()}, "the venue");
    const auto& rules = ledger_->load().rules;
    ledger_->record_load(next_of(std::vector<LoadedRule>(rules.begin(), rules.end())));
    ledger_->record_armed(false);
    ledger_->record_counted(5);
    ledger_->record_board_lost();
    EXPECT_EQ(doubt(0).cl_ord_id(), "00010000000000000001") << "as of the load that it was armed by";
    EXPECT_FALSE(doubt(0).counted);
    EXPECT_EQ(doubt(1).cl_ord_id(), "00020000000100000001");
    EXPECT_TRUE(doubt(1).counted);
    EXPECT_FALSE(ledger_->unseen_numbers());
    EXPECT_FALSE(ledger_->doubts_judged());
}

TEST_F(DoubtTest, NumbersThatBeginAnewCountNothing) {
    ledger_->reset();
    EXPECT_FALSE(ledger_->doubts_uncountable()) << "nothing is in doubt";
    ledger_->record_board_lost();
    ledger_->record_day_roll();
    open();
    EXPECT_TRUE(ledger_->doubts_uncountable());
}

TEST_F(DoubtTest, TheOperatorKnowsItOfEach) {
    ledger_->record_board_lost();
    ledger_->record_told({loaded(0).key()}, true, "me");
    ledger_->record_told({loaded(1).key()}, false, "me");
    open();
    EXPECT_TRUE(ledger_->in_doubt().empty());
    EXPECT_TRUE(ledger_->spent(loaded(0)));
    EXPECT_FALSE(ledger_->spent(loaded(1)));
    EXPECT_FALSE(ledger_->doubts_judged()) << "the venue was not asked";
}

}  // namespace
}  // namespace fixaccel
