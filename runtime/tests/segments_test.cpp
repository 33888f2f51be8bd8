// SPDX-License-Identifier: Apache-2.0
// A journal of several segments: what a start reads of it, and what a crash may leave.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <random>
#include <thread>

#include "fixaccel/snapshot_maker.hpp"
#include "ledger_fixture.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

using Files = std::map<std::string, std::string>;  // content by name

Files files_of(const fs::path& dir) {
    Files files;
    for (const auto& entry : fs::directory_iterator(dir)) {
        std::ifstream in(entry.path(), std::ios::binary);
        files[entry.path().filename().string()] = {std::istreambuf_iterator<char>(in), {}};
    }
    return files;
}

void put(const fs::path& dir, const Files& files) {
    for (const auto& [name, text] : files) std::ofstream(dir / name, std::ios::binary) << text;
}

constexpr std::uint64_t kSegment = 4000;

class SegmentsTest : public ::testing::Test {
  protected:
    // What a day may bring, in small segments; `turns` of the daemon's loop.
    void write(int turns) {
        Journal journal(folder_.path(), kSegment);
        Ledger ledger(journal);
        if (ledger.load().rules.empty())
            ledger.record_load(load_of({rule("a", "h"), rule("b", "h"), rule("c", "h")}));
        for (int i = 0; i < turns; ++i) {
            ledger.set_next_target(ledger.next_target() + 1);
            if (i % 10 == 0) ledger.record_note("a note that fills the segment " + std::to_string(i));
            if (i % 50 == 0) {
                const auto seq = static_cast<std::uint32_t>(ledger.next_sender());
                ++entry_;
                ledger.record({fire(entry_, entry_ % 3, seq)});
            }
            ledger.flush();
            ledger.finish_snapshot();
        }
    }
    LedgerState whole() const {
        LedgerState state;
        for (const json& record : all_records(folder_.path())) state.replay(record);
        return state;
    }
    // As a start sees it, in a folder of its own.
    static LedgerState started(const Files& files) {
        const ScratchFolder folder;
        put(folder.path(), files);
        Journal journal(folder.path(), kSegment);
        LedgerState state(journal.take_snapshot());
        for (const Record& record : journal.take_records()) state.replay(record);
        return state;
    }
    static std::string refused(const Files& files) {
        try {
            started(files);
        } catch (const JournalError& error) {
            return error.what();
        }
        return {};
    }
    std::string last_segment() const { return segments_in(folder_.path()).back().path.filename().string(); }
    std::string last_snapshot() const { return snapshots_in(folder_.path()).back().path.filename().string(); }

    ScratchFolder folder_;
    std::uint32_t entry_ = 0;
};

TEST_F(SegmentsTest, FollowOnEachOther) {
    write(300);
    write(300);
    std::uint64_t next = 1;
    const std::vector<JournalFile> segments = segments_in(folder_.path());
    EXPECT_GE(segments.size(), 4U);
    for (const JournalFile& segment : segments) {
        EXPECT_EQ(segment.record, next);
        std::ifstream in(segment.path);
        for (std::string line; std::getline(in, line);) ++next;
        EXPECT_LT(fs::file_size(segment.path), kSegment + 3000);
    }
    EXPECT_EQ(snapshots_in(folder_.path()).size(), 2U) << "the last, and one to fall back on";
    EXPECT_EQ(started(files_of(folder_.path())), whole());
    EXPECT_EQ(whole().records() + 1, next);
}

TEST_F(SegmentsTest, AStartReadsTheLastOneOnly) {
    constexpr int kRecords = 100'000;
    {
        Journal journal(folder_.path(), 1U << 20);
        Ledger ledger(journal);
        for (int i = 0; i < kRecords; ++i) {
            ledger.record_note("n");
            ledger.flush();
            ledger.finish_snapshot();
        }
        ledger.finish_snapshot();
    }
    const std::vector<JournalFile> segments = segments_in(folder_.path());
    EXPECT_GE(segments.size(), 5U);
    Journal journal(folder_.path(), 1U << 20);
    EXPECT_EQ(journal.snapshot_record() + 1, segments.back().record);
    EXPECT_EQ(journal.read_bytes(), fs::file_size(segments.back().path));
    EXPECT_LE(journal.take_records().size(), kRecords + 2 - journal.snapshot_record());
    // The others are the record of what was, and nothing that a start needs.
    for (const JournalFile& segment : segments)
        if (segment.record != segments.back().record) fs::resize_file(segment.path, 3);
    EXPECT_EQ(read_journal(folder_.path()).next, kRecords + 3U);
}

TEST_F(SegmentsTest, AQuietSessionWritesLittle) {
    Journal journal(folder_.path());
    Ledger ledger(journal);
    const auto size = [&] { return fs::file_size(segment_path(folder_.path(), 1)); };
    const auto before = size();
    for (int i = 0; i < 6400; ++i) {
        ledger.set_next_target(ledger.next_target() + 1);
        ledger.flush();
    }
    EXPECT_LE(size() - before, 6400 * 3U) << "bytes of market data";
    // What a message has left in the journal is not asked for again.
    ledger.set_next_target(ledger.next_target() + 1);
    ledger.record_note("of it");
    ledger.flush();
    EXPECT_EQ(all_records(folder_.path()).back().at("target"), ledger.next_target());
}

