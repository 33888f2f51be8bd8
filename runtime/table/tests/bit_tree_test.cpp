// SPDX-License-Identifier: Apache-2.0
#include "bit_tree.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace fixaccel {
namespace {

TEST(BitTree, AgreesWithASetAtEverySize) {
    std::mt19937 random(1);
    for (const std::uint32_t size : {1U, 2U, 63U, 64U, 65U, 4096U, 4097U, 300'000U}) {
        BitTree tree(size);
        std::set<std::uint32_t> numbers;
        EXPECT_EQ(tree.first(), BitTree::kNone);
        for (int step = 0; step < 5'000; ++step) {
            // Erasing about as much as inserting brings it back to empty again and again.
            auto number = static_cast<std::uint32_t>(random() % size);
            if (random() % 3 == 0 && !numbers.empty()) number = *numbers.begin();
            if (random() % 2 == 0) {
                tree.insert(number);
                numbers.insert(number);
            } else {
                tree.erase(number);
                numbers.erase(number);
            }
            ASSERT_EQ(tree.empty(), numbers.empty());
            ASSERT_EQ(tree.first(), numbers.empty() ? BitTree::kNone : *numbers.begin());
            ASSERT_EQ(tree.last(), numbers.empty() ? BitTree::kNone : *numbers.rbegin());
        }
    }
}

}  // namespace
}  // namespace fixaccel
