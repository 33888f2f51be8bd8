// SPDX-License-Identifier: Apache-2.0
// Each fault, as its client sees it.
#include "session/fault.hpp"

#include <gtest/gtest.h>

#include <array>

#include "session/raw_message.hpp"
#include "tests/session_fixture.hpp"

namespace fixaccel::exchange {
namespace {

using Kind = Fault::Kind;
constexpr std::chrono::hours kForever(1);

class SessionFaultsTest : public SessionTest {
  protected:
    void fault(Kind kind, unsigned count = 0, const std::string& types = "",
               std::chrono::nanoseconds time = {}) {
        Fault fault;
        fault.kind = kind;
        fault.count = count;
        fault.types = types;
        fault.time = time;
        host->fault("CLIENT1", fault);
    }
    void post(const std::string& id) { host->post("CLIENT1", {"8", {{tag::kClOrdId, id}}, {}}); }
    // ClOrdIDs of the reports that come before the answer to a TestRequest, with their MsgSeqNum.
    std::vector<std::string> reports(RawClient& client) {
        std::vector<std::string> seen;
        client.send("1", "112=END");
        while (const auto message = client.next()) {
            if (message->text(tag::kTestReqId) == "END") break;
            if (message->text(tag::kMsgType) == "8")
                seen.push_back(message->text(tag::kMsgSeqNum) + ":" + message->text(tag::kClOrdId));
        }
        return seen;
    }
    using Reports = std::vector<std::string>;
};

TEST_F(SessionFaultsTest, ADroppedMessageIsThereForAResendRequest) {
    RawClient client = logged_on();
    fault(Kind::kDrop, 2);
    for (const char* id : {"A", "B", "C"}) post(id);
    EXPECT_EQ(reports(client), Reports{"4:C"});
    client.send("2", "7=2|16=3");
    EXPECT_EQ(client.next("8").value_or(IncomingMessage{}).text(tag::kClOrdId), "A");
    EXPECT_EQ(client.next("8").value_or(IncomingMessage{}).text(tag::kClOrdId), "B");
}

TEST_F(SessionFaultsTest, ADuplicatedMessageIsTheSameTwice) {
    RawClient client = logged_on();
    fault(Kind::kDuplicate, 1);
    post("A");
    post("B");
    EXPECT_EQ(reports(client), (Reports{"2:A", "2:A", "3:B"}));
}

TEST_F(SessionFaultsTest, AGarbledMessageHasAWrongSum) {
    RawClient client = logged_on();
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        Fault garble;
        garble.kind = Kind::kGarble;
        garble.count = 1;
        garble.seed = seed;
        host->fault("CLIENT1", garble);
        post("A");
        ASSERT_TRUE(client.next().has_value());
        const std::string& bytes = client.bytes();
        const std::size_t summed = bytes.size() - 7;
        EXPECT_NE(bytes.substr(summed + 3, 3), check_sum(bytes.data(), summed)) << shown(bytes);
    }
    post("B");
    EXPECT_EQ(reports(client), Reports{"52:B"});
}

TEST_F(SessionFaultsTest, DelayedMessagesKeepTheirOrderAndTheirNumbers) {
    RawClient client = logged_on();
    fault(Kind::kDelay, 2, "", kForever);
    post("A");
    post("B");
    // Nothing has a number yet: the answer takes the next one.
    EXPECT_EQ(reports(client), Reports{});
    fault(Kind::kClear);
    EXPECT_EQ(client.next("8").value_or(IncomingMessage{}).text(tag::kMsgSeqNum), "3");
    EXPECT_EQ(client.next("8").value_or(IncomingMessage{}).text(tag::kClOrdId), "B");
    fault(Kind::kDelay, 1, "", std::chrono::milliseconds(10));
    post("C");
    EXPECT_EQ(client.next("8").value_or(IncomingMessage{}).text(tag::kClOrdId), "C");
    fault(Kind::kDelay, 0, "", kForever);
    post("D");
    fault(Kind::kClear);
    post("E");
    EXPECT_EQ(reports(client), (Reports{"6:D", "7:E"}));
}

TEST_F(SessionFaultsTest, HeldMessagesComeLate) {
    RawClient client = logged_on();
    fault(Kind::kHold, 1);
    post("A");
    post("B");
    EXPECT_EQ(reports(client), Reports{"2:B"});
    fault(Kind::kClear);
    EXPECT_EQ(client.next("8").value_or(IncomingMessage{}).text(tag::kClOrdId), "A");
}

TEST_F(SessionFaultsTest, WhatIsHeldWhenTheConnectionEndsIsKeptForResends) {
    {
        RawClient client = logged_on();
        fault(Kind::kHold);
        post("A");
        EXPECT_EQ(reports(client), Reports{});
        fault(Kind::kDisconnect);
        EXPECT_TRUE(client.closed());
    }
    EXPECT_TRUE(events.wait([&] { return host->stats("CLIENT1").next_sender == 4; }));
}

TEST_F(SessionFaultsTest, AnEarlyReportOvertakesTheOneBefore) {
    RawClient client = logged_on();
    fault(Kind::kEarly, 1);
    for (const char* id : {"NEW", "FILL", "C"}) post(id);
    EXPECT_EQ(reports(client), (Reports{"2:FILL", "3:NEW", "4:C"}));
    // Alone, it leaves after its time.
    fault(Kind::kEarly, 1, "", std::chrono::milliseconds(10));
    post("D");
    EXPECT_EQ(client.next("8").value_or(IncomingMessage{}).text(tag::kClOrdId), "D");
}

TEST_F(SessionFaultsTest, FaultsHitTheirTypesAlone) {
    RawClient client = logged_on();
    fault(Kind::kDrop, 0, "9 W");
    host->post("CLIENT1", {"9", {{tag::kClOrdId, "X"}}, {}});
    post("A");
    host->post("CLIENT1", {"W", {{tag::kSymbol, "X"}}, {}}, Urgency::kMarketData);
    post("B");
    EXPECT_EQ(reports(client), (Reports{"3:A", "5:B"}));
    fault(Kind::kClear);
    host->post("CLIENT1", {"9", {{tag::kClOrdId, "Y"}}, {}});
    EXPECT_TRUE(client.next("9").has_value());
}

TEST_F(SessionFaultsTest, ASequenceJumpIsAGap) {
    RawClient client = logged_on();
    fault(Kind::kSequenceJump, 10);
    post("A");
    EXPECT_EQ(reports(client), Reports{"12:A"});
    client.send("2", "7=2|16=0");
    const auto fill = client.next("4");
    ASSERT_TRUE(fill.has_value());
    EXPECT_EQ(fill->text(tag::kMsgSeqNum) + " " + fill->text(tag::kNewSeqNo), "2 12");
    EXPECT_EQ(client.next("8").value_or(IncomingMessage{}).text(tag::kMsgSeqNum), "12");
}

TEST_F(SessionFaultsTest, AClosedWindowTakesNothingUntilItOpens) {
    RawClient client = logged_on();
    fault(Kind::kWindowClose);
    post("A");
    ASSERT_TRUE(client.next("8").has_value());
    client.send("D", order_fields("B"));
    EXPECT_FALSE(client.next(std::chrono::milliseconds(100)).has_value());
    EXPECT_EQ(events.application_count(), 0U);
    fault(Kind::kClear);
    EXPECT_EQ(client.next("8").value_or(IncomingMessage{}).text(tag::kClOrdId), "B");
    fault(Kind::kWindowClose, 0, "", std::chrono::milliseconds(50));
    client.send("D", order_fields("C"));
    EXPECT_EQ(client.next("8").value_or(IncomingMessage{}).text(tag::kClOrdId), "C");
}

TEST_F(SessionFaultsTest, TestRequestsAndResendRequestsComeAtOnce) {
    RawClient client = logged_on();
    fault(Kind::kTestRequests, 3);
    for (const char* id : {"FAULT-1", "FAULT-2", "FAULT-3"})
        EXPECT_EQ(client.next("1").value_or(IncomingMessage{}).text(tag::kTestReqId), id);
    Fault resend;
    resend.kind = Kind::kResendRequest;
    resend.begin = 1;
    resend.end = 7;
    host->fault("CLIENT1", resend);
    const auto request = client.next("2");
    ASSERT_TRUE(request.has_value());
    EXPECT_EQ(request->text(tag::kBeginSeqNo) + " " + request->text(tag::kEndSeqNo), "1 7");
}

TEST_F(SessionFaultsTest, SplitBytesAreTheSameMessage) {
    RawClient client = logged_on();
    fault(Kind::kSplit, 2);
    post("A");
    post("B");
    post("C");
    EXPECT_EQ(reports(client), (Reports{"2:A", "3:B", "4:C"}));
}

TEST_F(SessionFaultsTest, ConnectionsEndWithoutLogoutOrWithAReset) {
    {
        RawClient client = logged_on();
        fault(Kind::kDisconnect);
        EXPECT_TRUE(client.closed());
        EXPECT_FALSE(client.was_reset());
    }
    {
        RawClient client = logged_on();
        fault(Kind::kReset);
        EXPECT_TRUE(client.closed());
        EXPECT_TRUE(client.was_reset());
    }
    {
        RawClient client = logged_on();
        host->reset("CLIENT1");
        EXPECT_TRUE(client.closed());
        EXPECT_TRUE(client.was_reset());
    }
    RawClient client = logged_on();
    host->disconnect("CLIENT1");
    EXPECT_TRUE(client.closed());
    EXPECT_FALSE(client.was_reset());
}

TEST_F(SessionFaultsTest, NoHeartbeatLeavesEvenWhereItWouldAnswer) {
    RawClient client = logged_on();
    fault(Kind::kNoHeartbeats);
    client.send("1", "112=A");
    post("A");
    const auto first = client.next();
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(first->text(tag::kMsgType), "8");
    fault(Kind::kClear);
    client.send("1", "112=B");
    EXPECT_EQ(client.next().value_or(IncomingMessage{}).text(tag::kTestReqId), "B");
}

TEST(FaultNames, AreKnownBothWays) {
    for (const char* name :
         {"clear", "delay", "drop", "duplicate", "garble", "hold", "early", "sequence-jump", "window-close",
          "test-requests", "resend-request", "split", "disconnect", "reset", "no-heartbeats"}) {
        Kind kind{};
        ASSERT_TRUE(parse_fault_kind(name, kind)) << name;
        EXPECT_STREQ(fault_name(kind), name);
    }
    Kind kind{};
    EXPECT_FALSE(parse_fault_kind("gremlin", kind));
}

}  // namespace
}  // namespace fixaccel::exchange
