// SPDX-License-Identifier: Apache-2.0
#include "matching/exchange.hpp"

#include <gtest/gtest.h>

#include "matching/decimal.hpp"

namespace fixaccel::exchange {
namespace {

constexpr const char* kBuy = "1";
constexpr const char* kSell = "2";

std::vector<Instrument> instruments() {
    const auto terms = [](const char* symbol, Quantity lot) {
        return Instrument({.symbol = symbol,
                           .ticks = {{0, parse_decimal("0.01").value()}},
                           .lot = lot,
                           .lowest = parse_decimal("-100").value(),
                           .highest = parse_decimal("10000").value()});
    };
    return {terms("MSFT", 1), terms("7203", 100)};
}

class ExchangeTest : public testing::Test {
  protected:
    static OrderTicket limit(const char* owner, const char* id, const char* side, const char* quantity,
                             const char* price) {
        return {.owner = owner,
                .cl_ord_id = id,
                .symbol = "MSFT",
                .side = side,
                .ord_type = "2",
                .tif = "",
                .quantity = quantity,
                .price = price,
                .account = ""};
    }

    Execution reject(const OrderTicket& ticket) {
        const auto executions = exchange.enter(ticket);
        EXPECT_EQ(executions.size(), 1U);
        EXPECT_EQ(executions.front().type, ExecType::kRejected);
        EXPECT_EQ(executions.front().status, OrderStatus::kRejected);
        EXPECT_TRUE(exchange.take_changed().empty());
        return executions.front();
    }

