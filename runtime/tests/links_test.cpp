// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/links.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fixaccel/table_links.hpp"
#include "lists.hpp"
#include "table_image.hpp"

namespace fixaccel {
namespace {

// Rule i has trigger `triggers - 1 - i`, so that the two are not taken for each other.
Bundle bundle_of(const TableImage& image, std::uint32_t triggers) {
    Bundle bundle;
    bundle.memories = image.memories();
    for (std::uint32_t index = 0; index < triggers; ++index) {
        BundleRule& rule = add_rule(bundle);
        rule.index = index;
        rule.trigger = triggers - 1 - index;
    }
    return bundle;
}

std::string refusal(const TableImage& image) {
    try {
        check_links(bundle_of(image, 0));
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

std::string text(const RuleRanges& ranges) {
    std::string out;
    for (const auto& [first, last] : ranges)
        out += (out.empty() ? "" : ",") + std::to_string(first) + "-" + std::to_string(last);
    return out;
}

// senders x cancels > arms, of each list.
std::string text(const std::vector<Links>& all) {
    std::string out;
    for (const Links& links : all)
        out += (out.empty() ? "" : "; ") + text(links.senders) + "x" + text(links.cancels) + ">" +
               text(links.arms);
    return out;
}

TEST(Links, ABracket) {
    EXPECT_EQ(text(fabric_links(bundle_of(bracket(), 4))), "3-3x>0-0,2-2; 0-0,2-2x0-0,2-2>");
}

TEST(Links, AGroupOfThreeAcrossWords) {
    TableImage image(70);
    image.link({31, 32, 65}, {{31, 32}, {65, 65}});
    EXPECT_EQ(text(fabric_links(bundle_of(image, 70))), "4-4,37-38x4-4,37-38>");
}

TEST(Links, ARangeOfManyWords) {
    TableImage image(130);
    image.link({129}, {{5, 127, true}});
    EXPECT_EQ(text(fabric_links(bundle_of(image, 130))), "0-0x>2-124");
}

TEST(Links, AChainOfChildren) {
    TableImage image(3);
    image.link({0}, {{1, 1, true}});
    image.link({1}, {{2, 2, true}});
    EXPECT_EQ(text(fabric_links(bundle_of(image, 3))), "2-2x>1-1; 1-1x>0-0");
}

TEST(Links, AListThatCancelsAndArms) {
    TableImage image(3);
    image.link({0, 1}, {{0, 1}, {2, 2, true}});
    EXPECT_EQ(text(fabric_links(bundle_of(image, 3))), "1-2x1-2>0-0");
}

TEST(Links, RulesOfTheRuntimeHaveNoneHere) {
    Bundle bundle = bundle_of(bracket(), 4);
    each_rule(bundle, [](BundleRule& rule) { rule.trigger.reset(); });
    EXPECT_EQ(text(fabric_links(bundle)), "");
    EXPECT_EQ(text(fabric_links(bundle_of(TableImage(0), 0))), "");
}

TEST(Links, FreshTriggersAreAsTheImageSays) {
    TableImage image(100);
    for (const std::uint32_t i : {0U, 31U, 32U, 64U}) image.wait(i);
    const std::vector<TriggerState> triggers = fresh_triggers(bundle_of(image, 100));
    ASSERT_EQ(triggers.size(), 100U);
    for (std::uint32_t i = 0; i < 100; ++i) {
        EXPECT_EQ(triggers[i].dormant, i == 0 || i == 31 || i == 32 || i == 64) << i;
        EXPECT_EQ(triggers[i].live, !triggers[i].dormant) << i;
    }
}

// Rule 0 is armed again by watch 1; rule 2 waits for watch 3, and watch 4 refuses it.
TableImage watched() {
    TableImage image(5);
    image.wait(2);
    image.watch(1, 0, 32765);
    image.watch(3, 2);
    image.watch(4, 2);
    image.link({0}, {{1, 1, true, true}});
    image.link({1}, {{0, 0, true, true}});
    image.link({3}, {{4, 4}, {2, 2, true}});
    image.link({4}, {{2, 3}});
    return image;
}

Bundle watched_bundle(const TableImage& image) {
    Bundle bundle = bundle_of(image, 3);
    each_rule(bundle, [](BundleRule& rule) { rule.trigger = rule.index; });
    bundle.rules.edit(1).trigger.reset();
    return bundle;
}

TEST(Links, WatchesAreToldApartByWhatTheyDo) {
    const Bundle bundle = watched_bundle(watched());
    EXPECT_NO_THROW(check_links(bundle));
    const std::vector<Watch> watches = fabric_watches(bundle);
    ASSERT_EQ(watches.size(), 3U);
    const auto is = [](const Watch& watch, std::uint32_t trigger, std::uint32_t rule, WatchRole role) {
        return watch.trigger == trigger && watch.rule == rule && watch.role == role;
    };
    EXPECT_TRUE(is(watches[0], 1, 0, WatchRole::reset));
    EXPECT_TRUE(is(watches[1], 3, 2, WatchRole::clear));
    EXPECT_TRUE(is(watches[2], 4, 2, WatchRole::through));
    EXPECT_EQ(watches[0].fires, 32765U);
    EXPECT_EQ(watches[1].fires, 0U);
    const std::vector<TriggerState> fresh = fresh_triggers(bundle);
    EXPECT_EQ(fresh[1].fires, 32765U);
    EXPECT_TRUE(!fresh[1].live && fresh[3].live && fresh[4].live);
    EXPECT_EQ(text(fabric_links(bundle)), "0-0x>") << "no rule's but its own";
}

TEST(Links, AWatchOfNoChainArmsOrRevives) {
    TableImage image(4);
    image.wait(0);
    image.told(2, 0);
    image.again(3, 1, 2, 500);
    image.link({2}, {{0, 0, true}});
    image.link({3}, {{1, 1, true, true}});
    const std::vector<Watch> watches = fabric_watches(bundle_of(image, 2));
    ASSERT_EQ(watches.size(), 2U);
    EXPECT_EQ(watches[0].role, WatchRole::fills);
    EXPECT_EQ(watches[0].slot, 2U);
    EXPECT_EQ(watches[1].role, WatchRole::after);
    EXPECT_EQ(watches[1].times(), 2U);
    EXPECT_EQ(watches[1].after_ns, 500U);
}

TEST(Links, OfATableThoseCountThatFillsArmInTheFabric) {
    Bundle bundle = bundle_of(TableImage(4), 4);
    each_rule(bundle, [](BundleRule& rule) { rule.trigger = rule.index; });
    bundle.rules.edit(2).trigger.reset();
    const std::vector<Links> all{
        {.senders = {{0, 0}}, .cancels = {}, .arms = {{1, 3}}, .on = ArmedOn::filled},
        {.senders = {{0, 0}}, .cancels = {}, .arms = {{1, 1}}, .on = ArmedOn::sent},
        {.senders = {{0, 0}}, .cancels = {}, .arms = {{2, 2}}, .on = ArmedOn::first_fill, .sizes = true}};
    const std::vector<Links> found = by_fills_in_fabric(all, bundle);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].arms, (RuleRanges{{1, 1}, {3, 3}}));
    EXPECT_EQ(found[0].on, ArmedOn::filled);
    EXPECT_FALSE(found[0].sizes);
}

TEST(Links, AWatchOfNothingIsRefused) {
    const auto refused = [](auto change) {
        TableImage image = watched();
        change(image);
        try {
            check_links(watched_bundle(image));
        } catch (const BundleError& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    EXPECT_NE(
        refused([](TableImage& i) { i.triggers()[1].set_rule(1); }).find("trigger 1 watches for a rule"),
        std::string::npos);
    EXPECT_NE(
        refused([](TableImage& i) { i.triggers()[3].set_rule(7); }).find("trigger 3 watches for a rule"),
        std::string::npos);
    EXPECT_NE(refused([](TableImage& i) { i.orders()[4].set_link(0); }).find("trigger 4 watches for nothing"),
              std::string::npos);
}

TEST(Links, RangesAreAsFewAsCanBe) {
    EXPECT_EQ(text(ranges_of({7, 3, 4, 4, 9, 5})), "3-5,7-7,9-9");
    EXPECT_EQ(text(ranges_of({})), "");
}

TEST(Links, WhatLeadsOutOfTheTablesIsRefused) {
    EXPECT_EQ(refusal(bracket()), "accepted");
    const auto refused = [](auto change) {
        TableImage image = bracket();
        change(image);
        return refusal(image);
    };
    EXPECT_NE(refused([](TableImage& i) { i.links()[4].set_more(1); }).find("link 4 is the last one"),
              std::string::npos);
    EXPECT_NE(refused([](TableImage& i) { i.links()[3].set_last(0); }).find("link 3 is of triggers"),
              std::string::npos);
    EXPECT_NE(refused([](TableImage& i) { i.links()[2].set_last(4); }).find("link 2 is of triggers"),
              std::string::npos);
    EXPECT_NE(
        refused([](TableImage& i) { i.links()[3].set_arms(1); }).find("link 3 is for the message's end"),
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
