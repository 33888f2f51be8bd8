// SPDX-License-Identifier: Apache-2.0
// What an order by hand has to pass.
#include "hand_gate.hpp"

#include <gtest/gtest.h>

#include "ledger_fixture.hpp"
#include "table_builder.hpp"

namespace fixaccel {
namespace {

using test::TableBuilder;

constexpr std::int64_t kSecond = 1'000'000'000;

class HandGateTest : public LedgerTest {
  protected:
    void SetUp() override {
        LedgerTest::SetUp();
        ledger_->record_load(load_of({rule("a", "h")}));
        builder_.by_hand(R"({"account": "ME", "fields": {"58": "hello"}, "lots": [10], "order_qty": 100,
                             "limit_collar": null})");
    }

    static Bundle bundle_of(const TableBuilder& builder) {
        Bundle bundle;
        const std::vector<std::byte> file = builder.file();
        bundle.software = SharedText(std::string(reinterpret_cast<const char*>(file.data()), file.size()));
        return bundle;
    }

    HandGate& gate() {
        if (!gate_) gate_.emplace(bundle_of(builder_));
        return *gate_;
    }

    static OrderTerms buy(const std::string& qty, const std::string& price) {
        return {"MSFT", "buy", qty, price.empty() ? "market" : "limit", price, "day", ""};
    }

    std::string wrong(OrderTerms terms) { return gate().complete(terms); }

    // The limit that it breaks.
    std::string limit(const OrderTerms& terms, std::int64_t instead = 0) {
        const std::string text = gate().judge(terms, instead, *ledger_, now_);
        return text.substr(0, text.find(':'));
    }

    void see(const std::string& entries) {
        gate().see(MarketText("35=W\x01"
                              "55=MSFT\x01" +
                              entries),
                   now_);
    }
    static std::string entry(const std::string& type, const std::string& price) {
        return "269=" + type +
               "\x01"
               "270=" +
               price +
               "\x01"
               "290=1\x01";
    }

    void send(const OrderTerms& terms) {
        HandRequest request = ledger_->next_by_hand();
        request.terms = terms;
        request.counts_qty = terms.qty;
        ledger_->record_by_hand(request);
        ledger_->set(ledger_->next_sender(),
                     "35=D\x01"
                     "11=" +
                         request.cl_ord_id +
                         "\x01"
                         "38=" +
                         terms.qty +
                         "\x01"
                         "40=2\x01"
                         "44=" +
                         terms.price +
                         "\x01"
                         "54=" +
                         (terms.side == "buy" ? "1" : "2") +
                         "\x01"
                         "55=MSFT\x01");
        ledger_->set_next_sender(ledger_->next_sender() + 1);
        EXPECT_NE(ledger_->settle_by_hand(""), 0);
    }

