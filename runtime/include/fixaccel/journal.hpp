// SPDX-License-Identifier: Apache-2.0
// The append-only journal: one record a line, `<crc32 of the JSON, 8 hex digits> <JSON object>`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fixaccel {

// The journal cannot be opened, read or written.
class JournalError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Bytes as JSON text and back: byte n is code point n, so that SOH and bytes above 127 survive and FIX stays
// readable.
std::string bytes_to_text(std::string_view bytes);
std::string text_to_bytes(std::string_view text);

// One process writes a journal at a time (a file lock says so).
class Journal {
  public:
    enum class Sync { later, now };

    // Opens or makes `dir`/journal.log. Whole records at its start are kept; a torn end, as a crash leaves
    // it, is cut off. Throws JournalError if it is locked, or damaged before its end.
    explicit Journal(const std::filesystem::path& dir);
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;
    ~Journal();

    // What was found at opening, oldest first. Taken once.
    std::vector<nlohmann::json> take_records();
    // Bytes of a torn end that opening cut off.
    std::uint64_t truncated_bytes() const { return truncated_; }

    // Appends a record. With Sync::now it survives power loss on return, and so does all that was written
    // before it. Throws JournalError; after that nothing more is accepted.
    void append(const nlohmann::json& record, Sync sync);
    // Makes everything written so far survive power loss.
    void sync();

    static std::string line(const nlohmann::json& record);
    // The record of a line without its end; none if the line is not whole.
    static std::optional<nlohmann::json> parse(std::string_view line);

  private:
    void recover();
    [[noreturn]] void fail(const std::string& what);

    std::filesystem::path file_;
    int fd_ = -1;
    bool dirty_ = false;
    bool broken_ = false;
    std::uint64_t truncated_ = 0;
    std::vector<nlohmann::json> records_;
};

}  // namespace fixaccel
