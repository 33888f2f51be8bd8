// SPDX-License-Identifier: Apache-2.0
// What happens on the session level: logon, logout, sequence numbers, resends.
#include <gtest/gtest.h>

#include "tests/venue_fixture.hpp"

namespace fixaccel::exchange {
namespace {

constexpr std::chrono::milliseconds kRefusal(1500);
constexpr std::chrono::seconds kPatience(10);
constexpr int kNewSeqNo = 36;
constexpr int kGapFillFlag = 123;

class FixSession : public VenueTest {
  protected:
    bool wait_until_out(const std::string& name) {
        return gateway.clients().wait([&] { return !gateway.clients().is_logged_on(name); },
                                      std::chrono::seconds(5));
    }
    // Its answer to a logon is on the wire before the venue itself counts the client as there.
    bool counts_as_logged_on(const std::string& name) {
        return gateway.clients().wait([&] { return gateway.clients().is_logged_on(name); }, kPatience);
    }
};

TEST_F(FixSession, RecordsTheSequenceNumbersOfBothSidesAtLogout) {
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    trader.send(new_order("1", "MSFT", "1", "5", "100"));
    trader.next("8");
    trader.log_out();
    ASSERT_TRUE(wait_until_out("CLIENT1"));
    const auto sessions = recorded("session", 1);
    // Logon, order, Logout one way; Logon, report, Logout the other.
    EXPECT_EQ(sessions[0]["next_target_msg_seq_num"], 4);
    EXPECT_EQ(sessions[0]["next_sender_msg_seq_num"], 4);
    EXPECT_EQ(trader.next_sender(), 4);
    EXPECT_EQ(trader.next_target(), 4);
    recorded("logon", 1);
    recorded("logout", 1);
}

TEST_F(FixSession, GoesOnCountingAtTheNextLogonAndForgetsSubscriptions) {
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    trader.send(market_data_request("md", {"MSFT"}));
    trader.next("W");
    trader.log_out();
    ASSERT_TRUE(wait_until_out("CLIENT1"));
    EXPECT_FALSE(gateway.clients().is_subscribed("CLIENT1"));
    ASSERT_TRUE(trader.log_on());
    // Logon, V and Logout took 1 to 3, the new Logon at least 4: QuickFIX's initiator now and then spends a
    // number on a message that it does not send.
    EXPECT_GE(trader.send(new_order("1", "MSFT", "1", "5", "100")), 5);
    EXPECT_GE(std::stoi(trader.next("8").text(tag::kMsgSeqNum)), 5);
}

TEST_F(FixSession, ReportsToAClientThatIsAwayAreResent) {
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    trader.send(new_order("1", "MSFT", "1", "5", "100"));
    trader.next("8");
    trader.log_out();
    ASSERT_TRUE(wait_until_out("CLIENT1"));
    gateway.act([](Exchange& venue) { return venue.trade("MSFT", 9900, 1); });
    ASSERT_TRUE(trader.log_on());
    const IncomingMessage filled = trader.next("8");
    EXPECT_EQ(filled.text(tag::kOrdStatus), "2");
    EXPECT_EQ(filled.text(tag::kPossDupFlag), "Y");
}

TEST_F(FixSession, ResendRequestBringsOrdersBackWithoutTradingTwice) {
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    const int order = trader.send(new_order("1", "MSFT", "1", "5", "100"));
    trader.next("8");
    gateway.send_session_message(
        "CLIENT1",
        {"2", {{tag::kBeginSeqNo, std::to_string(order)}, {tag::kEndSeqNo, std::to_string(order)}}, {}});
    const auto resends = recorded("resend", 1);
    EXPECT_EQ(resends[0]["msg_seq_num"], order);
    EXPECT_EQ(resends[0]["cl_ord_id"], "1");
    EXPECT_EQ(resends[0]["poss_dup"], true);
    EXPECT_EQ(resends[0]["orig_sending_time"], recorded("order", 1)[0]["sending_time"]);
    EXPECT_EQ(recorded("resend_request", 1)[0]["direction"], "out");
    // The next order shows that the session is in step.
    trader.send(new_order("2", "MSFT", "1", "5", "99"));
    EXPECT_EQ(trader.next("8").text(tag::kClOrdId), "2");
    EXPECT_EQ(order_count(), 2U);
}

TEST_F(FixSession, ClientsResendRequestGetsReportsButNoOldMarketData) {
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    trader.send(market_data_request("md", {"MSFT"}));
    trader.next("W");
    trader.send(new_order("1", "MSFT", "1", "5", "100"));
    trader.next("8");
    trader.next("W");
    trader.send({"2", {{tag::kBeginSeqNo, "1"}, {tag::kEndSeqNo, "0"}}, {}});
    const IncomingMessage fill = trader.next("4");
    EXPECT_EQ(fill.text(kGapFillFlag), "Y");
    EXPECT_EQ(fill.text(kNewSeqNo), "3");
    EXPECT_EQ(trader.next("8").text(tag::kPossDupFlag), "Y");
    EXPECT_EQ(trader.next("4").text(kNewSeqNo), "5");
    EXPECT_EQ(trader.waiting("W"), 0U);
    EXPECT_EQ(recorded("resend_request", 1)[0]["direction"], "in");
}

TEST_F(FixSession, TestRequestIsAnsweredAndRecorded) {
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    ASSERT_TRUE(counts_as_logged_on("CLIENT1"));
    gateway.send_session_message("CLIENT1", {"1", {{tag::kTestReqId, "SCENARIO"}}, {}});
    EXPECT_EQ(trader.next("1").text(tag::kTestReqId), "SCENARIO");
    bool answered = false;
    for (const auto& line : recorded("session_message", 4)) {
        answered |= line["msg_type"] == "0" && line["direction"] == "in" &&
                    line.value("test_req_id", "") == "SCENARIO";
    }
    EXPECT_TRUE(answered);
}

TEST_F(FixSession, LogsEveryoneOutWhenItStops) {
    FixClient first = client("CLIENT1");
    FixClient second = client("CLIENT2");
    ASSERT_TRUE(first.log_on());
    ASSERT_TRUE(second.log_on());
    for (const char* name : {"CLIENT1", "CLIENT2"}) ASSERT_TRUE(counts_as_logged_on(name));
    host->stop();
    EXPECT_EQ(first.next("5").text(tag::kMsgType), "5");
    EXPECT_EQ(second.next("5").text(tag::kMsgType), "5");
    recorded("session", 2);
}

TEST_F(FixSession, RefusesClientsThatItDoesNotKnow) {
    FixClient stranger("STRANGER", kVenue, host->port());
    EXPECT_FALSE(stranger.log_on(kRefusal));
    FixClient lost("CLIENT1", "ELSEWHERE", host->port());
    EXPECT_FALSE(lost.log_on(kRefusal));
    EXPECT_TRUE(recorded("logon").empty());
}

TEST_F(FixSession, RefusesAHeartbeatIntervalOtherThanItsOwn) {
    SessionConfig config;
    config.heartbeat_seconds = 10;
    open(config);
    FixClient trader = client("CLIENT1", 30);
    EXPECT_FALSE(trader.log_on(kRefusal));
    EXPECT_EQ(trader.next("5").text(tag::kText), "Rejected Logon Attempt: HeartBtInt(108) must be 10");
    FixClient punctual = client("CLIENT2", 10);
    EXPECT_TRUE(punctual.log_on());
}

TEST_F(FixSession, KeepsSequenceNumbersInItsStoreAcrossRestarts) {
    SessionConfig config;
    config.store_path = fresh_path();
    open(config);
    {
        FixClient trader = client("CLIENT1");
        ASSERT_TRUE(trader.log_on());
        trader.log_out();
        ASSERT_TRUE(wait_until_out("CLIENT1"));
    }
    open(config);
    // A client that starts again at 1 is behind what the venue has seen.
    FixClient forgetful = client("CLIENT1");
    forgetful.log_on(std::chrono::milliseconds(0));
    EXPECT_NE(forgetful.next("5").text(tag::kText).find("MsgSeqNum too low"), std::string::npos);
    host.reset();
    std::filesystem::remove_all(config.store_path);
}

TEST_F(FixSession, SaysWhyItCannotListen) {
    SessionConfig config;
    config.comp_id = "OTHER";
    config.clients = {"CLIENT9"};
    config.port = host->port();
    try {
        SessionHost second(config, gateway);
        FAIL() << "two venues on one port";
    } catch (const SessionHostError& error) {
        EXPECT_EQ(std::string(error.what()),
                  "cannot listen on 127.0.0.1:" + std::to_string(host->port()) + ": Address already in use");
    }
}

}  // namespace
}  // namespace fixaccel::exchange
