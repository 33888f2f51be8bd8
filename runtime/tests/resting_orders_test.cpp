// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/resting_orders.hpp"

#include <gtest/gtest.h>

namespace fixaccel {
namespace {

constexpr std::int64_t kOne = 100'000'000;

struct Terms {
    std::string id = "A";
    std::string side = "2";
    std::string price = "00110.50";
    std::string type = "2";
    std::string tif = "0";
};

std::string order(const Terms& terms) {
    std::string text =
        "35=D\x01"
        "55=MSFT\x01";
    const auto add = [&](const std::string& tag, const std::string& value) {
        if (!value.empty()) text.append(tag).append("=").append(value).append("\x01");
    };
    add("11", terms.id);
    add("40", terms.type);
    add("44", terms.price);
    add("54", terms.side);
    add("59", terms.tif);
    return text;
}

bool buy_meets(const RestingOrders& resting, std::int64_t price) {
    return resting.meets("MSFT", true, price);
}

TEST(RestingOrders, AreMetAtTheirPriceAndBeyond) {
    RestingOrders resting;
    resting.sent(order({}));
    resting.sent(order({.id = "B", .price = "111"}));
    resting.sent(order({.id = "C", .side = "1", .price = "-3"}));
    ASSERT_EQ(resting.all().size(), 3U);
    EXPECT_EQ(resting.all()[0].price, "110.5");
    EXPECT_EQ(resting.all()[2].side, "buy");
    EXPECT_FALSE(buy_meets(resting, 110 * kOne + kOne / 2 - 1));
    EXPECT_TRUE(buy_meets(resting, 110 * kOne + kOne / 2));
    EXPECT_TRUE(buy_meets(resting, 112 * kOne));
    EXPECT_FALSE(resting.meets("MSFT", false, -3 * kOne + 1));
    EXPECT_TRUE(resting.meets("MSFT", false, -3 * kOne));
    EXPECT_TRUE(resting.meets("MSFT", true, std::nullopt));
    EXPECT_TRUE(resting.meets("MSFT", false, std::nullopt));
    EXPECT_FALSE(resting.meets("NVDA", true, std::nullopt));
}

TEST(RestingOrders, OnlyLimitOrdersThatTheVenueKeeps) {
    RestingOrders resting;
    resting.sent(order({.id = "ioc", .tif = "3"}));
    resting.sent(order({.id = "fok", .tif = "4"}));
    resting.sent(order({.id = "market", .price = "", .type = "1"}));
    EXPECT_EQ(resting.all().size(), 0U);
    resting.sent(order({.id = "gtc", .tif = "1"}));
    resting.sent(order({.id = "by default", .tif = ""}));
    resting.sent(order({.id = "gtc", .tif = "1"}));  // read twice
    EXPECT_EQ(resting.all().size(), 2U);
}

TEST(RestingOrders, AReportThatEndsThemEndsThem) {
    for (const char* status : {"filled", "canceled", "rejected", "expired", "done for day", "calculated"}) {
        RestingOrders resting;
        resting.sent(order({}));
        resting.sent(order({.id = "B"}));  // at the same price
        resting.report("A", status);
        resting.report("A", status);
        EXPECT_EQ(resting.all().size(), 1U) << status;
        EXPECT_TRUE(buy_meets(resting, 111 * kOne));
        resting.report("B", status);
        EXPECT_FALSE(buy_meets(resting, 111 * kOne)) << status;
    }
}

TEST(RestingOrders, AnyOtherReportLeavesThem) {
    RestingOrders resting;
    resting.sent(order({}));
    for (const char* status : {"new", "partially filled", "pending cancel", "pending new", "replaced",
                               "stopped", "suspended", "?"})
        resting.report("A", status);
    resting.report("of another session", "filled");
    EXPECT_TRUE(buy_meets(resting, 111 * kOne));
}

TEST(RestingOrders, AFillThatIsTakenBackLetsThemRestAgain) {
    RestingOrders resting;
    resting.sent(order({}));
    resting.report("A", "filled");
    resting.report("A", "partially filled");
    EXPECT_TRUE(buy_meets(resting, 111 * kOne));
}

TEST(RestingOrders, WhatIsGoodTillCancelledComesBackAfterItsDay) {
    RestingOrders resting;
    resting.sent(order({.tif = "1"}));
    resting.report("A", "done for day");
    EXPECT_TRUE(buy_meets(resting, 111 * kOne));
    resting.report("A", "expired");
    EXPECT_FALSE(buy_meets(resting, 111 * kOne));
}

}  // namespace
}  // namespace fixaccel
