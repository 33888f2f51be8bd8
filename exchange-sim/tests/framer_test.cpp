// SPDX-License-Identifier: Apache-2.0
#include "session/framer.hpp"

#include <gtest/gtest.h>

#include "tests/raw_client.hpp"

namespace fixaccel::exchange {
namespace {

std::vector<std::string> all_of(Framer& framer) {
    std::vector<std::string> messages;
    for (std::string message; framer.next(message);) messages.push_back(message);
    return messages;
}

TEST(FramerTest, GivesTheSameMessagesHoweverTheBytesCome) {
    const std::string first = framed("35=0|34=1");
    const std::string second = framed("35=1|34=2|112=" + std::string(500, 'x'));
    const std::string bytes = first + "garbage" + second + first;
    for (std::size_t size : {1, 2, 3, 7, 64, 1000}) {
        Framer framer(4096);
        std::vector<std::string> messages;
        for (std::size_t at = 0; at < bytes.size(); at += size) {
            framer.append(bytes.data() + at, std::min(size, bytes.size() - at));
            for (const std::string& each : all_of(framer)) messages.push_back(each);
        }
        EXPECT_EQ(messages, (std::vector<std::string>{first, second, first})) << size;
        EXPECT_EQ(framer.held(), 0U);
        EXPECT_EQ(framer.skipped(), 7U);
    }
}

TEST(FramerTest, HoldsNoMoreThanItsBoundOfWhatNeverEnds) {
    Framer framer(1000);
    const std::string endless = "8=FIX.4.4\0019=900\00135=0\001";
    framer.append(endless.data(), endless.size());
    const std::string more(100, 'x');
    for (int i = 0; i < 1000; ++i) {
        framer.append(more.data(), more.size());
        EXPECT_TRUE(all_of(framer).empty());
        EXPECT_LT(framer.held(), 1300U);
    }
    const std::string good = framed("35=0|34=1");
    framer.append(good.data(), good.size());
    EXPECT_EQ(all_of(framer), std::vector<std::string>{good});
}

TEST(FramerTest, SkipsALengthThatNoMessageHas) {
    Framer framer(1000);
    const std::string good = framed("35=0|34=1");
    for (const char* length : {"1001", "99999999999999999999", "-5", "x", ""}) {
        const std::string bytes = "8=FIX.4.4\0019=" + std::string(length) + "\00135=0\00110=000\001" + good;
        framer.append(bytes.data(), bytes.size());
        EXPECT_EQ(all_of(framer), std::vector<std::string>{good}) << length;
    }
}

}  // namespace
}  // namespace fixaccel::exchange
