// SPDX-License-Identifier: Apache-2.0
// What FIX has fields for and the venue does not do, and requests that name an order in two ways.
#include "venue/unfollowed.hpp"

#include "tests/venue_fixture.hpp"
#include "venue/reports.hpp"

namespace fixaccel::exchange {
namespace {

constexpr int kNoTradingSessions = 386;
constexpr int kNoPartyIds = 453;

// What a message asks for, and the Text(58) and the reason that it is refused with.
struct Asked {
    const char* type;
    int tag;
    const char* value;
    const char* reason;
    const char* text;
};

class UnfollowedTest : public VenueTest {
  protected:
    void SetUp() override { ASSERT_TRUE(trader.log_on()); }

    // With that field, in its group where FIX has it in one.
    static OutgoingMessage with(OutgoingMessage message, int field, const std::string& value) {
        const bool of_many = message.type == "q" || message.type == "AF";
        if (field == 336 && !of_many)
            message.groups.push_back({kNoTradingSessions, {{{field, value}}}});
        else if (field == 448)
            message.groups.push_back({kNoPartyIds, {{{field, value}}}});
        else
            message.fields.push_back({field, value});
        return message;
    }
    // One of each type that would be done, about the order "stays".
    OutgoingMessage request(const std::string& type, const std::string& of = "7") {
        if (type == "D") return new_order(fresh(), "MSFT", "1", "5", "100");
        if (type == "F") return cancel_order(fresh(), "stays", "MSFT");
        if (type == "G") return replace_order(fresh(), "stays", "MSFT", "5", "91");
        if (type == "H")
            return {"H", {{tag::kClOrdId, "stays"}, {tag::kSymbol, "MSFT"}, {tag::kSide, "1"}}, {}};
        if (type == "q")
            return {"q", {{tag::kClOrdId, fresh()}, {530, of}, {tag::kTransactTime, utc_now()}}, {}};
        if (type == "AF") return {"AF", {{584, fresh()}, {585, of}}, {}};
        return market_data_request(fresh(), {"MSFT"});
    }
    std::string enter_what_stays() {
        trader.send(new_order("stays", "MSFT", "1", "5", "90"));
        return trader.next("8").text(tag::kOrderId);
    }
    void expect_it_stays() {
        trader.send(request("AF"));
        const IncomingMessage open = trader.next("8");
        EXPECT_EQ(open.text(911), "1");
        EXPECT_EQ(open.text(tag::kClOrdId), "stays");
        EXPECT_EQ(open.text(tag::kPrice), "90");
    }
    void expect_refused(const OutgoingMessage& asked, const Asked& each) {
        trader.send(asked);
        const IncomingMessage answer = trader.next(asked.type == "q" ? "r" : "8");
        EXPECT_EQ(answer.text(tag::kText), each.text);
        if (asked.type == "q") {
            EXPECT_EQ(answer.text(531), "0") << each.tag;
            EXPECT_EQ(answer.text(532), each.reason) << each.tag;
        } else {
            EXPECT_EQ(answer.text(911), "0") << each.tag;
            EXPECT_EQ(answer.text(tag::kOrdRejReason), each.reason) << each.tag;
        }
    }
    std::size_t used_ids() {
        std::size_t used = 0;
        gateway.act([&](Exchange& venue) {
            used = venue.used_ids();
            return std::vector<Execution>();
        });
        return used;
    }
    std::string fresh() { return "U" + std::to_string(++orders); }

