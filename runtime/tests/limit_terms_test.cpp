// SPDX-License-Identifier: Apache-2.0
#include "limit_terms.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine.hpp"
#include "lists.hpp"

namespace fixaccel {
namespace {

std::string refusal(const std::string& limit, const std::string& text) {
    try {
        limit_value(limit, text);
        return {};
    } catch (const Refused& refused) {
        return refused.what();
    }
}

TEST(LimitTerms, ValuesAreThoseOfAStrategy) {
    const std::vector<std::tuple<std::string, std::string, std::int64_t, std::string>> cases{
        {"orders_per_second", "1", 1, "1"},
        {"orders_per_second", "1000000", 1'000'000, "1000000"},
        {"total_orders", "0", 0, "0"},
        {"total_qty", "999999999999999", 999'999'999'999'999, "999999999999999"},
        {"collar", "5%", 500, "5%"},
        {"collar", "0.25%", 25, "0.25%"},
        {"collar", "2.5%", 250, "2.5%"},
        {"collar", "100%", 10'000, "100%"},
        {"repeat", "500ms", 500'000'000, "500ms"},
        {"repeat", "2m", 120'000'000'000, "120000ms"},
        {"repeat", "24h", 86'400'000'000'000, "86400000ms"},
    };
    for (const auto& [limit, text, value, shown] : cases) {
        EXPECT_EQ(limit_value(limit, text), value) << limit << ' ' << text;
        EXPECT_EQ(limit_value_text(limit, value), shown) << limit;
    }
}

TEST(LimitTerms, WhatIsNoneIsRefusedByName) {
    for (const auto& [limit, text] : std::vector<std::pair<std::string, std::string>>{
             {"orders_per_second", "0"},
             {"orders_per_second", "1000001"},
             {"total_orders", "-1"},
             {"total_orders", ""},
             {"total_orders", "1e3"},
             {"total_orders", " 1"},
             {"total_orders", "1.0"},
             {"total_qty", "10000000000000000"},
             {"collar", "5"},
             {"collar", "0%"},
             {"collar", "100.01%"},
             {"collar", ".5%"},
             {"collar", "5.%"},
             {"collar", "0.001%"},
             {"collar", "-1%"},
             {"repeat", "1"},
             {"repeat", "0s"},
             {"repeat", "25h"},
             {"repeat", "999999999999999h"},
             {"repeat", "1d"},
             {"repeat", "ms"},
             {"collar", "%"},
         })
        EXPECT_NE(refusal(limit, text).find(limit + " is "), std::string::npos)
            << limit << " '" << text << '\'';
    EXPECT_NE(refusal("order_qty", "5").find("compile and deploy"), std::string::npos);
    EXPECT_NE(refusal("total", "5").find("there is no limit total; what can be changed is orders_per_second"),
              std::string::npos);
}

Bundle bundle_of(const std::vector<std::pair<std::string, bool>>& rules) {
    Bundle bundle;
    for (const auto& [instrument, fabric] : rules) {
        BundleRule& rule = add_rule(bundle);
        rule.instrument = instrument;
        if (fabric) rule.trigger = 0;
    }
    return bundle;
}

TEST(LimitTerms, WhatTwoPlacesWouldCountApartIsNotHeld) {
    const Bundle mixed = bundle_of({{"A", true}, {"A", false}, {"B", true}, {"C", false}});
    EXPECT_NE(not_held(mixed, {}, "total_orders", "", 5), "");
    EXPECT_EQ(not_held(mixed, {{"total_orders", 9}}, "total_orders", "", 5), "")
        << "the compiler has seen to it";
    EXPECT_NE(not_held(mixed, {}, "total_qty", "A", 5), "");
    EXPECT_EQ(not_held(mixed, {}, "total_qty", "B", 5), "");
    EXPECT_EQ(not_held(mixed, {}, "total_qty", "C", 5), "");
    EXPECT_EQ(not_held(mixed, {}, "collar", "", 5), "");
    EXPECT_NE(not_held(mixed, {}, "total_qty", "B", 1'000'000'000), "") << "the board has nine digits";
    EXPECT_EQ(not_held(mixed, {}, "total_qty", "B", 999'999'999), "");
    EXPECT_EQ(not_held(mixed, {}, "total_qty", "C", 1'000'000'000), "");
    EXPECT_NE(not_held(mixed, {}, "repeat", "", 5), "");
    EXPECT_EQ(not_held(bundle_of({{"A", false}}), {}, "repeat", "", 5), "");
}

TEST(LimitTerms, ARuleIsHeldToWhatItHasOfItsOwn) {
    Bundle bundle = bundle_of({{"A", true}, {"A", false}});
    bundle.rules.edit(1).rule = "entry";
    const LimitValues own{{"total_orders of rule entry", 9}, {"total_qty A of rule entry", 9}};
    EXPECT_EQ(not_held(bundle, own, "total_orders", "", 5, "entry"), "");
    EXPECT_EQ(not_held(bundle, own, "total_qty", "A", 5, "entry"), "") << "it alone counts that";
    EXPECT_NE(not_held(bundle, own, "repeat", "", 5, "entry").find("has no repeat of its own"),
              std::string::npos);
    EXPECT_NE(not_held(bundle, own, "total_qty", "B", 5, "entry").find("no total_qty B of its own"),
              std::string::npos);
    EXPECT_EQ(not_held(bundle, own, "total_orders", "", 5, "exit"), "this bundle has no rule exit");
}

}  // namespace
}  // namespace fixaccel
