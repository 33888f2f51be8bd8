// SPDX-License-Identifier: Apache-2.0
// The relay follows a journal as the daemon writes it: every record, in order, over files and restarts.
#include "bus/journal_tail.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "bus/mirror.hpp"
#include "fixaccel/journal.hpp"

namespace fixaccel::bus {
namespace {

using nlohmann::json;

class JournalTailTest : public ::testing::Test {
  protected:
    JournalTailTest() {
        char name[] = "/tmp/fixaccel-tail-XXXXXX";
        folder_ = ::mkdtemp(name);
    }
    ~JournalTailTest() override { std::filesystem::remove_all(folder_); }

    std::unique_ptr<Journal> open() { return std::make_unique<Journal>(folder_, kLeastSegmentBytes); }
    static void write(Journal& journal, int n) {
        journal.append({{"type", "note"}, {"n", n}}, Journal::Sync::now);
        if (journal.full()) journal.begin_segment();
    }
    static int number(const std::optional<Record>& record) { return record ? record->at("n").get<int>() : 0; }

    std::filesystem::path folder_;
};

TEST_F(JournalTailTest, ReadsEachRecordAsItComesOverFiles) {
    const auto journal = open();
    JournalTail tail(folder_, 1);
    EXPECT_FALSE(tail.read());
    for (int n = 1; n <= 200; ++n) {
        write(*journal, n);
        ASSERT_EQ(number(tail.read()), n);
        ASSERT_FALSE(tail.read());
    }
    EXPECT_GT(segments_in(folder_).size(), 3U);
    EXPECT_EQ(tail.next(), 201U);
    tail.sync();
}

TEST_F(JournalTailTest, BeginsAnywhere) {
    const auto journal = open();
    for (int n = 1; n <= 100; ++n) write(*journal, n);
    for (int from = 1; from <= 100; ++from)
        EXPECT_EQ(number(JournalTail(folder_, static_cast<std::uint64_t>(from)).read()), from);
    JournalTail later(folder_, 103);
    EXPECT_FALSE(later.read());
    for (int n = 101; n <= 103; ++n) write(*journal, n);
    EXPECT_EQ(number(later.read()), 103);
}

// What a crash has left of a line is cut off by the next start, and another line comes in its place.
TEST_F(JournalTailTest, ReadsNothingOfATornEnd) {
    write(*open(), 1);
    std::ofstream(segment_path(folder_, 1), std::ios::app) << "0123abcd {\"type\":\"no";
    JournalTail tail(folder_, 1);
    EXPECT_EQ(number(tail.read()), 1);
    EXPECT_FALSE(tail.read());
    write(*open(), 2);
    EXPECT_EQ(number(tail.read()), 2);
}

TEST_F(JournalTailTest, SaysWhatIsDamagedOrMissing) {
    {
        const auto journal = open();
        for (int n = 1; n <= 100; ++n) write(*journal, n);
    }
    const std::string id = journal_id(folder_);
    EXPECT_EQ(id.size(), 16U);
    std::ofstream(segment_path(folder_, 1), std::ios::app) << "00000000 {\"type\":\"no\"}\n";
    JournalTail tail(folder_, 1);
    EXPECT_THROW(while (tail.read()){}, TailError);
    std::filesystem::remove(segment_path(folder_, 1));
    EXPECT_THROW(JournalTail(folder_, 1).read(), TailError);
    EXPECT_THROW(journal_id(folder_), TailError);
}

TEST(Event, IsTheRecordWithoutRawFix) {
    const Record fire(json{{"type", "fire"},
                           {"time_ns", 5},
                           {"rule", "r"},
                           {"payload",
                            "8=FIX.4.4\x01"
                            "35=D\x01"},
                           {"more", {{"raw", "35=8\x01"}, {"list", {"a", "b\x01"}}}}});
    EXPECT_EQ(json::parse(event_json(fire, "fire", 3, 9)),
              json::parse(R"({"v":1,"n":3,"record":9,"kind":"fire","type":"fire","time_ns":5,
                              "data":{"rule":"r","more":{"list":["a"]}}})"));
    EXPECT_EQ(kind_of("limits_reset"), "limit");
    EXPECT_EQ(kind_of("out"), "") << "a message of ours is no event";
}

}  // namespace
}  // namespace fixaccel::bus
