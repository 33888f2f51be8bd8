// SPDX-License-Identifier: Apache-2.0
// What FIX has fields for and the venue does not do, and requests that name an order in two ways.
#include "venue/unfollowed.hpp"

#include "tests/venue_fixture.hpp"
#include "venue/reports.hpp"

namespace fixaccel::exchange {
namespace {

constexpr int kNoTradingSessions = 386;
constexpr int kNoPartyIds = 453;

class UnfollowedTest : public VenueTest {
  protected:
    void SetUp() override { ASSERT_TRUE(trader.log_on()); }

    // With that field, in its group where FIX has it in one.
    static OutgoingMessage with(OutgoingMessage message, int field, const std::string& value) {
        if (field == 336 && (message.type == "D" || message.type == "G"))
            message.groups.push_back({kNoTradingSessions, {{{field, value}}}});
        else if (field == 448)
            message.groups.push_back({kNoPartyIds, {{{field, value}}}});
        else
            message.fields.push_back({field, value});
        return message;
    }
    // One that the dictionary lets through.
    static std::string value_of(int field) {
        switch (field) {
            case 18:
                return "G";
            case 126:
            case 168:
                return "20270101-00:00:00";
            case 432:
                return "20270101";
            case 266:
                return "N";
            case 547:
                return "Y";
            default:
                return "1";
        }
    }
    std::string fresh() { return "U" + std::to_string(++orders); }

    int orders = 0;
    FixClient trader = client("CLIENT1");
};

TEST_F(UnfollowedTest, InstructionsOfAnOrderAreRejectedByName) {
    trader.send(new_order("stays", "MSFT", "1", "5", "90"));
    trader.next("8");
    for (const Unfollowed& each : kOrderUnfollowed) {
        const std::string value = value_of(each.tag);
        trader.send(with(new_order(fresh(), "MSFT", "1", "5", "100"), each.tag, value));
        const IncomingMessage rejected = trader.next("8");
        EXPECT_EQ(rejected.text(tag::kOrdStatus), "8") << each.name;
        EXPECT_EQ(rejected.text(tag::kOrdRejReason), "11") << each.name;
        EXPECT_EQ(rejected.text(tag::kText), named(each, value) + " is not supported");
        trader.send(with(replace_order(fresh(), "stays", "MSFT", "5", "91"), each.tag, value));
        EXPECT_EQ(trader.next("9").text(tag::kText), named(each, value) + " is not supported");
    }
    for (const auto& [field, value] : {std::pair(423, "2"), {854, "0"}, {58, "EffectiveTime"}, {21, "1"}}) {
        trader.send(with(new_order(fresh(), "MSFT", "1", "5", "100"), field, value));
        EXPECT_EQ(trader.next("8").text(tag::kOrdStatus), "0") << field;
    }
}

// An order for fewer than all must not become one for all.
TEST_F(UnfollowedTest, RequestsAboutManyOrdersAreNotTakenForWider) {
    trader.send(new_order("1", "MSFT", "1", "5", "90"));
    trader.next("8");
    for (const Unfollowed& each : kMassUnfollowed) {
        if (each.tag != 1 && each.tag != 448) {  // FIX has neither in a mass cancel
            trader.send(
                with({"q", {{tag::kClOrdId, fresh()}, {530, "7"}, {tag::kTransactTime, utc_now()}}, {}},
                     each.tag, "X"));
            const IncomingMessage refused = trader.next("r");
            EXPECT_EQ(refused.text(531), "0") << each.name;
            EXPECT_EQ(refused.text(tag::kText), named(each, "X") + " is not supported");
        }
        trader.send(with({"AF", {{584, fresh()}, {585, "7"}}, {}}, each.tag, "X"));
        const IncomingMessage none = trader.next("8");
        EXPECT_EQ(none.text(911), "0") << each.name;
        EXPECT_EQ(none.text(tag::kText), named(each, "X") + " is not supported");
    }
    trader.send({"AF", {{584, fresh()}, {585, "7"}}, {}});
    EXPECT_EQ(trader.next("8").text(911), "1") << "it stands";
}

TEST_F(UnfollowedTest, MarketDataOfAnotherKindIsRefused) {
    for (const Unfollowed& each : kMarketDataUnfollowed) {
        const std::string value = value_of(each.tag);
        trader.send(with(market_data_request(fresh(), {"MSFT"}), each.tag, value));
        const IncomingMessage refused = trader.next("Y");
        EXPECT_EQ(refused.text(tag::kMdReqRejReason), each.reason) << each.name;
        EXPECT_EQ(refused.text(tag::kText), named(each, value) + " is not supported");
    }
    trader.send(with(market_data_request(fresh(), {"MSFT"}), 266, "Y"));
    EXPECT_EQ(trader.next("W").text(tag::kSymbol), "MSFT");
}

TEST_F(UnfollowedTest, AnOrderIdThatIsAnothersIsNoneOfThisOrder) {
    trader.send(new_order("1", "MSFT", "1", "5", "90"));
    const std::string order_id = trader.next("8").text(tag::kOrderId);
    for (const OutgoingMessage& request :
         {cancel_order("2", "1", "MSFT"), replace_order("3", "1", "MSFT", "5", "91"),
          OutgoingMessage{"H", {{tag::kClOrdId, "1"}, {tag::kSymbol, "MSFT"}, {tag::kSide, "1"}}, {}}}) {
        trader.send(with(request, tag::kOrderId, "O999"));
        const IncomingMessage refused = trader.next("j");
        EXPECT_EQ(refused.text(tag::kBusinessRejectReason), "1");
        EXPECT_EQ(refused.text(tag::kText), "OrderID(37)=O999 is not that of 1, which is " + order_id);
    }
    trader.send(with(cancel_order("4", "1", "MSFT"), tag::kOrderId, order_id));
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
