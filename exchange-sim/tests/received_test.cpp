// SPDX-License-Identifier: Apache-2.0
// What is known of requests that are done and of reports that are out.
#include "venue/received.hpp"

#include <gtest/gtest.h>

#include "venue/sent_reports.hpp"

namespace fixaccel::exchange {
namespace {

using Numbers = std::vector<int>;

TEST(ReceivedTest, GoesOnInOrder) {
    Received received;
    for (const int number : {2, 3, 5}) {
        EXPECT_TRUE(received.begin({7, number}));
        received.done({7, number});
    }
    EXPECT_EQ(received.up_to(), 5);
    EXPECT_EQ(received.ahead(), Numbers{});
    EXPECT_TRUE(received.begin({8, 1}));
    received.done({8, 1});
    EXPECT_EQ(received.up_to(), 1) << "of numbers that began anew";
}

TEST(ReceivedTest, WhatIsBehindAHoleComesAgainAndIsDoneOnce) {
    Received received;
    received.settled({7, 3});
    for (const int number : {2, 5, 6, 8, 11}) received.found({7, number});
    received.resume(5);
    EXPECT_EQ(received.up_to(), 6);
    EXPECT_EQ(received.ahead(), (Numbers{8, 11}));
    EXPECT_TRUE(received.begin({7, 7}));
    received.done({7, 7});
    EXPECT_EQ(received.ahead(), (Numbers{7, 8, 11}));
    EXPECT_FALSE(received.begin({7, 8}));
    EXPECT_TRUE(received.begin({7, 9}));
    EXPECT_FALSE(received.begin({7, 11}));
    EXPECT_EQ(received.up_to(), 11);
    EXPECT_EQ(received.ahead(), Numbers{});
    EXPECT_TRUE(received.begin({7, 12}));
}

TEST(ReceivedTest, AClientThatFillsTheHoleWithAGapEndsItToo) {
    Received received;
    for (const int number : {4, 6}) received.found({7, number});
    received.resume(3);
    EXPECT_TRUE(received.begin({8, 4})) << "of numbers that began anew";
    EXPECT_TRUE(received.begin({7, 9}));
    received.done({7, 9});
    EXPECT_EQ(received.up_to(), 9);
}

TEST(ReceivedTest, BytesSayAll) {
    ReceivedByClient all;
    all["ONE"].settled({7, 3});
    all["ONE"].found({7, 300});
    all["TWO"].done({4'000'000'000U, 1});
    ReceivedByClient again;
    const std::string bytes = bytes_of(all);
    ASSERT_TRUE(read_received(bytes, again));
    EXPECT_EQ(again.at("ONE").up_to(), 3);
    EXPECT_EQ(again.at("ONE").ahead(), Numbers{300});
    EXPECT_EQ(again.at("TWO").generation(), 4'000'000'000U);
    ReceivedByClient torn;
    EXPECT_FALSE(read_received(std::string_view(bytes).substr(0, bytes.size() - 1), torn));
}

TEST(SentReportsTest, OneThatOvertakesSaysNothingOfThoseBeforeIt) {
    SentReports reports;
    const auto first = reports.post(10);
    const auto second = reports.post(14);
    const auto third = reports.post(15);
    reports.sent(second, 14);
    EXPECT_EQ(reports.up_to(), 0U);
    reports.sent(first, 10);
    EXPECT_EQ(reports.up_to(), 14U);
    reports.sent(third, 15);
    EXPECT_EQ(reports.up_to(), 15U) << "and it never goes back";
    EXPECT_EQ(reports.posted(), 15U);
}

}  // namespace
}  // namespace fixaccel::exchange