    TableBuilder builder_;
    std::optional<HandGate> gate_;
    std::int64_t now_ = 1'700'000'000 * kSecond;
};

TEST_F(HandGateTest, TermsAreThoseOfTheVenue) {
    OrderTerms terms = buy("10", "11.50");
    EXPECT_EQ(gate().complete(terms), "");
    EXPECT_EQ(terms.account, "ME");
    EXPECT_EQ(gate().fields(), (FixFields{{58, "hello"}}));
    EXPECT_EQ(gate().unit_of("MSFT"), "0.01");
    terms.symbol = "MSTF";
    EXPECT_EQ(wrong(terms), "the venue has no instrument MSTF; did you mean MSFT?");
    terms.symbol = "nothing";
    EXPECT_EQ(wrong(terms), "the venue has no instrument nothing; it has MSFT");
    for (const char* qty : {"", "0", "-10", "010", "1.5", "1e1", "9999999990", " 10"})
        EXPECT_NE(wrong(buy(qty, "11.5")).find("is no whole number"), std::string::npos) << qty;
    EXPECT_EQ(wrong(buy("15", "11.5")), "the quantity 15 is no multiple of the lot of 10");
    EXPECT_EQ(wrong(buy("10", "eleven")), "the price eleven is no decimal number, such as 1180.5");
    EXPECT_EQ(wrong(buy("10", "11.505")), "the price 11.505 is not a multiple of 0.01 from -100 to 10000");
    EXPECT_EQ(wrong(buy("10", "10000.01")),
              "the price 10000.01 is not a multiple of 0.01 from -100 to 10000");
    terms = buy("10", "");
    terms.price = "1";
    EXPECT_EQ(wrong(terms), "a market order has no price");
    terms = buy("10", "");
    terms.type = "limit";
    EXPECT_EQ(wrong(terms), "a limit order needs a price");
    terms = buy("10", "1");
    terms.tif = "gtd";
    EXPECT_EQ(wrong(terms), "the time in force is day, gtc, ioc or fok, not gtd");
}

TEST_F(HandGateTest, APriceBetweenTicksNamesBoth) {
    builder_.set("instrument.tick_count", {2}).set("tick.start", {0, 1000}).set("tick.size", {1, 50});
    EXPECT_EQ(wrong(buy("10", "9.99")), "");
    EXPECT_EQ(wrong(buy("10", "10.50")), "");
    EXPECT_EQ(wrong(buy("10", "10.51")), "the price 10.51 is between the ticks 10.5 and 11");
}

TEST_F(HandGateTest, EachLimitHoldsItsOrderBack) {
    EXPECT_EQ(limit(buy("100", "10")), "");
    EXPECT_EQ(limit(buy("110", "10")), "order_qty");
    builder_.set("instrument.notional_cap", {200'000, 0});  // of price in half units
    gate_.reset();
    EXPECT_EQ(limit(buy("100", "10")), "");
    EXPECT_EQ(limit(buy("100", "10.01")), "order_notional");
    EXPECT_EQ(limit(buy("10", "")), "order_notional") << "nothing is known to value it by";
    see(entry("0", "9.99") + entry("1", "10.01"));
    EXPECT_EQ(limit(buy("90", "")), "");
    EXPECT_EQ(limit(buy("100", "")), "order_notional") << "it would be bought at the ask";
}

TEST_F(HandGateTest, TheCollarIsAroundTheLastPrice) {
    builder_.set("limits.collar", {100});  // basis points
    EXPECT_EQ(limit(buy("10", "10")), "collar") << "nothing is known to measure it by";
    see(entry("0", "9.99") + entry("1", "10.01"));
    EXPECT_EQ(limit(buy("10", "10.1")), "");
    EXPECT_EQ(limit(buy("10", "10.11")), "collar");
    EXPECT_EQ(limit(buy("10", "9.89")), "collar");
    see(entry("0", "9.99") + entry("1", "10.01") + entry("2", "9.9"));
    EXPECT_EQ(limit(buy("10", "9.99")), "") << "the last trade goes before the middle";
    EXPECT_EQ(limit(buy("10", "10.1")), "collar");
    gate().forget_market();
    EXPECT_EQ(limit(buy("10", "10")), "collar");
}

TEST_F(HandGateTest, TheLimitCollarIsAroundItToo) {
    builder_.by_hand(R"({"account": "", "fields": {}, "lots": [1], "order_qty": null, "limit_collar": 100})");
    EXPECT_EQ(limit(buy("10", "99")), "");
    see(entry("2", "10"));
    EXPECT_EQ(limit(buy("10", "10.1")), "");
    EXPECT_EQ(limit(buy("10", "10.11")), "limit_collar");
}

TEST_F(HandGateTest, TotalsCountWhateverWasSent) {
    builder_.set("limits.total_orders", {2}).set("instrument.total_qty", {30});
    send(buy("20", "10"));
    EXPECT_EQ(limit(buy("10", "10")), "");
    EXPECT_EQ(limit(buy("20", "10")), "total_qty");
    EXPECT_EQ(limit(buy("30", "10"), 20), "") << "in the place of the one that was sent";
    EXPECT_EQ(limit(buy("40", "10"), 20), "total_qty");
    Fire sold = fire(1, 0, static_cast<std::uint32_t>(ledger_->next_sender()));
    ledger_->record({sold});
    EXPECT_EQ(limit(buy("10", "10")), "total_orders") << "the fabric's order counts, too";
    EXPECT_TRUE(gate().limits_quantity("MSFT"));
    EXPECT_FALSE(gate().limits_quantity("IBM"));
}

TEST_F(HandGateTest, NoOrderMeetsOneOfOurOwn) {
    builder_.set("limits.self_trade", {1}).set("zone.start_s", {0}).set("zone.offset_s", {0});
    OrderTerms sell = buy("10", "10.5");
    sell.side = "sell";
    send(sell);
    EXPECT_EQ(limit(buy("10", "10.49")), "");
    EXPECT_EQ(limit(buy("10", "10.5")), "self_trade");
    EXPECT_EQ(limit(buy("10", "")), "self_trade");
    EXPECT_EQ(limit(sell), "");
}

TEST_F(HandGateTest, TheBucketHasRoomForWhatLeftByAnybody) {
    builder_.set("limits.orders_per_second", {2});
    EXPECT_EQ(limit(buy("10", "10")), "");
    gate().follow(ledger_->sent_orders(), now_);
    send(buy("10", "10"));
    EXPECT_EQ(limit(buy("10", "10")), "");
    ledger_->record({fire(1, 0, static_cast<std::uint32_t>(ledger_->next_sender()))});
    EXPECT_EQ(limit(buy("10", "10")), "orders_per_second");
    now_ += kSecond / 2;
    EXPECT_EQ(limit(buy("10", "10")), "");
    EXPECT_EQ(limit(buy("10", "10")), "") << "to ask takes nothing";
    ledger_->record_day_roll();
    EXPECT_EQ(limit(buy("10", "10")), "") << "what is counted anew has not left anew";
}

TEST_F(HandGateTest, RepeatIsOfOneSideOfAnInstrument) {
    builder_.set("limits.repeat_ns", {10 * kSecond});
    EXPECT_EQ(limit(buy("10", "10")), "");
    send(buy("10", "10"));
    now_ = ledger_->sent_orders().last_ns.at(hand_key("MSFT", "buy")) + 10 * kSecond - 1;
    EXPECT_EQ(limit(buy("10", "10")), "repeat");
    OrderTerms sell = buy("10", "11");
    sell.side = "sell";
    EXPECT_EQ(limit(sell), "");
    ++now_;
    EXPECT_EQ(limit(buy("10", "10")), "");
}

TEST_F(HandGateTest, ALoadForgetsNeitherTheMarketNorTheBucket) {
    builder_.set("limits.orders_per_second", {1}).set("limits.collar", {100});
    see(entry("2", "10"));
    gate().follow(ledger_->sent_orders(), now_);
    send(buy("10", "10"));
    EXPECT_EQ(limit(buy("10", "10")), "orders_per_second");
    HandGate next(bundle_of(builder_));
    next.take_over(gate(), now_);
    EXPECT_EQ(next.judge(buy("10", "10"), 0, *ledger_, now_).substr(0, 17), "orders_per_second");
    EXPECT_EQ(next.judge(buy("10", "20"), 0, *ledger_, now_).substr(0, 6), "collar");
}

TEST_F(HandGateTest, OtherValuesHoldAtOnceAndTheFilesOwnComeBack) {
    builder_.set("limits.total_orders", {2}).set("instrument.total_qty", {30}).set("limits.repeat_ns", {-1});
    const LimitValues own{{"total_orders", 2}, {"total_qty MSFT", 30}};
    EXPECT_EQ(gate().own_limits(), own);
    send(buy("10", "10"));
    EXPECT_EQ(limit(buy("10", "10")), "");
    gate().change_limits({{"total_orders", 1}}, now_);
    EXPECT_EQ(limit(buy("10", "10")), "total_orders");
    gate().change_limits({{"total_qty MSFT", 15}}, now_);
    EXPECT_EQ(limit(buy("10", "10")), "total_qty") << "and the other is the file's again";
    gate().change_limits({{"repeat", 1'000 * kSecond}, {"total_qty IBM", 1}}, now_);
    now_ = ledger_->sent_orders().last_ns.at(hand_key("MSFT", "buy"));
    EXPECT_EQ(limit(buy("10", "10")), "repeat");
    gate().change_limits({{"collar", 100}}, now_);
    EXPECT_EQ(limit(buy("10", "10")), "collar") << "nothing is known to measure it by";
    gate().change_limits({}, now_);
    EXPECT_EQ(limit(buy("10", "10")), "");
    EXPECT_EQ(limit(buy("30", "10")), "total_qty");
    EXPECT_EQ(gate().own_limits(), own);
}

TEST_F(HandGateTest, LimitsThatHoldInPlaceOfTheBundlesAreListed) {
    builder_.set("limits.orders_per_second", {5});
    HandGate held(bundle_of(builder_));
    held.change_limits({{"orders_per_second", 1}}, now_);
    held.follow(ledger_->sent_orders(), now_);
    send(buy("10", "10"));
    EXPECT_EQ(held.judge(buy("10", "10"), 0, *ledger_, now_).substr(0, 17), "orders_per_second");
    const nlohmann::json limits = held.limits(*ledger_);
    ASSERT_EQ(limits.size(), 2U) << limits.dump();
    EXPECT_EQ(limits[1], (nlohmann::json{{"limit", "orders_per_second"}, {"value", "1"}}));
}

TEST_F(HandGateTest, DamagedTermsAreRefused) {
    for (const char* terms : {"[]", "{}", R"({"account": "", "fields": {}, "lots": [], "order_qty": null,
                                             "limit_collar": null})"}) {
        builder_.by_hand(terms);
        EXPECT_THROW(HandGate{bundle_of(builder_)}, BundleError) << terms;
    }
}

}  // namespace
}  // namespace fixaccel
