// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/journal.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "fixaccel/crc32.hpp"
#include "fixaccel/sha256.hpp"
#include "scratch_folder.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

class JournalTest : public ::testing::Test {
  protected:
    std::filesystem::path file() const { return segment_path(folder_.path(), 1); }

    void write(int records) {
        Journal journal(folder_.path());
        for (int i = 0; i < records; ++i) journal.append({{"type", "note"}, {"n", i}}, Journal::Sync::now);
    }

    std::string content() const {
        std::ifstream in(file(), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }

    void overwrite(const std::string& text) const {
        std::ofstream(file(), std::ios::binary | std::ios::trunc) << text;
    }

    ScratchFolder folder_;
};

TEST_F(JournalTest, GivesBackWhatWasWritten) {
    write(3);
    Journal journal(folder_.path());
    const std::vector<Record> records = journal.take_records();
    ASSERT_EQ(records.size(), 3U);
    EXPECT_EQ(records[2]["n"], 2);
    EXPECT_EQ(journal.truncated_bytes(), 0U);
}

TEST_F(JournalTest, SaysHowFarItIsDurable) {
    Journal journal(folder_.path());
    EXPECT_EQ(journal.durable_record(), 0U);
    journal.append({{"type", "note"}}, Journal::Sync::now);
    EXPECT_EQ(journal.durable_record(), 1U);
    journal.append({{"type", "note"}}, Journal::Sync::later);
    journal.append({{"type", "note"}}, Journal::Sync::with_next);
    EXPECT_EQ(journal.durable_record(), 1U);
    journal.sync();
    EXPECT_EQ(journal.durable_record(), 3U);
}

TEST_F(JournalTest, WritesWithTheNextOneWhatIsOfNoUseWithoutIt) {
    {
        Journal journal(folder_.path());
        journal.append({{"n", 0}}, Journal::Sync::with_next);
        EXPECT_EQ(content(), "");
        EXPECT_EQ(journal.last_record(), 1U);
        journal.append({{"n", 1}}, Journal::Sync::now);
        const std::string both = content();
        EXPECT_EQ(std::count(both.begin(), both.end(), '\n'), 2);
        journal.append({{"n", 2}}, Journal::Sync::with_next);
        EXPECT_EQ(content(), both);
        journal.sync();
        EXPECT_GT(content().size(), both.size());
        journal.append({{"n", 3}}, Journal::Sync::with_next);
    }
    Journal journal(folder_.path());
    const std::vector<Record> records = journal.take_records();
    ASSERT_EQ(records.size(), 4U);
    for (int n = 0; n < 4; ++n) EXPECT_EQ(records[static_cast<std::size_t>(n)]["n"], n);
}

TEST_F(JournalTest, CrcIsThatOfZlib) { EXPECT_EQ(crc32("123456789"), 0xCBF43926U); }

TEST_F(JournalTest, CutsATornEndAtEveryLength) {
    write(2);
    const std::string whole = content();
    const std::size_t second = whole.find('\n') + 1;
    for (std::size_t size = second; size < whole.size(); ++size) {
        overwrite(whole.substr(0, size));
        {
            Journal journal(folder_.path());
            EXPECT_EQ(journal.take_records().size(), 1U) << size;
            EXPECT_EQ(journal.truncated_bytes(), size - second);
            journal.append({{"type", "note"}, {"n", 9}}, Journal::Sync::now);
        }
        Journal again(folder_.path());
        const std::vector<Record> records = again.take_records();
        ASSERT_EQ(records.size(), 2U);
        EXPECT_EQ(records[1]["n"], 9);
    }
}

TEST_F(JournalTest, CutsARecordWhoseBytesDidNotReachTheDisk) {
    write(2);
    const std::string whole = content();
    const std::size_t digit = whole.rfind('1', whole.size() - 2);
    // Still a JSON object in the second case: only the CRC tells.
    for (const char wrong : {'\0', '7'}) {
        std::string text = whole;
        text[digit] = wrong;
        overwrite(text);
        Journal journal(folder_.path());
        EXPECT_EQ(journal.take_records().size(), 1U);
        EXPECT_GT(journal.truncated_bytes(), 0U);
    }
}

TEST_F(JournalTest, RefusesDamageBeforeTheEnd) {
    write(3);
    std::string text = content();
    text[text.find('\n') - 2] ^= 1;
    overwrite(text);
    try {
        const Journal journal(folder_.path());
        FAIL() << "opened a damaged journal";
    } catch (const JournalError& error) {
        EXPECT_NE(std::string(error.what()).find("journal-000000000001.log:1:"), std::string::npos)
            << error.what();
    }
    EXPECT_EQ(content(), text) << "a refused file must stay as it is";
}

TEST_F(JournalTest, HasOneWriter) {
    const Journal first(folder_.path());
    EXPECT_THROW(Journal second(folder_.path()), JournalError);
}

TEST_F(JournalTest, KeepsEveryByteOfAMessage) {
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
    EXPECT_EQ(text_to_bytes(bytes_to_text(bytes)), bytes);
    {
        Journal journal(folder_.path());
        journal.append({{"type", "out"}, {"message", bytes_to_text(bytes)}}, Journal::Sync::now);
    }
    Journal journal(folder_.path());
    EXPECT_EQ(text_to_bytes(journal.take_records().at(0)["message"].get<std::string>()), bytes);
}

// Over segments, restarts and torn ends: what was changed or taken out later shows.
TEST_F(JournalTest, EachLineNamesTheHashOfTheOneBefore) {
    write(2);
    overwrite(content() + "torn");
    write(1);
    {
        Journal journal(folder_.path());
        journal.begin_segment();
        journal.append({{"type", "note"}}, Journal::Sync::now);
        journal.begin_segment();
    }
    Journal journal(folder_.path());
    journal.append({{"type", "note"}}, Journal::Sync::now);
    std::string before;
    int lines = 0;
    for (const JournalFile& segment : segments_in(folder_.path())) {
        std::ifstream in(segment.path, std::ios::binary);
        for (std::string line; std::getline(in, line); ++lines) {
            EXPECT_EQ(json::parse(line.substr(line.find('{'))).value("after", ""), before) << lines;
            EXPECT_FALSE(parse_journal_line(line)->contains("after"))
                << "no reader of records has to know of it";
            before = sha256_hex(line);
        }
    }
    EXPECT_EQ(lines, 5);
    EXPECT_EQ(journal.last_record(), 5U);
    EXPECT_EQ(journal.last_hash(), before);
}

// Each line's own sum is right; a rule that has fired would be armed again by a journal that lacks its fire.
TEST_F(JournalTest, WhatWasTakenOutPutInOrMovedIsFound) {
    write(6);
    std::vector<std::string> whole;
    std::istringstream in(content());
    for (std::string line; std::getline(in, line);) whole.push_back(line + '\n');
    const auto refusal = [&](std::vector<std::string> lines) {
        std::string text;
        for (const std::string& line : lines) text += line;
        overwrite(text);
        try {
            Journal journal(folder_.path());
        } catch (const JournalError& error) {
            EXPECT_EQ(content(), text) << "nothing was changed";
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(refusal(whole), "");
    std::vector<std::string> lines = whole;
    lines.erase(lines.begin() + 2);
    EXPECT_NE(refusal(lines).find(".log:3: the record is not behind the one that stands before it"),
              std::string::npos);
    lines = whole;
    std::swap(lines[3], lines[4]);
    EXPECT_NE(refusal(lines).find("fixaccel audit verify"), std::string::npos);
    lines = whole;
    lines.insert(lines.begin() + 2, lines[1]);
    EXPECT_NE(refusal(lines), "");
    lines = whole;
    lines[2] =
        journal_line({{"type", "note"}, {"n", 7}}, sha256_hex(lines[1].substr(0, lines[1].size() - 1)));
    EXPECT_NE(refusal(lines).find(".log:4"), std::string::npos) << "the next one tells";
    lines = whole;
    lines[3] = journal_line({{"type", "note"}, {"n", 3}});
    EXPECT_NE(refusal(lines).find(".log:4"), std::string::npos);
    lines = whole;
    lines.pop_back();
    EXPECT_EQ(refusal(lines), "") << "an end that is gone shows to whoever has kept its hash";
}

// As daemons wrote that knew of no chain.
TEST_F(JournalTest, WhatNeverHadAChainIsTaken) {
    overwrite(journal_line({{"type", "note"}, {"n", 0}}) + journal_line({{"type", "note"}, {"n", 1}}));
    { Journal journal(folder_.path()); }
    write(2);
    Journal journal(folder_.path());
    EXPECT_EQ(journal.take_records().size(), 4U);
}

}  // namespace
}  // namespace fixaccel
