// SPDX-License-Identifier: Apache-2.0
// The runtime in the place of a fabric that does not see the market: one of the two sends, and each rule
// fires once.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "engine_fixture.hpp"
#include "fixaccel/limits_left.hpp"
#include "fixaccel/utc_clock.hpp"
#include "lists.hpp"
#include "table_builder.hpp"

namespace fixaccel {
namespace {

namespace bits = hwmap::status_bits;
namespace reg = hwmap::reg;
using test::TableBuilder;

class StandInTest : public EngineTest, protected OrderPort {
  protected:
    StandInTest() {
        builder_.stops({400, 300, 200, 100}).set("order.envelope", {0, 0, 0, 0}).envelopes(kDay);
        read_.record({kRead, 1});
        board_->memory[reg::rcv_nxt] = kRead;
    }

    void begin() {
        Bundle of_fabric = bundle();
        of_fabric.standby = text(builder_);
        each_rule(of_fabric, [](BundleRule& rule) {
            rule.hash = std::string(31, '0') + std::to_string(rule.index + 1);
        });
        if (first_in_runtime_) {
            of_fabric.rules.edit(0).trigger.reset();
            of_fabric.software = text(TableBuilder().stops({400}).set("order.envelope", {0}).envelopes(kDay));
        }
        engine_->load(engine_->loadable(of_fabric), "");
        board_->on_write = [this](std::uint32_t addr, std::uint32_t word) {
            act(addr, word);
            if (addr == reg::arm && gap_comes_back_) gap(true);
            if (addr == reg::resync_seq && in_step_) gap(false);
        };
        arm();
    }

    static SharedText text(const TableBuilder& table) {
        const std::vector<std::byte> file = table.file();
        return SharedText({reinterpret_cast<const char*>(file.data()), file.size()});
    }

    void gap(bool on) {
        board_->set_status(bits::gap, on);
        board_->set_status(bits::armed, !on && board_->memory[reg::arm] != 0);
    }

    // The session has a trade.
    void see(const std::string& price) {
        engine_->look_for_gap();
        engine_->standby_for_next()->process(MarketText("35=W\x01"
                                                        "55=MSFT\x01"
                                                        "269=2\x01"
                                                        "270=" +
                                                        price + "\x01"),
                                             utc_ns(), *this);
    }

    bool armed() const override { return engine_->blind(); }
    bool admits(const LoadedRule& rule) override { return engine_->takes_over(rule); }
    std::string held_back() override { return engine_->armed() ? "" : "disarmed"; }
    std::chrono::steady_clock::time_point send_order(const OrderText& order) override {
        EXPECT_EQ(board_->memory[reg::arm], 0U) << "the fabric may send, too";
        EXPECT_TRUE(engine_->may_send());
        const int seq = ledger_->next_sender();
        ledger_->set(seq, order.body);
        ledger_->set_next_sender(seq + 1);
        return {};
    }

    // Rules by the outcomes of their fires.
    std::string fired() const {
        std::string text;
        for (const Record& fire : ledger_->fires())
            text += (text.empty() ? "" : " ") + fire["rule"].get<std::string>() + ":" +
                    fire["outcome"].get<std::string>();
        return text;
    }

