// SPDX-License-Identifier: Apache-2.0
// The books as a client knows them who has nothing but what a venue with increments sent.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "session/message.hpp"

namespace fixaccel::exchange {

// PRICE x SIZE, best first; trades oldest first.
struct ClientBook {
    std::map<std::string, std::vector<std::string>> sides;  // by MDEntryType(269)
    friend bool operator==(const ClientBook&, const ClientBook&) = default;
};

class ClientBooks {
  public:
    std::map<std::string, ClientBook> books;

    // A W or an X. Fails the test on anything that no client would have to understand.
    void take(const IncomingMessage& message) {
        if (message.text(tag::kMsgType) == "W") {
            ClientBook& book = books[message.text(tag::kSymbol)];
            book = {};
            for (const Fields& entry : entries(message, tag::kMdEntryType)) append(book, entry);
            return;
        }
        ASSERT_EQ(message.text(tag::kMsgType), "X");
        const std::vector<Fields> changes = entries(message, tag::kMdUpdateAction);
        EXPECT_FALSE(changes.empty());
        for (const Fields& entry : changes) change(entry);
    }

  private:
    static std::string text(const Fields& entry, int tag) {
        for (const Field& field : entry) {
            if (field.tag == tag) return field.text;
        }
        return "";
    }

    static std::vector<Fields> entries(const IncomingMessage& message, int first) {
        std::vector<Fields> result;
        for (const Field& field : message.fields) {
            if (field.tag == first) result.emplace_back();
            if (!result.empty() && field.tag != kCheckSum) result.back().push_back(field);
        }
        EXPECT_EQ(std::to_string(result.size()), message.text(tag::kNoMdEntries));
        return result;
    }

    static void append(ClientBook& book, const Fields& entry) {
        book.sides[text(entry, tag::kMdEntryType)].push_back(text(entry, tag::kMdEntryPx) + " x " +
                                                             text(entry, tag::kMdEntrySize));
    }

    void change(const Fields& entry) {
        expect_order(entry);
        const auto book = books.find(text(entry, tag::kSymbol));
        ASSERT_NE(book, books.end()) << "an update before the snapshot";
        const std::string action = text(entry, tag::kMdUpdateAction);
        const std::string type = text(entry, tag::kMdEntryType);
        if (type == "2") {
            EXPECT_EQ(action, "0");
            return append(book->second, entry);
        }
        std::vector<std::string>& levels = book->second.sides[type];
        const std::size_t position = std::stoul(text(entry, tag::kMdEntryPositionNo));
        if (action == "0") {
            EXPECT_EQ(position, levels.size() + 1);
            append(book->second, entry);
        } else if (action == "1") {
            ASSERT_LE(position, levels.size());
            levels.at(position - 1) = text(entry, tag::kMdEntryPx) + " x " + text(entry, tag::kMdEntrySize);
        } else {
            EXPECT_EQ(action, "2");
            ASSERT_EQ(position, levels.size());
            levels.pop_back();
        }
    }

    // As in MDIncGrp of FIX 4.4; no engine checks the order within an entry.
    static void expect_order(const Fields& entry) {
        constexpr std::array kOrder = {279, 285, 269, 278, 280, 55, 270, 15, 271, 272, 273, 346, 290};
        auto at = kOrder.begin();
        for (const Field& field : entry) {
            at = std::find(at, kOrder.end(), field.tag);
            ASSERT_NE(at, kOrder.end()) << field.tag << " is out of place";
            ++at;
        }
    }

    static constexpr int kCheckSum = 10;
};

}  // namespace fixaccel::exchange
