// SPDX-License-Identifier: Apache-2.0
// The program killed in the middle of its work, and begun again on its store: nothing is lost and nothing
// happens twice.
#include <csignal>
#include <fstream>
#include <memory>
#include <set>

#include "tests/program.hpp"

namespace fixaccel::exchange {
namespace {

OutgoingMessage gtc_order(const std::string& id, const char* side, const char* price,
                          const char* quantity = "5") {
    return {"D",
            {{tag::kClOrdId, id},
             {tag::kOrderQty, quantity},
             {tag::kOrdType, "2"},
             {tag::kPrice, price},
             {tag::kSide, side},
             {tag::kSymbol, "MSFT"},
             {tag::kTimeInForce, "1"},
             {tag::kTransactTime, "20260101-12:00:00.000"}},
            {}};
}

class Restart : public ProgramTest {
  protected:
    std::vector<std::string> arguments() const {
        return {"--venue", path("venue.yaml"), "--client", "CLIENT2", "--store", path("store")};
    }
};

TEST_F(Restart, AKilledVenueGoesOnWhereItWas) {
    std::set<std::string> order_ids;
    std::set<std::string> exec_ids;
    // The next report that is not one of before, sent again as such: whether its client had got it was not
    // sure.
    const auto next = [&](FixClient& client) {
        IncomingMessage report = client.next("8");
        while (report.text(tag::kPossResend) == "Y" && exec_ids.contains(report.text(tag::kExecId)))
            report = client.next("8");
        EXPECT_TRUE(exec_ids.insert(report.text(tag::kExecId)).second)
            << "ExecID " << report.text(tag::kExecId) << " twice";
        return report;
    };
    auto killed = std::make_unique<Program>(arguments());
    const std::uint16_t port = port_of(*killed);
    FixClient trader("CLIENT1", "SIMULATOR", port);
    FixClient other("CLIENT2", "SIMULATOR", port);
    ASSERT_TRUE(trader.log_on() && other.log_on());
    trader.send(gtc_order("old", "1", "100"));
    order_ids.insert(next(trader).text(tag::kOrderId));
    other.send(gtc_order("young", "1", "100"));
    order_ids.insert(next(other).text(tag::kOrderId));
    trader.send(gtc_order("ask", "2", "110"));
    order_ids.insert(next(trader).text(tag::kOrderId));
    other.send(gtc_order("take", "1", "110", "2"));
    order_ids.insert(next(other).text(tag::kOrderId));
    next(other);
    next(trader);
    killed->signal(SIGKILL);
    EXPECT_EQ(killed->wait(), -1);
    trader.log_out();
    other.log_out();

    std::vector<std::string> again = arguments();
    again.insert(again.end(), {"--listen", "127.0.0.1:" + std::to_string(port)});
    Program program(again);
    EXPECT_EQ(port_of(program), port);
    ASSERT_TRUE(trader.log_on() && other.log_on()) << "with the MsgSeqNums that both sides had";
    trader.send(gtc_order("old", "1", "90"));
    const IncomingMessage used = next(trader);
    EXPECT_EQ(used.text(tag::kOrdRejReason), "6") << "its ClOrdID is used";
    EXPECT_TRUE(order_ids.insert(used.text(tag::kOrderId)).second) << "an OrderID twice";
    other.send(gtc_order("hit", "2", "100", "6"));
    EXPECT_TRUE(order_ids.insert(next(other).text(tag::kOrderId)).second);
    const IncomingMessage first = next(trader);
    EXPECT_EQ(first.text(tag::kClOrdId), "old");
    EXPECT_EQ(first.text(tag::kLastQty), "5") << "the older one keeps its place";
    trader.send({"H", {{tag::kClOrdId, "ask"}, {tag::kSymbol, "MSFT"}, {tag::kSide, "2"}}, {}});
    const IncomingMessage ask = trader.next("8");
    EXPECT_EQ(ask.text(tag::kCumQty), "2");
    EXPECT_EQ(ask.text(tag::kLeavesQty), "3");
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(), 0);
}

// The kill comes when the engine has done all, and the session has written none of it down: what changed
// nothing is in no log, and is asked for again; what did is not done twice.
TEST_F(Restart, RequestsThatChangedNothingAreAnsweredBehindAKill) {
    auto killed = std::make_unique<Program>(arguments());
    const std::uint16_t port = port_of(*killed);
    FixClient trader("CLIENT1", "SIMULATOR", port);
    ASSERT_TRUE(trader.log_on());
    const auto ask = [&](const char* id) {
        trader.send({"H", {{tag::kClOrdId, id}, {tag::kSymbol, "MSFT"}, {tag::kSide, "1"}}, {}});
    };
    trader.send(gtc_order("first", "1", "99"));
    EXPECT_EQ(trader.next("8").text(tag::kClOrdId), "first");
    const int unknown = trader.next_sender();
    ask("nothing");
    trader.send(gtc_order("buy", "1", "100"));
    trader.send(
        {"q", {{tag::kClOrdId, "all"}, {530, "4"}, {tag::kTransactTime, "20260101-12:00:00.000"}}, {}});
    EXPECT_EQ(trader.next("8").text(tag::kClOrdId), "nothing");
    EXPECT_EQ(trader.next("8").text(tag::kClOrdId), "buy");
    EXPECT_EQ(trader.next("r").text(531), "0");
    killed->signal(SIGKILL);
    EXPECT_EQ(killed->wait(), -1);
    trader.log_out();
    {
        std::fstream numbers(path("store/FIX.4.4-SIMULATOR-CLIENT1.numbers"),
                             std::ios::in | std::ios::out | std::ios::binary);
        numbers.seekp(8).write(reinterpret_cast<const char*>(&unknown), sizeof unknown);
    }

    std::vector<std::string> again = arguments();
    again.insert(again.end(), {"--listen", "127.0.0.1:" + std::to_string(port), "--record", path("record")});
    Program program(again);
    port_of(program);
    ASSERT_TRUE(trader.log_on());
    const auto answer = [&](const std::string& id) {
        IncomingMessage report = trader.next("8");
        while (!report.fields.empty() && report.text(tag::kClOrdId) != id) {
            EXPECT_TRUE(report.text(tag::kPossResend) == "Y" || report.text(tag::kPossDupFlag) == "Y")
                << report.text(tag::kClOrdId);
            report = trader.next("8");
        }
        return report;
    };
    EXPECT_EQ(answer("nothing").text(tag::kOrdStatus), "8");
    EXPECT_EQ(trader.next("r").text(531), "0");
    ask("buy");
    EXPECT_EQ(answer("buy").text(tag::kLeavesQty), "5");
    trader.send({"AF", {{584, "open"}, {585, "7"}}, {}});
    EXPECT_EQ(trader.next("8").text(911), "2") << "orders, none of them twice";
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(), 0);
    int orders = 0;
    for (const auto& line : record()) orders += line["event"] == "order" ? 1 : 0;
    EXPECT_EQ(orders, 0) << "it came again, and was not done again";
}

TEST_F(Restart, AStoreOfAnotherVenueIsRefused) {
    {
        Program program(arguments());
        port_of(program);
        program.signal(SIGTERM);
        EXPECT_EQ(program.wait(), 0);
    }
    write("venue.yaml", std::string(kVenue) + "  IBM: {tick: 0.01, lot: 1, price_range: 0.01..10000}\n");
    Program program(arguments());
    EXPECT_NE(program.errors().find("is of a venue with other instruments"), std::string::npos);
    EXPECT_EQ(program.wait(), 2);
}

}  // namespace
}  // namespace fixaccel::exchange
