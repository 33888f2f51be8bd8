// SPDX-License-Identifier: Apache-2.0
#include "subscriptions.hpp"

#include <gtest/gtest.h>

namespace fixaccel {
namespace {

using Symbols = std::vector<std::string>;

std::vector<std::string> ids(const std::vector<MarketDataRequest>& requests) {
    std::vector<std::string> out;
    for (const MarketDataRequest& request : requests) out.push_back(request.id);
    return out;
}

class SubscriptionsTest : public ::testing::Test {
  protected:
    Subscriptions::Change change_to(const Symbols& symbols) { return all_.change_to(symbols, false, true); }
    Subscriptions::Change grow_to(const Symbols& symbols) { return all_.grow_to(symbols, false, true); }

    Subscriptions all_{[] { return std::string("E"); }};
};

TEST_F(SubscriptionsTest, WhatGoesOnKeepsItsRequest) {
    const auto first = change_to({"A", "B"});
    ASSERT_TRUE(first.begun);
    EXPECT_EQ(first.begun->symbols, (Symbols{"A", "B"}));
    EXPECT_TRUE(first.begun->updates);
    const auto second = change_to({"A", "B", "C"});
    EXPECT_TRUE(second.ended.empty());
    EXPECT_EQ(second.kept, (Symbols{"A", "B"}));
    EXPECT_EQ(second.begun->symbols, Symbols{"C"});
    EXPECT_NE(second.begun->id, first.begun->id);
    const auto third = change_to({"C"});
    EXPECT_EQ(ids(third.ended), Symbols{first.begun->id});
    EXPECT_EQ(third.kept, Symbols{"C"});
    EXPECT_FALSE(third.begun);
}

TEST_F(SubscriptionsTest, WhatIsWantedInPartBeginsAnewOrGoesOn) {
    const auto first = change_to({"A", "B"});
    const auto grown = grow_to({"B", "C"});
    EXPECT_TRUE(grown.ended.empty()) << "nothing of B may be missed";
    EXPECT_EQ(grown.begun->symbols, Symbols{"C"});
    EXPECT_FALSE(grow_to({"A", "B", "C"}).begun) << "A was never ended";
    const auto changed = change_to({"B", "C"});
    EXPECT_EQ(ids(changed.ended), Symbols{first.begun->id});
    EXPECT_EQ(changed.kept, Symbols{"C"});
    EXPECT_EQ(changed.begun->symbols, Symbols{"B"});
    EXPECT_EQ(ids(grow_to({"C"}).ended), Symbols{changed.begun->id});
}

TEST_F(SubscriptionsTest, AnotherKindOfMarketDataIsAnotherSubscription) {
    const auto first = change_to({"A"});
    const auto second = all_.change_to({"A"}, false, false);
    EXPECT_EQ(ids(second.ended), Symbols{first.begun->id});
    EXPECT_FALSE(second.begun->increments);
    EXPECT_TRUE(all_.change_to({"A"}, true, false).begun->full_book);
}

TEST_F(SubscriptionsTest, WhatWasRefusedIsNone) {
    const auto first = change_to({"A"});
    EXPECT_FALSE(all_.refused("another"));
    EXPECT_TRUE(all_.refused(first.begun->id));
    EXPECT_TRUE(change_to({"A"}).begun);
    all_.clear();
    EXPECT_TRUE(change_to({"A"}).begun) << "the connection has ended";
}

TEST_F(SubscriptionsTest, WithoutSnapshotsAloneAllBeginAnew) {
    const auto first = change_to({"A"});
    const auto second = change_to({"A", "B"});
    const MarketDataRequest snapshot = all_.snapshot({"A"});
    EXPECT_FALSE(snapshot.updates);
    EXPECT_FALSE(all_.snapshot_refused());
    EXPECT_FALSE(all_.refused(snapshot.id)) << "it is no subscription";
    ASSERT_TRUE(all_.snapshot_refused());
    const auto anew = all_.begin_anew();
    EXPECT_FALSE(all_.snapshot_refused());
    EXPECT_EQ(ids(anew.ended), (Symbols{first.begun->id, second.begun->id}));
    EXPECT_EQ(anew.begun->symbols, (Symbols{"A", "B"}));
}

}  // namespace
}  // namespace fixaccel
