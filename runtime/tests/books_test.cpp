// SPDX-License-Identifier: Apache-2.0
#include "books.hpp"

#include <gtest/gtest.h>

namespace fixaccel {
namespace {

using nlohmann::json;

// '|' stands for SOH.
std::string fix(std::string text) {
    for (char& c : text) c = c == '|' ? '\x01' : c;
    return text;
}

json levels(std::initializer_list<std::pair<const char*, const char*>> pairs) {
    json list = json::array();
    for (const auto& [price, size] : pairs) list.push_back({price, size});
    return list;
}

constexpr const char* kSnapshot =
    "35=W|55=MSFT|268=4|269=0|270=10.10|271=0005|290=1|269=0|270=10.00|271=7|290=2|269=1|270=10.20|271=3|290="
    "1|"
    "269=2|270=10.15|271=1|10=000|";

// `text` with | for SOH.
void see(Books& books, const std::string& text) {
    const std::string message = fix(text);
    books.see(MarketText(message));
}

TEST(Books, ASnapshotIsTheWholeBook) {
    Books books;
    see(books, kSnapshot);
    json found = books.take(false);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0]["instrument"], "MSFT");
    EXPECT_EQ(found[0]["bids"], levels({{"10.1", "5"}, {"10", "7"}}));
    EXPECT_EQ(found[0]["asks"], levels({{"10.2", "3"}}));
    EXPECT_EQ(found[0]["last"], json::array({"10.15", "1"}));
    EXPECT_TRUE(books.take(false).empty()) << "nothing has changed";
    EXPECT_EQ(books.take(true).size(), 1U);
    see(books, "35=W|55=MSFT|268=0|10=000|");
    found = books.take(false);
    EXPECT_TRUE(found[0]["bids"].empty());
    EXPECT_EQ(found[0]["last"], json::array({"10.15", "1"})) << "the last trade stays";
}

TEST(Books, AnUpdateChangesWhatStandsAtItsPlaces) {
    Books books;
    see(books, kSnapshot);
    see(books,
        "35=X|268=4|279=1|269=0|55=MSFT|270=10.05|271=9|290=1|279=2|269=0|290=2|279=0|269=1|270=10.30|"
        "271=4|290=2|279=0|269=2|270=10.2|271=2|10=000|");
    const json found = books.take(false);
    EXPECT_EQ(found[0]["bids"], levels({{"10.05", "9"}}));
    EXPECT_EQ(found[0]["asks"], levels({{"10.2", "3"}, {"10.3", "4"}}));
    EXPECT_EQ(found[0]["last"], json::array({"10.2", "2"}));
}

TEST(Books, WhatMakesNoSenseChangesNothing) {
    Books books;
    for (const char* text : {"", "35=W|", "35=8|55=MSFT|", "35=X|279=0|269=0|270=1|", "35=X|279|269=0|55=|"})
        see(books, text);
    EXPECT_TRUE(books.take(true).empty());
    see(books, "35=X|279=1|269=0|55=MSFT|270=1|271=1|290=9|279=2|269=1|290=3|10=000|");
    EXPECT_TRUE(books.take(true)[0]["bids"].empty());
}

TEST(Books, AfterALossNothingIsKnown) {
    Books books;
    see(books, kSnapshot);
    books.take(false);
    books.clear();
    EXPECT_TRUE(books.take(false)[0]["bids"].empty());
}

}  // namespace
}  // namespace fixaccel
