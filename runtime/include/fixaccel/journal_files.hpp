// SPDX-License-Identifier: Apache-2.0
// The files of a journal. Its records are in segments, each named by the number of its first record, counted
// from 1 over all of them; only the last one is written to. A snapshot, named by the number of the last
// record that it takes account of, stands for these records: a start reads the last snapshot and what follows
// it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fixaccel/durable_file.hpp"
#include "fixaccel/record.hpp"

namespace fixaccel {

struct JournalFile {
    std::uint64_t record = 0;  // that it is named by
    std::filesystem::path path;
};

std::filesystem::path segment_path(const std::filesystem::path& dir, std::uint64_t first);
// Rising.
std::vector<JournalFile> segments_in(const std::filesystem::path& dir);
std::vector<JournalFile> snapshots_in(const std::filesystem::path& dir);

// A line of a journal: `<crc32 of the JSON, 8 hex digits> <JSON object>`. `after`: SHA-256 of the line before
// it, its end left out; it goes into the object as "after". Empty: there is none.
std::string journal_line(const Record& record, std::string_view after = {});
// Likewise, of the fields as Record::write_fields() writes them, appended to `out`.
void append_journal_line(std::string& out, std::string_view fields, std::string_view after);
// The record of a line without its end and without "after"; none if the line is not whole.
std::optional<Record> parse_journal_line(std::string_view line);
// SHA-256 of the last line of the journal in `dir`; empty if there is none. Throws JournalError.
std::string last_line_hash(const std::filesystem::path& dir);

// What a start has to know.
struct JournalContent {
    nlohmann::json snapshot;  // state behind that record; null: none was needed
    std::uint64_t snapshot_record = 0;
    std::vector<Record> records;        // those that follow it
    std::uint64_t bytes = 0;            // of the segments that were read
    std::uint64_t next = 1;             // the number behind them
    std::string last_hash;              // of the last line; empty if none was read
    std::vector<std::string> problems;  // why a later snapshot was not used

    // The end is torn, as a crash leaves it: behind `whole` bytes of this segment there is no whole record,
    // in no later one either.
    std::optional<JournalFile> torn;
    std::uint64_t whole = 0;
    std::uint64_t torn_bytes = 0;
};

// Up to record `last`. Reads nothing before the last snapshot that is whole. Throws JournalError if records
// are missing or damaged that have to be known.
JournalContent read_journal(const std::filesystem::path& dir,
                            std::uint64_t last = std::numeric_limits<std::uint64_t>::max());

// Survives power loss on return: it is there as a whole or not at all. Of the earlier ones the last is kept.
void write_snapshot(const std::filesystem::path& dir, std::uint64_t record, const nlohmann::json& state);

}  // namespace fixaccel
