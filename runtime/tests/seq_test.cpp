// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/seq.hpp"

#include <gtest/gtest.h>

namespace fixaccel {
namespace {

TEST(Seq, OrdersAcrossTheWrap) {
    EXPECT_TRUE(seq_before(0xFFFFFFF0U, 0x10U));
    EXPECT_FALSE(seq_before(0x10U, 0xFFFFFFF0U));
    EXPECT_FALSE(seq_before(7, 7));
    EXPECT_EQ(seq_distance(0xFFFFFFFFU, 1), 2);
}

TEST(Seq, BcdShowsTheDigits) {
    EXPECT_EQ(to_bcd(12345678, 8), 0x12345678U);
    EXPECT_EQ(to_bcd(7, 8), 0x7U);
    EXPECT_EQ(from_bcd(0x00000120U), 120U);
    EXPECT_EQ(from_bcd(to_bcd(kMaxSeqNum, 8)), kMaxSeqNum);
}

TEST(Seq, BcdRefusesWhatDoesNotFit) {
    EXPECT_EQ(kMaxSeqNum, 99999999U);
    EXPECT_THROW(to_bcd(kMaxSeqNum + 1, 8), std::out_of_range);
    EXPECT_THROW(from_bcd(0x0000000AU), std::out_of_range);
}

TEST(Seq, Base36IsFixedWidth) {
    EXPECT_EQ(to_base36(0, 4), "0000");
    EXPECT_EQ(to_base36(35, 4), "000Z");
    EXPECT_EQ(to_base36(36, 4), "0010");
    EXPECT_EQ(to_base36(36 * 36 * 36 * 36 - 1, 4), "ZZZZ");
    EXPECT_THROW(to_base36(36 * 36 * 36 * 36, 4), std::out_of_range);
}

}  // namespace
}  // namespace fixaccel
