// SPDX-License-Identifier: Apache-2.0
// What a venue does besides taking orders: mass cancels, lists of orders, copies, orders that go with their
// session, market data that are asked for in part.
#include <gtest/gtest.h>

#include "tests/venue_fixture.hpp"
#include "venue/tags.hpp"

namespace fixaccel::exchange {
namespace {

VenueOptions services() {
    VenueOptions options;
    options.drop_copy = {{"DROP1", {"CLIENT1"}}};
    options.cancel_on_disconnect = {"CLIENT2"};
    options.subscriptions = 2;
    return options;
}

OutgoingMessage mass_cancel(const std::string& id, const std::string& type, const std::string& symbol = "") {
    OutgoingMessage message{"q",
                            {{tag::kClOrdId, id},
                             {tag::kMassCancelRequestType, type},
                             {tag::kTransactTime, "20260101-12:00:00.000"}},
                            {}};
    if (!symbol.empty()) message.fields.push_back({tag::kSymbol, symbol});
    return message;
}

class VenueServices : public VenueTest {
  protected:
    VenueServices() : VenueTest(services()) {}

    void enter(FixClient& trader, const char* id, const char* symbol, const char* side, const char* price) {
        trader.send(new_order(id, symbol, side, "5", price));
        ASSERT_EQ(trader.next("8").text(tag::kExecType), "0");
    }
};

TEST_F(VenueServices, CancelsAllOrThoseOfOneSecurity) {
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    enter(trader, "1", "MSFT", "1", "100");
    enter(trader, "2", "CLZ6", "1", "100");
    enter(trader, "3", "MSFT", "2", "200");
    trader.send(mass_cancel("m1", "1", "MSFT"));
    const IncomingMessage report = trader.next("r");
    EXPECT_EQ(report.text(tag::kMassCancelResponse), "1");
    EXPECT_EQ(report.text(tag::kTotalAffectedOrders), "2");
    for (const char* id : {"1", "3"}) {
        const IncomingMessage canceled = trader.next("8");
        EXPECT_EQ(canceled.text(tag::kExecType), "4");
        EXPECT_EQ(canceled.text(tag::kClOrdId), id);
    }
    trader.send(mass_cancel("m1", "7"));
    EXPECT_EQ(trader.next("r").text(tag::kText), "ClOrdID(11)=m1 was used before");
    trader.send(mass_cancel("m2", "1", "IBM"));
    const IncomingMessage unknown = trader.next("r");
    EXPECT_EQ(unknown.text(tag::kMassCancelResponse), "0");
    EXPECT_EQ(unknown.text(tag::kMassCancelRejectReason), "1");
    trader.send(mass_cancel("m3", "5"));
    EXPECT_EQ(trader.next("r").text(tag::kMassCancelRejectReason), "0");
    trader.send(mass_cancel("m4", "7"));
    EXPECT_EQ(trader.next("r").text(tag::kTotalAffectedOrders), "1");
    EXPECT_EQ(trader.next("8").text(tag::kClOrdId), "2");
}

TEST_F(VenueServices, ListsOpenOrders) {
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    const auto ask = [&](const char* id, const char* type) {
        trader.send({"AF", {{tag::kMassStatusReqId, id}, {tag::kMassStatusReqType, type}}, {}});
        return trader.next("8");
    };
    const IncomingMessage none = ask("q0", "7");
    EXPECT_EQ(none.text(tag::kTotNumReports), "0");
    EXPECT_EQ(none.text(tag::kOrdStatus), "8");
    enter(trader, "1", "MSFT", "1", "100");
    enter(trader, "2", "CLZ6", "1", "100");
    const IncomingMessage first = ask("q1", "7");
    EXPECT_EQ(first.text(tag::kExecType), "I");
    EXPECT_EQ(first.text(tag::kMassStatusReqId), "q1");
    EXPECT_EQ(first.text(tag::kTotNumReports), "2");
    EXPECT_EQ(first.text(tag::kLastRptRequested), "N");
    const IncomingMessage second = trader.next("8");
    EXPECT_EQ(second.text(tag::kClOrdId), "2");
    EXPECT_EQ(second.text(tag::kLastRptRequested), "Y");
    EXPECT_NE(ask("q2", "3").text(tag::kText).find("is not supported"), std::string::npos);
}

TEST_F(VenueServices, APossibleResendIsNoSecondOrder) {
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    enter(trader, "1", "MSFT", "1", "100");
    OutgoingMessage again = new_order("1", "MSFT", "1", "5", "100");
    again.fields.push_back({tag::kPossResend, "Y"});
    trader.send(again);
    const IncomingMessage status = trader.next("8");
    EXPECT_EQ(status.text(tag::kExecType), "I");
    EXPECT_EQ(status.text(tag::kLeavesQty), "5");
    EXPECT_EQ(order_count(), 1U);
    again.fields[1].text = "2";  // ClOrdID
    trader.send(again);
    EXPECT_EQ(trader.next("8").text(tag::kExecType), "0") << "it had not come";
    EXPECT_EQ(order_count(), 2U);
    recorded("possible_resend", 1);
}

TEST_F(VenueServices, CopiesGoToWhoGetsThem) {
    FixClient drop = client("DROP1");
    FixClient trader = client("CLIENT1");
    FixClient other = client("CLIENT2");
    ASSERT_TRUE(drop.log_on() && trader.log_on() && other.log_on());
    enter(other, "1", "MSFT", "2", "100");
    trader.send(new_order("1", "MSFT", "1", "5", "100"));
    trader.next("8");
    const IncomingMessage filled = trader.next("8");
    const IncomingMessage accepted = drop.next("8");
    EXPECT_EQ(accepted.text(tag::kExecType), "0");
    EXPECT_EQ(accepted.text(tag::kCopyMsgIndicator), "Y");
    EXPECT_EQ(accepted.text(tag::kPartyId), "CLIENT1");
    const IncomingMessage copy = drop.next("8");
    EXPECT_EQ(copy.text(tag::kExecId), filled.text(tag::kExecId));
    EXPECT_EQ(copy.text(tag::kLastQty), "5");
    EXPECT_EQ(drop.waiting("8"), 0U) << "CLIENT2's are not its";
    drop.send(new_order("1", "MSFT", "1", "5", "100"));
    EXPECT_EQ(drop.next("j").text(tag::kBusinessRejectReason), "3");
}

TEST_F(VenueServices, OrdersGoWithTheSessionWhereAsked) {
    FixClient stays = client("CLIENT1");
    ASSERT_TRUE(stays.log_on());
    enter(stays, "1", "MSFT", "1", "100");
    {
        FixClient goes = client("CLIENT2");
        ASSERT_TRUE(goes.log_on());
        enter(goes, "1", "MSFT", "1", "101");
        goes.log_out();
    }
    stays.log_out();
    recorded("logout", 2);
    recorded("execution", 4);  // two accepted, copied once, one canceled
    EXPECT_EQ(exchange.find_order("CLIENT2", "1")->status, OrderStatus::kCanceled);
    EXPECT_EQ(exchange.find_order("CLIENT1", "1")->status, OrderStatus::kNew);
}

TEST_F(VenueServices, MarketDataInPart) {
    FixClient watcher = client("CLIENT1");
    ASSERT_TRUE(watcher.log_on());
    gateway.act([](Exchange& venue) { return venue.quote("MSFT", Quote{100, 5}, Quote{200, 6}); });
    const auto ask = [&](const char* id, const std::vector<std::string>& types, const char* request = "1") {
        OutgoingMessage message = market_data_request(id, {"MSFT"}, request);
        message.groups[0].entries.clear();
        for (const std::string& type : types)
            message.groups[0].entries.push_back({{tag::kMdEntryType, type}});
        watcher.send(message);
    };
    ask("bids", {"0"});
    EXPECT_EQ(body(watcher.next("W")), "55=MSFT 262=bids 268=1 269=0 270=1.00 271=5 290=1");
    ask("odd", {"0", "4"});
    const IncomingMessage odd = watcher.next("Y");
    EXPECT_EQ(odd.text(tag::kMdReqRejReason), "8");
    EXPECT_EQ(odd.text(tag::kText), "MDEntryType(269)=4 is not published; 0 is bid, 1 offer, 2 trade");
    ask("two", {"1"});
    EXPECT_EQ(body(watcher.next("W")), "55=MSFT 262=two 268=1 269=1 270=2.00 271=6 290=1");
    ask("three", {"1"});
    const IncomingMessage many = watcher.next("Y");
    EXPECT_EQ(many.text(tag::kMdReqRejReason), "2");
    EXPECT_EQ(many.text(tag::kText), "a session has at most 2 subscriptions at a time");
    ask("lone", {"0"}, "0");
    EXPECT_EQ(watcher.next("W").text(tag::kMdReqId), "lone") << "a lone snapshot is none";
    EXPECT_EQ(gateway.feed_stats("CLIENT1").subscriptions, 2U);
}

class VenueHalts : public VenueTest {};

TEST_F(VenueHalts, AHaltEndsInItsTime) {
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    gateway.act([](Exchange& venue) {
        Message message;
        message.instrument = venue.index_of("MSFT");
        message.kind = MessageKind::kReference;
        message.price = 10000;
        venue.say(message);
        message.kind = MessageKind::kBreaker;
        message.price = 100;
        message.time = 200'000'000;
        return venue.say(message);
    });
    // The time is known before the trade that halts.
    trader.send(new_order("1", "MSFT", "2", "5", "105"));
    trader.next("8");
    trader.send(new_order("2", "MSFT", "1", "5", "105"));
    trader.next("8");
    EXPECT_EQ(recorded("phase", 2)[0]["phase"], "halted");
    EXPECT_EQ(recorded("phase", 2)[1]["reason"], "the halt is over");
}

}  // namespace
}  // namespace fixaccel::exchange
