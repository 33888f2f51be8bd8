// SPDX-License-Identifier: Apache-2.0
#include "venue/reports.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "session/raw_message.hpp"
#include "venue/tags.hpp"

namespace fixaccel::exchange {
namespace {

TEST(Reports, TimeIsMillisecondsUtc) {
    EXPECT_TRUE(std::regex_match(utc_now(), std::regex(R"(\d{8}-\d\d:\d\d:\d\d\.\d{3})")));
}

TEST(Reports, OrderIdsAreNeverNumbersAlone) {
    EXPECT_EQ(order_id_text(7), "O7");
    EXPECT_EQ(order_id_text(0), "NONE");
}

// FIX requires ExecRestatementReason(378) there; 5 is a part of the quantity that is declined.
TEST(Reports, ARestatementSaysWhy) {
    const auto reason_of = [](ExecType type) {
        Execution execution;
        execution.type = type;
        const OutgoingMessage message = execution_report(Order{}, execution);
        return IncomingMessage{"", message.fields}.text(tag::kExecRestatementReason);
    };
    EXPECT_EQ(reason_of(ExecType::kRestated), "5");
    EXPECT_EQ(reason_of(ExecType::kReplaced), "");
}

TEST(RawMessage, SplitsInOrderAndKeepsRepeatedTags) {
    const IncomingMessage message = split_message("8=FIX.4.4\00155=A\00155=B\00158=x=y\00110=000\001", "C");
    EXPECT_EQ(message.client, "C");
    EXPECT_EQ(message.all(55), (std::vector<std::string>{"A", "B"}));
    EXPECT_EQ(message.text(58), "x=y");
    EXPECT_EQ(message.fields.size(), 5U);
}

TEST(RawMessage, StopsAtWhatIsNoField) {
    EXPECT_EQ(split_message("8=FIX.4.4\001junk", "").fields.size(), 1U);
    EXPECT_EQ(split_message("8=FIX.4.4\001=x\001", "").fields.size(), 1U);
    EXPECT_EQ(split_message("8=FIX.4.4\0019999999999=x\001", "").fields.size(), 1U);
    EXPECT_EQ(split_message("8=FIX.4.4\001a\0011=x\001", "").fields.size(), 1U);
}

}  // namespace
}  // namespace fixaccel::exchange