    static constexpr std::uint32_t kRead = 1000;
    static constexpr const char* kDay = R"([{"tif": "day", "account": "", "fields": {}}])";
    bool first_in_runtime_ = false;
    TableBuilder builder_;
    Boundaries read_;
    bool in_step_ = false;         // the parser, once it is told where
    bool gap_comes_back_ = false;  // when the board is armed
};

TEST_F(StandInTest, ARuleThatTheFabricDoesNotSeeFiresHereAndIsSpentThere) {
    begin();
    gap(true);
    see("3.50");
    EXPECT_EQ(fired(), "entry:sent");
    EXPECT_TRUE(ledger_->fires().front()["stand_in"].get<bool>());
    EXPECT_TRUE(engine_->silent());
    EXPECT_FALSE(engine_->give_back(read_)) << "still in a gap";
    in_step_ = true;
    EXPECT_TRUE(engine_->give_back(read_));
    EXPECT_FALSE(engine_->silent());
    EXPECT_TRUE(engine_->armed());
    EXPECT_EQ(board_->memory[reg::arm], 1U);
    EXPECT_EQ(states(), "-LLL") << "its order has armed the others";
    EXPECT_EQ(board_->memory[reg::next_seq_num], to_bcd(2, 8));
}

TEST_F(StandInTest, WhereNothingIsSatisfiedTheFabricIsNotTouched) {
    begin();
    gap(true);
    see("5.00");
    EXPECT_TRUE(engine_->blind());
    EXPECT_FALSE(engine_->silent());
    EXPECT_EQ(board_->memory[reg::arm], 1U);
    gap(false);
    EXPECT_EQ(fired(), "");
}

TEST_F(StandInTest, WithoutAGapTheMarketIsOnlyFollowed) {
    begin();
    see("3.50");
    EXPECT_EQ(fired(), "");
    EXPECT_FALSE(engine_->blind());
    config_.stand_in = false;
    gap(true);
    see("3.50");
    EXPECT_EQ(fired(), "");
}

TEST_F(StandInTest, WhatTheFabricHadOnItsWayIsNotFiredAgain) {
    begin();
    gap(true);
    see("5.00");
    ring(0, ledger_->load().generation);  // rejected, as it happens: it is spent all the same
    see("3.50");
    EXPECT_EQ(fired(), "entry:rejected:kill");
    EXPECT_TRUE(engine_->silent());
    see("2.50");
    EXPECT_EQ(fired(), "entry:rejected:kill stop:sent") << "as the table has it: without the bracket's links";
}

TEST_F(StandInTest, ItGoesOnUntilTheFabricHasSeenAllThatIsRead) {
    begin();
    gap(true);
    see("5.00");
    in_step_ = true;
    EXPECT_TRUE(engine_->resync(read_));
    engine_->look_for_gap();
    engine_->read_up_to(kRead);
    EXPECT_TRUE(engine_->blind()) << "a frame may be passing";
    board_->memory[reg::rcv_nxt] = kRead + 500;  // it has
    engine_->look_for_gap();
    board_->memory[reg::rcv_nxt] = kRead + 900;
    engine_->look_for_gap();
    engine_->read_up_to(kRead + 400);
    EXPECT_TRUE(engine_->blind());
    engine_->read_up_to(kRead + 500);
    EXPECT_FALSE(engine_->blind());
    see("3.50");
    EXPECT_EQ(fired(), "");
}

TEST_F(StandInTest, OnAStreamThatStandsStillItEndsBeforeLong) {
    begin();
    gap(true);
    see("5.00");
    engine_->read_up_to(kRead);
    in_step_ = true;
    EXPECT_TRUE(engine_->resync(read_));
    engine_->look_for_gap();
    EXPECT_TRUE(engine_->blind());
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    engine_->look_for_gap();
    EXPECT_FALSE(engine_->blind());
}

TEST_F(StandInTest, AGapThatIsOverBeforeAnythingIsReadCounts) {
    begin();
    gap(true);
    engine_->watch();
    in_step_ = true;
    EXPECT_TRUE(engine_->resync(read_));
    see("3.50");
    EXPECT_EQ(fired(), "entry:sent");
}

TEST_F(StandInTest, AGapThatComesBackWhileItIsArmedAgainLeavesTheRuntimeInItsPlace) {
    begin();
    gap(true);
    see("3.50");
    in_step_ = gap_comes_back_ = true;
    EXPECT_FALSE(engine_->give_back(read_));
    EXPECT_TRUE(engine_->silent());
    EXPECT_TRUE(engine_->armed());
    see("2.50");
    EXPECT_EQ(fired(), "entry:sent stop:sent");
    gap_comes_back_ = false;
    EXPECT_TRUE(engine_->give_back(read_));
    EXPECT_EQ(states().substr(0, 2), "--") << "the fabric would send the second one again";
}

TEST_F(StandInTest, WhatFiredBehindATryToGiveBackIsSpentWhereverItIsArmedNext) {
    begin();
    gap(true);
    see("3.50");
    in_step_ = gap_comes_back_ = true;
    EXPECT_FALSE(engine_->give_back(read_));
    see("2.50");
    EXPECT_EQ(fired(), "entry:sent stop:sent");
    engine_->disarm("test");
    gap_comes_back_ = false;
    gap(false);
    arm();
    EXPECT_EQ(states().substr(0, 2), "--");
}

TEST_F(StandInTest, DisarmedNothingFires) {
    begin();
    gap(true);
    see("3.50");
    engine_->disarm("test");
    EXPECT_FALSE(engine_->silent());
    see("1.00");
    EXPECT_EQ(fired(), "entry:sent");
    EXPECT_FALSE(engine_->give_back(read_));
    EXPECT_EQ(board_->memory[reg::arm], 0U);
}

TEST_F(StandInTest, RulesOfTheRuntimeAreArmedInTheirOwnTableOnly) {
    first_in_runtime_ = true;
    begin();
    gap(true);
    see("3.50");
    EXPECT_EQ(fired(), "");
    EXPECT_FALSE(engine_->silent());
    see("2.50");
    EXPECT_EQ(fired(), "stop:sent");
}

TEST_F(StandInTest, OrdersPerSecondAreOneAccount) {
    limits_ = {.orders_per_second = 2, .total_orders = {}, .unlimited_orders = true};
    builder_.set("limits.orders_per_second", {2});
    begin();
    // The fabric has just sent one.
    set_bucket_full(*board_, utc_ns() + 500'000'000);
    gap(true);
    see("2.50");
    EXPECT_EQ(fired(), "entry:sent stop:rejected:orders_per_second");
    in_step_ = true;
    ASSERT_TRUE(engine_->give_back(read_));
    EXPECT_GT(bucket_full(*board_).value_or(0), utc_ns() + 900'000'000);
    EXPECT_LT(bucket_full(*board_).value_or(0), utc_ns() + 1'100'000'000);
}

}  // namespace
}  // namespace fixaccel
