// SPDX-License-Identifier: Apache-2.0
// Rules of the runtime that go by what orders have filled, cancel what rests, or wait for the clock.
#include "software_fixture.hpp"

namespace fixaccel {
namespace {

// 1970-01-01 00:00:01 UTC is the time at which the rule of the clock fires.
constexpr std::int64_t kMoment = 1'000'000'000;

// Rule 0 is the entry; 1 sells what it has filled, and cancels what rests of it.
class SoftwareFillsTest : public SoftwareTest {
  protected:
    void SetUp() override {
        SoftwareTest::SetUp();
        exit_on(1);
        start_anew();
    }

    void exit_on(std::int64_t what) {
        builder_.stops({300, 200})
            .set("order.envelope", {0, 0})
            .envelopes(R"([{"tif": "day", "account": "ME", "fields": {}}])")
            .set("order.side", {0, 1})
            .set("order.type", {1, 0})
            .set("order.price", {250, 0})
            .set("order.qty", {10, 0})
            .set("order.filled", {0, 1})
            .set("instrument.lot", {2})
            .set("part.parents", {-1, 0})
            .set("parents.first", {0})
            .set("parents.count", {1})
            .set("parents.on", {what})
            .set("parent.first", {0})
            .set("parent.count", {1})
            .set("part.cancels", {-1, 0})
            .set("cancels.first", {0})
            .set("cancels.count", {1})
            .set("cancelled.first", {0})
            .set("cancelled.count", {1});
    }

    // The venue says it of the entry's order.
    void report(const std::string& exec_id, const std::string& type, const std::string& status,
                const std::string& filled, const std::string& last) {
        ledger_->record_execution(
            "35=8\x01"
            "11=" +
            entry_ +
            "\x01"
            "17=" +
            exec_id +
            "\x01"
            "150=" +
            type +
            "\x01"
            "39=" +
            status +
            "\x01"
            "14=" +
            filled +
            "\x01"
            "32=" +
            last + "\x01");
        rules_->follow_fills(now_ns_);
    }

    void enter() {
        see("2.9");
        ASSERT_EQ(port_->orders.size(), 1U);
        entry_ = port_->orders[0].at(11);
    }

