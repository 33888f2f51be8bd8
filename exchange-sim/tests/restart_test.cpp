// SPDX-License-Identifier: Apache-2.0
// The program killed in the middle of its work, and begun again on its store: nothing is lost and nothing
// happens twice.
#include <csignal>
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