// A kill or a power loss between any two steps of a turn: the folder as it is then.
TEST_F(SegmentsTest, ACrashWhileOneBeginsChangesNothing) {
    write(200);
    const Files before = files_of(folder_.path());
    const LedgerState expected = whole();
    const std::uint64_t last = expected.records();
    const std::string segment = segment_path({}, last + 1).string();
    const std::string line =
        journal_line({{"type", "snapshot"}, {"format", 1}, {"record", last}, {"state", expected.snapshot()}});
    Files files = before;
    EXPECT_EQ(started(files), expected);
    files[segment] = "";
    EXPECT_EQ(started(files), expected) << "begun, with nothing in it";
    for (std::size_t size = 0; size <= line.size(); size += 97) {
        files["snapshot.new"] = line.substr(0, size);
        EXPECT_EQ(started(files), expected) << "the snapshot is being written: " << size;
    }
    files.erase("snapshot.new");
    char name[32];
    std::snprintf(name, sizeof name, "snapshot-%012llu", static_cast<unsigned long long>(last));
    for (std::size_t size = 0; size < line.size(); size += 97) {
        files[name] = line.substr(0, size);
        EXPECT_EQ(started(files), expected) << "it is there, its bytes are not: " << size;
    }
    files[name] = line;
    EXPECT_EQ(started(files), expected);
    files.erase(segment);
    EXPECT_EQ(started(files), expected) << "the segment was empty";
}

// Whatever the writer or the maker of snapshots is just doing: segments of a few records, so mostly that.
TEST_F(SegmentsTest, AKillAtAnyMomentLosesNothing) {
    std::mt19937 random(1);
    std::uint64_t notes = 0;
    for (int kill = 0; kill < 40; ++kill) {
        int ends[2];
        ASSERT_EQ(::pipe(ends), 0);
        const pid_t writer = ::fork();
        if (writer == 0) {
            Journal journal(folder_.path(), 300);
            Ledger ledger(journal);
            for (;;) {
                ledger.record_note(std::to_string(++notes));
                if (::write(ends[1], &notes, sizeof notes) != sizeof notes) ::_exit(1);
                ledger.flush();
            }
        }
        ::close(ends[1]);
        std::uint64_t said = 0;
        for (auto left = 1 + random() % 60; left > 0; --left)
            ASSERT_EQ(::read(ends[0], &said, sizeof said), ssize_t{sizeof said});
        // On a machine that is busy no other life may be long enough for one.
        while (kill == 0 && snapshots_in(folder_.path()).empty())
            ASSERT_EQ(::read(ends[0], &said, sizeof said), ssize_t{sizeof said});
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 1000));
        ::kill(writer, SIGKILL);
        ::waitpid(writer, nullptr, 0);
        while (::read(ends[0], &said, sizeof said) == ssize_t{sizeof said}) {
        }
        ::close(ends[0]);
        std::uint64_t kept = 0;
        for (const json& record : all_records(folder_.path()))
            if (record.at("type") == "note") {
                EXPECT_EQ(record.at("text"), std::to_string(++kept));
            }
        EXPECT_GE(kept, said);
        ASSERT_EQ(started(files_of(folder_.path())), whole());
        EXPECT_TRUE(read_journal(folder_.path()).problems.empty());
        EXPECT_FALSE(read_journal(folder_.path()).torn);
        notes = kept;
    }
    EXPECT_GE(segments_in(folder_.path()).size(), 40U);
    EXPECT_FALSE(snapshots_in(folder_.path()).empty());
}

TEST_F(SegmentsTest, ATornEndIsCutWhereverItIs) {
    write(200);
    Files files = files_of(folder_.path());
    const std::string last = last_segment();
    const std::string text = files[last];
    const std::size_t line = text.rfind('\n', text.size() - 2) + 1;
    std::uint64_t number = segments_in(folder_.path()).back().record;
    number += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    files[last] = text.substr(0, line);
    const LedgerState expected = started(files);
    for (std::size_t size = line; size < text.size(); ++size) {
        files[last] = text.substr(0, size);
        EXPECT_EQ(started(files), expected) << size;
        Files next = files;  // a segment was begun behind it, and the disk has lost what it had said it has
        next[segment_path({}, number).string()] = "";
        EXPECT_EQ(started(next), expected) << size;
        next[segment_path({}, number).string()] = "half a rec";
        EXPECT_EQ(started(next), expected) << size;
    }
}

