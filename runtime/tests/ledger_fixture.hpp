// SPDX-License-Identifier: Apache-2.0
// A ledger with a journal in a folder of its own, and what it is told.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/ledger.hpp"
#include "lists.hpp"
#include "scratch_folder.hpp"

namespace fixaccel {

// What a failing test says of a state.
inline void PrintTo(const LedgerState& state, std::ostream* out) { *out << state.snapshot().dump(); }

constexpr std::uint32_t kGeneration = 77;

inline LoadedRule rule(const std::string& id, const std::string& hash) {
    return {id, hash, "MSFT", "last", "<=", "1180", "0.01", "sell", "2", "limit", "1100"};
}

inline Load load_of(const std::vector<LoadedRule>& rules) {
    return {kGeneration, "0001", "b", "/bundle", "quickstart", list_of(rules), {}};
}

inline Load next_of(const std::vector<LoadedRule>& rules) {
    Load next = load_of(rules);
    ++next.generation;
    next.epoch = "0002";
    return next;
}

// It has turned out that no rule in doubt has sent anything.
inline void clear_doubts(Ledger& ledger) {
    std::vector<std::string> keys;
    for (const auto& [key, doubt] : ledger.in_doubt()) keys.push_back(key);
    ledger.record_reconciled(keys, "the venue");
}

inline Fire fire(std::uint32_t entry, std::uint32_t index, std::uint32_t seq_num) {
    Fire out;
    out.entry = entry;
    out.generation = kGeneration;
    out.rule = index;
    out.source = hwmap::source_last;
    out.outcome = hwmap::outcome_sent;
    out.fires = 1;
    out.observed = 117950;
    out.time_ns = 1000 + entry;
    out.seq_num = seq_num;
    out.frame_end_cycle = 100;
    out.first_byte_cycle = 104;
    out.left = true;
    out.payload =
        "8=FIX.4.4\x01"
        "54=2\x01"
        "38=0000000002\x01"
        "40=2\x01"
        "44=01100.00\x01"
        "35=D\x01"
        "34=" +
        std::to_string(seq_num) +
        "\x01"
        "11=0001000000000000000" +
        std::to_string(entry) + "\x01";
    return out;
}

inline SoftwareFire software_fire(std::uint32_t rule, std::uint32_t fires = 1) {
    SoftwareFire out;
    out.generation = kGeneration;
    out.rule = rule;
    out.source = "last";
    out.observed = "1179.5";
    out.threshold = "1180";
    out.side = "sell";
    out.qty = "2";
    out.type = "limit";
    out.price = "1100";
    out.cl_ord_id = "X" + std::to_string(rule) + std::to_string(fires);
    out.fires = fires;
    out.time_ns = 5;
    return out;
}

inline std::string message_of(const SoftwareFire& fire) {
    return "35=D\x01"
           "11=" +
           fire.cl_ord_id + "\x01";
}

// All that a journal has, from its first record on.
inline std::vector<nlohmann::json> all_records(const std::filesystem::path& dir) {
    std::vector<nlohmann::json> records;
    for (const JournalFile& segment : segments_in(dir)) {
        std::ifstream in(segment.path, std::ios::binary);
        for (std::string line; std::getline(in, line);) records.push_back(parse_journal_line(line).value());
    }
    return records;
}

// Wherever a snapshot is taken: with what follows it, it is what all of the records come to.
inline void expect_same_from_any_snapshot(const std::vector<nlohmann::json>& records) {
    LedgerState whole;
    for (const nlohmann::json& record : records) whole.replay(record);
    LedgerState before;
    for (std::size_t taken = 0; taken <= records.size(); ++taken) {
        LedgerState restored(nlohmann::json::parse(before.snapshot().dump()));
        for (std::size_t i = taken; i < records.size(); ++i) restored.replay(records[i]);
        ASSERT_EQ(restored, whole) << "a snapshot of record " << taken << " of " << records.size();
        if (taken < records.size()) before.replay(records[taken]);
    }
}

class LedgerTest : public ::testing::Test {
  protected:
    void SetUp() override { open(); }
    // Whatever a test has recorded serves this one too.
    void TearDown() override {
        ledger_.reset();
        expect_same_from_any_snapshot(all_records(folder_.path()));
    }

    // As after a restart of the daemon. Each start begins a segment, so the next one begins with a snapshot.
    void open() {
        if (ledger_) ledger_->finish_snapshot();
        ledger_.reset();
        journal_.reset();
        journal_.emplace(folder_.path(), 1);
        EXPECT_TRUE(journal_->problems().empty());
        ledger_.emplace(*journal_);
    }

    std::vector<std::string> stored(int first, int last) {
        std::vector<std::string> out;
        ledger_->get(first, last, out);
        return out;
    }

    ScratchFolder folder_;
    std::optional<Journal> journal_;
    std::optional<Ledger> ledger_;
};

}  // namespace fixaccel
