// SPDX-License-Identifier: Apache-2.0
// Orders of the runtime's rules, up to the FIX engine; that one reaches the venue is tested end to end.
#include <algorithm>
#include <memory>

#include "software_fixture.hpp"

namespace fixaccel {
namespace {

TEST_F(SoftwareTest, AnOrderHasTheFieldsOfATemplate) {
    builder_.set("order.type", {1, 1}).set("order.price", {-150, 200});
    restart();
    see("2.5");
    const std::map<int, std::string> expected = {{1, "ME"},     {11, ledger_->epoch() + "0000000000000001"},
                                                 {21, "1"},     {38, "1"},
                                                 {40, "2"},     {44, "-1.50"},
                                                 {54, "2"},     {55, "MSFT"},
                                                 {58, "hello"}, {59, "3"}};
    ASSERT_EQ(port_->orders.size(), 1U);
    EXPECT_EQ(port_->orders[0], expected);
    const auto& fire = ledger_->fires().at(0);
    EXPECT_EQ(fire["outcome"], "sent");
    EXPECT_EQ(fire["threshold"], "3");
    EXPECT_EQ(fire["observed"], "2.5");
    EXPECT_EQ(fire["price"], "-1.5");
    EXPECT_EQ(fire["trigger_time_ns"], kNow);
}

TEST_F(SoftwareTest, WhatIsHeldBackIsJournalledAndSpent) {
    port_->reason = "kill";
    see("2.5");
    EXPECT_TRUE(port_->orders.empty());
    EXPECT_EQ(outcome(0), "rejected:kill");
    restart();
    see("2.5");
    EXPECT_TRUE(port_->orders.empty());
    EXPECT_EQ(ledger_->sent_orders().orders, 0);
}

TEST_F(SoftwareTest, AnOrderThatTheStoreDoesNotHaveWasNotSent) {
    builder_.set("part.group", {0, 0});
    restart();
    port_->takes = false;
    see("2.5");
    EXPECT_EQ(port_->orders.size(), 1U);
    ASSERT_EQ(ledger_->fires().size(), 1U);
    EXPECT_EQ(outcome(0), "rejected:lease");
    EXPECT_EQ(rules_->state(0), PartState::fired);
    EXPECT_EQ(rules_->state(1), PartState::armed) << "only an order that was sent cancels its siblings";
    restart();
    EXPECT_EQ(rules_->state(1), PartState::armed);
}

TEST_F(SoftwareTest, SpentRulesLinksAndLimitsOutliveARestart) {
    builder_.set("limits.total_orders", {1});
    restart();
    see("2.5");
    EXPECT_EQ(outcome(0), "sent");
    restart();
    see("1");
    EXPECT_TRUE(port_->orders.empty());
    EXPECT_EQ(outcome(1), "rejected:total_orders");
    EXPECT_EQ(ledger_->fires().size(), 2U);
}

TEST_F(SoftwareTest, SiblingsStayCancelledAfterARestart) {
    builder_.set("part.group", {0, 0});
    restart();
    see("2.5");
    restart();
    EXPECT_EQ(rules_->state(0), PartState::fired);
    EXPECT_EQ(rules_->state(1), PartState::cancelled);
}

TEST_F(SoftwareTest, ChildrenStayArmedAfterARestart) {
    builder_.set("part.parents", {-1, 0})
        .set("parents.first", {0})
        .set("parents.count", {1})
        .set("parent.first", {0})
        .set("parent.count", {1});
    restart();
    EXPECT_EQ(rules_->state(1), PartState::disarmed);
    see("2.5");
    restart();
    EXPECT_EQ(rules_->state(1), PartState::armed);
}

TEST_F(SoftwareTest, ADryRunGivesTheFixEngineNothingAndSpendsNothing) {
    builder_.set("part.group", {0, 0}).set("limits.total_orders", {1});
    restart();
    ledger_->record_armed(true);
    rules_->arm();
    see("2.5");
    EXPECT_TRUE(port_->orders.empty());
    ASSERT_EQ(ledger_->fires().size(), 1U);
    EXPECT_EQ(outcome(0), "dry");
    EXPECT_EQ(rules_->state(1), PartState::cancelled);
    EXPECT_EQ(ledger_->sent_orders().orders, 1);
    ledger_->record_disarmed("test");
    EXPECT_EQ(ledger_->sent_orders().orders, 0);
    ledger_->record_armed(false);
    rules_->arm();
    see("2.5");
    ASSERT_EQ(port_->orders.size(), 1U);
    EXPECT_EQ(port_->orders[0].at(11), ledger_->epoch() + "0000000000000001");
    EXPECT_EQ(outcome(1), "sent");
}

TEST_F(SoftwareTest, ADryRunRejectsWhatWouldBeRejected) {
    builder_.set("limits.total_orders", {1});
    restart();
    ledger_->record_armed(true);
    rules_->arm();
    see("1");
    EXPECT_EQ(outcome(0), "dry");
    EXPECT_EQ(outcome(1), "rejected:total_orders");
    EXPECT_TRUE(ledger_->fires()[1]["dry"].get<bool>());
    EXPECT_TRUE(port_->orders.empty());
}

TEST_F(SoftwareTest, AnOrderSaysHowLongItTookIfThatIsKnown) {
    port_->sent_at = std::chrono::steady_clock::time_point(std::chrono::microseconds(100));
    rules_->arm();
    see("3");
    ASSERT_EQ(ledger_->fires().size(), 1U);
    EXPECT_FALSE(ledger_->fires()[0].contains("took_ns")) << "nobody has said when it was read";
    read_at_ = port_->sent_at - std::chrono::microseconds(40);
    see("2");
    ASSERT_EQ(ledger_->fires().size(), 2U);
    EXPECT_EQ(ledger_->fires()[1]["took_ns"], 40'000);
}

TEST_F(SoftwareTest, AnOrderThatTheKernelDidNotGetSaysNothingOfIt) {
    read_at_ = port_->sent_at + std::chrono::microseconds(1);
    rules_->arm();
    see("3");
    EXPECT_FALSE(ledger_->fires().at(0).contains("took_ns"));
}

// The first stop sells at 2.50 and rests, the second buys at 2.50.
TEST_F(SoftwareTest, NoOrderMeetsOneOfOurOwnUntilAReportEndsIt) {
    builder_.set("order.side", {1, 0})
        .set("order.type", {1, 1})
        .set("order.price", {250, 250})
        .set("order.rests", {1, 1})
        .set("limits.self_trade", {1})
        .set("zone.start_s", {0})
        .set("zone.offset_s", {0})
        .envelopes(R"([{"tif": "day", "account": "", "fields": {}}])");
    for (const bool ended : {false, true}) {
        start_anew();
        see("2.5");
        ASSERT_EQ(port_->orders.size(), 1U);
        ledger_->record_execution(
            "35=8\x01"
            "17=1\x01"
            "39=" +
            std::string(ended ? "4" : "0") +
            "\x01"
            "11=" +
            port_->orders[0].at(11) + "\x01");
        restart();
        now_ns_ += 7LL * 24 * 3600 * 1'000'000'000;  // reports count, not days
        see("1");
        EXPECT_EQ(outcome(1), ended ? "sent" : "rejected:self_trade");
    }
}

TEST_F(SoftwareTest, OrdersOfADryRunRestToTheEndOfTheDay) {
    builder_.set("order.side", {1, 0})
        .set("order.type", {1, 0})
        .set("order.price", {250, 0})
        .set("order.rests", {1, 0})
        .set("limits.self_trade", {1})
        .set("zone.start_s", {0})
        .set("zone.offset_s", {0});
    for (const bool same_day : {true, false}) {
        start_anew();
        ledger_->record_armed(true);
        rules_->arm();
        see("2.5");
        if (!same_day) now_ns_ += 24LL * 3600 * 1'000'000'000;
        see("1");
        EXPECT_EQ(outcome(0), "dry");
        EXPECT_EQ(outcome(1), same_day ? "rejected:self_trade" : "dry");
        ledger_->record_disarmed("test");
        EXPECT_EQ(ledger_->resting().all().size(), 0U);
    }
}

TEST_F(SoftwareTest, ARuleSendsNothingTooSoonOverARestartEither) {
    builder_.set("limits.repeat_ns", {1000})
        .set("part.rule", {0, 0})
        .set("rule.name_first", {0})
        .set("rule.name_count", {4})
        .set("name.text", {'s', 't', 'o', 'p'});
    for (const bool in_time : {false, true}) {
        start_anew();
        see("2.5");
        restart();
        now_ns_ = kNow + (in_time ? 1000 : 999);
        see("1");
        EXPECT_EQ(outcome(1), in_time ? "sent" : "rejected:repeat");
    }
}

TEST_F(SoftwareTest, NothingIsEvaluatedOnceDisarmed) {
    port_->disarms = true;
    see("2.5");
    EXPECT_TRUE(see("1"));
    EXPECT_EQ(port_->orders.size(), 1U);
    EXPECT_EQ(ledger_->fires().size(), 1U);
    EXPECT_EQ(rules_->state(1), PartState::armed);
}

TEST_F(SoftwareTest, WhatWasSeenBeforeArmingIsKnownAndNoObservation) {
    builder_.set("limits.collar", {2000});
    restart();
    port_->is_armed = false;
    see("2.9");
    port_->is_armed = true;
    rules_->arm();
    EXPECT_TRUE(ledger_->fires().empty()) << "2.9 satisfies the first stop";
    see("2.5");
    EXPECT_EQ(port_->orders.size(), 1U) << "the collar has its reference";
}

TEST_F(SoftwareTest, WhatIsForgottenIsNoReference) {
    builder_.set("limits.collar", {2000});
    restart();
    port_->is_armed = false;
    see("2.9");
    port_->is_armed = true;
    rules_->forget_market();
    rules_->arm();
    see("2.5");
    EXPECT_TRUE(ledger_->fires().empty());
    see("2.4");
    EXPECT_EQ(port_->orders.size(), 1U);
}

// A load while armed: what comes from its first message on is the new rules' alone.
TEST_F(SoftwareTest, RulesOfTheSameMeaningGoOn) {
    builder_.set("limits.collar", {3000});
    restart();
    see("3.5");
    see("2.5");
    ASSERT_EQ(port_->orders.size(), 1U);
    Load next = ledger_->load();
    next.generation = 2;
    next.epoch = ledger_->new_epoch();
    next.rules.edit(0).hash = std::string(31, '0') + "9";
    ledger_->record_next_load(next);
    builder_.set("part.hash", {9, 0, 2, 0});  // another first stop
    Bundle changed = bundle();
    changed.rules.edit(0).hash = next.rules[0].hash;
    auto rules = std::make_unique<SoftwareRules>(changed, *ledger_);
    EXPECT_TRUE(rules->unknown_to(*rules_).empty());
    rules->take_over(*rules_, 2);
    rules_ = std::move(rules);
    EXPECT_EQ(rules_->state(0), PartState::armed) << "it is another rule";
    EXPECT_EQ(rules_->state(1), PartState::armed);
    see("1.9");
    ASSERT_EQ(port_->orders.size(), 3U) << "the collar has the reference that the rules before have seen";
    EXPECT_EQ(port_->orders[1].at(11), next.epoch + "0000000000000001");
    EXPECT_EQ(ledger_->fires().at(2)["generation"], 2);
    rules = std::make_unique<SoftwareRules>(changed, *ledger_);
    ledger_->record_flipped(5, 0);
    Load third = next;
    third.generation = 3;
    ledger_->record_next_load(third);
    rules->take_over(*rules_, 3);
    EXPECT_EQ(rules->state(0), PartState::fired);
    EXPECT_EQ(rules->state(1), PartState::fired);
}

// What stands in for the fabric is armed once it has to, and in the first load of a journal that may not have
// been.
TEST_F(SoftwareTest, RulesThatWereNeverArmedAreTakenOver) {
    Load next = ledger_->load();
    next.generation = 2;
    ledger_->record_next_load(next);
    SoftwareRules former(bundle(), *ledger_);
    SoftwareRules rules(bundle(), *ledger_);
    ASSERT_NO_THROW(rules.take_over(former, 2));
    rules.arm();
    EXPECT_EQ(rules.state(0), PartState::armed);
}

TEST_F(SoftwareTest, AMessageOfNoInstrumentIsNotUnderstood) {
    EXPECT_FALSE(rules_->process(MarketText("35=W\x01"
                                            "269=2\x01"
                                            "270=1\x01"),
                                 kNow, *port_));
    EXPECT_TRUE(port_->orders.empty());
}

TEST_F(SoftwareTest, ATableOfOtherRulesIsRefused) {
    const auto refused = [&](auto change) {
        Bundle changed = bundle();
        change(changed);
        EXPECT_THROW(SoftwareRules(changed, *ledger_), BundleError);
    };
    refused([](Bundle& b) { b.rules.edit(1).hash[0] = 'f'; });
    refused([](Bundle& b) { b.rules.edit(0).instrument = "CLZ6"; });
    refused([](Bundle& b) { b.rules.push_back(b.rules[1]); });
    refused([](Bundle& b) { b.rules.pop_back(); });
    refused([](Bundle& b) { b.rules.edit(0).trigger = 0; });
    builder_.envelopes("[]");
    refused([](Bundle&) {});
    builder_.envelopes(R"([{"tif": "never", "account": "", "fields": {}}])");
    refused([](Bundle&) {});
    Bundle none = bundle();
    none.software = {};
    EXPECT_THROW(SoftwareRules(none, *ledger_), TableError);
}

TEST_F(SoftwareTest, AnOrderThatIsNoRulesCounts) {
    builder_.set("limits.orders_per_second", {1});
    restart();
    rules_->count_other(now_ns_);
    see("2.5");
    EXPECT_EQ(outcome(0), "rejected:orders_per_second");
    now_ns_ += 1'000'000'000;
    see("1.5");
    EXPECT_EQ(outcome(1), "sent");
}

}  // namespace
}  // namespace fixaccel
