// SPDX-License-Identifier: Apache-2.0
// Limits that were changed for a time, over a restart.
#include "ledger_fixture.hpp"

namespace fixaccel {
namespace {

class LedgerLimitsTest : public LedgerTest {
  protected:
    static LimitChange change(std::int64_t value) {
        LimitChange change;
        change.limit = "total_qty";
        change.instrument = "MSFT";
        change.value = value;
        change.by = "user 7 (ann), process 8";
        change.reason = "d\u00fcnn";
        change.until_ns = 99;
        change.bundle = "b";
        return change;
    }
};

TEST_F(LedgerLimitsTest, TheLastWordHoldsUntilItIsReverted) {
    ledger_->record_limit_set(change(5));
    ledger_->record_limit_set(change(7));
    open();
    ASSERT_EQ(ledger_->limit_changes().size(), 1U);
    const LimitChange& kept = ledger_->limit_changes().at("total_qty MSFT");
    EXPECT_GT(kept.set_ns, 0);
    LimitChange said = change(7);
    said.set_ns = kept.set_ns;
    EXPECT_EQ(kept, said);
    ledger_->record_limit_reverted("total_qty", "expired");
    EXPECT_EQ(ledger_->limit_changes().size(), 1U) << "that is another one";
    ledger_->record_limit_reverted("total_qty MSFT", "asked", "user 9");
    EXPECT_TRUE(ledger_->limit_changes().empty());
    open();
    EXPECT_TRUE(ledger_->limit_changes().empty());
}

TEST_F(LedgerLimitsTest, WhatIsCountedBeginsAnew) {
    ledger_->record_load(load_of({rule("a", "h")}));
    const SoftwareFire fire = software_fire(0);
    ledger_->record_intent(fire);
    ledger_->set(ledger_->next_sender(), message_of(fire));
    EXPECT_TRUE(ledger_->settle_intent("session"));
    EXPECT_EQ(ledger_->sent_orders().orders, 1U);
    EXPECT_EQ(ledger_->sent_orders().quantities.size(), 1U);
    const std::int64_t before = ledger_->counted_since_ns();
    ledger_->record_limits_reset("flat", "user 7");
    const std::int64_t since = ledger_->counted_since_ns();
    EXPECT_GT(since, before);
    for (int start = 0; start < 2; ++start, open()) {
        EXPECT_EQ(ledger_->counted_since_ns(), since) << "the day's roll is planned by it";
        EXPECT_EQ(ledger_->sent_orders().orders, 0U);
        EXPECT_TRUE(ledger_->sent_orders().quantities.empty());
        EXPECT_TRUE(ledger_->sent_orders().rules.empty());
        EXPECT_EQ(ledger_->sent_orders().last_ns.size(), 1U) << "`repeat` goes on";
        EXPECT_TRUE(ledger_->fired(ledger_->load().rules[0]));
    }
}

}  // namespace
}  // namespace fixaccel
