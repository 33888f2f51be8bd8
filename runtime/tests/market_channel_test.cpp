// SPDX-License-Identifier: Apache-2.0
#include "market_channel.hpp"

#include <gtest/gtest.h>

namespace fixaccel {
namespace {

std::vector<std::string> kept(const PassingStore& store, int first, int last) {
    std::vector<std::string> out;
    store.get(first, last, out);
    return out;
}

TEST(PassingStore, BeginsAnewWithEachConnection) {
    PassingStore store;
    store.begin();
    EXPECT_TRUE(store.begins_anew());
    store.known();
    EXPECT_FALSE(store.begins_anew());
    store.set(1, "logon");
    store.set(2, "request");
    store.set_next_sender(3);
    store.set_next_target(70);
    EXPECT_EQ(kept(store, 1, 9), (std::vector<std::string>{"logon", "request"}));
    store.begin();
    EXPECT_TRUE(store.begins_anew());
    EXPECT_EQ(store.next_sender(), 1);
    EXPECT_EQ(store.next_target(), 1);
    EXPECT_TRUE(kept(store, 1, 9).empty());
}

TEST(PassingStore, KeepsTheLastFewMessages) {
    PassingStore store;
    for (int number = 1; number <= 1000; ++number) store.set(number, std::to_string(number));
    EXPECT_EQ(kept(store, 999, 1000), (std::vector<std::string>{"999", "1000"}));
    EXPECT_TRUE(kept(store, 1, 700).empty());
}

}  // namespace
}  // namespace fixaccel
