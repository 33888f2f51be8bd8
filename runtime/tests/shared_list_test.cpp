// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/shared_list.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace fixaccel {
namespace {

using List = SharedList<int>;

List up_to(int count) {
    List list;
    for (int i = 0; i < count; ++i) list.push_back(i);
    return list;
}

std::vector<int> elements(const List& list) { return {list.begin(), list.end()}; }

constexpr int kPiece = static_cast<int>(List::kPiece);

TEST(SharedList, HoldsWhatItWasGiven) {
    const List list = up_to(3 * kPiece + 5);
    std::vector<int> all(static_cast<std::size_t>(3 * kPiece + 5));
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(elements(list), all);
    EXPECT_EQ(list.pieces(), 4U);
    EXPECT_EQ(list.back(), 3 * kPiece + 4);
    EXPECT_THROW(static_cast<void>(list.at(all.size())), std::out_of_range);
    EXPECT_THROW(static_cast<void>(List().front()), std::out_of_range);
}

TEST(SharedList, AChangeIsSeenByNobodyElse) {
    const List before = up_to(2 * kPiece);
    List list = before;
    list.edit(3) = -1;
    list.push_back(7);
    EXPECT_EQ(before[3], 3);
    EXPECT_EQ(list[3], -1);
    EXPECT_EQ(before.size(), static_cast<std::size_t>(2 * kPiece));
    EXPECT_FALSE(list.shares_piece(before, 0));
    EXPECT_TRUE(list.shares_piece(before, 1));
    List shorter = up_to(kPiece + 1);
    const List copy = shorter;
    shorter.pop_back();
    EXPECT_EQ(copy.size(), shorter.size() + 1);
    EXPECT_EQ(copy.back(), kPiece);
}

TEST(SharedList, WholePiecesAreAppendedAsTheyAre) {
    const List other = up_to(3 * kPiece + 5);
    for (const std::size_t first : {std::size_t{0}, std::size_t{1}, List::kPiece, List::kPiece + 3})
        for (const std::size_t at : {std::size_t{0}, std::size_t{2}, List::kPiece}) {
            List list = up_to(static_cast<int>(at));
            const std::size_t count = other.size() - first;
            list.append(other, first, count);
            ASSERT_EQ(list.size(), at + count);
            for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(list[at + i], other[first + i]);
        }
    List same;
    same.append(other, 0, 7);
    same.append(other, 7, other.size() - 7);
    EXPECT_EQ(same, other);
    EXPECT_FALSE(same.shares_piece(other, 0));
    EXPECT_TRUE(same.shares_piece(other, 1));
    EXPECT_TRUE(same.shares_piece(other, 3));
}

TEST(SharedList, EqualPiecesBecomeOne) {
    List one = up_to(2 * kPiece), two = up_to(2 * kPiece);
    two.edit(0) = 9;
    EXPECT_FALSE(one == two);
    one.share_with(two);
    EXPECT_FALSE(one.shares_piece(two, 0));
    EXPECT_TRUE(one.shares_piece(two, 1));
    EXPECT_EQ(one[0], 0);
}

TEST(PieceMemo, MakesWhatItHasNotMade) {
    PieceMemo<int, std::string> memo;
    int made = 0;
    const auto text = [&](int value) {
        ++made;
        return std::to_string(value);
    };
    List list = up_to(2 * kPiece);
    const SharedList<std::string> first = memo.map(list, text);
    EXPECT_EQ(made, 2 * kPiece);
    list.edit(1) = -5;
    const SharedList<std::string> next = memo.map(list, text);
    EXPECT_EQ(made, 3 * kPiece);
    EXPECT_EQ(next[1], "-5");
    EXPECT_EQ(first[1], "1");
    EXPECT_TRUE(next.shares_piece(first, 1));
}

}  // namespace
}  // namespace fixaccel
