// SPDX-License-Identifier: Apache-2.0
// Orders, executions and market data over a real connection.
#include <gtest/gtest.h>

#include "tests/venue_fixture.hpp"
#include "venue/reports.hpp"

namespace fixaccel::exchange {
namespace {

class FixTrading : public VenueTest {
  protected:
    void quote(const char* symbol, Price bid, Price ask, Quantity size = 100) {
        gateway.act([&](Exchange& venue) { return venue.quote(symbol, Quote{bid, size}, Quote{ask, size}); });
    }
};

TEST_F(FixTrading, FillsAZeroPaddedLimitOrderAtTheHousesBid) {
    quote("MSFT", 118000, 118010);
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    trader.send(new_order("0001", "MSFT", "2", "0000000002", "0001100.00"));

    const IncomingMessage accepted = trader.next("8");
    EXPECT_EQ(accepted.text(tag::kExecType), "0");
    EXPECT_EQ(accepted.text(tag::kOrdStatus), "0");
    EXPECT_EQ(accepted.text(tag::kClOrdId), "0001");
    EXPECT_EQ(accepted.text(tag::kLeavesQty), "2");
    EXPECT_EQ(accepted.text(tag::kAccount), "CLIENT1");
    const IncomingMessage filled = trader.next("8");
    EXPECT_EQ(filled.text(tag::kExecType), "F");
    EXPECT_EQ(filled.text(tag::kOrdStatus), "2");
    EXPECT_EQ(filled.text(tag::kLastPx), "1180.00");
    EXPECT_EQ(filled.text(tag::kLastQty), "2");
    EXPECT_EQ(filled.text(tag::kCumQty), "2");
    EXPECT_EQ(filled.text(tag::kAvgPx), "1180.00");
    EXPECT_EQ(filled.text(tag::kOrderId), accepted.text(tag::kOrderId));

    const auto orders = recorded("order", 1);
    EXPECT_EQ(orders[0]["qty"], "0000000002");
    EXPECT_EQ(orders[0]["price"], "0001100.00");
    EXPECT_EQ(orders[0]["msg_seq_num"], 2);
    EXPECT_EQ(orders[0]["status"], "accepted");
    EXPECT_EQ(orders[0]["poss_dup"], false);
    recorded("execution", 2);
    EXPECT_EQ(recorded("trade", 1)[0]["buyer"], "house");
    EXPECT_EQ(recorded("trade", 1)[0]["seller"], "CLIENT1");
}

TEST_F(FixTrading, TakesNegativePricesAndMarketOrders) {
    quote("CLZ6", -1250, -1240, 3);
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    trader.send(new_order("1", "CLZ6", "2", "1", "-000012.50"));
    trader.next("8");
    EXPECT_EQ(trader.next("8").text(tag::kLastPx), "-12.50");
    trader.send(new_order("2", "CLZ6", "1", "5", ""));
    trader.next("8");
    const IncomingMessage partial = trader.next("8");
    EXPECT_EQ(partial.text(tag::kOrdStatus), "1");
    EXPECT_EQ(partial.text(tag::kLastPx), "-12.40");
    const IncomingMessage canceled = trader.next("8");
    EXPECT_EQ(canceled.text(tag::kOrdStatus), "4");
    EXPECT_EQ(canceled.text(tag::kCumQty), "3");
    EXPECT_EQ(canceled.text(tag::kLeavesQty), "0");
}

TEST_F(FixTrading, SaysHowAnOrderStands) {
    quote("MSFT", 118000, 118010);
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    trader.send(new_order("0001", "MSFT", "2", "2", "1100"));
    trader.next("8");
    const IncomingMessage filled = trader.next("8");
    const auto ask = [&](const char* order) {
        trader.send(
            {"H",
             {{tag::kClOrdId, order}, {tag::kSymbol, "MSFT"}, {tag::kSide, "2"}, {tag::kOrdStatusReqId, "Q"}},
             {}});
        return trader.next("8");
    };
    const IncomingMessage known = ask("0001");
    EXPECT_EQ(known.text(tag::kExecType), "I");
    EXPECT_EQ(known.text(tag::kExecId), "0");
    EXPECT_EQ(known.text(tag::kOrdStatusReqId), "Q");
    for (const int same :
         {tag::kOrderId, tag::kOrdStatus, tag::kCumQty, tag::kLeavesQty, tag::kAvgPx, tag::kPrice})
        EXPECT_EQ(known.text(same), filled.text(same)) << same;
    EXPECT_EQ(known.find(tag::kOrdRejReason), nullptr);
    const IncomingMessage unknown = ask("0002");
    EXPECT_EQ(unknown.text(tag::kExecType), "I");
    EXPECT_EQ(unknown.text(tag::kOrdStatus), "8");
    EXPECT_EQ(unknown.text(tag::kOrdRejReason), "5");
    EXPECT_EQ(unknown.text(tag::kOrderId), "NONE");
    FixClient other = client("CLIENT2");
    ASSERT_TRUE(other.log_on());
    other.send({"H", {{tag::kClOrdId, "0001"}, {tag::kSymbol, "MSFT"}, {tag::kSide, "2"}}, {}});
    EXPECT_EQ(other.next("8").text(tag::kOrdRejReason), "5") << "it is another client's";
    EXPECT_EQ(recorded("order_status", 3)[0]["known"], true);
}

TEST_F(FixTrading, TwoClientsTradeWithEachOther) {
    FixClient buyer = client("CLIENT1");
    FixClient seller = client("CLIENT2");
    ASSERT_TRUE(buyer.log_on());
    ASSERT_TRUE(seller.log_on());
    buyer.send(new_order("b", "MSFT", "1", "5", "100"));
    EXPECT_EQ(buyer.next("8").text(tag::kExecType), "0");
    seller.send(new_order("s", "MSFT", "2", "3", "99.5"));
    EXPECT_EQ(seller.next("8").text(tag::kExecType), "0");
    const IncomingMessage sold = seller.next("8");
    const IncomingMessage bought = buyer.next("8");
    EXPECT_EQ(sold.text(tag::kOrdStatus), "2");
    EXPECT_EQ(sold.text(tag::kLastPx), "100.00");
    EXPECT_EQ(bought.text(tag::kOrdStatus), "1");
    EXPECT_EQ(bought.text(tag::kLeavesQty), "2");
    const auto trades = recorded("trade", 1);
    EXPECT_EQ(trades[0]["buyer"], "CLIENT1");
    EXPECT_EQ(trades[0]["seller"], "CLIENT2");
}

TEST_F(FixTrading, CancelsAndSaysWhyNot) {
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    trader.send(new_order("1", "MSFT", "1", "5", "100"));
    trader.next("8");
    trader.send(cancel_order("2", "1", "MSFT"));
    const IncomingMessage canceled = trader.next("8");
    EXPECT_EQ(canceled.text(tag::kExecType), "4");
    EXPECT_EQ(canceled.text(tag::kClOrdId), "2");
    EXPECT_EQ(canceled.text(tag::kOrigClOrdId), "1");
    trader.send(cancel_order("3", "nothing", "MSFT"));
    const IncomingMessage refused = trader.next("9");
    EXPECT_EQ(refused.text(tag::kOrderId), "NONE");
    EXPECT_EQ(refused.text(tag::kCxlRejReason), "1");
    EXPECT_EQ(refused.text(tag::kCxlRejResponseTo), "1");
    EXPECT_EQ(refused.text(tag::kText), "no order nothing in MSFT");
    recorded("cancel", 2);
}

TEST_F(FixTrading, ReplacesAndSaysWhyNot) {
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    trader.send(new_order("1", "MSFT", "1", "5", "100"));
    const IncomingMessage accepted = trader.next("8");
    trader.send(replace_order("2", "1", "MSFT", "7", "101"));
    const IncomingMessage replaced = trader.next("8");
    EXPECT_EQ(replaced.text(tag::kExecType), "5");
    EXPECT_EQ(replaced.text(tag::kOrdStatus), "0");
    EXPECT_EQ(replaced.text(tag::kClOrdId), "2");
    EXPECT_EQ(replaced.text(tag::kOrigClOrdId), "1");
    EXPECT_EQ(replaced.text(tag::kOrderQty), "7");
    EXPECT_EQ(replaced.text(tag::kLeavesQty), "7");
    EXPECT_EQ(replaced.text(tag::kPrice), "101");
    EXPECT_EQ(replaced.text(tag::kOrderId), accepted.text(tag::kOrderId));
    EXPECT_EQ(replaced.text(tag::kAccount), "CLIENT1");
    trader.send(replace_order("3", "1", "MSFT", "7", "101"));
    const IncomingMessage refused = trader.next("9");
    EXPECT_EQ(refused.text(tag::kCxlRejReason), "1");
    EXPECT_EQ(refused.text(tag::kCxlRejResponseTo), "2");
    trader.send(replace_order("4", "2", "MSFT", "7", "101.001"));
    const IncomingMessage off_grid = trader.next("9");
    EXPECT_EQ(off_grid.text(tag::kOrdStatus), "0");
    EXPECT_EQ(off_grid.text(tag::kCxlRejReason), "99");
    EXPECT_EQ(off_grid.text(tag::kText), "price 101.001 is not on the tick grid of 0.01");
    EXPECT_EQ(recorded("replace", 3)[0]["price"], "101");
}

TEST_F(FixTrading, TellsOfTriggersAndWhatIsShown) {
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    OutgoingMessage order = new_order("1", "MSFT", "1", "5", "101");
    order.fields[3].text = "4";  // OrdType
    order.fields.push_back({tag::kStopPx, "100.50"});
    order.fields.push_back({tag::kMaxFloor, "2"});
    trader.send(order);
    EXPECT_EQ(trader.next("8").text(tag::kExecType), "0");
    gateway.act([](Exchange& venue) { return venue.trade("MSFT", 10050, 3); });
    const IncomingMessage triggered = trader.next("8");
    EXPECT_EQ(triggered.text(tag::kExecType), "L");
    EXPECT_EQ(triggered.text(tag::kOrdStatus), "0");
    EXPECT_EQ(triggered.text(tag::kStopPx), "100.50");
    EXPECT_EQ(triggered.text(tag::kMaxFloor), "2");
    trader.send(market_data_request("md", {"MSFT"}));
    EXPECT_EQ(body(trader.next("W")),
              "55=MSFT 262=md 268=2 269=0 270=101.00 271=2 290=1 269=2 270=100.50 271=3");
    trader.send(cancel_order("2", "1", "MSFT", "2"));
    EXPECT_EQ(trader.next("9").text(tag::kText), "Side(54)=2 is not the order's, which is 1");
}

TEST_F(FixTrading, RejectsABadOrderInWords) {
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    trader.send(new_order("1", "MSFT", "1", "5", "100.001"));
    const IncomingMessage rejected = trader.next("8");
    EXPECT_EQ(rejected.text(tag::kExecType), "8");
    EXPECT_EQ(rejected.text(tag::kOrdStatus), "8");
    EXPECT_EQ(rejected.text(tag::kText), "price 100.001 is not on the tick grid of 0.01");
    EXPECT_EQ(rejected.text(tag::kPrice), "100.001");
    trader.send(new_order("2", "IBM", "1", "5", "100"));
    EXPECT_EQ(trader.next("8").text(tag::kOrdRejReason), "1");
    trader.send(new_order("2", "MSFT", "1", "5", "100"));
    EXPECT_EQ(trader.next("8").text(tag::kOrdRejReason), "6");
    EXPECT_EQ(recorded("order", 3)[1]["status"], "rejected");
}

TEST_F(FixTrading, AnswersIncompleteAndUnknownMessages) {
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    OutgoingMessage order = new_order("1", "MSFT", "1", "5", "100");
    order.fields.erase(order.fields.begin() + 1);
    trader.send(order);
    EXPECT_EQ(trader.next("3").text(tag::kRefTagId), std::to_string(tag::kClOrdId));
    trader.send({"G", {{tag::kClOrdId, "1"}}, {}});
    EXPECT_EQ(trader.next("3").text(tag::kSessionRejectReason), "1");
    // A SecurityListRequest, which FIX has and the venue does not.
    trader.send({"x", {{320, "1"}, {559, "4"}}, {}});
    EXPECT_EQ(trader.next("j").text(tag::kBusinessRejectReason), "3");
    trader.send({"ZZ", {{tag::kClOrdId, "1"}}, {}});
    EXPECT_EQ(trader.next("3").text(tag::kSessionRejectReason), "11");
    EXPECT_EQ(order_count(), 0U);
}

TEST_F(FixTrading, PublishesTheBookInTheOrderOfItsFields) {
    quote("MSFT", 118000, 118010, 7);
    gateway.act([](Exchange& venue) { return venue.trade("MSFT", 118005, 3); });
    gateway.act([](Exchange& venue) {
        return venue.house_order("MSFT", Side::kBuy, OrderType::kLimit, TimeInForce::kDay, 117990, 9);
    });
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    trader.send(market_data_request("md-1", {"MSFT"}));
    EXPECT_EQ(body(trader.next("W")),
              "55=MSFT 262=md-1 268=4 "
              "269=0 270=1180.00 271=7 290=1 269=0 270=1179.90 271=9 290=2 "
              "269=1 270=1180.10 271=7 290=1 269=2 270=1180.05 271=3");
    trader.send(market_data_request("md-2", {"MSFT"}, "0", "1"));
    EXPECT_EQ(body(trader.next("W")),
              "55=MSFT 262=md-2 268=3 269=0 270=1180.00 271=7 290=1 269=1 270=1180.10 271=7 290=1 "
              "269=2 270=1180.05 271=3");
}

TEST_F(FixTrading, PublishesOnceForEachChange) {
    FixClient watcher = client("CLIENT1");
    FixClient trader = client("CLIENT2");
    ASSERT_TRUE(watcher.log_on());
    ASSERT_TRUE(trader.log_on());
    watcher.send(market_data_request("md", {"MSFT", "CLZ6"}));
    // The request names both symbols; each answers with its own snapshot, empty so far.
    EXPECT_EQ(body(watcher.next("W")), "55=CLZ6 262=md 268=0");
    EXPECT_EQ(body(watcher.next("W")), "55=MSFT 262=md 268=0");

    quote("MSFT", 118000, 118010, 5);
    EXPECT_EQ(body(watcher.next("W")),
              "55=MSFT 262=md 268=2 269=0 270=1180.00 271=5 290=1 269=1 270=1180.10 271=5 290=1");
    // Several trades of one order are one change.
    trader.send(new_order("1", "MSFT", "2", "8", "1179"));
    EXPECT_EQ(body(watcher.next("W")),
              "55=MSFT 262=md 268=3 269=1 270=1179.00 271=3 290=1 269=1 270=1180.10 271=5 290=2 269=2 "
              "270=1180.00 271=5");
    // What changes nothing is not news.
    trader.send(new_order("2", "MSFT", "1", "1", "1000", "3"));
    trader.send(new_order("3", "MSFT", "1", "1", "1000.005"));
    trader.send(cancel_order("4", "1", "MSFT", "2"));
    EXPECT_EQ(body(watcher.next("W")),
              "55=MSFT 262=md 268=2 269=1 270=1180.10 271=5 290=1 269=2 270=1180.00 271=5");
    EXPECT_EQ(watcher.waiting("W"), 0U);
    recorded("market_data", 5);
}

TEST_F(FixTrading, RefusesMarketDataThatItDoesNotHave) {
    FixClient watcher = client("CLIENT1");
    ASSERT_TRUE(watcher.log_on());
    watcher.send(market_data_request("a", {"MSFT", "IBM"}));
    EXPECT_EQ(body(watcher.next("Y")), "58=unknown symbol 'IBM' 262=a 281=0");
    watcher.send(market_data_request("b", {"MSFT"}));
    watcher.next("W");
    watcher.send(market_data_request("b", {"CLZ6"}));
    EXPECT_EQ(body(watcher.next("Y")), "58=MDReqID(262) is in use 262=b 281=1");
    watcher.send(market_data_request("c", {"MSFT"}, "1", "-1"));
    EXPECT_EQ(watcher.next("Y").text(tag::kMdReqRejReason), "5");
    watcher.send(market_data_request("d", {"MSFT"}, "1", "0", "1"));
    EXPECT_EQ(watcher.next("Y").text(tag::kMdReqRejReason), "6");
}

TEST_F(FixTrading, StopsPublishingWhenToldTo) {
    FixClient watcher = client("CLIENT1");
    ASSERT_TRUE(watcher.log_on());
    watcher.send(market_data_request("md", {"MSFT"}));
    watcher.next("W");
    watcher.send(market_data_request("md", {"MSFT"}, "2"));
    watcher.send(market_data_request("again", {"CLZ6"}));
    watcher.next("W");
    quote("MSFT", 118000, 118010);
    quote("CLZ6", 100, 200);
    EXPECT_EQ(watcher.next("W").text(tag::kSymbol), "CLZ6");
    EXPECT_EQ(watcher.waiting("W"), 0U);
}

}  // namespace
}  // namespace fixaccel::exchange
