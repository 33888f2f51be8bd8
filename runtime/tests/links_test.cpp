// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/links.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "table_image.hpp"

namespace fixaccel {
namespace {

Bundle bundle_of(const TableImage& image) {
    Bundle bundle;
    bundle.memories = image.memories();
    return bundle;
}

// A character a trigger, once `senders` have sent their orders: L live, D dormant, - neither.
std::string after(const TableImage& image, const std::vector<std::uint32_t>& senders,
                  const std::vector<std::uint32_t>& not_loaded = {}) {
    const Bundle bundle = bundle_of(image);
    const Links links(bundle);
    std::vector<TriggerState> triggers = links.fresh();
    const auto was_loaded = [&](std::uint32_t trigger) {
        return std::find(not_loaded.begin(), not_loaded.end(), trigger) == not_loaded.end();
    };
    for (const std::uint32_t sender : senders) links.carry_out(sender, was_loaded, triggers);
    std::string text;
    for (const TriggerState& state : triggers) {
        EXPECT_FALSE(state.live && state.dormant);
        EXPECT_EQ(state.fires, 0U);
        text += state.live ? 'L' : state.dormant ? 'D' : '-';
    }
    return text;
}

std::string refusal(const TableImage& image) {
    try {
        const Bundle bundle = bundle_of(image);
        const Links links(bundle);
    } catch (const BundleError& error) {
        return error.what();
    }
    return "accepted";
}

// Entry 0 arms stop 1 and target 3, of which one cancels the other; 2 is another rule.
TableImage bracket() {
    TableImage image(4);
    image.wait(1);
    image.wait(3);
    image.link({0}, {{1, 1, true}, {3, 3, true}});
    image.link({1, 3}, {{1, 1}, {3, 3}});
    return image;
}

TEST(Links, ABracket) {
    EXPECT_EQ(after(bracket(), {}), "LDLD");
    EXPECT_EQ(after(bracket(), {0}), "LLLL") << "that a rule has fired is not the links' to say";
    EXPECT_EQ(after(bracket(), {0, 3}), "L-L-");
    EXPECT_EQ(after(bracket(), {3, 0}), "L-L-") << "what is cancelled is not armed any more";
    EXPECT_EQ(after(bracket(), {2}), "LDLD");
}

TEST(Links, AGroupOfThreeAcrossWords) {
    TableImage image(70);
    image.link({31, 32, 65}, {{31, 32}, {65, 65}});
    std::string expected(70, 'L');
    EXPECT_EQ(after(image, {}), expected);
    for (const std::uint32_t i : {31U, 32U, 65U}) expected[i] = '-';
    EXPECT_EQ(after(image, {65}), expected);
}

TEST(Links, ARangeOfManyWords) {
    TableImage image(130);
    for (std::uint32_t i = 5; i < 128; ++i) image.wait(i);
    image.link({0}, {{5, 127, true}});
    EXPECT_EQ(after(image, {}), "LLLLL" + std::string(123, 'D') + "LL");
    EXPECT_EQ(after(image, {0}), std::string(130, 'L'));
}

TEST(Links, AChainOfChildren) {
    TableImage image(3);
    image.wait(1);
    image.wait(2);
    image.link({0}, {{1, 1, true}});
    image.link({1}, {{2, 2, true}});
    EXPECT_EQ(after(image, {0}), "LLD");
    EXPECT_EQ(after(image, {0, 1}), "LLL");
}

TEST(Links, ACancelledChildStaysCancelled) {
    TableImage image(3);
    image.wait(2);
    image.link({0}, {{2, 2, true}});
    image.link({1}, {{1, 2}});
    EXPECT_EQ(after(image, {1}), "L--");
    EXPECT_EQ(after(image, {1, 0}), "L--");
    EXPECT_EQ(after(image, {0, 1}), "L--");
}

TEST(Links, ASecondParentArmsNothingThatIsCancelled) {
    TableImage image(3);
    image.wait(2);
    image.link({0, 1}, {{0, 1}, {2, 2, true}});
    EXPECT_EQ(after(image, {0}), "--L");
    EXPECT_EQ(after(image, {0, 1}), "--L");
}

TEST(Links, OnlyRulesThatWereLoadedAreTouched) {
    EXPECT_EQ(after(bracket(), {0}, {3}), "LLLD");
    EXPECT_EQ(after(bracket(), {0, 1}, {3}), "L-LD");
}

TEST(Links, TablesOfNoRuleHaveNone) { EXPECT_EQ(after(TableImage(0), {}), ""); }

TEST(Links, WhatLeadsOutOfTheTablesIsRefused) {
    EXPECT_EQ(refusal(bracket()), "accepted");
    const auto refused = [](auto change) {
        TableImage image = bracket();
        change(image);
        return refusal(image);
    };
    EXPECT_NE(refused([](TableImage& i) { i.links()[4].set_more(1); }).find("list of link 4 does not end"),
              std::string::npos);
    EXPECT_NE(refused([](TableImage& i) { i.links()[3].set_last(0); }).find("link 3 is of triggers"),
              std::string::npos);
    EXPECT_NE(refused([](TableImage& i) { i.links()[2].set_last(4); }).find("link 2 is of triggers"),
              std::string::npos);
    EXPECT_NE(refused([](TableImage& i) { i.links()[3].set_arms(1); }).find("link 3 arms ahead of"),
              std::string::npos);
    EXPECT_NE(refused([](TableImage& i) { i.orders()[2].set_link(5); }).find("order 2 has links"),
              std::string::npos);
    EXPECT_NE(refused([](TableImage& i) { i.links().clear(); }).find("order 0 has links"), std::string::npos);
    EXPECT_NE(refused([](TableImage& i) { i.triggers()[3].set_order(4); }).find("trigger 3 sends an order"),
              std::string::npos);
    EXPECT_NE(refused([](TableImage& i) { i.live()[3] = true; }).find("trigger 3 is live and dormant"),
              std::string::npos);
}

}  // namespace
}  // namespace fixaccel
