// SPDX-License-Identifier: Apache-2.0
// What the venue asks for again.
#include <algorithm>
#include <chrono>
#include <thread>

#include "fix_session_fixture.hpp"

namespace fixaccel {
namespace {

using test::message;
using test::Texts;

class FixResendsTest : public test::FixSessionTest {};

// Whoever reads slowly, the venue or the wire between, is not silent.
TEST_F(FixResendsTest, WhileItIsSentAgainWhatTheVenueAskedForTheVenueIsNotTakenForSilent) {
    log_on(ResendPolicy::resend, 1);
    store_.fire();
    transport_.on_order = [] { std::this_thread::sleep_for(std::chrono::milliseconds(3100)); };
    session_->receive(message("2", 2,
                              "7=1\x01"
                              "16=0\x01"));
    Texts again = sent();
    ASSERT_GE(again.size(), 2U);
    again.resize(2);  // a heartbeat may be due
    EXPECT_EQ(again, (Texts{"4 1 dup", "D 2 dup"}));
    EXPECT_FALSE(transport_.disconnected);
    session_->receive(message("1", 3, "112=PING\x01"));
    session_->tick();
    EXPECT_FALSE(transport_.disconnected);
    EXPECT_TRUE(session_->logged_on());
}

// A venue that is a FIX engine itself does not take messages that it knows for a sign of life.
TEST_F(FixResendsTest, BetweenMessagesThatAreSentAgainForLongTheVenueIsHeard) {
    log_on();
    for (int order = 0; order < 3; ++order) store_.fire();
    transport_.on_order = [] { std::this_thread::sleep_for(std::chrono::milliseconds(260)); };
    session_->receive(message("2", 2,
                              "7=1\x01"
                              "16=0\x01"));
    EXPECT_EQ(sent(), (Texts{"4 1 dup", "D 2 dup"}));
    session_->receive(message("1", 3, "112=PING\x01"));
    EXPECT_EQ(sent().back(), "0 5");
    transport_.sent.clear();
    session_->tick();
    EXPECT_EQ(sent(), Texts{"D 3 dup"});
    session_->tick();
    EXPECT_EQ(sent(), (Texts{"D 3 dup", "D 4 dup", "4 5 dup"})) << "the last one instead of the heartbeat";
    EXPECT_EQ(std::count(transport_.received.begin(), transport_.received.end(), "2"), 1)
        << "the venue has asked once";
}

TEST_F(FixResendsTest, AResendRequestGetsTheFiredOrderWithItsOldNumber) {
    log_on();
    store_.fire();
    transport_.pending_fires = 1;  // drained before the engine looks how far the range reaches
    session_->receive(message("2", 2,
                              "7=1\x01"
                              "16=0\x01"));
    EXPECT_EQ(sent(), (Texts{"4 1 dup", "D 2 dup", "D 3 dup"}));
    EXPECT_NE(fix_field(transport_.sent[1], 122), "");
    EXPECT_EQ(fix_field(transport_.sent[1], 38), "0000000002");
    EXPECT_EQ(store_.next_sender(), 4) << "a resend uses no number";
}

TEST_F(FixResendsTest, AResendRequestThatNamesNoNumberIsRejected) {
    log_on();
    store_.fire();
    session_->receive(message("2", 2,
                              "7=1\x01"
                              "16=all\x01"));
    EXPECT_EQ(sent(), Texts{"3 3"});
    session_->receive(message("2", 3,
                              "7=1\x01"
                              "16=0\x01"));
    EXPECT_EQ(sent().back(), "4 3 dup") << "the session goes on";
}

TEST_F(FixResendsTest, GapFillPolicySendsNoOrderAgain) {
    log_on(ResendPolicy::gap_fill);
    store_.fire();
    session_->receive(message("2", 2,
                              "7=1\x01"
                              "16=0\x01"));
    EXPECT_EQ(sent(), Texts{"4 1 dup"});
    EXPECT_EQ(fix_field(transport_.sent[0], 36), "3");
    EXPECT_EQ(transport_.passed_over, Texts{"ORDER"}) << "and says which";
}

TEST_F(FixResendsTest, OrdersThatMayNotLeaveWaitAndWhatIsAheadOfThemIsFilled) {
    log_on();
    session_->receive(message("1", 2, "112=PING\x01"));  // our number 2
    store_.fire();
    ASSERT_TRUE(session_->request_market_data({"R1", {"A"}, false, false, true}));
    store_.fire();
    transport_.sent.clear();
    transport_.may_resend = false;
    session_->receive(message("2", 3,
                              "7=1\x01"
                              "16=0\x01"));
    ASSERT_EQ(sent(), Texts{"4 1 dup"}) << "not even what is behind them, which has to come in its order";
    EXPECT_EQ(fix_field(transport_.sent[0], 36), "3");
    EXPECT_EQ(store_.next_target(), 4);
    session_->tick();
    session_->receive(message("1", 4, "112=PONG\x01"));
    EXPECT_EQ(sent(), (Texts{"4 1 dup", "0 6"})) << "other messages go on";
    transport_.sent.clear();
    session_->receive(message("2", 5,
                              "7=4\x01"
                              "16=4\x01"));
    EXPECT_EQ(sent(), Texts{"V 4 dup"}) << "no order is asked for";
    transport_.sent.clear();
    transport_.may_resend = true;
    session_->tick();
    EXPECT_EQ(sent(), (Texts{"D 3 dup", "V 4 dup", "D 5 dup", "4 6 dup"}));
    EXPECT_EQ(store_.next_target(), 6) << "the request that waited has been counted";
    transport_.sent.clear();
    session_->tick();
    EXPECT_TRUE(transport_.sent.empty()) << "once";
}

TEST_F(FixResendsTest, OneOrderAfterTheOtherIsJudged) {
    log_on();
    store_.fire();
    store_.fire();
    transport_.on_order = [this] { transport_.may_resend = false; };
    session_->receive(message("2", 2,
                              "7=2\x01"
                              "16=3\x01"));
    EXPECT_EQ(sent(), Texts{"D 2 dup"});
    transport_.may_resend = true;
    session_->tick();
    EXPECT_EQ(sent(), (Texts{"D 2 dup", "D 3 dup"}));
}

TEST_F(FixResendsTest, WhatWaitsEndsWithItsConnection) {
    log_on();
    store_.fire();
    transport_.may_resend = false;
    session_->receive(message("2", 2,
                              "7=2\x01"
                              "16=2\x01"));
    session_->disconnected();
    session_->connected();
    session_->tick();
    session_->receive(message("A", 3,
                              "98=0\x01"
                              "108=30\x01"));
    ASSERT_TRUE(session_->logged_on());
    transport_.sent.clear();
    transport_.may_resend = true;
    session_->tick();
    EXPECT_TRUE(transport_.sent.empty());
}

TEST_F(FixResendsTest, ASubscriptionIsSentAgainWithItsGroups) {
    log_on();
    ASSERT_TRUE(session_->request_market_data({"R1", {"A", "B"}, false, false, true}));
    const std::string first = transport_.sent.back();
    EXPECT_NE(first.find("146=2\x01"
                         "55=A\x01"
                         "55=B\x01"),
              std::string::npos);
    EXPECT_NE(first.find("267=3\x01"
                         "269=0\x01"
                         "269=1\x01"
                         "269=2\x01"),
              std::string::npos);
    transport_.sent.clear();
    session_->receive(message("2", 2,
                              "7=2\x01"
                              "16=0\x01"));
    ASSERT_EQ(sent(), Texts{"V 2 dup"});
    EXPECT_NE(transport_.sent[0].find("146=2\x01"
                                      "55=A\x01"
                                      "55=B\x01"),
              std::string::npos)
        << transport_.sent[0];
    EXPECT_NE(transport_.sent[0].find("267=3\x01"
                                      "269=0\x01"
                                      "269=1\x01"
                                      "269=2\x01"),
              std::string::npos);
}

}  // namespace
}  // namespace fixaccel
