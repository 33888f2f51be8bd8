// SPDX-License-Identifier: Apache-2.0
// Which intervals hold a price, against looking at each of them.
#include "landings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace fixaccel {
namespace {

// Decision and interval, in the order of decisions.
using Found = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

TEST(Landings, AreThoseThatHoldThePrice) {
    std::mt19937 random(7);
    const auto number = [&](int most) {
        return static_cast<std::int64_t>(random() % static_cast<unsigned>(most));
    };
    for (int round = 0; round < 200; ++round) {
        Landings landings;
        std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> all(
            static_cast<std::size_t>(number(9)));
        std::uint32_t row = 0;
        std::vector<std::uint32_t> first;
        for (auto& intervals : all) {
            std::vector<std::int64_t> low, high;
            for (std::int64_t price = number(20) - 10, count = number(5); count > 0; --count) {
                low.push_back(price + number(3));
                high.push_back(low.back() + number(4));
                price = high.back() + 1;
                intervals.emplace_back(low.back(), high.back());
            }
            first.push_back(row);
            landings.add(low, high, row);
            row += static_cast<std::uint32_t>(low.size());
        }
        landings.build();
        std::vector<bool> armed(all.size(), true);
        for (int look = 0; look < 60; ++look) {
            if (!all.empty() && number(3) == 0) {
                const auto one = static_cast<std::uint32_t>(number(static_cast<int>(all.size())));
                if (!armed[one]) landings.bring_back(one);
                armed[one] = !armed[one];
            }
            const std::int64_t price = number(40) - 12;
            Found wanted, seen;
            for (std::uint32_t one = 0; one < all.size(); ++one)
                for (std::uint32_t at = 0; at < all[one].size(); ++at)
                    if (armed[one] && all[one][at].first <= price && price <= all[one][at].second)
                        wanted.emplace_back(one, first[one] + at);
            std::vector<Landings::Interval> found;
            landings.find(
                price, [&](std::uint32_t decision) { return armed[decision]; }, found);
            for (const Landings::Interval& one : found) seen.emplace_back(one.decision, one.number);
            std::sort(seen.begin(), seen.end());
            ASSERT_EQ(seen, wanted) << "round " << round << ", price " << price;
        }
    }
}

}  // namespace
}  // namespace fixaccel