    int orders = 0;
    FixClient trader = client("CLIENT1");
};

TEST_F(UnfollowedTest, InstructionsOfAnOrderAreRejectedByName) {
    const std::vector<Asked> all = {
        {"D", 18, "G", "11", "ExecInst(18)=G is not supported"},
        {"D", 121, "Y", "11", "ForexReq(121)=Y is not supported"},
        {"D", 126, "20270101-00:00:00", "11", "ExpireTime(126)=20270101-00:00:00 is not supported"},
        {"D", 152, "1", "11", "CashOrderQty(152)=1 is not supported"},
        {"D", 168, "20270101-00:00:00", "11", "EffectiveTime(168)=20270101-00:00:00 is not supported"},
        {"D", 192, "1", "11", "OrderQty2(192)=1 is not supported"},
        {"D", 210, "1", "11", "MaxShow(210)=1 is not supported"},
        {"D", 211, "1", "11", "PegOffsetValue(211)=1 is not supported"},
        {"D", 336, "1", "11", "TradingSessionID(336)=1 is not supported"},
        {"D", 388, "1", "11", "DiscretionInst(388)=1 is not supported"},
        {"D", 389, "1", "11", "DiscretionOffsetValue(389)=1 is not supported"},
        {"D", 423, "1", "11", "PriceType(423)=1 is not supported"},
        {"D", 432, "20270101", "11", "ExpireDate(432)=20270101 is not supported"},
        {"D", 516, "1", "11", "OrderPercent(516)=1 is not supported"},
        {"D", 640, "1", "11", "Price2(640)=1 is not supported"},
        {"D", 847, "1", "11", "TargetStrategy(847)=1 is not supported"},
        {"D", 849, "1", "11", "ParticipationRate(849)=1 is not supported"},
        {"D", 854, "1", "11", "QtyType(854)=1 is not supported"},
    };
    EXPECT_EQ(all.size(), kOrderUnfollowed.size());
    enter_what_stays();
    for (const Asked& each : all) {
        trader.send(with(request("D"), each.tag, each.value));
        const IncomingMessage rejected = trader.next("8");
        EXPECT_EQ(rejected.text(tag::kOrdStatus), "8") << each.tag;
        EXPECT_EQ(rejected.text(tag::kOrdRejReason), each.reason) << each.tag;
        EXPECT_EQ(rejected.text(tag::kText), each.text);
        trader.send(with(request("G"), each.tag, each.value));
        const IncomingMessage refused = trader.next("9");
        EXPECT_EQ(refused.text(tag::kCxlRejReason), "99") << each.tag;
        EXPECT_EQ(refused.text(tag::kText), each.text);
    }
    expect_it_stays();
    for (const auto& [field, value] :
         {std::pair(423, "2"), {854, "0"}, {121, "N"}, {58, "EffectiveTime"}, {21, "1"}}) {
        trader.send(with(request("D"), field, value));
        EXPECT_EQ(trader.next("8").text(tag::kOrdStatus), "0") << field;
    }
}

// Whoever says of which change an order is meant to be must not cancel one that has changed since.
TEST_F(UnfollowedTest, AChangeOfAnOrderAsItWasAtATimeIsRefused) {
    const std::vector<Asked> all = {
        {"F", 586, "20260101-12:00:00", "99", "OrigOrdModTime(586)=20260101-12:00:00 is not supported"},
        {"G", 586, "20260101-12:00:00", "99", "OrigOrdModTime(586)=20260101-12:00:00 is not supported"},
    };
    EXPECT_EQ(all.size(), 2 * kChangeUnfollowed.size());
    const std::string order_id = enter_what_stays();
    const std::size_t used = used_ids();
    for (const Asked& each : all) {
        trader.send(with(request(each.type), each.tag, each.value));
        const IncomingMessage refused = trader.next("9");
        EXPECT_EQ(refused.text(tag::kOrderId), order_id);
        EXPECT_EQ(refused.text(tag::kOrdStatus), "0");
        EXPECT_EQ(refused.text(tag::kCxlRejReason), each.reason);
        EXPECT_EQ(refused.text(tag::kText), each.text);
    }
    EXPECT_EQ(used_ids(), used);
    expect_it_stays();
}

// An order for fewer than all must not become one for all.
TEST_F(UnfollowedTest, RequestsAboutManyOrdersAreNotTakenForWider) {
    const std::vector<Asked> all = {
        // FIX has neither Account nor PartyID in a mass cancel.
        {"q", 309, "X", "99", "UnderlyingSecurityID(309)=X is not supported"},
        {"q", 310, "X", "99", "UnderlyingSecurityType(310)=X is not supported"},
        {"q", 311, "X", "99", "UnderlyingSymbol(311)=X is not supported"},
        {"q", 336, "X", "99", "TradingSessionID(336)=X is not supported"},
        {"q", 462, "5", "99", "UnderlyingProduct(462)=5 is not supported"},
        {"q", 463, "ES", "99", "UnderlyingCFICode(463)=ES is not supported"},
        {"q", 625, "X", "99", "TradingSessionSubID(625)=X is not supported"},
        {"AF", 1, "X", "99", "Account(1)=X is not supported"},
        {"AF", 309, "X", "99", "UnderlyingSecurityID(309)=X is not supported"},
        {"AF", 310, "X", "99", "UnderlyingSecurityType(310)=X is not supported"},
        {"AF", 311, "X", "99", "UnderlyingSymbol(311)=X is not supported"},
        {"AF", 336, "X", "99", "TradingSessionID(336)=X is not supported"},
        {"AF", 448, "X", "99", "PartyID(448)=X is not supported"},
        {"AF", 462, "5", "99", "UnderlyingProduct(462)=5 is not supported"},
        {"AF", 463, "ES", "99", "UnderlyingCFICode(463)=ES is not supported"},
        {"AF", 625, "X", "99", "TradingSessionSubID(625)=X is not supported"},
    };
    EXPECT_EQ(all.size(), 2 * kMassUnfollowed.size() - 2);
    enter_what_stays();
    const std::size_t used = used_ids();
    for (const Asked& each : all) expect_refused(with(request(each.type), each.tag, each.value), each);
    EXPECT_EQ(used_ids(), used);
    expect_it_stays();
}

// What is asked of all orders, and names a security besides, is meant for those of it, if for any.
TEST_F(UnfollowedTest, ARequestAboutAllOrdersNamesNoSecurity) {
    const std::vector<std::pair<int, std::pair<const char*, const char*>>> fields = {
        {48, {"US5949181045", "SecurityID(48)=US5949181045"}},
        {55, {"MSFT", "Symbol(55)=MSFT"}},
        {167, {"CS", "SecurityType(167)=CS"}},
        {200, {"202612", "MaturityMonthYear(200)=202612"}},
        {207, {"XNAS", "SecurityExchange(207)=XNAS"}},
        {460, {"5", "Product(460)=5"}},
        {461, {"ES", "CFICode(461)=ES"}},
    };
    EXPECT_EQ(fields.size(), kAllUnfollowed.size());
    enter_what_stays();
    for (const auto& [type, all] :
         {std::pair("q", "MassCancelRequestType(530)=7"), {"AF", "MassStatusReqType(585)=7"}}) {
        for (const auto& [field, value] : fields) {
            const std::string text =
                std::string(all) + " is of all orders, not of those with " + value.second;
            expect_refused(with(request(type), field, value.first),
                           {type, field, value.first, "99", text.c_str()});
        }
    }
    expect_it_stays();
    // Of one security, they only tell of it.
    trader.send(with(with(request("AF", "1"), 55, "MSFT"), 167, "CS"));
    EXPECT_EQ(trader.next("8").text(911), "1");
}

TEST_F(UnfollowedTest, ARequestAboutASecurityNamesIt) {
    trader.send(request("q", "1"));
    const IncomingMessage refused = trader.next("r");
    EXPECT_EQ(refused.text(531), "0");
    EXPECT_EQ(refused.text(532), "1");
    EXPECT_EQ(refused.text(tag::kText),
              "MassCancelRequestType(530)=1 is of a security, and Symbol(55) is missing");
    trader.send(request("AF", "1"));
    const IncomingMessage none = trader.next("8");
    EXPECT_EQ(none.text(tag::kOrdRejReason), "1");
    EXPECT_EQ(none.text(tag::kText), "MassStatusReqType(585)=1 is of a security, and Symbol(55) is missing");
}

// FIX44.xml names the reasons: 7 aggregated book, 9 trading session, A scope, B open close settle flag, C
// implicit delete.
TEST_F(UnfollowedTest, MarketDataOfAnotherKindIsRefused) {
    const std::vector<Asked> all = {
        {"V", 266, "N", "7", "AggregatedBook(266)=N is not supported"},
        {"V", 336, "1", "9", "TradingSessionID(336)=1 is not supported"},
        {"V", 546, "1", "A", "Scope(546)=1 is not supported"},
        {"V", 286, "1", "B", "OpenCloseSettlFlag(286)=1 is not supported"},
        {"V", 547, "Y", "C", "MDImplicitDelete(547)=Y is not supported"},
    };
    EXPECT_EQ(all.size(), kMarketDataUnfollowed.size());
    for (const Asked& each : all) {
        trader.send(with(request("V"), each.tag, each.value));
        const IncomingMessage refused = trader.next("Y");
        EXPECT_EQ(refused.text(tag::kMdReqRejReason), each.reason) << each.tag;
        EXPECT_EQ(refused.text(tag::kText), each.text);
    }
    for (const auto& [field, value] : {std::pair(266, "Y"), {547, "N"}}) {
        trader.send(with(request("V"), field, value));
        EXPECT_EQ(trader.next("W").text(tag::kSymbol), "MSFT") << field;
    }
}

// As other orders that are not there: a business reject is for what has no answer of its own.
TEST_F(UnfollowedTest, AnOrderIdThatIsAnothersIsNoneOfThisOrder) {
    const std::string order_id = enter_what_stays();
    const std::string text = "OrderID(37)=O999 is not that of stays, which is " + order_id;
    const std::size_t used = used_ids();
    for (const auto& [type, response] : {std::pair("F", "1"), {"G", "2"}}) {
        trader.send(with(request(type), tag::kOrderId, "O999"));
        const IncomingMessage refused = trader.next("9");
        EXPECT_EQ(refused.text(tag::kOrderId), "NONE");
        EXPECT_EQ(refused.text(tag::kOrdStatus), "8");
        EXPECT_EQ(refused.text(tag::kCxlRejReason), "1");
        EXPECT_EQ(refused.text(tag::kCxlRejResponseTo), response);
        EXPECT_EQ(refused.text(tag::kOrigClOrdId), "stays");
        EXPECT_EQ(refused.text(tag::kClOrdId), "U" + std::to_string(orders));
        EXPECT_EQ(refused.text(tag::kText), text);
    }
    trader.send(with(request("H"), tag::kOrderId, "O999"));
    const IncomingMessage none = trader.next("8");
    EXPECT_EQ(none.text(tag::kOrderId), "NONE");
    EXPECT_EQ(none.text(tag::kExecType), "I");
    EXPECT_EQ(none.text(tag::kOrdStatus), "8");
    EXPECT_EQ(none.text(tag::kOrdRejReason), "5");
    EXPECT_EQ(none.text(tag::kText), text);
    EXPECT_EQ(used_ids(), used) << "their ClOrdIDs are free";
    EXPECT_EQ(recorded("cancel", 1)[0]["text"], text);
    EXPECT_EQ(recorded("replace", 1)[0]["status"], "rejected");
    EXPECT_EQ(recorded("order_status", 1)[0]["known"], false);
    expect_it_stays();
    trader.send(with(request("H"), tag::kOrderId, order_id));
    EXPECT_EQ(trader.next("8").text(tag::kOrdStatus), "0");
    trader.send(with(request("F"), tag::kOrderId, order_id));
    EXPECT_EQ(trader.next("8").text(tag::kExecType), "4");
}

// The venue passes nothing on: what is for another firm is not its own.
TEST_F(UnfollowedTest, WhatIsToBeDeliveredToAnotherIsNotTaken) {
    enter_what_stays();
    for (const char* type : {"D", "F", "G", "H", "q", "AF", "V"}) {
        trader.send(with(request(type), tag::kDeliverToCompId, "BROKER"));
        const IncomingMessage refused = trader.next("j");
        EXPECT_EQ(refused.text(tag::kBusinessRejectReason), "7") << type;
        EXPECT_EQ(refused.text(tag::kRefMsgType), type);
        EXPECT_EQ(refused.text(tag::kText),
                  "DeliverToCompID(128)=BROKER is not this venue, which passes nothing on");
    }
    expect_it_stays();
    trader.send(with(request("F"), tag::kDeliverToCompId, kVenue));
    EXPECT_EQ(trader.next("8").text(tag::kExecType), "4");
}

TEST_F(UnfollowedTest, TheStatusOfAnOrderWithAnotherSideOrSymbolIsThatOfNone) {
    trader.send(new_order("1", "MSFT", "1", "5", "90"));
    trader.next("8");
    const auto reason = [&](const char* symbol, const char* side) {
        trader.send({"H", {{tag::kClOrdId, "1"}, {tag::kSymbol, symbol}, {tag::kSide, side}}, {}});
        return trader.next("8").text(tag::kOrdRejReason);
    };
    EXPECT_EQ(reason("CLZ6", "1"), "5");
    EXPECT_EQ(reason("MSFT", "2"), "5");
    EXPECT_EQ(reason("MSFT", "1"), "");
}

TEST_F(UnfollowedTest, ACancelThatMayHaveComeBeforeIsToldByItsOwnName) {
    trader.send(new_order("1", "MSFT", "1", "5", "90"));
    trader.next("8");
    trader.send(cancel_order("2", "1", "MSFT"));
    const IncomingMessage canceled = trader.next("8");
    trader.send(with(cancel_order("2", "1", "MSFT"), tag::kPossResend, "Y"));
    const IncomingMessage status = trader.next("8");
    EXPECT_EQ(status.text(tag::kExecType), "I");
    for (const int same : {tag::kClOrdId, tag::kOrigClOrdId, tag::kOrderId, tag::kOrdStatus})
        EXPECT_EQ(status.text(same), canceled.text(same)) << same;
}

}  // namespace
}  // namespace fixaccel::exchange