    Exchange exchange{instruments()};
};

std::vector<std::pair<OrderId, ExecType>> shape(const std::vector<Execution>& executions) {
    std::vector<std::pair<OrderId, ExecType>> result;
    for (const Execution& execution : executions) result.emplace_back(execution.order, execution.type);
    return result;
}

TEST_F(ExchangeTest, ReportsBothSidesOfATrade) {
    exchange.enter(limit("A", "a1", kBuy, "0000000005", "0000100.50"));
    const auto executions = exchange.enter(limit("B", "b1", kSell, "2", "99"));
    ASSERT_EQ(shape(executions), (std::vector<std::pair<OrderId, ExecType>>{
                                     {2, ExecType::kNew}, {1, ExecType::kTrade}, {2, ExecType::kTrade}}));
    EXPECT_EQ(executions[1].status, OrderStatus::kPartiallyFilled);
    EXPECT_EQ(executions[1].leaves_quantity, 3);
    EXPECT_EQ(executions[1].last_price, 10050);
    EXPECT_EQ(executions[2].status, OrderStatus::kFilled);
    EXPECT_EQ(executions[2].counterparty, 1U);
    EXPECT_EQ(exchange.order(2).notional, Notional{2} * 10050);
    EXPECT_LT(executions[1].id, executions[2].id);
}

TEST_F(ExchangeTest, CancelsTheRemainderOfAMarketOrder) {
    exchange.enter(limit("A", "a1", kSell, "5", "100"));
    OrderTicket ticket = limit("B", "b1", kBuy, "8", "");
    ticket.ord_type = "1";
    const auto executions = exchange.enter(ticket);
    ASSERT_EQ(executions.size(), 4U);
    EXPECT_EQ(executions.back().type, ExecType::kCanceled);
    EXPECT_EQ(executions.back().cum_quantity, 5);
    EXPECT_EQ(executions.back().leaves_quantity, 0);
    EXPECT_EQ(executions.back().text, "market order: no more quantity in the book");
    EXPECT_EQ(exchange.order(2).status, OrderStatus::kCanceled);
}

TEST_F(ExchangeTest, RejectsWithTheReason) {
    OrderTicket ticket = limit("A", "1", kBuy, "1", "100");
    ticket.symbol = "IBM";
    EXPECT_EQ(reject(ticket).reject_reason, 1);
    EXPECT_EQ(reject(limit("A", "2", "7", "1", "100")).reject_reason, 11);
    ticket = limit("A", "3", kBuy, "1", "100");
    ticket.ord_type = "K";
    EXPECT_EQ(
        reject(ticket).text,
        "OrdType(40)=K is not supported; 1 is market, 2 limit, 3 stop, 4 stop limit, J market if touched");
    ticket = limit("A", "4", kBuy, "1", "100");
    ticket.tif = "6";
    EXPECT_EQ(reject(ticket).reject_reason, 11);
    EXPECT_EQ(reject(limit("A", "5", kBuy, "0", "100")).reject_reason, 13);
    EXPECT_EQ(reject(limit("A", "6", kBuy, "1", "100.005")).text,
              "price 100.005 is not on the tick grid of 0.01");
    EXPECT_EQ(reject(limit("A", "7", kBuy, "1", "")).text, "a limit order needs Price(44)");
    ticket = limit("A", "8", kBuy, "1", "100");
    ticket.ord_type = "1";
    EXPECT_EQ(reject(ticket).text, "a market order carries no Price(44)");
    EXPECT_EQ(reject(limit("A", "9", kBuy, "1", "+100")).text, "price '+100' is not a decimal number");
    ticket = limit("A", "10", kBuy, "150", "100");
    ticket.symbol = "7203";
    EXPECT_EQ(reject(ticket).reject_reason, 13);
}

TEST_F(ExchangeTest, NeverTakesAClOrdIdTwice) {
    exchange.enter(limit("A", "same", kBuy, "1", "100"));
    const auto again = exchange.enter(limit("A", "same", kBuy, "1", "100"));
    EXPECT_EQ(again.front().type, ExecType::kRejected);
    EXPECT_EQ(again.front().reject_reason, 6);
    EXPECT_EQ(exchange.snapshot("MSFT").bids, (std::vector<Level>{{10000, 1, 1}}));
    // Another client's ClOrdIDs are its own.
    EXPECT_EQ(exchange.enter(limit("B", "same", kBuy, "1", "100")).front().type, ExecType::kNew);
}

TEST_F(ExchangeTest, CancelsAClientsOwnRestingOrder) {
    exchange.enter(limit("A", "a1", kBuy, "5", "100"));
    const CancelOutcome outcome = exchange.cancel({"A", "a2", "a1", "MSFT"});
    ASSERT_FALSE(outcome.reject);
    EXPECT_EQ(outcome.executions.front().cancel_cl_ord_id, "a2");
    EXPECT_EQ(exchange.order(1).status, OrderStatus::kCanceled);
    EXPECT_TRUE(exchange.snapshot("MSFT").bids.empty());

    EXPECT_EQ(exchange.cancel({"A", "a3", "a1", "MSFT"}).reject->text, "the order is canceled");
    EXPECT_EQ(exchange.cancel({"A", "a4", "nothing", "MSFT"}).reject->reason, 1);
    EXPECT_EQ(exchange.cancel({"B", "b1", "a1", "MSFT"}).reject->reason, 1);
    EXPECT_EQ(exchange.cancel({"A", "a2", "a1", "MSFT"}).reject->reason, 6);
}

TEST_F(ExchangeTest, AReplacedOrderGoesOnUnderItsNewName) {
    exchange.enter(limit("A", "a1", kBuy, "5", "100"));
    const CancelOutcome outcome = exchange.replace({limit("A", "a2", kBuy, "7", "101"), "a1"});
    ASSERT_FALSE(outcome.reject);
    ASSERT_EQ(shape(outcome.executions),
              (std::vector<std::pair<OrderId, ExecType>>{{1, ExecType::kReplaced}}));
    EXPECT_EQ(outcome.executions[0].replaced_cl_ord_id, "a1");
    EXPECT_EQ(outcome.executions[0].status, OrderStatus::kNew);
    EXPECT_EQ(exchange.snapshot("MSFT").bids, (std::vector<Level>{{10100, 7, 1}}));
    EXPECT_EQ(exchange.cancel({"A", "a3", "a1", "MSFT"}).reject->reason, 1) << "it is called a2";
    EXPECT_FALSE(exchange.cancel({"A", "a4", "a2", "MSFT"}).reject);
    EXPECT_EQ(exchange.replace({limit("A", "a5", kBuy, "7", "101"), "a2"}).reject->reason, 0);
}

TEST_F(ExchangeTest, OnlyLessQuantityKeepsThePlace) {
    exchange.enter(limit("A", "a1", kBuy, "5", "100"));
    exchange.enter(limit("B", "b1", kBuy, "5", "100"));
    exchange.replace({limit("A", "a2", kBuy, "4", "100"), "a1"});
    exchange.enter(limit("C", "c1", kSell, "4", "100"));
    EXPECT_EQ(exchange.order(1).status, OrderStatus::kFilled);
    exchange.replace({limit("B", "b2", kBuy, "6", "100"), "b1"});
    exchange.enter(limit("A", "a3", kBuy, "1", "100"));
    exchange.replace({limit("B", "b3", kBuy, "9", "100"), "b2"});
    exchange.enter(limit("C", "c2", kSell, "1", "100"));
    EXPECT_EQ(exchange.order(4).status, OrderStatus::kFilled) << "B went behind it";
    EXPECT_EQ(exchange.order(2).leaves_quantity, 9);
}

TEST_F(ExchangeTest, AReplacementMayTradeAtOnce) {
    exchange.enter(limit("A", "a1", kSell, "3", "101"));
    exchange.enter(limit("B", "b1", kBuy, "5", "100"));
    const auto executions = exchange.replace({limit("B", "b2", kBuy, "5", "101"), "b1"}).executions;
    ASSERT_EQ(shape(executions),
              (std::vector<std::pair<OrderId, ExecType>>{
                  {2, ExecType::kReplaced}, {1, ExecType::kTrade}, {2, ExecType::kTrade}}));
    // What is filled counts: the order is one of five still.
    EXPECT_EQ(exchange.replace({limit("B", "b3", kBuy, "3", "101"), "b2"}).reject->reason, 2);
    const auto less = exchange.replace({limit("B", "b4", kBuy, "4", "101"), "b2"}).executions;
    EXPECT_EQ(less[0].status, OrderStatus::kPartiallyFilled);
    EXPECT_EQ(less[0].leaves_quantity, 1);
    EXPECT_EQ(exchange.snapshot("MSFT").bids, (std::vector<Level>{{10100, 1, 1}}));
}

TEST_F(ExchangeTest, ABadReplacementChangesNothing) {
    exchange.enter(limit("A", "a1", kBuy, "5", "100"));
    EXPECT_EQ(exchange.replace({limit("A", "a2", kBuy, "5", "100.001"), "a1"}).reject->text,
              "price 100.001 is not on the tick grid of 0.01");
    EXPECT_EQ(exchange.replace({limit("A", "a3", kSell, "5", "100"), "a1"}).reject->reason, 99);
    EXPECT_EQ(exchange.replace({limit("B", "b1", kBuy, "5", "100"), "a1"}).reject->reason, 1);
    EXPECT_EQ(exchange.replace({limit("A", "a2", kBuy, "5", "101"), "a1"}).reject->reason, 6);
    EXPECT_EQ(exchange.snapshot("MSFT").bids, (std::vector<Level>{{10000, 5, 1}}));
    EXPECT_EQ(exchange.order(1).ticket.cl_ord_id, "a1");
}

TEST_F(ExchangeTest, AStopWaitsAndIsReportedAsTriggered) {
    OrderTicket ticket = limit("A", "a1", kSell, "2", "98");
    ticket.ord_type = "4";
    ticket.stop_price = "99";
    EXPECT_EQ(shape(exchange.enter(ticket)),
              (std::vector<std::pair<OrderId, ExecType>>{{1, ExecType::kNew}}));
    EXPECT_TRUE(exchange.snapshot("MSFT").asks.empty());
    EXPECT_TRUE(exchange.trade("MSFT", 9901, 1).empty());
    EXPECT_EQ(shape(exchange.trade("MSFT", 9900, 1)),
              (std::vector<std::pair<OrderId, ExecType>>{{1, ExecType::kTriggered}}));
    EXPECT_EQ(exchange.snapshot("MSFT").asks, (std::vector<Level>{{9800, 2, 1}}));
    // It is a limit order now: with the same words it keeps its place, and waits for nothing.
    ticket.cl_ord_id = "a2";
    ticket.quantity = "1";
    EXPECT_FALSE(exchange.replace({ticket, "a1"}).reject);
    EXPECT_EQ(exchange.snapshot("MSFT").asks, (std::vector<Level>{{9800, 1, 1}}));
    ticket.cl_ord_id = "a3";
    ticket.ord_type = "3";
    EXPECT_EQ(exchange.enter(ticket).front().text, "a stop order carries no Price(44)");
    ticket = limit("A", "a4", kSell, "2", "98");
    ticket.ord_type = "4";
    EXPECT_EQ(exchange.enter(ticket).front().text, "a stop limit order needs StopPx(99)");
    ticket = limit("A", "a5", kSell, "2", "98");
    ticket.stop_price = "97";
    EXPECT_EQ(exchange.enter(ticket).front().text, "a limit order carries no StopPx(99)");
}

TEST_F(ExchangeTest, WhatIsNotFollowedIsRejectedByName) {
    OrderTicket ticket = limit("A", "a1", kBuy, "5", "100");
    ticket.instruction = "ExecInst(18)=G";
    EXPECT_EQ(reject(ticket).text, "ExecInst(18)=G is not supported");
    ticket = limit("A", "a2", kBuy, "5", "100");
    ticket.max_floor = "0";
    EXPECT_EQ(reject(ticket).text, "MaxFloor(111): quantity '0' is not a positive whole number");
    ticket.cl_ord_id = "a3";
    ticket.max_floor = "6";
    EXPECT_EQ(reject(ticket).text, "the quantity shown is not a part of the quantity in whole lots");
    ticket = limit("A", "a4", kBuy, "5", "100");
    ticket.min_quantity = "2";
    EXPECT_EQ(reject(ticket).text, "a minimum quantity needs an immediate or cancel order of that size");
    ticket = limit("A", "a5", kBuy, "5", "100");
    ticket.tif = "2";
    EXPECT_EQ(reject(ticket).reject_reason, 4);
    ticket = limit("A", "a6", kBuy, "9223372036854775908", "100");
    EXPECT_EQ(reject(ticket).reject_reason, 13);
    exchange.enter(limit("A", "a7", kBuy, "5", "100"));
    EXPECT_EQ(exchange.cancel({"A", "a8", "a7", "MSFT", kSell}).reject->text,
              "Side(54)=2 is not the order's, which is 1");
    EXPECT_FALSE(exchange.cancel({"A", "a9", "a7", "MSFT", kBuy}).reject);
}

TEST_F(ExchangeTest, MaxFloorShowsAPartAndMinQtyIsKept) {
    OrderTicket ticket = limit("A", "a1", kSell, "10", "100");
    ticket.max_floor = "3";
    exchange.enter(ticket);
    EXPECT_EQ(exchange.snapshot("MSFT").asks, (std::vector<Level>{{10000, 3, 1}}));
    ticket = limit("B", "b1", kBuy, "12", "100");
    ticket.tif = "3";
    ticket.min_quantity = "11";
    EXPECT_EQ(exchange.enter(ticket).back().text, "less than the minimum quantity at the limit");
    ticket.cl_ord_id = "b2";
    ticket.min_quantity = "10";
    EXPECT_EQ(exchange.enter(ticket).back().cum_quantity, 10);
}

TEST_F(ExchangeTest, KeepsAClientFromTradingWithItself) {
    exchange.set_self_trade(SelfTrade::kDecrement);
    exchange.enter(limit("A", "a1", kSell, "5", "100"));
    exchange.enter(limit("B", "b1", kSell, "5", "100"));
    const auto executions = exchange.enter(limit("A", "a2", kBuy, "8", "100"));
    ASSERT_EQ(shape(executions), (std::vector<std::pair<OrderId, ExecType>>{{3, ExecType::kNew},
                                                                            {1, ExecType::kCanceled},
                                                                            {3, ExecType::kRestated},
                                                                            {2, ExecType::kTrade},
                                                                            {3, ExecType::kTrade}}));
    EXPECT_EQ(executions[2].text, "it would trade with its own owner");
    EXPECT_EQ(exchange.order(3).quantity, 3);
    EXPECT_EQ(exchange.order(3).status, OrderStatus::kFilled);
}

TEST_F(ExchangeTest, ADayThatIsOverIsForgotten) {
    OrderTicket kept = limit("A", "gtc", kBuy, "5", "99");
    kept.tif = "1";
    exchange.enter(limit("A", "day", kBuy, "5", "100"));
    exchange.enter(kept);
    Message end;
    end.kind = MessageKind::kEndOfDay;
    const auto expired = exchange.say(end);
    ASSERT_EQ(shape(expired), (std::vector<std::pair<OrderId, ExecType>>{{1, ExecType::kExpired}}));
    EXPECT_EQ(expired.front().status, OrderStatus::kExpired);
    exchange.forget_finished();
    ASSERT_EQ(exchange.orders().size(), 1U);
    EXPECT_EQ(exchange.find_order("A", "day"), nullptr);
    EXPECT_EQ(exchange.find_order("A", "gtc")->leaves_quantity, 5);
    EXPECT_EQ(exchange.enter(limit("A", "day", kBuy, "5", "100")).front().order, 3U);
    EXPECT_FALSE(exchange.cancel({"A", "next", "gtc", "MSFT", kBuy}).reject);
    exchange.quote("MSFT", Quote{100, 5}, std::nullopt);
    exchange.cancel_house("MSFT");
    exchange.forget_finished();
    exchange.quote("MSFT", Quote{101, 5}, std::nullopt);
    EXPECT_EQ(exchange.orders().size(), 2U);
}

TEST_F(ExchangeTest, HouseReplacesItsQuotes) {
    exchange.quote("MSFT", Quote{100, 5}, Quote{102, 5});
    exchange.quote("MSFT", Quote{103, 6}, Quote{104, 6});
    const MarketSnapshot snapshot = exchange.snapshot("MSFT");
    EXPECT_EQ(snapshot.bids, (std::vector<Level>{{103, 6, 1}}));
    EXPECT_EQ(snapshot.asks, (std::vector<Level>{{104, 6, 1}}));
    EXPECT_EQ(snapshot.last, std::nullopt);
    exchange.quote("MSFT", std::nullopt, Quote{104, 1});
    EXPECT_TRUE(exchange.snapshot("MSFT").bids.empty());
}

TEST_F(ExchangeTest, ClientsTradeWithTheHouseAtItsQuotes) {
    exchange.quote("MSFT", Quote{9900, 5}, Quote{10100, 5});
    const auto executions = exchange.enter(limit("A", "a1", kSell, "7", "98"));
    EXPECT_EQ(exchange.order(executions.front().order).cum_quantity, 5);
    EXPECT_EQ(exchange.snapshot("MSFT").last, (Print{9900, 5}));
    // A quote used up is not there to be replaced.
    exchange.quote("MSFT", Quote{9000, 1}, Quote{10100, 5});
    EXPECT_EQ(exchange.snapshot("MSFT").asks, (std::vector<Level>{{9800, 2, 1}, {10100, 5, 1}}));
}

TEST_F(ExchangeTest, ATradePrintsAndLeavesNoResidue) {
    exchange.quote("MSFT", Quote{9900, 5}, Quote{10100, 5});
    const MarketSnapshot before = exchange.snapshot("MSFT");
    EXPECT_TRUE(exchange.trade("MSFT", 9500, 3).empty());
    const MarketSnapshot after = exchange.snapshot("MSFT");
    EXPECT_EQ(after.last, (Print{9500, 3}));
    EXPECT_EQ(after.bids, before.bids);
    EXPECT_EQ(after.asks, before.asks);
}

TEST_F(ExchangeTest, ATradeFillsTheClientsThatItReaches) {
    exchange.quote("MSFT", Quote{9900, 5}, Quote{10100, 5});
    exchange.enter(limit("A", "above", kBuy, "4", "97"));
    exchange.enter(limit("A", "at", kBuy, "2", "95"));
    exchange.enter(limit("A", "below", kBuy, "2", "94.99"));
    exchange.trade("MSFT", 9500, 3);
    EXPECT_EQ(exchange.order(3).status, OrderStatus::kFilled);
    EXPECT_EQ(exchange.order(3).notional, Notional{4} * 9700);
    EXPECT_EQ(exchange.order(4).status, OrderStatus::kFilled);
    EXPECT_EQ(exchange.order(5).status, OrderStatus::kNew);
    const MarketSnapshot after = exchange.snapshot("MSFT");
    EXPECT_EQ(after.last, (Print{9500, 3}));
    EXPECT_EQ(after.bids, (std::vector<Level>{{9900, 5, 1}, {9499, 2, 1}}));
    // The house's own quote stepped aside and came back as the same order.
    EXPECT_EQ(exchange.order(1).status, OrderStatus::kNew);
    exchange.cancel_house("MSFT");
    EXPECT_EQ(exchange.snapshot("MSFT").bids, (std::vector<Level>{{9499, 2, 1}}));
    EXPECT_EQ(exchange.order(1).status, OrderStatus::kCanceled);
}

TEST_F(ExchangeTest, HouseOrdersStayUntilTheyAreCanceled) {
    exchange.house_order("MSFT", Side::kSell, OrderType::kLimit, TimeInForce::kDay, 10000, 4);
    exchange.quote("MSFT", std::nullopt, Quote{10001, 1});
    exchange.quote("MSFT", std::nullopt, std::nullopt);
    EXPECT_EQ(exchange.snapshot("MSFT").asks, (std::vector<Level>{{10000, 4, 1}}));
    exchange.cancel_house("MSFT");
    EXPECT_TRUE(exchange.snapshot("MSFT").asks.empty());
}

}  // namespace
}  // namespace fixaccel::exchange