    std::string entry_;
};

TEST_F(SoftwareFillsTest, TheExitSellsWhatWasFilledAndCancelsTheRest) {
    enter();
    see("1.9");
    EXPECT_EQ(port_->orders.size(), 1U) << "nothing is filled";
    report("1", "F", "1", "3", "3");
    EXPECT_EQ(rules_->state(1), PartState::armed);
    report("2", "F", "1", "7", "4");
    see("1.8");
    ASSERT_EQ(port_->orders.size(), 2U);
    EXPECT_EQ(port_->orders[1].at(38), "6") << "whole lots";
    ASSERT_EQ(port_->to_cancel.size(), 1U) << "once the order is sent";
    EXPECT_EQ(port_->to_cancel[0], (std::vector<std::pair<std::string, std::string>>{{entry_, "stop-1"}}));
    EXPECT_EQ(ledger_->uncovered(), (std::map<std::uint32_t, std::int64_t>{{1, 1}})) << "an odd lot";
    report("3", "F", "1", "9", "2");
    see("1.7");
    EXPECT_EQ(port_->orders.size(), 2U) << "one shot";
    EXPECT_EQ(ledger_->uncovered().at(1), 3);
}

TEST_F(SoftwareFillsTest, NothingIsForgottenOrFiredTwiceOverARestart) {
    enter();
    restart();
    EXPECT_EQ(rules_->state(1), PartState::disarmed);
    const std::string order = entry_;
    report("1", "F", "1", "4", "4");
    EXPECT_EQ(rules_->state(1), PartState::armed) << "reported behind the restart";
    report("1", "F", "1", "4", "4");
    restart();
    EXPECT_EQ(rules_->state(1), PartState::armed);
    rules_->follow_fills(now_ns_);
    see("1.9");
    ASSERT_EQ(port_->orders.size(), 1U);
    EXPECT_EQ(port_->orders[0].at(38), "4");
    restart();
    EXPECT_EQ(rules_->state(1), PartState::fired);
    report("2", "F", "1", "6", "2");
    see("1.8");
    EXPECT_TRUE(port_->orders.empty());
    EXPECT_EQ(ledger_->cancels_to_send().size(), 1U) << "nobody has asked for it yet";
}

TEST_F(SoftwareFillsTest, WhatIsTakenBackIsNotSold) {
    enter();
    report("1", "F", "1", "4", "4");
    report("2", "H", "0", "0", "4");
    EXPECT_EQ(rules_->state(1), PartState::armed);
    see("1.9");
    EXPECT_EQ(port_->orders.size(), 1U);
    EXPECT_EQ(outcome(1), "rejected:filled");
    EXPECT_TRUE(port_->to_cancel.empty()) << "no order was sent";
    EXPECT_TRUE(ledger_->cancels_due().empty());
}

TEST_F(SoftwareFillsTest, ArmedByTheEndOfAnOrder) {
    exit_on(2);
    start_anew();
    enter();
    report("1", "F", "1", "4", "4");
    EXPECT_EQ(rules_->state(1), PartState::disarmed);
    report("2", "4", "4", "4", "");
    EXPECT_EQ(rules_->state(1), PartState::armed);
    see("1.9");
    EXPECT_EQ(port_->orders.at(1).at(38), "4");
    EXPECT_TRUE(ledger_->cancels_due().empty()) << "it rests no more";
}

TEST_F(SoftwareFillsTest, ALoadWhileArmedKeepsWhatWasFilled) {
    enter();
    report("1", "F", "1", "4", "4");
    Load next = ledger_->load();
    next.generation = 2;
    ledger_->record_next_load(next);
    auto rules = std::make_unique<SoftwareRules>(bundle(), *ledger_);
    ledger_->record_flipped(5, 0);
    rules->take_over(*rules_, 2);
    rules_ = std::move(rules);
    report("2", "F", "1", "8", "4");
    see("1.9");
    EXPECT_EQ(port_->orders.at(1).at(38), "8");
}

TEST_F(SoftwareFillsTest, AParentMayRunElsewhere) {
    // Row 0 is rule 1, and its parent, rule 0, is not in the table.
    builder_ = {};
    builder_.stops({200})
        .set("part.index", {1})
        .set("part.hash", {2, 0})
        .envelopes(R"([{"tif": "day", "account": "ME", "fields": {}}])")
        .set("order.envelope", {0})
        .set("order.qty", {0})
        .set("order.filled", {1})
        .set("instrument.lot", {1})
        .set("part.parents", {0})
        .set("parents.first", {0})
        .set("parents.count", {1})
        .set("parents.on", {1})
        .set("parent.first", {0})
        .set("parent.count", {1});
    Bundle split = bundle();
    split.rules.edit(0).trigger = 0;
    load(split);
    rules_->arm();
    Fire fire;
    fire.generation = ledger_->load().generation;
    fire.entry = fire.fires = 1;
    fire.outcome = 0;
    fire.seq_num = static_cast<std::uint32_t>(ledger_->next_sender());
    fire.left = true;
    fire.payload =
        "54=1\x01"
        "38=5\x01"
        "11=F1\x01"
        "55=MSFT\x01";
    ledger_->record({fire});
    entry_ = "F1";
    report("1", "F", "1", "3", "3");
    EXPECT_EQ(rules_->state(1), PartState::armed);
    see("1.9");
    EXPECT_EQ(port_->orders.at(0).at(38), "3");
}

class SoftwareClockTest : public SoftwareTest {
  protected:
    void SetUp() override {
        SoftwareTest::SetUp();
        builder_.set("part.form", {3, 0}).set("part.at", {0, -1}).set("at.second", {1});
        builder_.set("zone.start_s", {0}).set("zone.offset_s", {0});
        start_anew();
    }
};

TEST_F(SoftwareClockTest, ARuleFiresWhenItsTimeHasComeAndOnlyWhileArmed) {
    EXPECT_TRUE(rules_->next_moment()) << "it is to be told the time";
    rules_->advance(kMoment - 2, *port_);
    EXPECT_EQ(rules_->next_moment(), kMoment);
    rules_->advance(kMoment - 1, *port_);
    EXPECT_TRUE(port_->orders.empty());
    rules_->advance(kMoment + 5, *port_);
    ASSERT_EQ(port_->orders.size(), 1U);
    EXPECT_EQ(ledger_->fires().at(0)["trigger_time_ns"], kMoment);
    EXPECT_EQ(ledger_->fires().at(0)["observed"], "");
    EXPECT_EQ(ledger_->fires().at(0)["outcome"], "sent");
    EXPECT_FALSE(rules_->next_moment());
    restart();
    rules_->advance(kMoment + 6, *port_);
    EXPECT_TRUE(port_->orders.empty());
}

TEST_F(SoftwareClockTest, AMomentThatPassesUnseenIsNotMadeUpFor) {
    rules_->advance(kMoment - 2, *port_);
    port_->is_armed = false;
    rules_->advance(kMoment + 1, *port_);
    port_->is_armed = true;
    rules_->arm();
    rules_->advance(kMoment + 2, *port_);
    EXPECT_TRUE(port_->orders.empty());
    EXPECT_EQ(rules_->next_moment(), kMoment + 86'400'000'000'000) << "the next day";
    restart();
    rules_->advance(kMoment + 3, *port_);
    EXPECT_EQ(rules_->next_moment(), kMoment + 86'400'000'000'000) << "nor by a new start";
}

}  // namespace
}  // namespace fixaccel
