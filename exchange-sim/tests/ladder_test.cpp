// SPDX-License-Identifier: Apache-2.0
// The ladder is a sorted map of prices, however they come and go.
#include "matching/ladder.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace fixaccel::exchange {
namespace {

TEST(LadderProperty, IsASortedSetOfKeys) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937_64 random(seed);
        const auto below = [&](std::uint64_t limit) { return static_cast<Key>(random() % limit); };
        LadderPages pages(64);
        std::pmr::unsynchronized_pool_resource memory;
        Ladder ladder(&memory);
        std::set<Key> keys;
        Key middle = below(2'000'000) - 1'000'000;
        for (int step = 0; step < 3000; ++step) {
            // Mostly near a middle that jumps now and then: the window must follow.
            if (below(400) == 0) middle += below(40'000) - 20'000;
            const Key key = below(20) == 0 ? below(200'000'000) - 100'000'000 : middle + below(300);
            if (below(3) != 0) {
                if (keys.insert(key).second)
                    ladder.open(key, pages).orders = static_cast<std::uint32_t>(step + 1);
            } else if (!keys.empty()) {
                const auto at = keys.lower_bound(key);
                const Key gone = at == keys.end() ? *keys.begin() : *at;
                EXPECT_NE(ladder.at(gone, pages).orders, 0U);
                ladder.at(gone, pages) = {};
                ladder.close(gone, pages);
                keys.erase(gone);
            }
            ASSERT_EQ(ladder.best(), keys.empty() ? kNoKey : *keys.begin());
            if (step % 50 != 0) continue;
            Key next = ladder.best();
            for (const Key wanted : keys) {
                ASSERT_EQ(next, wanted);
                ASSERT_NE(ladder.at(next, pages).orders, 0U);
                next = ladder.after(next);
            }
            ASSERT_EQ(next, kNoKey);
        }
        while (!keys.empty()) {
            ladder.at(*keys.begin(), pages) = {};
            ladder.close(*keys.begin(), pages);
            keys.erase(keys.begin());
        }
        EXPECT_EQ(pages.taken(), 0U);
    }
}

}  // namespace
}  // namespace fixaccel::exchange
