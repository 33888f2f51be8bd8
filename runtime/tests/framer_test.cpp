// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/framer.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fixaccel {
namespace {

std::string message(const std::string& body) {
    return "8=FIX.4.4\x01"
           "9=" +
           std::to_string(body.size()) + "\x01" + body + "10=000\x01";
}

std::vector<std::string> all(FixFramer& framer) {
    std::vector<std::string> out;
    for (std::string text; framer.next(text);) out.push_back(text);
    return out;
}

TEST(Framer, CutsAtEveryBytePosition) {
    const std::string first = message(
        "35=0\x01"
        "112=8=FIX\x01");
    const std::string stream = first + message(
                                           "35=W\x01"
                                           "55=A\x01");
    for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
        FixFramer framer;
        framer.feed(stream.substr(0, cut));
        std::vector<std::string> got = all(framer);
        // What is pending is exactly what follows the last whole message.
        EXPECT_EQ(framer.pending(), cut < first.size() ? cut : cut < stream.size() ? cut - first.size() : 0U);
        framer.feed(stream.substr(cut));
        for (const std::string& more : all(framer)) got.push_back(more);
        ASSERT_EQ(got.size(), 2U);
        EXPECT_EQ(got[0] + got[1], stream);
        EXPECT_EQ(framer.pending(), 0U);
        EXPECT_EQ(framer.skipped(), 0U);
    }
}

TEST(Framer, FindsTheNextMessageBehindGarbage) {
    const std::vector<std::string> garbage{"noise",
                                           "8=FIX.4.4\x01"
                                           "9=x\x01",
                                           "8=FIX.4.4\x01"
                                           "35=0\x01",
                                           "8=FIX.4.4\x01"
                                           "9=3\x01"
                                           "35=0\x01"
                                           "10=000\x01"};
    for (const std::string& bad : garbage) {
        FixFramer framer;
        framer.feed(bad + message("35=0\x01"));
        EXPECT_EQ(all(framer), std::vector<std::string>{message("35=0\x01")}) << bad;
        EXPECT_GT(framer.skipped(), 0U);
    }
}

TEST(Framer, WhatIsTooLongIsBrokenHoweverItComes) {
    for (const char* const stream : {"8=FIX.4.4.4.4.4.4.4.4\x01"
                                     "9=5\x01"
                                     "35=0\x01"
                                     "10=161\x01",
                                     "8=FIX.4.4\x01"
                                     "9=000000005\x01"
                                     "35=0\x01"
                                     "10=161\x01"}) {
        FixFramer whole;
        whole.feed(stream);
        FixFramer pieces;
        std::vector<std::string> got;
        for (const char c : std::string(stream)) {
            pieces.feed(std::string(1, c));
            for (const std::string& more : all(pieces)) got.push_back(more);
        }
        EXPECT_EQ(all(whole), got) << stream;
        EXPECT_TRUE(got.empty());
    }
}

TEST(Framer, DoesNotWaitForAnAbsurdLength) {
    FixFramer framer;
    framer.feed(
        "8=FIX.4.4\x01"
        "9=99999999\x01" +
        message("35=0\x01"));
    EXPECT_EQ(all(framer).size(), 1U);
}

}  // namespace
}  // namespace fixaccel
