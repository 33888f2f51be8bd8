// SPDX-License-Identifier: Apache-2.0
// The append-only journal: one record a line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "fixaccel/journal_files.hpp"

namespace fixaccel {

// Bytes as JSON text and back: byte n is code point n, so that SOH and bytes above 127 survive and FIX stays
// readable.
std::string bytes_to_text(std::string_view bytes);
// Likewise, into `text`, whose room is kept.
void bytes_to_text(std::string_view bytes, std::string& text);
std::string text_to_bytes(std::string_view text);

// What a start has to read at most, beside the snapshot: this, and what is written while one is in the
// making.
constexpr std::uint64_t kSegmentBytes = 4U << 20;
constexpr std::int64_t kLeastSegmentBytes = 4096, kMostSegmentBytes = 1 << 30;

// One process writes a journal at a time (a lock on its folder says so).
class Journal {
  public:
    // `with_next`: what would not have come about without the next record is written with it.
    enum class Sync { with_next, later, now };

    // Opens or makes the journal in `dir`; one of a single file journal.log becomes its first segment. A torn
    // end, as a crash leaves it, is cut off. Throws JournalError if it is locked, or damaged before its end.
    explicit Journal(const std::filesystem::path& dir, std::uint64_t segment_bytes = kSegmentBytes);
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;
    ~Journal();

    // What was found at opening: the state that a snapshot holds, null if none was needed; the records that
    // follow it, oldest first. Taken once.
    nlohmann::json take_snapshot();
    std::vector<Record> take_records();
    // The last record that the snapshot takes account of.
    std::uint64_t snapshot_record() const { return found_.snapshot_record; }
    // Bytes that were read of records.
    std::uint64_t read_bytes() const { return found_.bytes; }
    // Snapshots that were of no use.
    const std::vector<std::string>& problems() const { return found_.problems; }
    // A torn end was cut off, of so many bytes.
    bool torn() const { return found_.torn.has_value(); }
    std::uint64_t truncated_bytes() const { return found_.torn_bytes; }

    // Appends a record. With Sync::now it survives power loss on return, and so does all that was written
    // before it. Throws JournalError; after that nothing more is accepted.
    void append(const Record& record, Sync sync);
    // Likewise, of its text as Record::write_fields() writes it.
    void append_fields(std::string_view fields, Sync sync);
    // Makes everything written so far survive power loss.
    void sync();

    // The segment has all that it should have.
    bool full() const { return size_ >= segment_bytes_; }
    // The next record is the first one of a new segment; those before it are durable. Nothing if the segment
    // is empty.
    void begin_segment();
    // Number of the first record of the segment that is written to.
    std::uint64_t segment_first() const { return first_; }
    const std::filesystem::path& folder() const { return dir_; }
    // Number and SHA-256 of the last line. Each says that of the one before it, so this one stands for all.
    std::uint64_t last_record() const { return next_ - 1; }
    // Number of the last line that survives a loss of power, as far as this process has seen to it.
    std::uint64_t durable_record() const { return durable_; }
    const std::string& last_hash() const { return last_hash_; }

  private:
    void take_single_file();
    void cut_torn_end();
    void open_segment(std::uint64_t first, int flags);
    [[noreturn]] void fail(const std::string& what);
    void write_waiting();

    std::filesystem::path dir_;
    std::uint64_t segment_bytes_;
    int lock_ = -1;  // the folder
    std::filesystem::path file_;
    int fd_ = -1;
    std::uint64_t first_ = 1;
    std::uint64_t next_ = 1;  // number of the next record
    std::uint64_t durable_ = 0;
    std::uint64_t size_ = 0;  // bytes of the segment
    std::string last_hash_;   // empty: there is no line
    std::string waiting_;     // lines that are written with the next one
    std::string fields_;      // of a record, kept for its room
    bool dirty_ = false;
    bool broken_ = false;
    JournalContent found_;
};

}  // namespace fixaccel