// In the midst of a record, or of all of one that the next segment says was there.
TEST_F(SegmentsTest, GoOnBehindATornEnd) {
    for (const bool whole_line : {false, true}) {
        write(200);
        const JournalFile last = segments_in(folder_.path()).back();
        const std::uint64_t number = whole().records();
        const std::string text = files_of(folder_.path()).at(last.path.filename().string());
        fs::resize_file(last.path, whole_line ? text.rfind('\n', text.size() - 2) + 1 : text.size() - 5);
        std::ofstream(segment_path(folder_.path(), number + 1));
        {
            Journal journal(folder_.path(), kSegment);
            EXPECT_TRUE(journal.torn());
            Ledger ledger(journal);
            EXPECT_EQ(ledger.records(), number)
                << "the record that says so has the number of that which was torn";
            EXPECT_EQ(ledger.asked(), Arming::disarmed) << "it may have been the last word";
        }
        write(200);
        EXPECT_EQ(started(files_of(folder_.path())), whole());
    }
}

// On a busy machine a snapshot takes longer than a segment: the next start reads no more for it.
TEST_F(SegmentsTest, ASnapshotThatComesLateIsFollowedByTheLast) {
    write(400);
    const std::vector<JournalFile> segments = segments_in(folder_.path());
    ASSERT_GT(segments.size(), 3U);
    for (const JournalFile& file : snapshots_in(folder_.path())) fs::remove(file.path);
    SnapshotMaker maker(folder_.path());
    for (std::size_t i = 1; i < segments.size(); ++i) maker.make(segments[i].record - 1);
    maker.finish();
    EXPECT_EQ(maker.take_problem(), "");
    EXPECT_EQ(snapshots_in(folder_.path()).back().record, segments.back().record - 1);
    EXPECT_EQ(started(files_of(folder_.path())), whole());
}

TEST_F(SegmentsTest, ADamagedSnapshotIsNotNeeded) {
    write(400);
    const Files good = files_of(folder_.path());
    const LedgerState expected = whole();
    Files files = good;
    files[last_snapshot()][40] ^= 1;
    EXPECT_EQ(started(files), expected);
    for (auto& [name, text] : files)
        if (name.starts_with("snapshot-")) text = "not one";
    EXPECT_EQ(started(files), expected) << "all records are there";
    // Then it is made anew.
    fs::path snapshot = folder_.path() / last_snapshot();
    fs::resize_file(snapshot, 7);
    {
        Journal journal(folder_.path(), kSegment);
        ASSERT_EQ(journal.problems().size(), 1U);
        EXPECT_NE(journal.problems()[0].find(snapshot.string()), std::string::npos);
        Ledger ledger(journal);
        ledger.finish_snapshot();
    }
    EXPECT_TRUE(Journal(folder_.path()).problems().empty());
    EXPECT_EQ(started(files_of(folder_.path())), whole());
}

TEST_F(SegmentsTest, WhatCannotBeKnownIsRefused) {
    write(400);
    const Files good = files_of(folder_.path());
    Files files = good;
    for (auto& [name, text] : files)
        if (name.starts_with("snapshot-")) text = "not one";
    const auto refused_without = [&](const std::string& segment) {
        Files fewer = files;
        fewer.erase(segment);
        return refused(fewer);
    };
    EXPECT_NE(refused_without("journal-000000000001.log").find("from 1 on are missing"), std::string::npos);
    const std::string second = segments_in(folder_.path()).at(1).path.filename().string();
    EXPECT_NE(refused_without(second).find("are missing before"), std::string::npos);
    Files damaged = files;
    damaged[second][12] ^= 1;
    EXPECT_NE(refused(damaged).find(second + ":1: the record is damaged"), std::string::npos);
    damaged = files;
    damaged[second].resize(damaged[second].size() - 3);
    EXPECT_NE(refused(damaged).find(second), std::string::npos) << "torn, and others follow";
    damaged = files;
    damaged["journal-000000000003.log"] = "";
    EXPECT_NE(refused(damaged).find("journal-000000000003.log begins with a record"), std::string::npos);
    damaged = good;
    for (int i = 0; i < 2; ++i) damaged.erase(std::prev(damaged.lower_bound("snapshot")));
    EXPECT_NE(refused(damaged).find("but a snapshot is of record"), std::string::npos);
}

TEST_F(SegmentsTest, ASingleFileBecomesTheFirst) {
    write(1);
    const Files files = files_of(folder_.path());
    const ScratchFolder other;
    put(other.path(), {{"journal.log", files.at("journal-000000000001.log")}});
    const LedgerState expected = whole();
    {
        Journal journal(other.path(), 1);
        Ledger ledger(journal);
        ledger.finish_snapshot();
        EXPECT_EQ(ledger.records(), expected.records() + 1);
        EXPECT_EQ(ledger.fires(), expected.fires());
    }
    EXPECT_FALSE(fs::exists(other.path() / "journal.log"));
    EXPECT_EQ(snapshots_in(other.path()).size(), 1U);
    std::ofstream(other.path() / "journal.log");
    EXPECT_THROW(Journal{other.path()}, JournalError) << "an older daemon has come back";
    EXPECT_TRUE(fs::exists(other.path() / "journal.log"));
}

TEST_F(SegmentsTest, BeginWithTheVenuesDay) {
    Journal journal(folder_.path());
    Ledger ledger(journal);
    ledger.record_day_roll();
    EXPECT_EQ(journal.segment_first(), ledger.records() + 1);
}

}  // namespace
}  // namespace fixaccel
